"""Random play of every game and option, with what must hold at every step."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.errors import UnreadableMove
from companion.games import game
from companion.games.position import Position, Visible
from companion.games.six_faces import SixFaces
from companion.messages import say_reason
from tests.records import VARIANTS, names, new_record, played

LONGEST = 250  # moves, where two who do not try to win may go on for ever


def cells(seen: Visible) -> list[str]:
    return [cell for row in seen["rows"] for cell in row]


def check_pieces(game_id: str, seen: Visible) -> None:
    """The kit has so many pieces and no more."""
    if game_id == "plank":
        tokens = [token + color for p in seen["planks"] for token, color in zip(p["tokens"], p["colors"], strict=True)]
        assert all(tokens.count(token) <= 2 for token in tokens if token[0] != ".")
        assert len(seen["planks"]) <= 12
        return
    board = cells(seen)
    if game_id.startswith("hepta"):
        assert board.count("#") <= 7
        assert board.count("x") % 3 == 0
    elif game_id in ("tetrods", "t-for-two"):
        assert board.count("o") + board.count("@") <= 13
        assert board.count("x") == 3 * board.count("@")
    elif game_id.startswith("pegs"):
        assert sum(cell in "oBW" for cell in board) <= 41
    elif game_id == "six-faces":
        assert board.count("wK") + board.count("rK") >= 1
        assert all(sum(cell[0] == side for cell in board) <= 9 for side in "wr")
    else:
        tiles = [cell for cell in board if "-" in cell and not cell.startswith(("start", "finish"))]
        assert len(tiles) == len(set(tiles))
        pawns = seen.get("pawns", {})
        assert len(set(pawns.values())) == len(pawns)


def check_step(game_id: str, position: Position[Any], chance: Random, strangers: list[str]) -> None:
    """Everything that must hold of a position, wherever it comes from."""
    outcome, moves = position.outcome(), list(position.moves())
    assert position.count() == len(moves) == len({str(move) for move in moves})
    assert (outcome is None) == bool(moves) == (position.to_move is not None)
    assert position.to_move is None or position.to_move in position.seats
    scores = position.scores()
    assert set(scores) == set(position.players)
    if outcome:
        assert outcome.scores == scores
        assert outcome.winner is None or outcome.winner in position.players
        assert not (outcome.draw and outcome.winner)
    json.dumps(position.visible())
    check_pieces(game_id, position.visible())
    rules = game(game_id)
    for move in chance.sample(moves, min(12, len(moves))):
        assert rules.read(str(move)) == move
        assert position.why_not(move) is None
        after = position.play(move)
        for half_made in position.steps(move):
            assert half_made != position.visible()
            assert half_made != after.visible()
    texts = {str(move) for move in moves}
    for text in chance.sample(strangers, min(12, len(strangers))):
        if text not in texts:
            try:
                reason = position.why_not(rules.read(text))
            except UnreadableMove as error:
                reason = error.reason
            if reason is None and str(rules.read(text)) in texts:
                continue  # a card written the other way round
            if reason is None:
                assert "?" in text or "!" in text, f"{text} is accepted, but not among the moves"
                continue
            prefix = game_id.removesuffix("-solo")
            assert reason.rule in ("format", "turn", "over") or reason.rule.startswith(f"{prefix}."), reason
            assert all(len(say_reason(reason, language)) > 8 for language in ("en", "fr"))


def mangled(text: str, chance: Random) -> str:
    """A move's text with one sign changed, so that it may still be read."""
    n = chance.randrange(len(text))
    return text[:n] + chance.choice("abcdefgh123456789IL#@=+-o.RWB^v>01? ") + text[n + 1 :]


def play_at_random(variant: tuple[str, dict[str, Any], dict[str, Any]], seed: int) -> None:
    record, chance = new_record(variant, seed), Random(seed)
    position, strangers = played(record).position, list[str]()
    while position.to_move and len(record["moves"]) < LONGEST:
        check_step(variant[0], position, chance, strangers)
        moves = list(position.moves())
        some = [str(move) for move in chance.sample(moves, min(8, len(moves)))]
        strangers = (strangers + some + [mangled(text, chance) for text in some])[-60:]
        move = chance.choice(moves)
        record["moves"].append(str(move))
        after = position.play(move)
        assert hash(after) == hash(position.play(move))
        assert after == position.play(move) != position
        position = after
    check_step(variant[0], position, chance, strangers)
    again = played(record)
    assert again.illegal is None
    assert again.position == position
    assert hash(again.position) == hash(position)


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_random_play(variant: tuple[str, dict[str, Any], dict[str, Any]]) -> None:
    for seed in range(3):
        play_at_random(variant, seed)


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_much_random_play(variant: tuple[str, dict[str, Any], dict[str, Any]]) -> None:
    for seed in range(1000, 1020):
        play_at_random(variant, seed)


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_what_stands_is_what_is_seen(variant: tuple[str, dict[str, Any], dict[str, Any]]) -> None:
    """Letting a position stand as it is seen changes nothing that can be seen, and play goes on from it."""
    for seed in range(2):
        record, chance = new_record(variant, seed), Random(seed)
        position = played(record).position
        for _ in range(40):
            if not position.to_move:
                break
            stood = position.accept_as_seen(position.visible(), position.to_move)
            assert stood.visible() == position.visible()
            assert stood.to_move == position.to_move
            if not position.mid_turn:
                next_player = chance.choice(position.seats)
                other = position.accept_as_seen(position.visible(), next_player)
                assert other.visible() == position.visible()
                list(other.moves())
            position = position.play(chance.choice(list(position.moves())))


def test_rolling_never_changes_the_dice() -> None:
    """On any way and either handedness a die keeps its seven pips between opposite faces."""
    position, chance = played(new_record(("six-faces", {}, {}), 1)).position, Random(1)
    assert isinstance(position, SixFaces)
    for _ in range(100):
        if not position.to_move:
            break
        assert all(die[1] == "K" or int(die[1]) + int(die[3]) != 7 for die in position.dice if die)
        position = position.play(chance.choice(list(position.moves())))
