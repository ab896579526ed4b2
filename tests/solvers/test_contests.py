"""Hepta, T for Two, Plank and Pegs: the compiled rules against the games themselves, and what `think` must keep to."""

from __future__ import annotations

import ctypes
import json
import os
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.pegs import Pegs
from companion.games.plank import PlankGame
from companion.games.position import Position
from companion.games.value import replace
from companion.solvers import compiled, hepta, pegs, plank, t_for_two
from companion.solvers.hint import Budget, Hint, Stop, think
from tests.table import VARIANTS, names, new_record, played

CONTESTS = {"hepta": hepta, "t-for-two": t_for_two, "plank": plank, "pegs": pegs}
OURS = [variant for variant in VARIANTS if variant[0] in CONTESTS]
MOST_NODES = 5_000_000  # of a perft row, for a quick test
PERFT = json.loads(Path("tests/games/perft.json").read_text())

Variant = tuple[str, dict[str, Any], dict[str, Any]]


@pytest.fixture(autouse=True, scope="module")
def _core() -> None:
    if compiled.core is None:
        assert "CI" not in os.environ, "the compiled core is not there"
        pytest.skip("the compiled core is not there: make setup builds it where there is a C compiler")


@cache
def rules_of(game_id: str) -> compiled.Rules:
    assert compiled.core is not None
    return compiled.Rules.of(compiled.core, game_id.replace("-", "_"))


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
    position, rules = played(record).position, rules_of(game_id)
    for _ in range(250):
        state = state_of(game_id, position)
        found = {text_of(game_id, position, move): move for move in rules.legal(state)}
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
        assert rules.legal(state) == rules.legal(after)
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
    assert compiled.core is not None
    game_id, position = row["record"]["game"], played(row["record"]).position
    if isinstance(position, Pegs) and any("?" in hand.drawn or "-" in hand.drawn for hand in position.hands):
        assert state_of(game_id, position).length[:] != [0, 0]  # cards that nobody saw are dealt, not counted
        return
    for depth, nodes in enumerate(row["perft"], 1):
        if nodes <= MOST_NODES:
            state = state_of(game_id, position)
            assert compiled.core.core_perft(ctypes.byref(rules_of(game_id)), ctypes.byref(state), depth) == nodes
