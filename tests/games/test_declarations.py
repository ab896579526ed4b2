"""What a game declares for others, over random play of every variant: traces, words, what touches mean, what is dealt,
what lies on the table, how it begins before a camera."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.games import game, game_ids
from companion.games.game import Dealing
from companion.games.position import Position, player_of
from companion.games.squares import DIRECTIONS, codes_by_square
from companion.messages import LANGUAGES, say, say_move
from companion.record import checked_options
from tests.records import VARIANTS, names, new_record, played

Variant = tuple[str, dict[str, Any], dict[str, Any]]
LONGEST = 150  # moves
MOST = 15  # moves of a position that are looked at


def positions(variant: Variant, seed: int) -> Iterator[tuple[Position[Any], list[Any]]]:
    """The positions of a random game, each with some of its moves."""
    chance, position = Random(seed), played(new_record(variant, seed)).position
    for _ in range(LONGEST):
        moves = list(position.moves())
        if not moves:
            return
        yield position, chance.sample(moves, min(MOST, len(moves)))
        position = position.play(chance.choice(moves))


def squares_of(position: Position[Any]) -> set[str]:
    """The squares there are, and those that a plank may make."""
    seen = position.visible()
    if "planks" in seen:
        rows = range(position.first_row - 1, position.first_row + len(seen["planks"]) + 1)
        return {f"{column}{row}" for column in "abc" for row in rows}
    return set(codes_by_square(seen))


every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=names)


@every_variant
def test_a_move_happens_on_squares_that_there_are(variant: Variant) -> None:
    for position, moves in positions(variant, 1):
        squares = squares_of(position)
        for move in moves:
            trace = position.trace(move)
            assert {*trace.start, *trace.route, *trace.turns, *trace.laid, *trace.to} <= squares, move
            assert set(trace.turns) <= set(trace.route)
            assert position.is_seen(move) == bool(trace.to), move
            if position.is_seen(move) and trace.start:
                assert trace.start != trace.to


@every_variant
def test_what_changes_on_the_board_is_in_the_trace(variant: Variant) -> None:
    for position, moves in positions(variant, 2):
        for move in moves:
            before, after = position.visible(), position.play(move).visible()
            if "planks" not in before:
                was, now = codes_by_square(before), codes_by_square(after)
                changed = {square for square in was if was[square] != now[square]}
                assert changed <= set(position.trace(move).shown), move


@every_variant
def test_every_move_is_put_into_words(variant: Variant) -> None:
    rules = game(variant[0])
    for position, moves in positions(variant, 3):
        for move in moves:
            phrase = position.describe(move)
            assert phrase.code != "move", move
            for language in LANGUAGES:
                said = say_move(phrase, language)
                assert said, move
                assert "{" not in said
                assert phrase.code in rules.words[language].moves
            # whoever is told what is moved, and where, is told every square that must be touched
            told = say_move(phrase, "en")
            assert all(square in told for square in position.trace(move).to[:1]), (move, told)


@every_variant
def test_every_end_is_put_into_words(variant: Variant) -> None:
    rules = game(variant[0])
    for seed in range(5):
        chance, position = Random(seed), played(new_record(variant, seed)).position
        for _ in range(LONGEST):
            if outcome := position.outcome():
                for language in LANGUAGES:
                    own = rules.words[language].endings
                    assert own.get(outcome.why) or say("ENDINGS", outcome.why, {}, language)
                break
            position = position.play(chance.choice(list(position.moves())))


@every_variant
def test_touching_a_moves_squares_means_it(variant: Variant) -> None:
    for position, moves in positions(variant, 4):
        for move in moves:
            if touch := position.trace(move).touch:
                meant = list(position.meant_by(touch))
                assert any(
                    position.why_not(one) is None or set(position.trace(one).touch) == set(touch) for one in meant
                ), (move, meant)
                assert all(type(game(variant[0]).read(str(one))) is type(one) for one in meant)


@every_variant
def test_touching_any_square_can_be_answered(variant: Variant) -> None:
    """Also squares on which nothing can be done: then it can be said why."""
    chance = Random(5)
    for position, _ in positions(variant, 5):
        squares = sorted(squares_of(position))
        for touched in (chance.sample(squares, 1), chance.sample(squares, 2), ["z9"]):
            for move in position.meant_by(tuple(touched)):
                position.why_not(move)


@every_variant
def test_announcements_and_secrets_are_moves_too(variant: Variant) -> None:
    rules = game(variant[0])
    for position, moves in positions(variant, 6):
        for move in moves:
            if (announced := position.announced(move)) is not None:
                assert rules.read(str(announced)) == announced
                assert position.why_not(announced) is None
                assert position.trace(announced) == position.trace(move)
                assert position.describe(announced) != position.describe(move)
            assert str(move).startswith(position.without_secret(move))
            if (unseen := position.as_unseen(move)) is not None:
                assert position.why_not(unseen) is None
                assert position.as_unseen(unseen) == unseen
                assert position.seen_as(unseen, position.trace(move).pieces[0].name) == move
            if position.is_chance(move):
                assert position.as_unseen(move) is not None


@every_variant
def test_what_lies_on_the_table_is_what_is_seen(variant: Variant) -> None:
    for position, _ in positions(variant, 7):
        plates, cards = position.lying()
        seen = position.visible()
        if "planks" in seen:
            assert not plates
            assert not cards
            continue
        codes = codes_by_square(seen)
        laid = [square for plate in plates for square in plate]
        assert len(laid) == len(set(laid))
        on_top = {square: card.face for card in cards for square in card.squares}
        if plates or cards:
            assert {square for square, code in codes.items() if code.lower() in "x@bw"} == {*laid, *on_top}
        assert all(codes[square].lower() == face for square, face in on_top.items())


@every_variant
def test_open_ways_lead_where_pawns_may_go(variant: Variant) -> None:
    for position, _ in positions(variant, 8):
        ways = position.ways()
        assert set(ways) <= set(DIRECTIONS)
        if ways:
            assert {to for to in ways.values() if to} == {position.trace(move).to[0] for move in position.moves()}


@every_variant
def test_hands_leave_only_what_a_half_made_move_shows(variant: Variant) -> None:
    for position, moves in positions(variant, 9):
        for move in moves:
            steps = position.steps(move)
            assert all(left in steps for left in position.between(move)), move


@every_variant
def test_pieces_that_are_put_freely_are_put_by_legal_moves(variant: Variant) -> None:
    for position, moves in positions(variant, 10):
        if position.puts_freely:
            for move in moves:
                to = position.trace(move).to[0]
                shows = codes_by_square(position.play(move).visible())[to]
                assert position.put(to, shows) == move
                assert position.put(to, codes_by_square(position.visible())[to]) is None


@pytest.mark.parametrize("game_id", game_ids())
def test_what_is_dealt_can_be_played(game_id: str) -> None:
    rules = game(game_id)
    assert (rules.deal is None) == (rules.dealing is Dealing.NEVER)
    for number in rules.seats:
        for seed in range(5):
            options = checked_options(rules, {"players": number} if "players" in rules.options else {})
            start = rules.start(options, rules.dealt(Random(seed), options, number))
            assert start.to_move in rules.seats[number]
            assert start.seats == rules.seats[number]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_seat_has_its_words_and_its_badge(game_id: str) -> None:
    rules = game(game_id)
    seats = {seat for seated in rules.seats.values() for seat in seated}
    for words in rules.words.values():
        assert seats <= set(words.labels)
        assert set(rules.options) == set(words.options)
        chosen = {c for option in rules.options.values() for c in option.choices if isinstance(c, str)}
        assert chosen == set(words.choices)
    if not rules.is_solitaire:
        assert seats <= set(rules.badges)


def test_partners_are_scored_under_one_name() -> None:
    position = played(new_record(("trippples", {"players": 4}, {}), 1)).position
    sides = {seat: player_of(seat, position.seats, position.players) for seat in position.seats}
    assert sides == {"square1": "square", "round1": "round", "square2": "square", "round2": "round"}
    alone = played(new_record(("plank", {}, {"players": 3}), 1)).position
    assert all(player_of(seat, alone.seats, alone.players) == seat for seat in alone.seats)


@every_variant
def test_a_game_begins_with_what_lies_on_the_table(variant: Variant) -> None:
    """What the camera sees of a set-up that was dealt is enough to begin the same game, where it can be seen at all."""
    game_id, options, _ = variant
    rules = game(game_id)
    if rules.dealing is Dealing.NEEDED:
        return
    begun = played(new_record(variant, 11)).position
    seen = begun.visible()
    agreed, setup = rules.opening.from_look(options, {}, seen, {})
    assert rules.start(checked_options(rules, agreed), setup).visible() == seen
    should = rules.opening.should_be(rules.start, checked_options(rules, options), {}, seen)
    assert should == seen
    lacking = rules.opening.lacking({}, seen)
    assert lacking is None or lacking.there == lacking.needed
