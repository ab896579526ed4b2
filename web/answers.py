"""The responses of the API, as types. mypy checks the views against them, and the OpenAPI document is made of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from companion.games.game import Counting, Dealing, Where
from companion.rights import Role
from companion.table.state import Solvable
from web.schema import About, Between, Open


class Error(TypedDict):
    error: Annotated[str, About("A code, the same in every language.")]
    reason: Annotated[str, About("A sentence in the reader's language.")]
    field: NotRequired[Annotated[str, About("What was sent that is wrong, by its name.")]]
    rule: NotRequired[Annotated[str, About("The rule that is broken, by its number.")]]
    move: NotRequired[str]


class Me(TypedDict):
    role: Role
    seats: Annotated[list[str], About("at which you sit; a player without any acts for those that are free")]
    free: Annotated[list[str], About("seats at which nobody sits, nor the computer")]
    camera: Annotated[bool, About("this device may be the table's camera")]
    here: Annotated[bool, About("you sit at the companion's own machine, and need no PIN")]


class Person(TypedDict):
    number: int
    role: Role
    seats: list[str]
    camera: bool
    address: str
    browser: str
    since: float
    idle: Annotated[float, About("seconds since something was asked")]
    you: bool


class Pins(TypedDict):
    player: str
    referee: str


class Invitation(TypedDict):
    address: str
    code: Annotated[str, About("the address as a QR code, SVG")]
    uses: int
    until: Annotated[float, About("seconds since 1970")]


# --- the table


class Piece(TypedDict):
    kind: str
    name: str
    words: Annotated[str, About("what a player would call it")]
    model: NotRequired[Annotated[str, About("which one it is, where the name also tells how it lies")]]
    face: NotRequired[Annotated[str, About("what it shows beyond its name: the face that is up, a letter")]]


class PiecesLeft(Piece):
    count: int


class Trace(TypedDict):
    """Where a move happens: squares in the order in which a hand passes them. Empty fields are left out."""

    start: NotRequired[Annotated[list[str], About("where the piece that moves stood")]]
    route: NotRequired[Annotated[list[str], About("the squares it passes")]]
    turns: NotRequired[Annotated[list[str], About("those of them on which it turns aside")]]
    laid: NotRequired[Annotated[list[str], About("squares that come to lie on the table with this move")]]
    to: NotRequired[Annotated[list[str], About("where it ends")]]
    holes: NotRequired[Annotated[list[str], About("those of `to` that are seen through the piece")]]
    faces: NotRequired[Annotated[list[str], About("what the piece shows on each square of its route and at its end")]]
    touch: Annotated[list[str], About("the squares that a person touches to make it")]
    ordered: Annotated[bool, About("they are touched in this order; otherwise in any")]


class Told(TypedDict):
    """A move in words."""

    move: Annotated[str, About("its text")]
    words: str
    player: str | None
    pieces: list[Piece]
    trace: Trace


class Choosing(TypedDict):
    answer: str
    words: str
    pieces: list[Piece]


class Question(TypedDict):
    id: str
    code: str
    text: str
    choices: Annotated[list[str], About("empty: any text")]
    told: Annotated[list[Choosing], About("what can be answered, in words and pictures")]


class Ply(TypedDict):
    ply: int
    text: Annotated[str, About("its notation")]
    words: str
    pieces: list[Piece]
    player: str | None
    stood: Annotated[bool, About("no legal move: what lay there was accepted")]
    unsaid: Annotated[Question | None, About("what nobody saw of it; it may be filled in as an answer")]


class Outcome(TypedDict):
    winner: str | None
    draw: bool
    why: str
    because: Annotated[str, About("why, in words")]
    text: str


class WrongSquare(TypedDict):
    square: str
    should: Annotated[str, About("a code of the visible state")]
    seen: str
    should_text: Annotated[str, About("the same in words")]
    seen_text: str
    name: Annotated[str, About("the square, or the pawn in words")]
    take_away: Annotated[bool, About("nothing should lie there")]


class Verdict(TypedDict):
    kind: Literal["same", "move", "partial", "illegal", "unsure", "hand"]
    text: Annotated[str, About("all of it in one sentence")]
    detail: Annotated[str, About("what is said beyond the kind and the squares")]
    rule: str | None
    reason: str | None
    moves: list[str]
    told: Annotated[list[Told], About("the same moves in words")]
    squares: list[WrongSquare]


class CameraState(TypedDict):
    source: str
    state: Literal["none", "starting", "live", "lost", "ended"]
    text: str
    trouble: str | None
    mirrored: Annotated[bool, About("its pictures are mirrored; they are turned back before they are read")]
    since: float | None


class Keeping(TypedDict):
    ok: Annotated[bool, About("all that was acknowledged is on disk")]
    waiting: Annotated[int, About("events that are in memory only, and gone if the companion ends now")]
    lost: Annotated[int, About("pictures that found no room in memory either")]
    trouble: Annotated[str | None, About("why: a code, the same in every language")]
    text: Annotated[str, About("all of it in one sentence")]


class Head(TypedDict):
    """A signed head of the log, to be compared with the log later."""

    number: Annotated[int, About("the log's last event then")]
    at: float
    words: Annotated[str, About("four short words to read aloud")]
    text: Annotated[str, About("for `companion verify --head`")]


class HeadCode(Head):
    code: Annotated[str, About("the text as a QR code, SVG")]


class SeatClock(TypedDict):
    left: float
    periods: int
    flag: bool


class ClockState(TypedDict):
    kind: str
    main: float
    more: float
    periods: int
    running: str | None
    at: float
    seats: dict[str, SeatClock]


class Meaning(TypedDict):
    kind: str
    text: str
    color: str
    blink: int
    squares: list[str]


class LedGuide(TypedDict):
    """The progress of finding out how the LEDs are wired."""

    step: Literal["asking", "seeking", "dark", "looking", "found", "failed"]
    text: str
    columns: int
    rows: int
    done: Annotated[int, About("LEDs that were asked for or looked at")]
    count: int
    words: Annotated[str | None, About("the layout that was found, as in the settings")]


class LedCheckup(TypedDict):
    """The result of a checkup of the connection to the board."""

    text: Annotated[list[str], About("in sentences")]
    well: bool
    log: Annotated[bool, About("there is a log of it to be saved")]


class LedEye(TypedDict):
    """The colors of the lights with one kind of color vision."""

    eye: Literal["all", "protan", "deutan", "tritan"]
    text: str
    colors: list[str]
    alike: Annotated[list[list[str]], About("lights that may burn together and are hard to tell apart")]


class LedColors(TypedDict):
    kinds: Annotated[list[str], About("in the order of the colors")]
    eyes: list[LedEye]
    text: str
    least: Annotated[float, About("from which brightness on, in per cent, everybody tells all of them apart")]


class Leds(TypedDict):
    state: Annotated[str, About("`ready` and `drawn`: they burn; others say why they do not, or what is being done")]
    percent: Annotated[int | None, About("how much of the firmware is written")]
    guide: LedGuide | None
    checkup: LedCheckup | None
    text: str
    port: str
    kind: Literal["color", "mono"]
    chosen: str
    lit: bool
    walking: int | None
    columns: int
    rows: int
    wire: list[list[int]]
    brightness: float
    limit: int
    mA: Annotated[int, About("about what they draw now")]
    most_mA: Annotated[int, About("and what they would if all burned white and nothing held them back")]
    meanings: list[Meaning]
    pixels: list[list[int]]


class HallState(TypedDict):
    """The table's connection to its hall."""

    reached: bool
    have: Annotated[int, About("up to which event the hall has the log")]
    called: Annotated[bool, About("the referee is wanted")]
    waiting: Annotated[str | None, About("why the game that the hall wants cannot begin yet")]
    refused: bool
    far: Annotated[list[str], About("seats of this game that are played at another table")]


class Hints(TypedDict):
    on: bool
    locked: Annotated[bool, About("only the referee may switch them")]


class Analysis(TypedDict):
    move: str
    value: Annotated[
        float, Between(0, 1), About("the result that who is to move can expect: 1 a win, 0.5 a draw, 0 a loss")
    ]
    line: list[str]
    exact: Annotated[bool, About("proved, not searched")]


class Counted(TypedDict):
    """A part of what decided the game, in the order of counting."""

    squares: list[str]
    side: str | None
    points: float


class MatchState(TypedDict):
    number: Annotated[int, About("which game of the match this is, from 1")]
    games: int
    counts: Annotated[Counting, About("what it adds up")]
    fewest: Annotated[bool, About("what is counted is bad: the fewest win")]
    names: list[str]
    totals: Annotated[list[float], About("in the order of the names")]
    over: bool
    winners: Annotated[list[str], About("partners together; nobody: it is a draw, or goes on")]
    text: Annotated[str, About("how it stands, in words")]
    next: Annotated[str | None, About("who has the first turn in the next game; null where there is none")]


class Solitaire(TypedDict):
    seconds: Annotated[float, About("that were played until `at`")]
    at: float
    running: bool
    hints: int
    given: Annotated[int, About("moves that belong to the problem")]
    level: str | None
    level_text: str | None
    day: Annotated[str | None, About("the date of a problem of the day")]
    solvable: Annotated[Solvable | None, About("whether this position can be solved, if somebody asked")]
    goes_back: Annotated[bool, About("the last good move is being looked for")]


class Reply(TypedDict):
    """The computer's evaluation of its last move."""

    ply: Annotated[int, About("which move it was")]
    value: Annotated[float, Between(0, 1), About("the result that it expects")]
    exact: bool
    slipped: Annotated[bool, About("it played just anything, as weaker players do")]
    line: Annotated[list[Told], About("what it expects, its own move first")]


class TableState(TypedDict):
    """The table's state, the same for all readers of a language."""

    changes: int
    event: int
    id: int | None
    game: str | None
    name: str
    options: dict[str, Any]
    players: list[str]
    seats: list[str]
    sides: Annotated[dict[str, str], About("for each seat the name under which it is scored: with teams, the team's")]
    names: dict[str, str]
    to_move: str | None
    now: Annotated[str, About("what the player to move has to do; empty where the game does not say")]
    turn_text: str
    moves: list[Ply]
    scores: dict[str, float]
    over: bool
    outcome: Outcome | None
    verdict: Verdict
    questions: Annotated[list[Question], About("at most one: what matters most now")]
    camera: CameraState
    keeping: Annotated[Keeping, About("a POST that is not on disk yet answers 202 instead of 200")]
    head: Annotated[Head | None, About("the newest that was signed of the log")]
    paused: bool
    clock: ClockState | None
    leds: Leds | None
    hint: str | None
    hint_squares: list[str]
    hint_told: Annotated[Told | None, About("the hint in words")]
    hint_line: Annotated[list[Told], About("how play may go on, the hint first")]
    last: Annotated[Told | None, About("the last move, and where it happened")]
    beside: Annotated[
        dict[str, list[PiecesLeft]], About("what lies beside the board, by whose it is; what anybody may take under ``")
    ]
    reply: Annotated[Reply | None, About("what the computer thought when it last moved")]
    hints: Hints
    analysis: Annotated[Analysis | None, About("what is thought of the position, while hints are on")]
    computer: Annotated[dict[str, int], About("the seats that the computer plays, each at a level from 1 to 5")]
    hall: Annotated[HallState | None, About("None: the table is alone")]
    decided: Annotated[list[Counted], About("what decided the game, when the rules ended it")]
    match: MatchState | None
    solitaire: Solitaire | None


class State(TableState):
    role: Role


# --- moves


class Move(TypedDict):
    move: Annotated[str, About("its text; `{}` stands for the name of the piece that is chosen")]
    label: Annotated[str, About("in words")]
    trace: Trace
    pieces: NotRequired[Annotated[list[Piece], About("what is taken from beside the board, or turned up on it")]]
    choices: NotRequired[Annotated[int, About("which list of `choices` the piece is chosen from")]]
    top: NotRequired[Annotated[str, About("what the piece shows on top when it has arrived")]]
    announced: NotRequired[Annotated[str, About("its text with the announcement that the rules know")]]


class Moves(TypedDict):
    moves: list[Move]
    choices: Annotated[list[list[Piece]], About("pieces to choose from, for moves that differ in nothing else")]


class Why(TypedDict):
    legal: bool
    rule: str | None
    reason: str | None


# --- games


class Result(TypedDict):
    winner: str | None
    why: str
    text: str
    draw: NotRequired[bool]
    scores: NotRequired[dict[str, float]]


class Record(TypedDict):
    game: str
    options: NotRequired[dict[str, Any]]
    setup: NotRequired[dict[str, Any]]
    moves: list[Any]
    result: NotRequired[dict[str, Any]]
    about: NotRequired[Any]


class InMatch(TypedDict):
    first: Annotated[int, About("the number of the match's first game")]
    number: Annotated[int, About("which game of it this is, from 1")]
    games: int


class KeptGame(TypedDict):
    id: int
    game: str
    name: str
    title: Annotated[str, About("what people called it")]
    keep: Annotated[bool, About("its pictures are kept for ever")]
    began: float
    last: float
    moves: int
    result: Result | None
    about: Any
    players: list[str]
    match: InMatch | None
    solitaire: bool
    seconds: Annotated[float, About("that were played, pauses left out")]
    hints: Annotated[int, About("that a solver was shown")]
    level: Annotated[str | None, About("of a problem, in words")]


class KeptPly(TypedDict):
    ply: int
    move: Annotated[Any, About("its text, or what lay there when an illegal step stood")]
    words: Annotated[str, About("the move in words")]
    pieces: Annotated[list[Piece], About("what is drawn beside its words")]
    seat: str | None
    time: float
    spent: Annotated[float | None, About("seconds that the move took")]
    left: Annotated[float | None, About("seconds that were left on the clock after it")]
    by: str | None
    picture: str | None


class Game(TypedDict):
    id: int
    game: str
    name: str
    title: str
    keep: bool
    players: list[str]
    seats: list[str]
    names: dict[str, str]
    decided: list[Counted]
    match: InMatch | None
    record: Annotated[Record, Open()]
    result: Result | None
    began: float
    last: float
    plies: list[KeptPly]


class Valued(TypedDict):
    ply: int
    side: Annotated[str, About("for whom the value holds")]
    value: Annotated[float, Between(0, 1), About("the result that it can expect: 1 a win, 0.5 a draw, 0 a loss")]
    exact: bool


class Mistake(TypedDict):
    ply: Annotated[int, About("the move's number, from 1")]
    move: str
    player: str
    threw_away: Literal["win", "draw"]
    better: str
    better_words: str
    squares: Annotated[list[str], About("where the better move is made")]
    goes: Annotated[bool, About("a piece goes from the first of them to the last")]
    exact: bool
    text: str


class Review(TypedDict):
    done: Annotated[int, About("positions that were thought about")]
    of: int
    values: list[Valued]
    mistakes: list[Mistake]
    graph: Annotated[str | None, About("SVG: the values over the moves; null while there are too few")]


# --- what there is to choose from


class Choice(TypedDict):
    value: Any
    label: str


class Option(TypedDict):
    name: str
    label: str
    default: Any
    choices: list[Choice]


class Badge(TypedDict):
    color: str
    shape: Literal["round", "square"]


class MatchOffered(TypedDict):
    counts: Counting
    multiple: Annotated[int, About("a match has a multiple of so many games")]
    fewest_wins: Annotated[list[int], About("with so many players what is counted is bad")]
    seats_stay: Annotated[bool, About("only the first turn passes on from game to game")]
    usual: Annotated[list[int], About("numbers of games that are offered")]


class TourStep(TypedDict):
    at: Annotated[Literal["board", "now", "hand"], About("the part of the table page that is pointed at")]
    text: str


class GameOffered(TypedDict):
    id: str
    name: str
    about: str
    field: str
    roles: Annotated[list[str], About("all who may be scored")]
    players: Annotated[list[int], About("how many may play, the usual number first")]
    seats: Annotated[dict[str, list[str]], About("who moves, in the order of play, by how many play")]
    players_in: Annotated[Where, About("where a record says how many play, under `players`")]
    labels: Annotated[dict[str, str], About("what a seat or a team is called beside its name")]
    badges: dict[str, Badge]
    dealing: Annotated[Dealing, About("when chance makes the set-up")]
    deal_label: Annotated[str, About("what it means to have it dealt, where the game has words for it")]
    announcement: Annotated[str, About("what may be announced with a move, where the game has words for it")]
    tour: Annotated[list[TourStep], About("what leads who plays it for the first time; the last step is a first move")]
    setup: list[str]
    options: list[Option]
    match: Annotated[MatchOffered | None, About("how several games add up; null: it is played alone")]
    levels: Annotated[list[Choice], About("of the problems that can be made for it")]


class ClockField(TypedDict):
    name: str
    label: str
    default: float


class ClockOffered(TypedDict):
    kind: str
    label: str
    fields: list[ClockField]


class Ending(TypedDict):
    why: str
    label: str


class Catalogue(TypedDict):
    language: str
    languages: list[str]
    texts: dict[str, str]
    games: list[GameOffered]
    clocks: list[ClockOffered]
    endings: list[Ending]
    drawn: Annotated[list[str], About("kinds of pieces that have a picture of their own")]


# --- setting up


class Camera(TypedDict):
    source: str
    used: bool
    picture: str | None


class Finding(TypedDict):
    good: bool
    code: str
    advice: Annotated[str, About("what was found, and what to change if it is not good")]


class KnownSet(TypedDict):
    learned: Annotated[bool, About("whether this table has learned its set for the game")]
    drawing: Annotated[str, About("SVG: how the pieces are asked for")]
    start: Annotated[bool, About("whether the start position shows the pieces, so that it can teach them")]


class Learned(TypedDict):
    learned: bool
    said: str
    squares: int
    right_before: Annotated[int, About("squares that were read right without it")]
    right_after: int


class Corners(TypedDict):
    corners: list[list[float]] | None
    set: bool
    found: Literal["markers", "corners", "lattice"] | None


class Frame(TypedDict):
    number: int


class Lacking(TypedDict):
    code: str
    there: int
    needed: int
    name: str


class HiddenDie(TypedDict):
    square: str
    die: str
    text: Annotated[str, About("the die in words")]
    south: Annotated[list[int], About("the faces that may look south")]
    usual: Annotated[int | None, About("the face that does in the opening, if such a die stands here then")]


class Check(TypedDict):
    ready: bool
    reason: str | None
    squares: list[WrongSquare]
    lacking: Annotated[
        Lacking | None, About("pieces that may lie on any squares: how many there are, and how many are needed")
    ]
    hidden: Annotated[list[HiddenDie], About("dice whose south face must be told to begin as they lie")]
    drawing: Annotated[str | None, About("SVG: how it should look, with what is wrong marked")]


class LedPort(TypedDict):
    port: str
    about: str
    used: bool


class SettingChoice(TypedDict):
    value: str
    label: str


class Setting(TypedDict):
    name: str
    value: Any
    default: Any
    changeable: bool
    help: str
    group: Annotated[str, About("what it is about: table, camera, lights, machine")]
    when: Annotated[Literal["now", "start"], About("whether a change takes effect at once or after a restart")]
    choices: list[SettingChoice]
