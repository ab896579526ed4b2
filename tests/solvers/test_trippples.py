"""Trippples thought about: solved boards, teams, tiles that nobody has seen, tiles yet to be placed."""

from __future__ import annotations

from ctypes import addressof, byref
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.games.retrograde import solve
from companion.games.trippples import FRAME, TILES, Trippples, read
from companion.games.value import replace
from companion.solvers import compiled
from companion.solvers.compiled import rules_of
from companion.solvers.hint import Budget, Hint
from companion.solvers.trippples import _board, solved, state_of
from tests.solvers.positions import PERFT, core, dealt, legal, position_of, random_game, think

BOARDS: list[dict[str, Any]] = [
    {},
    {"wild": True},
    {"layout": "inset"},
    {"layout": "centre", "wild": True},
    {"frozen": False},
]
TEAMS: list[dict[str, Any]] = [{"players": 4}, {"players": 4, "wild": True}, {"players": 4, "layout": "inset"}]


def last(position: Any, budget: Budget) -> Hint:
    *_, hint = think(position, budget)
    return hint


@pytest.mark.parametrize("options", [*BOARDS, *TEAMS], ids=str)
def test_the_core_plays_by_the_same_rules(options: dict[str, Any]) -> None:
    rules = rules_of(core(), "trippples")
    for seed in range(3):
        chance = Random(seed)
        position: Any = position_of(dealt("trippples", chance, **{"indirect": False, **options}))
        state = state_of(position)
        for _ in range(150):
            moves = {FRAME.names[move]: move for move in legal(rules, state)}
            assert sorted(moves) == sorted(map(str, position.moves()))
            outcome = position.outcome()
            if outcome:
                assert rules.value(addressof(state)) == outcome.scores["square"]
                break
            assert rules.side(addressof(state)) == position.turn & 1
            text = chance.choice(sorted(moves))
            rules.play(addressof(state), moves[text])
            position = position.play(read(text))


def _full(case: dict[str, Any]) -> bool:
    if case["record"]["game"] != "trippples" or "circles" in case["about"]:
        return False
    tiles = position_of(case["record"]).tiles  # type: ignore[attr-defined]
    return "down" not in tiles and "empty" not in tiles


@pytest.mark.parametrize("case", [case for case in PERFT if _full(case)], ids=lambda case: case["about"])
def test_the_core_counts_as_the_table(case: dict[str, Any]) -> None:
    position: Any = position_of(case["record"])
    rules, state = rules_of(core(), "trippples"), state_of(position)
    counts = [core().core_perft(byref(rules), state, depth) for depth in range(1, len(case["perft"]) + 1)]
    assert counts == case["perft"]


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_core_solves_as_the_pure_way(options: dict[str, Any]) -> None:
    for seed in range(4):
        position: Any = position_of(dealt("trippples", Random(seed), **options))
        core()
        for freezing in (False, True):
            pure, fast = solve(position.field, freezing), solved(position.field, freezing)
            assert list(pure.winner) == list(fast.winner)
            assert list(pure.moves) == list(fast.moves)


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_hints_on_a_solved_board_keep_what_it_is_worth(options: dict[str, Any]) -> None:
    """Who follows them wins what is won, in as many moves as it takes, and never loses what is drawn."""
    for seed in range(6):
        chance = Random(seed)
        position: Any = position_of(dealt("trippples", chance, **{"indirect": False, **options}))
        for _ in range(12):
            if not position.why:
                position = position.play(chance.choice(list(position.moves())))
        if position.why:
            continue
        first = last(position, Budget(1))
        assert first.exact
        me, decided = position.turn, solved(position.field, position.rules.frozen).decided
        start = decided((position.pawns, position.turn, position.again))
        assert first.value == (0.5 if start is None else float(start.winner == me))
        moves = 0
        while not position.why and moves < 80:
            if position.turn == me:
                hint = last(position, Budget(1))
                assert hint.value >= first.value
                position = position.play(read(hint.move))
            else:
                position = position.play(chance.choice(list(position.moves())))
            moves += 1
        if first.value == 1:
            assert position.winner == position.players[me]
            assert start is not None
            assert moves <= start.moves
            assert len(first.line) == start.moves
        elif first.value == 0.5:
            assert position.winner in (None, position.players[me])


def test_a_freeze_is_announced() -> None:
    """A move after which nobody can move wins, if it is announced."""
    found = 0
    for seed in range(3000):
        chance = Random(seed)
        position: Any = position_of(dealt("trippples", chance, indirect=False))
        field = position.field
        a, b = chance.sample([n for n in range(64) if not field.rules.neutral >> n & 1], 2)
        position = replace(position, pawns=(a, b))
        if not field.reach((a, b), 0, False) or {a, b} & set(field.rules.finishes):
            continue
        freezing = [move for move in position.moves() if position.play(move).why == "freeze"]
        if freezing:
            found += 1
            hint = last(position, Budget(1))
            assert (hint.value, hint.exact) == (1, True)
            assert position.play(read(hint.move)).winner == "square"
            if found == 2:
                return
    raise AssertionError("no freeze came up")


def test_an_indirect_win_at_hand_is_taken() -> None:
    """Positions of random games from which one move wins because the other is forced."""
    found = 0
    for seed in range(60):
        chance = Random(seed)
        for position in random_game(dealt("trippples", chance), chance, 400):
            assert isinstance(position, Trippples)
            if len(position.moments) < 8 or position.why:
                continue
            repeated = [move for move in position.moves() if position.play(move).why == "indirect"]
            if repeated:
                hint = last(position, Budget(1))
                mine = any(position.play(move).winner == position.players[position.turn] for move in repeated)
                if mine:
                    found += 1
                    assert hint.value == 1
                elif hint.value:
                    assert position.play(read(hint.move)).winner is None
    assert found


def test_what_lies_face_down_is_not_looked_at() -> None:
    """Two records that differ only in tiles that nobody has seen get the same hint."""
    chance = Random(5)
    for players in (2, 4):
        record = dealt("trippples", chance, hidden=True, players=players)
        *_, position = random_game(record, chance, 12)
        assert isinstance(position, Trippples)
        assert position.rules.under
        down = [n for n, tile in enumerate(position.tiles) if tile == "down" and not position.rules.neutral >> n & 1]
        mixed = dict(zip(down, chance.sample([position.rules.under[n] for n in down], len(down)), strict=True))
        under = tuple(mixed.get(n, tile) for n, tile in enumerate(position.rules.under))
        other = replace(position, rules=position.rules._replace(under=under))
        budget = Budget(60, seed=3, work=60)
        hints = [[(hint.move[:2], hint.value) for hint in think(board, budget)][-1] for board in (position, other)]
        assert hints[0] == hints[1]


def test_the_last_tile_is_exact_and_the_others_are_sampled() -> None:
    tiles = dealt("trippples", Random(1))["setup"]["tiles"]
    moves = [f"{tile}@{square}" for square, tile in tiles.items()]
    position = position_of({"game": "trippples", "moves": moves[:-1]})
    hint = last(position, Budget(5))
    assert (hint.move, hint.exact) == (moves[-1], True)
    assert hint.value in (0, 0.5, 1)
    early = position_of({"game": "trippples", "moves": moves[:20]})
    sampled = last(early, Budget(0.3))
    assert not sampled.exact
    assert sampled.move in set(map(str, early.moves()))
    assert sampled.move.split("@")[0] in TILES


@pytest.mark.parametrize("options", TEAMS, ids=str)
def test_teams_find_a_win_at_once_and_a_win_in_two(options: dict[str, Any]) -> None:
    core()
    at_once = in_two = 0
    for seed in range(10):
        chance = Random(seed)
        start: Any = position_of(dealt("trippples", chance, **options))
        open_squares = [n for n in range(64) if not start.rules.neutral >> n & 1]
        for _ in range(60):
            position = replace(start, pawns=tuple(chance.sample(open_squares, 4)), turn=chance.randrange(4))
            ended = any(map(int.__eq__, position.pawns, position.rules.finishes))
            if ended or not position.field.reach(position.pawns, position.turn, False):
                continue
            if _wins(position):
                at_once += 1
                assert last(position, Budget(1, work=1000))[1:4:2] == (1, True)
            elif in_two < 12 and any(_lost(position.play(move), position.turn) for move in position.moves()):
                in_two += 1
                assert last(position, Budget(5, work=100_000))[1:4:2] == (1, True)
    assert at_once > 5
    assert in_two > 2


def _wins(position: Trippples) -> bool:
    return any(position.play(move).why == "finish" for move in position.moves())


def _lost(position: Trippples, by: int) -> bool:
    """Whatever the other team plays now, the first wins with its next move."""
    if position.why or (position.turn ^ by) & 1 == 0:
        return False
    after = [position.play(move) for move in position.moves()]
    return all(not then.why and (then.turn ^ by) & 1 == 0 and _wins(then) for then in after)


def test_the_pure_way_is_the_same_where_it_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    core()
    positions = []
    for seed in range(4):
        *_, position = random_game(dealt("trippples", Random(seed), indirect=False), Random(seed), 10)
        positions.append(position)
    fast = [last(position, Budget(1)) for position in positions]
    monkeypatch.setattr(compiled, "core", None)
    _board.cache_clear()
    pure = [last(position, Budget(1)) for position in positions]
    assert [hint.value for hint in pure] == [hint.value for hint in fast]
    assert [hint for hint in pure if hint.value != 0.5] == [hint for hint in fast if hint.value != 0.5]


def test_what_repetition_decides_has_a_line_that_ends() -> None:
    """By the board alone this position is drawn, and play along its best moves would go round for ever."""
    options = {"wild": True, "layout": "centre"}
    chance = Random(f"trippples {options} 34")
    *_, position = islice(random_game(dealt("trippples", chance, **options), chance, 120), 79)
    (hint,) = think(position, Budget(1))
    assert hint.value == 0
    assert hint.exact
    assert position.why_not(read(hint.move)) is None
