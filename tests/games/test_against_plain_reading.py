"""The companion's rules held against a second, plain reading of the same documents, move by move."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.errors import Reason, UnreadableMove
from companion.games.position import Position, perft
from companion.messages import LANGUAGES, say_reason
from companion.record import Record, read_record, replay
from tests.records import deal

from .plainly import Plain, plainly
from .plainly.arrows import BOARD as FRAME
from .plainly.arrows import TILES, Trippples
from .plainly.cards import Pegs
from .plainly.dice import BOARD as FACES
from .plainly.pieces import BOARD as SEVEN
from .plainly.pieces import tetrods, trominoes

Choose = Callable[[Plain, list[str], Random], str]
Case = tuple[dict[str, Any], Choose]


def shown(position: Position[Any]) -> dict[str, Any]:
    outcome = position.outcome()
    return {
        "to_move": position.to_move,
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "draw": outcome.draw if outcome else False,
        "scores": position.scores(),
        "visible": position.visible(),
    }


def read_plainly(game: Plain) -> dict[str, Any]:
    names = ("to_move", "over", "winner", "draw", "scores")
    return {name: getattr(game, name) for name in names} | {"visible": game.visible()}


def texts_of(position: Position[Any]) -> set[str]:
    found = [str(move) for move in position.moves()]
    assert len(set(found)) == len(found) == position.count()
    return set(found)


def follow(data: dict[str, Any], choose: Choose, chance: Random, limit: int = 400) -> Counter[str]:
    """Play one game by both readings and compare them at every step. Counts the steps and how it ended."""
    record = read_record(json.dumps(data))
    position, plain = replay(record).position, plainly(data)
    played: list[str] = list(data.get("moves", []))
    kept: list[str] = ["a1", "."]  # texts met on the way, to be tried where they do not belong
    tally: Counter[str] = Counter()
    while True:
        where = json.dumps(data | {"moves": played})
        legal = plain.moves()
        unseen = plain.unseen() if isinstance(plain, Pegs) else set()
        assert shown(position) == read_plainly(plain), where
        assert {text for text in texts_of(position) if "?" not in text} == legal, where
        tally["explained"] += check_reasons(record, position, legal | unseen, kept, chance, where)
        tally["steps"] += 1
        if plain.over or tally["steps"] > limit:
            break
        text = choose(plain, sorted(legal), chance)
        kept = [*kept[-30:], *chance.sample(sorted(legal), min(3, len(legal))), text]
        move = record.game.read(text)
        assert str(move) == text, where
        assert position.why_not(move) is None, where
        position = position.play(move)
        plain.play(text)
        played.append(text)
    tally["games"] += 1
    outcome = position.outcome()
    tally[f"ended {outcome.why}" if outcome else "stopped"] += 1
    return tally


def check_reasons(
    record: Record, position: Position[Any], legal: set[str], kept: list[str], chance: Random, where: str
) -> int:
    """What may not be played is refused with a reason; what may be is not."""
    count = 0
    some = chance.sample(sorted(legal), min(4, len(legal)))
    for text in [*some, *(mutated(chance.choice([*kept, *some]), chance) for _ in range(6)), chance.choice(kept)]:
        try:
            move = record.game.read(text)
        except UnreadableMove:
            continue
        reason = position.why_not(move)
        if str(move).rstrip("!") in legal:
            assert reason is None, (where, text, reason)
        else:
            assert isinstance(reason, Reason), (where, text)
            assert (reason.rule == "over") == (position.outcome() is not None), (where, text, reason)
            assert all(say_reason(reason, language) for language in LANGUAGES), (where, text, reason)
            count += 1
    return count


def mutated(text: str, chance: Random) -> str:
    """The text with a slip or two of the pen, of a kind that mostly leaves it readable."""
    letters = list(text)
    for _ in range(chance.randint(1, 2)):
        n = chance.randrange(len(letters))
        for alike in ("abcdefghi", "0123456789", "ILOTS", "RWBK", "^v", "+-o#@", "NESW"):
            if letters[n] in alike:
                letters[n] = chance.choice(alike)
                break
        else:
            if chance.random() < 0.3:
                letters.insert(n, chance.choice("abc123-@!?."))
    return "".join(letters)


# How the games are played


def at_random(plain: Plain, legal: list[str], chance: Random) -> str:
    return chance.choice(legal)


def without_winning(plain: Plain, legal: list[str], chance: Random) -> str:
    """Put off the end of the game as long as it goes."""
    for text in chance.sample(legal, len(legal)):
        if not plain.after(text).over:
            return text
    return chance.choice(legal)


def in_circles(chance: Random) -> Choose:
    """Likes some moves better than others, whatever the position, and so comes round again; changes its mind rarely."""
    salt, since, patience = 0, 0, chance.randint(12, 40)

    def choose(plain: Plain, legal: list[str], chance: Random) -> str:
        nonlocal salt, since
        since += 1
        if since > patience:
            salt, since = salt + 1, 0
        # Kings go where they like; dice and planks change the position for good
        liked = sorted(legal, key=lambda text: (" " in text or "@" in text, Random(f"{salt} {text}").random()))
        kings = [text for text in liked if plain.__dict__.get("die", {}).get(text.split("-")[0], 0) is None]
        for text in kings + liked:
            then = plain.after(text)
            if not then.over or then.draw or (isinstance(then, Trippples) and not_home(then)):
                return text
        return liked[0]

    return choose


def not_home(game: Trippples) -> bool:
    return all(game.pawns[player] != finish for player, finish in game.board[0].finishes.items())


def freezing(plain: Plain, legal: list[str], chance: Random) -> str:
    """Look for a freeze; announce it, or do not; announce where there is none, too."""
    assert isinstance(plain, Trippples)
    if plain.placing:
        return chance.choice(legal)
    later = {text: plain.after(text) for text in chance.sample(legal, min(len(legal), 20))}
    frozen = [text for text, then in later.items() if then.over and isinstance(then, Trippples) and not then.turn]
    if frozen:
        return chance.choice(frozen) + chance.choice(["", "!", "!"])
    going = [text for text, then in later.items() if not then.over]
    return chance.choice(going or legal) + chance.choice(["", "", "!"])


def player_of_pegs(chance: Random) -> Choose:
    """Someone who likes cards or not, and who sees all draws and discards or not."""
    greed, blind, few = chance.choice([0, 0.1, 0.7, 1]), chance.choice([0, 0, 0.3, 1]), chance.random() < 0.3

    def choose(plain: Plain, legal: list[str], chance: Random) -> str:
        assert isinstance(plain, Pegs)
        if unseen := sorted(plain.unseen()):
            cards = [text for text in legal if text[0] in "abcdefg"]
            if cards and chance.random() < greed:
                return chance.choice(cards)
            if chance.random() < blind:
                return unseen[0]
            leave = [text for text in legal if text[0] in "+-"]
            return chance.choice(leave)
        if plain.phase == "white's pegs":
            return "." if few and chance.random() < 0.2 else chance.choice([t for t in legal if t != "."])
        if plain.phase == "cards" and len(legal) > 1 and chance.random() < greed:
            return chance.choice([text for text in legal if text != "."])
        return "." if legal == ["."] or (plain.phase == "cards") else chance.choice(legal)

    return choose


# Set-ups


def any_faces(chance: Random) -> dict[str, Any]:
    """Dice scattered over the board, both Kings among them."""
    squares = chance.sample(FACES, chance.randint(3, 16))
    dice = {squares[0]: "wK", squares[1]: "rK"}
    for n, square in enumerate(squares[2:]):
        top = chance.randint(1, 6)
        south = chance.choice([face for face in range(1, 7) if face not in (top, 7 - top)])
        dice[square] = f"{'wr'[n % 2]}{top}/{south}"
    return {"dice": dice, "to_move": chance.choice(["white", "red"])}


def any_layout(chance: Random, players: int = 2) -> dict[str, Any]:
    places = chance.sample(FRAME, 8)
    if chance.random() < 0.2:
        corners = ("a1", "h1", "a8", "h8")
        return {"players": players, "neutral": [square for square in places if square not in corners][:4]}
    if players == 2:
        return {
            "starts": {"square": places[0], "round": places[1]},
            "finishes": {"square": places[2], "round": places[3]},
            "neutral": places[4:],
        }
    one, two, three, four = places[:4]
    return {
        "players": 4,
        "starts": {"square1": one, "square2": two, "round1": three, "round2": four},
        "finishes": {"square1": two, "square2": one, "round1": four, "round2": three},
        "neutral": places[4:],
    }


def frame(options: dict[str, Any], chance: Random) -> dict[str, Any]:
    data: dict[str, Any] = {"game": "trippples", "options": options}
    special = set(Trippples(options, {}).special)
    tiles = dict(zip([s for s in FRAME if s not in special], chance.sample(sorted(TILES), 56), strict=True))
    return data | {"setup": {"tiles": tiles}}


def whirlpool(options: dict[str, Any], chance: Random) -> dict[str, Any]:
    """A frame whose arrows tend to point to the middle, so that play goes round, or outwards, so that it freezes."""
    data = frame(options, chance)
    tiles = data["setup"]["tiles"]
    squares = sorted(tiles, key=lambda square: (int(square[1]), square))
    order = sorted(tiles.values(), key=lambda tile: (sum(way.startswith("N") for way in tile.split("-")), tile))
    if chance.random() < 0.5:
        squares.reverse()
    data["setup"]["tiles"] = dict(zip(squares, order, strict=True))
    for _ in range(20):
        one, two = chance.sample(squares, 2)
        laid = data["setup"]["tiles"]
        laid[one], laid[two] = laid[two], laid[one]
    return data


def mushrooms_for_a_while(chance: Random) -> list[str]:
    """Mushrooms on which many tetrods can lie: those of a game of T for Two."""
    plain = plainly({"game": "t-for-two"})
    while not plain.over:
        plain.play(chance.choice(sorted(plain.moves())))
    found = list(plain.__dict__["mushrooms"])
    others = [s for s in (f"{c}{r}" for c in "abcdefg" for r in range(1, 8)) if s not in found]
    return sorted(found + chance.sample(others, 13 - len(found)))


def cases(chance: Random, name: str) -> Iterator[Case]:
    """One round of games of a kind."""
    if name in ("hepta", "t-for-two", "pegs-solo"):
        yield {"game": name}, at_random
    elif name == "hepta-solo":
        yield {"game": name, "setup": deal(name, chance)}, at_random
    elif name == "tetrods":
        yield {"game": name, "setup": deal(name, chance)}, at_random
        yield {"game": name, "setup": {"mushrooms": mushrooms_for_a_while(chance)}}, at_random
    elif name == "pegs":
        yield {"game": name, "setup": deal(name, chance)}, player_of_pegs(chance)
        yield {"game": name}, player_of_pegs(chance)
    elif name == "six-faces":
        for handedness, home, repetition in product(("right", "left"), ("any", "king"), (False, True)):
            options = {"handedness": handedness, "home": home, "repetition": repetition}
            choose = in_circles(chance) if repetition else chance.choice([at_random, without_winning])
            yield {"game": name, "options": options, "setup": any_faces(chance)}, choose
        yield {"game": name}, at_random
    elif name == "plank":
        for players, repetition in product((2, 3, 4), (False, True)):
            setup = deal(name, chance, players=players) | {"first": chance.choice("ABCD"[:players])}
            choose = in_circles(chance) if repetition else chance.choice([at_random, without_winning])
            yield {"game": name, "options": {"repetition": repetition}, "setup": setup}, choose
    elif name == "trippples":
        for wild, layout, players in product((False, True), ("corner", "inset", "centre", "own"), (2, 4)):
            if (layout, players) == ("centre", 4):
                continue
            agreed = {"layout": layout, "players": players} if layout != "own" else any_layout(chance, players)
            options = agreed | {"wild": wild, "indirect": chance.random() < 0.7, "frozen": chance.random() < 0.7}
            yield frame(options, chance), chance.choice([at_random, without_winning, freezing])
            hidden = options | {"hidden": True}
            yield frame(hidden, chance), chance.choice([at_random, without_winning, freezing])
            yield {"game": name, "options": hidden}, chance.choice([at_random, freezing])
            yield whirlpool(options, chance), freezing
    elif name == "placing":
        options = chance.choice([{}, {"players": 4}, {"layout": "inset", "wild": True}, any_layout(chance)])
        yield {"game": "trippples", "options": options}, freezing
    elif name == "repeating":
        for wild in (False, True):
            make = chance.choice([frame, whirlpool])
            options = chance.choice(
                [{"layout": "corner"}, {"layout": "inset"}, {"layout": "centre"}, any_layout(chance)]
            )
            yield make(options | {"wild": wild}, chance), in_circles(chance)


# kind of game, rounds in the normal run, rounds in the long one
ROUNDS = [
    ("hepta", 3, 60),
    ("hepta-solo", 3, 60),
    ("tetrods", 3, 60),
    ("t-for-two", 4, 60),
    ("pegs", 4, 40),
    ("pegs-solo", 2, 40),
    ("six-faces", 1, 10),
    ("plank", 1, 15),
    ("trippples", 1, 8),
    ("placing", 1, 3),
    ("repeating", 2, 10),
]


def follow_rounds(name: str, rounds: int, seed: str, limit: int) -> Counter[str]:
    tally: Counter[str] = Counter()
    for n in range(rounds):
        chance = Random(f"{seed} {name} {n}")
        for data, choose in cases(chance, name):
            tally += follow(data, choose, chance, limit)
    return tally


@pytest.mark.parametrize(("name", "rounds"), [(name, few) for name, few, _ in ROUNDS])
def test_both_readings_agree(name: str, rounds: int) -> None:
    follow_rounds(name, rounds, "short", 60 if name == "trippples" else 150)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "rounds"), [(name, many) for name, _, many in ROUNDS])
def test_both_readings_agree_for_long(name: str, rounds: int) -> None:
    follow_rounds(name, rounds, "long", 300)


# Games that chance would hardly find


def by_script(moves: list[str]) -> Choose:
    waiting = iter(moves)
    return lambda plain, legal, chance: next(waiting)


def filled(pieces: dict[str, int], laid: dict[str, tuple[str, tuple[str, ...]]], chance: Random) -> list[str]:
    """The board filled with so many pieces of each shape, square after square, trying until it comes out."""
    ways: dict[str, list[str]] = {}
    for text, (_, cells) in sorted(laid.items()):
        ways.setdefault(cells[0], []).append(text)

    def fill(free: list[str], left: dict[str, int]) -> list[str] | None:
        nonlocal patience
        if not free:
            return []
        patience -= 1
        for text in chance.sample(ways[free[0]], len(ways[free[0]])) if patience > 0 else []:
            shape, cells = laid[text]
            if left[shape] and set(cells) <= set(free):
                rest = fill([s for s in free if s not in cells], left | {shape: left[shape] - 1})
                if rest is not None:
                    return [text, *rest]
        return None

    while True:
        patience = 2000
        if (found := fill(sorted(SEVEN), pieces)) is not None:
            return found


@pytest.mark.parametrize("seed", range(2))
def test_solved_hepta_solo(seed: int) -> None:
    chance = Random(seed)
    laid = trominoes() | {f".{square}": (".", (square,)) for square in SEVEN}
    found = filled({"I": 7, "L": 7, ".": 7}, laid, chance)
    data = {"game": "hepta-solo", "setup": {"blockers": [text[1:] for text in found if text[0] == "."]}}
    moves = [text for text in found if text[0] != "."]
    assert follow(data, by_script(moves), chance)["steps"] == 15
    assert plainly(data | {"moves": moves}).winner == "solver"


@pytest.mark.parametrize("seed", range(2))
def test_all_twelve_tetrods(seed: int) -> None:
    chance = Random(seed)
    laid = {f".{square}": (".", (square,)) for square in SEVEN}
    laid |= {"".join(cells): (name[0], cells) for name, cells, _ in tetrods().values()}
    found = filled({"I": 2, "O": 1, "T": 3, "L": 4, "S": 2, ".": 1}, laid, chance)
    bare = next(text[1:] for text in found if text[0] == ".")
    names, moves, mushrooms = set(), [], []
    for cells in (text for text in found if text[0] != "."):
        text = next(t for t, (name, _, _) in tetrods().items() if cells in t and name not in names)
        names.add(text[:2])
        moves.append(text)
        mushrooms.append(text[-2:])
    data = {"game": "tetrods", "setup": {"mushrooms": [*mushrooms, bare]}}
    assert follow(data, by_script(moves), chance)["steps"] == 13
    assert plainly(data | {"moves": moves}).winner == "solver"
    both = [text for pair in zip(mushrooms, moves, strict=True) for text in (f"@{pair[0]}", pair[1])]
    assert follow({"game": "t-for-two"}, by_script([*both, f"@{bare}"]), chance)["steps"] == 26


def test_solved_pegs_solo() -> None:
    bare = ["a5", "b1", "c4", "d2", "e6", "e7", "f4", "g3"]
    cards = ["a1b3", "a4c5", "a6c7", "c1e2", "c2d4", "d5e7", "d6f7", "e3g4", "e6g7", "f1g3", "f3g5"]
    moves = [f"o{square}" for square in SEVEN if square not in bare] + cards
    assert follow({"game": "pegs-solo"}, by_script(moves), Random(1))["steps"] == 41 + 11 + 1
    assert plainly({"game": "pegs-solo", "moves": moves}).winner == "solver"


@pytest.mark.parametrize("to_move", ["white", "red"])
def test_six_faces_without_a_move(to_move: str) -> None:
    """White's King and two dice are shut in: passed squares must be empty."""
    dice = {"a1": "wK", "a2": "w3/2", "b1": "w2/1", "a3": "r4/1", "b2": "r3/1", "c1": "r5/1", "i8": "rK"}
    data = {"game": "six-faces", "setup": {"dice": dice, "to_move": to_move}}
    assert follow(data, by_script(["i8-i7"]), Random(1))["ended no-move"] == 1


# Numbers of move sequences, counted by the plain reading

COUNTED = json.loads((Path(__file__).parent / "perft.json").read_text("utf-8"))
QUICK = 30_000


def sequences(record: dict[str, Any], numbers: list[int]) -> list[int]:
    start = replay(read_record(json.dumps(record))).position
    return [perft(start, depth) for depth in range(1, len(numbers) + 1)]


@pytest.mark.parametrize("entry", COUNTED, ids=[entry["about"] for entry in COUNTED])
def test_perft(entry: dict[str, Any]) -> None:
    numbers = [number for number in entry["perft"] if number <= QUICK]
    assert sequences(entry["record"], numbers) == numbers


@pytest.mark.soak
@pytest.mark.parametrize("entry", COUNTED, ids=[entry["about"] for entry in COUNTED])
def test_perft_in_full(entry: dict[str, Any]) -> None:
    assert sequences(entry["record"], entry["perft"]) == entry["perft"]
