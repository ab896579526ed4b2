"""Hepta, T for Two, Plank and Pegs: the compiled rules against the games themselves, and what `think` must keep to."""

from __future__ import annotations

import ctypes
import re
import threading
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.games import game
from companion.games.pegs import Pegs
from companion.games.plank import PlankGame
from companion.games.position import Position
from companion.games.squares import SEVEN
from companion.games.value import replace
from companion.solvers import compiled, hepta, pegs, plank, t_for_two
from companion.solvers.compiled import rules_of
from companion.solvers.deepening import deepen
from companion.solvers.hint import Budget, Hint, Stop
from tests.records import VARIANTS, names, new_record, played
from tests.solvers.positions import PERFT, core, legal, think

CONTESTS = {"hepta": hepta, "t-for-two": t_for_two, "plank": plank, "pegs": pegs}
OURS = [variant for variant in VARIANTS if variant[0] in CONTESTS]
MOST_NODES = 5_000_000  # of a perft row, for a quick test

Variant = tuple[str, dict[str, Any], dict[str, Any]]


@pytest.fixture(autouse=True, scope="module")
def _core() -> None:
    core()


def state_of(game_id: str, position: Position[Any]) -> Any:
    return CONTESTS[game_id].state_of(position)  # type: ignore[attr-defined]


def text_of(game_id: str, position: Position[Any], move: int) -> str:
    if isinstance(position, PlankGame):
        return plank.texts_of(position, [move])[0]
    text: str = CONTESTS[game_id].text_of(move)  # type: ignore[attr-defined]
    return text


def worth(game_id: str, position: Position[Any]) -> float:
    """What a finished game is worth to side 0."""
    outcome = position.outcome()
    assert outcome
    if game_id == "t-for-two":
        return t_for_two.worth(outcome, "mushrooms")
    if isinstance(position, PlankGame):
        return plank.worth(outcome, "A")
    return 0.5 if outcome.draw else float(outcome.winner == position.players[0])


def same_state(a: Any, b: Any, but: tuple[str, ...] = ()) -> bool:
    return all(bytes_of(a, name) == bytes_of(b, name) for name, _ in type(a)._fields_ if name not in but)


def bytes_of(state: Any, name: str) -> bytes:
    field = getattr(type(state), name)
    return bytes(state)[field.offset : field.offset + field.size]


def compare(variant: Variant, seed: int) -> None:
    """A random game, move by move: the same moves, the same states after them, the same end."""
    game_id, chance = variant[0], Random(seed)
    record = new_record(variant, seed)
    position, rules = played(record).position, rules_of(core(), game_id.replace("-", "_"))
    for _ in range(250):
        state = state_of(game_id, position)
        found = {text_of(game_id, position, move): move for move in legal(rules, state)}
        texts = {str(move): move for move in position.moves()}
        assert found.keys() == texts.keys()
        if not texts:
            break
        text = chance.choice(sorted(texts))
        rules.play(ctypes.addressof(state), found[text])
        position = position.play(texts[text])
        after = state_of(game_id, position)
        if getattr(position, "why", "") == "repetition":
            break  # the game's past, which is told to a search apart
        assert legal(rules, state) == legal(rules, after)
        # with three, each is `me` in his own state; whose turn it would be matters no more when all is over
        moot = ("me", "deck", "to_move", "side", "last", "over") if position.to_move is None else ("me", "deck")
        assert same_state(state, after, moot)
    if position.outcome():
        assert rules.value(ctypes.addressof(state_of(game_id, position))) == pytest.approx(worth(game_id, position))


@pytest.mark.parametrize("variant", OURS, ids=names)
def test_compiled_rules_are_the_games_rules(variant: Variant) -> None:
    for seed in range(30):
        compare(variant, seed)


@pytest.mark.soak
@pytest.mark.parametrize("variant", OURS, ids=names)
def test_compiled_rules_are_the_games_rules_in_many_games(variant: Variant) -> None:
    for seed in range(100, 400):
        compare(variant, seed)


@pytest.mark.parametrize(
    "row", [row for row in PERFT if row["record"]["game"] in CONTESTS], ids=lambda row: row["about"]
)
def test_perft(row: dict[str, Any]) -> None:
    game_id, position = row["record"]["game"], played(row["record"]).position
    if isinstance(position, Pegs) and any("?" in hand.drawn or "-" in hand.drawn for hand in position.hands):
        assert state_of(game_id, position).length[:] != [0, 0]  # cards that nobody saw are dealt, not counted
        return
    for depth, nodes in enumerate(row["perft"], 1):
        if nodes <= MOST_NODES:
            state, rules = state_of(game_id, position), rules_of(core(), game_id.replace("-", "_"))
            assert core().core_perft(ctypes.byref(rules), ctypes.byref(state), depth) == nodes


# --- hints


def hints(position: Position[Any], work: int, seed: int = 1) -> list[Hint]:
    return list(think(position, Budget(9, seed, work=work)))


def check_hint(position: Position[Any], hint: Hint) -> None:
    """A hint can be played, and the line that it begins too."""
    assert 0 <= hint.value <= 1
    assert hint.line[0] == hint.move
    for text in hint.line:
        if text != pegs.TO_DRAW:
            assert text in {str(move) for move in position.moves()}
        position = position.play(read(position, text))


def read(position: Position[Any], text: str) -> Any:
    return game(type(position).__module__.rpartition(".")[2].replace("_", "-")).read(text)


def some_positions(variant: Variant, seed: int, every: int) -> Iterator[Position[Any]]:
    """Positions of a random game, one out of so many."""
    chance, position = Random(seed), played(new_record(variant, seed)).position
    for n in range(200):
        if position.to_move is None:
            return
        if n % every == seed % every:
            yield position
        position = position.play(chance.choice(list(position.moves())))


@pytest.mark.parametrize("variant", OURS, ids=names)
def test_hints_are_legal(variant: Variant) -> None:
    for seed in range(5):
        for position in some_positions(variant, seed, 7):
            found = hints(position, 300)
            assert found
            for hint in found:
                check_hint(position, hint)


@pytest.mark.parametrize("variant", OURS, ids=names)
def test_the_same_work_gives_the_same_hints(variant: Variant) -> None:
    for position in some_positions(variant, 3, 15):
        assert hints(position, 2000) == hints(position, 2000)


@pytest.mark.parametrize("variant", OURS, ids=names)
def test_thinking_stops_at_once(variant: Variant) -> None:
    position = next(iter(some_positions(variant, 2, 5)))
    took = []
    for _ in range(5):  # the quickest of a few: the machine may be busy
        stop, told = Stop(), list[float]()

        def tell(stop: Stop = stop, told: list[float] = told) -> None:
            told.append(time.perf_counter())
            stop.set()

        timer = threading.Timer(0.05, tell)
        timer.start()
        found = list(think(position, Budget(20, stop=stop)))
        ended = time.perf_counter()
        timer.cancel()
        assert found
        if found[-1].exact:
            return
        took.append(ended - told[0])
    assert min(took) < 0.02


@pytest.mark.parametrize("variant", OURS, ids=names)
def test_without_the_core(variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "core", None)
    for position in some_positions(variant, 4, 12):
        found = hints(position, 20)
        assert found
        assert position.why_not(read(position, found[-1].move)) is None
        assert 0 <= found[-1].value <= 1


def test_nobody_thinks_when_it_is_over() -> None:
    for variant in OURS:
        *_, position = some_positions(variant, 1, 1)
        for move in position.moves():
            after = position.play(move)
            if after.to_move is None:
                assert not list(think(after, Budget(1)))


# --- exact where it says so


def end_games(game_id: str, seeds: range) -> Iterator[Position[Any]]:
    """Positions near the end of random games, as early as can be searched through in the games' own words."""
    for seed in seeds:
        for position in some_positions((game_id, {}, {}), seed, 1):
            if position.players[0] == position.to_move and position.count() <= (12 if game_id == "hepta" else 21):
                yield position
                break


def brute_force(position: Position[Any], known: dict[Any, float]) -> float:
    """What the first of two players makes of it, in points more than the other's, if both play their best."""
    if position not in known:
        if position.to_move is None:
            points = position.points()
            known[position] = points[position.players[0]] - points[position.players[1]]
        else:
            best = max if position.to_move == position.players[0] else min
            known[position] = best(brute_force(position.play(move), known) for move in position.moves())
    return known[position]


@pytest.mark.parametrize("game_id", ["hepta", "t-for-two"])
def test_end_games_by_brute_force(game_id: str) -> None:
    count = 0
    for position in end_games(game_id, range(20)):
        sign = 1 if position.to_move == position.players[0] else -1
        known: dict[Any, float] = {}
        lead = brute_force(position, known)
        *_, answer = deepen(game_id.replace("-", "_"), state_of(game_id, position), Budget(9))
        assert answer.exact
        assert answer.score == sign * 100 * lead
        *_, hint = think(position, Budget(9))
        assert hint.exact
        assert known[position.play(read(position, hint.move))] == lead
        if game_id == "hepta":
            assert hint.value == (1 + (sign * lead > 0) - (sign * lead < 0)) / 2
        count += 1
    assert count >= 8


def test_the_last_turn_of_pegs_by_brute_force() -> None:
    count = 0
    for seed in range(12):
        for position in some_positions(("pegs", {}, {}), seed, 1):
            if isinstance(position, Pegs) and position.phase == "last":
                *_, hint = think(position, Budget(9))
                known: dict[Any, float] = {}
                lead = brute_force(position, known) * (1 if position.to_move == "blue" else -1)
                assert hint.exact
                assert hint.value == (1 + (lead > 0) - (lead < 0)) / 2
                assert known[position.play(read(position, hint.move))] == known[position]
                count += 1
    assert count >= 6


SQUARE_TURNS = {name: chr(ord("a") + n // 7) + str(7 - n % 7) for n, name in enumerate(SEVEN.names)}  # a quarter turn


def turned(text: str) -> str:
    """The same move on a board turned by a quarter."""
    squares = re.findall("[a-g][1-7]", text)
    head = text[: text.index(squares[0])] if squares else text
    rest = [SQUARE_TURNS[square] for square in squares]
    if text.startswith("#") or text.startswith("@") or not squares:
        return head + "".join(rest)
    if "@" in text:
        return f"{head}{''.join(sorted(rest[:-1]))}@{rest[-1]}"
    return head + "".join(sorted(rest))


@pytest.mark.parametrize("game_id", ["hepta", "t-for-two"])
def test_a_turned_board_is_worth_the_same(game_id: str) -> None:
    for seed in range(8):
        chance, moves = Random(seed), list[str]()
        position = played(new_record((game_id, {}, {}), seed)).position
        other = position
        while position.to_move:
            if len(moves) >= (16 if game_id == "hepta" else 12):
                results = []
                for at in (position, other):
                    *_, answer = deepen(game_id.replace("-", "_"), state_of(game_id, at), Budget(9))
                    assert answer.exact
                    results.append(answer.score)
                assert results[0] == results[1]
                break
            moves.append(str(chance.choice(list(position.moves()))))
            position = position.play(read(position, moves[-1]))
            other = other.play(read(other, turned(moves[-1])))


def wins_at_once(position: Position[Any]) -> list[str]:
    mover = position.to_move
    return [str(move) for move in position.moves() if (end := position.play(move).outcome()) and end.winner == mover]


def wins_in_two(position: Position[Any]) -> bool:
    """Whether some move wins whatever the other then does (two players)."""
    for move in position.moves():
        after = position.play(move)
        if after.to_move == position.to_move:  # the other had to pass
            if wins_at_once(after):
                return True
        elif after.to_move and not wins_at_once(after):
            replies = (after.play(reply) for reply in after.moves())
            if all(reply.to_move == position.to_move and wins_at_once(reply) for reply in replies):
                return True
    return False


@pytest.mark.parametrize("players", [2, 3, 4])
def test_plank_win_in_one(players: int) -> None:
    count = 0
    for seed in range(25):
        for position in some_positions(("plank", {}, {"players": players}), seed, 1):
            if wins := wins_at_once(position):
                *_, hint = think(position, Budget(9))
                assert hint.move in wins
                assert hint.exact
                assert hint.value == 1
                count += 1
    assert count >= 20


def test_plank_win_in_two() -> None:
    count = 0
    for seed in range(20):
        for position in some_positions(("plank", {}, {"players": 2}), seed, 3):
            assert isinstance(position, PlankGame)
            if len(position.row) < 7 and not wins_at_once(position) and wins_in_two(position):
                *_, hint = think(position, Budget(9, work=20_000))
                assert hint.exact
                assert hint.value == 1
                after = position.play(read(position, hint.move))
                assert after.to_move is None or not wins_at_once(after) or after.to_move == position.to_move
                count += 1
    assert count >= 5


def test_plank_who_is_exactly_lost_cannot_help_it() -> None:
    """Where it says that a game for two is lost, every move leaves the other a win that it finds as well."""
    count = 0
    for seed in range(40):
        for position in some_positions(("plank", {}, {"players": 2}), seed, 2):
            *_, hint = think(position, Budget(9, work=3000))
            if hint.exact and hint.value == 0 and count < 12:
                for move in position.moves():
                    *_, reply = think(position.play(move), Budget(9, work=200_000))
                    assert reply.exact
                    assert reply.value == 1
                count += 1
    assert count >= 5


def test_plank_third_occurrence_is_a_draw() -> None:
    """Where repetition counts, a win that would come to a position for the third time is none."""
    for seed in range(40):
        for position in some_positions(("plank", {"repetition": True}, {"players": 2}), seed, 1):
            assert isinstance(position, PlankGame)
            *_, hint = think(position, Budget(9, work=500))
            if not hint.exact or hint.value != 1 or wins_at_once(position):
                continue
            after = position.play(read(position, hint.move))
            assert isinstance(after, PlankGame)
            if after.to_move is None:
                continue
            worn = replace(position, moments=(*position.moments, after.moments[-1], after.moments[-1]))
            assert worn.play(read(worn, hint.move)).outcome()
            *_, again = think(worn, Budget(9, work=500))
            assert again.move != hint.move or not again.exact
            return
    pytest.fail("no such position")


# --- Pegs sees no more than the players


def test_pegs_does_not_peek() -> None:
    for seed in range(6):
        for position in some_positions(("pegs", {}, {}), seed, 11):
            assert isinstance(position, Pegs)
            assert position.deck is not None
            other = replace(position, deck=tuple(reversed(position.deck)))
            unknown = replace(position, deck=None)
            assert hints(position, 400) == hints(other, 400) == hints(unknown, 400)


def test_pegs_does_not_peek_without_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "core", None)
    for position in some_positions(("pegs", {}, {}), 1, 25):
        assert isinstance(position, Pegs)
        assert position.deck is not None
        other = replace(position, deck=tuple(reversed(position.deck)))
        assert hints(position, 15)[-1] == hints(other, 15)[-1]


def test_pegs_with_cards_that_nobody_saw() -> None:
    rows = [row for row in PERFT if "not seen" in row["about"]]
    assert rows
    for row in rows:
        position = played(row["record"]).position
        assert isinstance(position, Pegs)
        for _ in range(20):
            if position.to_move is None:
                break
            found = hints(position, 300)
            check_hint(position, found[-1])
            position = position.play(read(position, found[-1].move))
            assert isinstance(position, Pegs)
            dealt = pegs.deal_hidden(position, Random(1))
            assert all("?" not in hand.drawn and "-" not in hand.drawn for hand in dealt.hands)
