"""Plank: lay planks side by side, put tokens on their colors, and line up red, white and blue."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.errors import BadInput, MoreThanTheKit, Reason, UnreadableMove
from companion.games.game import (
    Badge,
    Counting,
    Dealing,
    Game,
    MatchRules,
    Option,
    Options,
    Seating,
    Setup,
    Where,
    required,
    wrong_phase,
)
from companion.games.material import Material
from companion.games.position import Counted, Outcome, Phrase, Piece, Position, Scores, Seat, Trace, Visible
from companion.games.value import replace, value
from companion.games.words import plank as words

if TYPE_CHECKING:
    from random import Random

COLORS = ("R", "W", "B")
COLUMNS = "abc"
OF_A_MODEL = 4  # planks with the same middle color
OF_A_COLOR = 2  # tokens of each player
DEALT = {2: 6, 3: 4, 4: 3}  # planks for each player
SQUARE = r"[a-z](?:0|-?[1-9][0-9]?)"
PLANKS = ["RWB", "BWR", "WRB", "BRW", "RBW", "WBR"]  # every plank, either way round
MODELS = ("WRB", "RWB", "RBW")  # one way round, by the color in the middle


@value
class Turn:
    """A plank laid or not, then a token put from the hand (its color) or moved (from its square)."""

    plank: str  # its colors from west to east, or ""
    end: str  # `^` north, `v` south
    token: str  # the color of a token from the hand, or the square of the one that moves; "" if none was put
    to: str

    def __str__(self) -> str:
        token = f"{self.token}@{self.to}" if self.token in COLORS else f"{self.token}>{self.to}"
        return " ".join(filter(None, [self.plank + self.end, token if self.token else ""]))


def read(text: str) -> Turn:
    found = re.fullmatch(rf"(?:([RWB]{{3}})([v^])(?: |$))?(?:([RWB])@({SQUARE})|({SQUARE})>({SQUARE}))?", text)
    if not found or not text or text.endswith(" "):
        raise UnreadableMove(text=text)
    plank, end, color, at, source, to = (part or "" for part in found.groups())
    return Turn(plank, end, color or source, at or to)


class Plank(NamedTuple):
    colors: str
    tokens: tuple[str, str, str] = ("", "", "")  # `AR`: A's red one


class Owned(NamedTuple):
    """What a player has not put on the table yet, by color in the order R W B."""

    planks: tuple[int, int, int]
    tokens: tuple[int, int, int] = (OF_A_COLOR,) * 3


Moment = tuple[tuple[Plank, ...], int, tuple[Owned, ...], Seat]  # the row, where it begins, the hands, who moves


@value
class PlankGame(Position[Turn]):
    hands: tuple[Owned, ...]
    to_move: Seat | None
    row: tuple[Plank, ...] = ()  # from south to north
    south: int = 0  # the number of the southernmost plank
    winner: Seat | None = None
    why: str = ""
    repetition: bool = False
    moments: tuple[Moment, ...] = ()  # so far, where repetition counts

    @property
    def players(self) -> tuple[Seat, ...]:
        return tuple("ABCD"[: len(self.hands)])

    # --- the pieces on the table

    def hand(self, player: Seat) -> Owned:
        return self.hands["ABCD".index(player)]

    def _place(self, square: str) -> tuple[int, int] | None:
        """The plank (from the south) and the column of a square; None if no plank lies there."""
        column, n = COLUMNS.find(square[0]), int(square[1:]) - self.south
        return (n, column) if column >= 0 and 0 <= n < len(self.row) else None

    def _free(self, color: str) -> Iterator[str]:
        for n, plank in enumerate(self.row):
            column = plank.colors.index(color)
            if not plank.tokens[column]:
                yield f"{COLUMNS[column]}{n + self.south}"

    def _own(self, player: Seat) -> Iterator[tuple[str, str]]:
        """A player's tokens on the table: square and color."""
        for n, plank in enumerate(self.row):
            for column, token in zip(COLUMNS, plank.tokens, strict=True):
                if token[:1] == player:
                    yield f"{column}{n + self.south}", token[1]

    # --- play

    def moves(self) -> Iterator[Turn]:
        if self.to_move is None:
            return
        hand = self.hand(self.to_move)
        if any(hand.tokens):
            tokens = [(color, color) for color, left in zip(COLORS, hand.tokens, strict=True) if left]
        else:
            tokens = list(self._own(self.to_move))
        for token, color in tokens:
            yield from (Turn("", "", token, to) for to in self._free(color))
        for plank in PLANKS:
            if hand.planks[COLORS.index(plank[1])]:
                for end in "^v" if self.row else "^":
                    n = self.south - 1 if end == "v" else self.south + len(self.row)
                    for token, color in tokens:
                        yield Turn(plank, end, token, f"{COLUMNS[plank.index(color)]}{n}")

    def _can_move(self, player: Seat) -> bool:
        return any(replace(self, to_move=player).moves())

    def why_not(self, move: Turn) -> Reason | None:
        if not self.row and move.end == "v":
            return Reason("format", "first-plank-north", {"move": move.plank + "^"})
        if self.to_move is None:
            return Reason("over", "over", {})
        hand = self.hand(self.to_move)
        if move.token and (move.token in COLORS) != any(hand.tokens):
            return wrong_phase(self.to_move, self.now())
        source = self._place(move.token) if move.token and move.token not in COLORS else None
        token = self.row[source[0]].tokens[source[1]] if source else ""
        if token and token[0] != self.to_move:
            return Reason("turn", "not-your-token", {"square": move.token, "owner": token[0]})
        return self._why_not_lay(move, hand) or self._why_not_token(move, hand, token)

    def _why_not_lay(self, move: Turn, hand: Owned) -> Reason | None:
        rule = "plank.2"
        if not move.plank:
            return None
        if move.plank not in PLANKS:
            return Reason(rule, "no-such-plank", {"plank": move.plank})
        if not hand.planks[COLORS.index(move.plank[1])]:
            return Reason(rule, "no-plank-left", {"player": self.to_move, "color": move.plank[1]})
        if not move.token:
            return Reason(rule, "plank-without-token", {})
        laid = self._with_plank(move)
        n = laid.south if move.end == "v" else laid.south + len(laid.row) - 1
        place = laid._place(move.to)
        if not place or place[0] + laid.south != n:
            return Reason(rule, "token-not-on-new-plank", {"square": move.to, "row": n})
        return None

    def _why_not_token(self, move: Turn, hand: Owned, token: str) -> Reason | None:
        rule = "plank.3"
        if not self.row and not move.plank:
            return Reason(rule, "first-lays-a-plank", {})
        if move.token in COLORS:
            color = move.token
            if not hand.tokens[COLORS.index(color)]:
                return Reason(rule, "no-token-left", {"player": self.to_move, "color": color})
        elif not token:
            return Reason(rule, "no-token", {"square": move.token})
        else:
            color = token[1]
        laid = self._with_plank(move) if move.plank else self
        place = laid._place(move.to)
        if not place:
            return Reason(rule, "no-plank-there", {"square": move.to})
        plank, column = laid.row[place[0]], place[1]
        if plank.tokens[column]:
            return Reason(rule, "square-taken", {"square": move.to})
        if plank.colors[column] != color:
            return Reason(rule, "wrong-color", {"square": move.to, "is": plank.colors[column], "color": color})
        return None

    def _with_plank(self, move: Turn) -> PlankGame:
        if move.end == "v":
            return replace(self, row=(Plank(move.plank), *self.row), south=self.south - 1)
        return replace(self, row=(*self.row, Plank(move.plank)))

    def _with_token(self, square: str, token: str) -> PlankGame:
        place = self._place(square)
        assert place is not None
        row, (n, column) = list(self.row), place
        tokens = list(row[n].tokens)
        tokens[column] = token
        row[n] = Plank(row[n].colors, (tokens[0], tokens[1], tokens[2]))
        return replace(self, row=tuple(row))

    def play(self, move: Turn) -> PlankGame:
        assert self.to_move is not None
        after = self._with_plank(move) if move.plank else self
        planks, tokens = self.hand(self.to_move)
        if move.plank:
            planks = _one_less(planks, move.plank[1])
        if move.token in COLORS:
            color, tokens = move.token, _one_less(tokens, move.token)
        else:
            color = dict(self._own(self.to_move))[move.token]
            after = after._with_token(move.token, "")
        after = after._with_token(move.to, self.to_move + color)
        hands = list(self.hands)
        hands["ABCD".index(self.to_move)] = Owned(planks, tokens)
        after = replace(after, hands=tuple(hands))
        if after._line(self.to_move):
            return replace(after, to_move=None, winner=self.to_move, why="line")
        return after._then(self._next(self.to_move))

    def _next(self, player: Seat) -> Seat:
        players = self.players
        return players[(players.index(player) + 1) % len(players)]

    def _then(self, player: Seat) -> PlankGame:
        """It is this player's turn, or that of the next one who can do anything (plank.5)."""
        for _ in self.players:
            if self._can_move(player):
                break
            player = self._next(player)
        else:
            return replace(self, to_move=None, why="no-move")
        after = replace(self, to_move=player)
        if not self.repetition:
            return after
        now = (after.row, after.south, after.hands, player)
        if after.moments.count(now) >= 2:
            return replace(after, to_move=None, why="repetition")
        return replace(after, moments=(*after.moments, now))

    def _line(self, player: Seat) -> bool:
        """Red, white and blue of one player on one plank, or in a column of three neighbors (plank.4)."""
        columns = [
            tuple(plank.tokens[c] for plank in self.row[n : n + 3]) for n in range(len(self.row) - 2) for c in range(3)
        ]
        line = {player + color for color in COLORS}
        return any(set(tokens) == line for tokens in [plank.tokens for plank in self.row] + columns)

    def decided(self) -> tuple[Counted, ...]:
        """The winner's line, or his lines if his last token made several."""
        if self.winner is None:
            return ()
        there, rows = _by_square(self.row, self.south), range(self.south, self.south + len(self.row))
        across = [tuple(f"{column}{n}" for column in COLUMNS) for n in rows]
        along = [tuple(f"{column}{n + m}" for m in range(3)) for column in COLUMNS for n in rows[:-2]]
        line = {self.winner + color for color in COLORS}
        return tuple(Counted(squares, self.winner) for squares in across + along if {there[s] for s in squares} == line)

    # --- the end

    def outcome(self) -> Outcome | None:
        return None if self.to_move else self.ended(self.winner, self.why)

    def final_scores(self, winner: Seat | None) -> Scores:
        players = self.players
        if winner is None:
            return dict.fromkeys(players, 0 if len(players) == 3 else 0.5)
        if len(players) == 3:  # marks: two for the one to his left, one for the other (plank.6)
            left = self._next(winner)
            return {player: 0 if player == winner else 2 if player == left else 1 for player in players}
        side = {winner, self._next(self._next(winner))}  # with four, his partner
        return {player: int(player in side) for player in players}

    # --- where a turn happens

    def trace(self, move: Turn) -> Trace:
        pieces = [Piece("plank", move.plank, move.plank[1:2])] if move.plank else []
        moved = bool(move.token) and move.token not in COLORS
        if move.token and not moved:
            pieces.append(Piece("token", move.token, face=self.to_move or ""))
        row = self.south - 1 if move.end == "v" else self.south + len(self.row)
        return Trace(
            start=(move.token,) if moved else (),
            laid=tuple(f"{column}{row}" for column in COLUMNS) if move.plank else (),
            to=(move.to,) if move.to else (),
            pieces=tuple(pieces),
            moved=Piece("token", self._color(move), face=self.to_move or "") if moved else None,
        )

    def _color(self, move: Turn) -> str:
        """Of the token that is put or moved."""
        place = self._place(move.token) if len(move.token) > 1 else None
        return self.row[place[0]].tokens[place[1]][1:] if place else move.token

    def describe(self, move: Turn) -> Phrase:
        moved = bool(move.token) and move.token not in COLORS
        code = f"plank.{'lay-and-' if move.plank else ''}{'move' if moved else 'put'}"
        end = "plank.south" if move.end == "v" else "plank.north"
        params = {"player": self.to_move, "color": self._color(move), "from": move.token, "to": move.to}
        return Phrase(code, {**params, "plank": move.plank, "end": end})

    def now(self) -> Phrase:
        if not self.row:
            return Phrase("plank.begin")
        has_tokens = self.to_move is None or any(self.hand(self.to_move).tokens)
        return Phrase("plank.put-one" if has_tokens else "plank.move-one")

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[Turn]:
        if self.to_move is None:
            return
        if any(self.hand(self.to_move).tokens):
            yield from (Turn("", "", color, squares[-1]) for color in COLORS)
        elif len(squares) > 1:
            yield Turn("", "", squares[0], squares[-1])
        else:
            yield from (Turn("", "", squares[0], square) for color in COLORS for square in self._free(color))

    @property
    def first_row(self) -> int:
        return self.south

    def beside(self) -> dict[Seat, tuple[Piece, ...]]:
        found: dict[Seat, tuple[Piece, ...]] = {}
        for player, hand in zip(self.players, self.hands, strict=True):
            planks = [(Piece("plank", plank, plank[1]), n) for plank, n in zip(MODELS, hand.planks, strict=True)]
            tokens = [(Piece("token", color, face=player), n) for color, n in zip(COLORS, hand.tokens, strict=True)]
            found[player] = tuple(piece for piece, count in planks + tokens for _ in range(count))
        return found

    def between(self, move: Turn) -> list[Visible]:
        return [self._with_plank(move).visible()] if move.plank else []

    # --- what can be seen

    def visible(self) -> Visible:
        def token(plank: Plank, column: int) -> str:
            owner, color = plank.tokens[column][:1], plank.tokens[column][1:]
            return (owner if color == plank.colors[column] else f"{owner}:{color}") if owner else "."

        return {"planks": [{"colors": p.colors, "tokens": [token(p, c) for c in range(3)]} for p in self.row]}

    def can_show(self, code: str) -> bool:
        """A square's color and its token: nobody else's tokens are on the table."""
        return code[1] == "." or code[1] in self.players

    def steps(self, move: Turn) -> list[Visible]:
        """The plank before its token; a token that moves is in the hand for a while, with or without the plank."""
        half = [self._with_plank(move)] if move.plank else []
        if move.token not in COLORS:
            half += [position._with_token(move.token, "") for position in (self, *half)]
        return [position.visible() for position in half]

    def future(self) -> Hashable:
        return replace(self, moments=(), south=0)

    def stands(self) -> Hashable:
        return replace(self, moments=(), south=0, hands=())  # no camera sees who laid which plank

    def explain_illegal(self, seen: Visible) -> Reason:
        row = _seen_row(seen, self.players)
        grown = len(row) - len(self.row)
        at = self._added_south(row)
        if grown < 0 or [p.colors for p in row[at : at + len(self.row)]] != [p.colors for p in self.row]:
            return Reason("plank.2", "planks-stay", {})
        if grown > 1:
            return Reason("plank.2", "one-plank", {})
        south = self.south - at
        was, now = _by_square(self.row, self.south), _by_square(row, south)
        came = {square: token for square, token in now.items() if token and was.get(square) != token}
        left = [square for square, token in was.items() if token and now[square] != token]
        if len(came) > 1 or len(left) > 1:
            return Reason("plank.3", "one-token", {})
        if not came and left:
            return Reason("plank.3", "taken-away", {"square": left[0]})
        if not came:
            return Reason("plank.2", "plank-without-token", {})
        ((to, token),) = came.items()
        if token[0] != self.to_move:
            return Reason("turn", "not-your-token", {"square": to, "owner": token[0]})
        plank, end = (row[0].colors, "v") if grown and at else (row[-1].colors, "^") if grown else ("", "")
        turn = Turn(plank, end, left[0] if left else token[1], to)
        return self.why_not(turn) or Reason("plank.3", "unexplained", {})

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> PlankGame:
        row = _seen_row(seen, self.players)
        on_table = Counter(token for plank in row for token in plank.tokens if token)
        for token, count in on_table.items():
            if count > OF_A_COLOR:
                raise MoreThanTheKit("stood", "too-many-tokens", player=token[0], color=token[1])
        planks = [list(hand.planks) for hand in self.hands]
        order = self.to_move or to_move
        by = ["ABCD".index(p) for p in (order, *(p for p in self.players if p != order))]
        before = Counter(plank.colors[1] for plank in self.row)
        after = Counter(plank.colors[1] for plank in row)
        for model in COLORS:
            for _ in range(after[model] - before[model]):  # the one who moved laid it, if he had it
                owner = next((n for n in by if planks[n][COLORS.index(model)]), None)
                if owner is None:
                    raise MoreThanTheKit("stood", "too-many-planks", color=model)
                planks[owner][COLORS.index(model)] -= 1
        hands = tuple(
            Owned((left[0], left[1], left[2]), _by_color({c: OF_A_COLOR - on_table[player + c] for c in COLORS}))
            for player, left in zip(self.players, planks, strict=True)
        )
        position = replace(self, hands=hands, row=row, south=self.south - self._added_south(row))
        for player in self.players:
            if position._line(player):
                return replace(position, to_move=None, winner=player, why="line")
        return position._then(to_move)

    def _added_south(self, row: tuple[Plank, ...]) -> int:
        """How many planks the row has grown to the south, judged by its old colors, then by its tokens."""
        old = [plank.colors for plank in self.row]
        fits = [n for n in range(len(row) - len(old) + 1) if [p.colors for p in row[n : n + len(old)]] == old]

        def alike(n: int) -> int:
            return sum(a.tokens == b.tokens for a, b in zip(self.row, row[n:], strict=False))

        return max(fits, key=alike, default=0)


def _by_square(row: tuple[Plank, ...], south: int) -> dict[str, str]:
    return {f"{COLUMNS[c]}{n + south}": plank.tokens[c] for n, plank in enumerate(row) for c in range(3)}


def _one_less(counts: tuple[int, int, int], color: str) -> tuple[int, int, int]:
    red, white, blue = counts
    return red - (color == "R"), white - (color == "W"), blue - (color == "B")


def _by_color(counts: Mapping[str, int]) -> tuple[int, int, int]:
    return counts.get("R", 0), counts.get("W", 0), counts.get("B", 0)


def _seen_row(seen: Visible, players: tuple[Seat, ...]) -> tuple[Plank, ...]:
    planks: object = seen.get("planks") if isinstance(seen, dict) else None
    if not isinstance(planks, list):
        raise BadInput("stood.planks", "not-a-list")
    row = []
    for n, plank in enumerate(planks):
        field = f"stood.planks[{n}]"
        if not isinstance(plank, dict) or plank.get("colors") not in PLANKS:
            raise BadInput(field, "no-such-plank", plank=plank.get("colors") if isinstance(plank, dict) else plank)
        colors, tokens = plank["colors"], plank.get("tokens")
        if not isinstance(tokens, list) or len(tokens) != 3:
            raise BadInput(field, "wrong-count", count=3, got=len(tokens) if isinstance(tokens, list) else 0)
        found = []
        for token, color in zip(tokens, colors, strict=True):
            owner, _, own_color = token.partition(":") if isinstance(token, str) else ("?", "", "")
            if token != "." and (owner not in players or own_color not in ("", *COLORS)):
                raise BadInput(field, "no-such-code", seen=token)
            found.append("" if token == "." else owner + (own_color or color))
        row.append(Plank(colors, (found[0], found[1], found[2])))
    return tuple(row)


def start(options: Options, setup: Setup) -> PlankGame:
    number = required(setup, "players")
    if type(number) is not int or number not in DEALT:
        raise BadInput("setup.players", "not-one-of", value=number, choices="2, 3, 4")
    players, given = "ABCD"[:number], required(setup, "hands")
    if not isinstance(given, dict) or sorted(given) != list(players):
        raise BadInput("setup.hands", "not-the-players", players=", ".join(players))
    hands = []
    for player in players:
        hand, field = given[player], f"setup.hands.{player}"
        if not isinstance(hand, dict) or not set(hand) <= set(COLORS):
            raise BadInput(field, "not-planks-by-color")
        for color, count in hand.items():
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= OF_A_MODEL:
                raise BadInput(f"{field}.{color}", "not-a-count", most=OF_A_MODEL)
        if sum(hand.values()) != DEALT[number]:
            raise BadInput(field, "wrong-count", count=DEALT[number], got=sum(hand.values()))
        hands.append(Owned(_by_color(hand)))
    for n, color in enumerate(COLORS):
        if (total := sum(hand.planks[n] for hand in hands)) != OF_A_MODEL:
            raise BadInput("setup.hands", "wrong-model-count", color=color, count=OF_A_MODEL, got=total)
    first = setup.get("first", "A")
    if not isinstance(first, str) or first not in tuple(players):
        raise BadInput("setup.first", "not-one-of", value=first, choices=", ".join(players))
    return PlankGame(tuple(hands), None, repetition=options["repetition"])._then(first)


def deal(chance: Random, options: Options, number: int) -> dict[str, Any]:
    """The twelve planks shuffled and dealt out (plank.1)."""
    planks, each = chance.sample(COLORS * OF_A_MODEL, len(COLORS) * OF_A_MODEL), DEALT[number]
    hands = {"ABCD"[n]: planks[n * each : (n + 1) * each] for n in range(number)}
    counted = {player: {color: hand.count(color) for color in COLORS} for player, hand in hands.items()}
    return {"players": number, "hands": counted}


MATERIAL = Material(
    pieces=dict.fromkeys(("WRB", "RWB", "RBW"), OF_A_MODEL)
    | {f"{player}:{color}": OF_A_COLOR for player in "ABCD" for color in COLORS}
)
PLANK = Game(
    "plank",
    "planks",
    tuple("ABCD"),
    start,
    read,
    words.PLANK,
    material=MATERIAL,
    options={"repetition": Option(False), "talk": Option(False)},  # may partners talk: shown, not judged
    setup=("players", "hands", "first"),
    seating=Seating({number: tuple("ABCD"[:number]) for number in DEALT}, Where.SETUP),
    badges={"A": Badge("#b3541e"), "B": Badge("#2f6f4f"), "C": Badge("#6a4c93"), "D": Badge("#9a7b1d")},
    dealing=Dealing.NEEDED,
    deal=deal,
    match=MatchRules(Counting.MARKS, seats_stay=True, first_in="first", fewest_wins=(3,)),
    solver="companion.solvers.plank",
    inference="companion.referee.plank",
    sheets="companion.games.words.plank_rules",
)
