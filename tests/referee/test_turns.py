"""The turns behind a look: whatever legal play made of a position is among them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from companion.games import game, game_ids
from companion.games.position import Position
from companion.referee.evidence import LookEvidence
from companion.referee.pegs.cards import Table
from companion.referee.turns import candidate_turns, turn_finder
from tests.records import VARIANTS, names, new_record, played, position
from tests.referee.looks import discs_of, look_of

Variant = tuple[str, dict[str, Any], dict[str, Any]]


def evidence_of(game_id: str, at: Position[Any], laid: list[str] | None = None) -> LookEvidence:
    cards = [text for text in laid or () if len(text) == 4]
    askew = discs_of(cards, np.random.default_rng(1)) if game_id.startswith("pegs") else None
    return LookEvidence(look_of(game_id, at.visible(), askew=askew), at.can_show)  # type: ignore[arg-type]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_names_a_module_that_finds_turns(game_id: str) -> None:
    assert callable(turn_finder(game(game_id).inference))


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_what_was_played_is_among_the_turns(variant: Variant) -> None:
    game_id, chance = variant[0], Random(3)
    finder = turn_finder(game(game_id).inference)
    here, laid = played(new_record(variant, 3)).position, list[str]()
    for _ in range(20):
        before, now = here, here
        while now.to_move and now.visible() == before.visible():
            move = chance.choice(list(now.moves()))
            laid.append(str(move))
            now = now.play(move)
        if now.visible() == before.visible():
            break
        shown = []
        for turn in finder(before, evidence_of(game_id, now, laid)):
            after = before
            for move in turn:
                assert after.why_not(move) is None, (turn, move)
                after = after.play(move)
            shown.append(after.visible())
        assert now.visible() in shown, laid[-3:]
        here = now


def test_a_choice_that_nobody_sees_comes_with_the_piece_that_shows_it() -> None:
    chosen = position("hepta", [f"#{c}1" for c in "abcdefg"])
    laid = position("hepta", [*(f"#{c}1" for c in "abcdefg"), "=L", "La2a3b2"])
    turns = {tuple(map(str, turn)) for turn in candidate_turns(chosen, evidence_of("hepta", laid))}
    assert turns == {("=L", "La2a3b2")}


def test_pieces_that_surely_lie_there_come_together_and_one_that_may_with_them() -> None:
    start = position("hepta", [])
    look = look_of("hepta", position("hepta", ["#b2", "#f6"]).visible())
    look.likelihood[look.squares.index("d4")] = [0.6, 0.4, 0.0]
    turns = {tuple(map(str, turn)) for turn in candidate_turns(start, LookEvidence(look))}
    assert turns == {("#b2", "#f6"), ("#b2", "#f6", "#d4")}


def test_more_pieces_than_can_be_put_come_one_by_one() -> None:
    six = position("hepta", [f"#{c}1" for c in "abcdef"])
    visible = six.visible()
    visible["rows"][0][0] = visible["rows"][0][1] = "#"
    turns = {tuple(map(str, turn)) for turn in candidate_turns(six, LookEvidence(look_of("hepta", visible)))}
    assert turns == {("#a7",), ("#b7",)}


def test_cards_are_arranged_as_they_lie() -> None:
    """Two cards over each other: which lies on top is told by which of them lies as one piece."""
    pegs = ["oa1", "ob2", "oc3", "od4", "oe5", "of6", "og7", ".", "+?", "+?", "+?", "oa3"]
    for upper, lower in (("b1c3", "a1b3"), ("a1b3", "b1c3")):
        visible = position("pegs", [*pegs, "a1b3", "+?", "b1c3"]).visible()
        look = look_of("pegs", visible, askew=discs_of([lower, upper], np.random.default_rng(4)))  # type: ignore[arg-type]
        before = position("pegs", pegs)
        ways = [way for way in Table(before, LookEvidence(look)).ways() if way]  # type: ignore[arg-type]
        best = min(ways, key=lambda way: way.cost)
        assert [[str(block) for block in card.blocks] for card in best.cards] == [[upper], [lower]]
