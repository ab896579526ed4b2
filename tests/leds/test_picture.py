"""What is told is lit: every game and variant over random play, on color matrices and on those of one color."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from companion.games import game
from companion.games.plank import PlankGame
from companion.games.position import Outcome, Piece, Position, Visible
from companion.games.six_faces import SixFaces
from companion.games.squares import DIRECTIONS
from companion.games.trippples import FRAME, TILES, Step, Trippples
from companion.leds import color_vision, picture
from companion.leds.color_vision import CLEAR_DIFFERENCE, SHOWN_TOGETHER, VISIONS
from companion.leds.lighting import pixels_of
from companion.leds.picture import (
    BLOCKED,
    CAN,
    FROM,
    GLYPHS,
    HUB,
    KINDS,
    LAST,
    OVER,
    PUT_BACK,
    ROUTE,
    TO,
    TURN,
    WINKING,
    WON,
    WRONG,
    Color,
    Light,
    Picture,
    Scene,
    arrows,
    board_size,
    paint,
)
from companion.leds.protocol import PATTERNS, current
from companion.leds.scenes import last_turn, scene_of
from companion.leds.wiring import paint_matrix, parse_wiring
from companion.referee import Verdict, Wrong
from companion.solvers.playing import sensible_move
from tests.records import VARIANTS, names, new_record, played, read

Variant = tuple[str, dict[str, Any], dict[str, Any]]
GAMES = pytest.mark.parametrize("variant", VARIANTS, ids=names)
LONGEST = 70  # moves


def game_of(variant: Variant, seed: int) -> Iterator[tuple[list[Position[Any]], list[Any]]]:
    """A game as it grows: all positions so far, and the moves."""
    chance, moves = Random(seed), list[Any]()
    positions = [played(new_record(variant, seed)).position]
    yield positions, moves
    while positions[-1].to_move and len(moves) < LONGEST:
        chosen = list(positions[-1].moves())
        move = (
            sensible_move(game(variant[0]), positions[-1], chance, tired=True)
            if len(moves) > 20
            else chance.choice(chosen)
        )
        moves.append(move)
        positions.append(positions[-1].play(move))
        yield positions, moves


def changed(before: Position[Any], after: Position[Any]) -> set[str]:
    """The squares on which one sees that a move was made; rows of planks by the later position's numbers."""
    old, new = before.visible(), after.visible()
    if "planks" in new:
        now, was = rows_of(new, after.first_row), rows_of(old, before.first_row)
        return {square for square, code in now.items() if was.get(square) != code}
    high = len(new["rows"])
    found = {
        f"{chr(ord('a') + x)}{high - n}"
        for n, row in enumerate(new["rows"])
        for x, code in enumerate(row)
        if code != old["rows"][n][x]
    }
    for pawn, square in new.get("pawns", {}).items():
        there = old.get("pawns", {}).get(pawn)
        if there and there != square:
            found |= {there, square}
    return found


def rows_of(seen: Visible, south: int) -> dict[str, str]:
    return {
        f"{column}{n + south}": color + token
        for n, plank in enumerate(seen["planks"])
        for column, color, token in zip("abc", plank["colors"], plank["tokens"], strict=True)
    }


def squares_lit(painted: Picture, position: Position[Any], *lights: Light) -> set[str]:
    """The board's squares with one of these lights."""
    bottom = 1
    if isinstance(position, PlankGame):
        # the row's place on the matrix, found again from what is lit: tested on its own below
        bottom = picture._bottom(position, board_size(position)[1], [])
    return {f"{chr(ord('a') + x)}{y + bottom}" for (x, y), light in painted.items() if not lights or light in lights}


# --- seeing colors


def apart(one: Color, other: Color, eye: str) -> float:
    first, second = ((color[0] / 255, color[1] / 255, color[2] / 255) for color in (one, other))
    return color_vision.difference(first, second, eye)


def check_told_apart(painted: Picture) -> None:
    """Whoever looks tells the lights of one picture apart, by color or, with one color, by blinking."""
    kinds = {light: kind for kind, light in KINDS.items()}
    told = {kinds[light] for light in painted.values()}
    assert any(told <= set(group) for group in SHOWN_TOGETHER), told  # `color_vision` knows which are shown together
    for one, other in combinations(set(painted.values()), 2):
        assert one.blink != other.blink, (one, other)
        for eye in VISIONS:
            assert apart(one.color, other.color, eye) > CLEAR_DIFFERENCE, (one, other, eye)
    for light in set(painted.values()):
        assert min(apart(light.color, (0, 0, 0), eye) for eye in VISIONS) > CLEAR_DIFFERENCE


def check_fits(painted: Picture, position: Position[Any]) -> None:
    wide, high = board_size(position)
    assert all(0 <= x < wide and 0 <= y < high for x, y in painted)


# --- random play


@GAMES
def test_a_hint_is_lit_where_hands_must_go(variant: Variant) -> None:
    chance = Random(1)
    for positions, moves in game_of(variant, 1):
        position = positions[-1]
        if not position.to_move:
            continue
        move = chance.choice(list(position.moves()))
        painted = paint(scene_of(positions, moves, hint=move))
        check_fits(painted, position)
        check_told_apart(painted)
        way = position.trace(move)
        seen = changed(position, position.play(move)) if position.is_seen(move) else set()
        assert seen <= {*way.start, *way.laid, *way.to}, move
        assert squares_lit(painted, position, FROM) == set(way.start)
        assert set(way.to) <= squares_lit(painted, position, TO)
        assert {*way.route, *way.laid} - set(way.to) <= squares_lit(painted, position, ROUTE)
        if "pawns" not in position.visible():
            assert squares_lit(painted, position, TO) == set(way.to)


@GAMES
def test_the_last_turn_is_lit(variant: Variant) -> None:
    for positions, moves in game_of(variant, 2):
        position = positions[-1]
        if len(positions) < 2 or position.outcome():
            continue
        painted = paint(scene_of(positions, moves))
        check_fits(painted, position)
        check_told_apart(painted)
        seen = changed(positions[-2], position)
        if seen:
            came = set(positions[-2].trace(moves[-1]).to) if "pawns" in positions[-2].visible() else seen
            covered = squares_lit(painted, position, CAN, TURN)  # where one may go back at once
            assert came <= squares_lit(painted, position, LAST) | covered, moves[-1]


@GAMES
def test_a_hint_that_comes_too_late_harms_nobody(variant: Variant) -> None:
    """It was for the position before: where it pointed, nothing may stand any more."""
    for positions, moves in game_of(variant, 2):
        if moves:
            paint(scene_of(positions, moves, hint=moves[-1]))


@GAMES
def test_whose_turn_it_is_shows_at_his_side(variant: Variant) -> None:
    sides: dict[str, set[frozenset[tuple[int, int]]]] = {}
    for positions, _ in game_of(variant, 3):
        position = positions[-1]
        if not position.to_move:
            continue
        bare = {cell for cell, light in paint(Scene(position)).items() if light == TURN}
        bare -= {cell for cell in bare if picture._cell("a1") != cell and cell in pawn_cells(position)}
        sides.setdefault(position.to_move, set()).add(frozenset(bare))
    if len(position.seats) == 1:
        assert sides == {"solver": {frozenset()}} or not sides
        return
    usual = {seat: max(found, key=len) for seat, found in sides.items()}
    assert all(usual.values())
    assert len(set(usual.values())) == len(usual)


def pawn_cells(position: Position[Any]) -> set[tuple[int, int]]:
    return {picture._cell(square) for square in position.visible().get("pawns", {}).values()}


@GAMES
def test_what_is_wrong_burns_red_and_alone(variant: Variant) -> None:
    """Another position of the same game lies on the table: what must go and what must come back is lit."""
    chance, kept = Random(4), list[Visible]()
    for positions, moves in game_of(variant, 4):
        position = positions[-1]
        kept.append(position.visible())
        seen = chance.choice(kept)
        if not position.to_move or seen == position.visible():
            continue
        wrong = wrong_of(position, seen)
        told = scene_of(positions, moves, Verdict("illegal", wrong=wrong), seen)
        painted = paint(told, (3, 30) if "planks" in seen else None)
        assert painted or "planks" not in seen
        assert set(painted.values()) <= {WRONG, PUT_BACK}
        check_told_apart(painted)
        for light in painted.values():
            assert light.color[0] == 255
            assert max(light.color[1:]) <= 80
        if "rows" in seen:
            named = {w.square for w in wrong if w.square[1:].isdigit()}
            pawns = {s for w in wrong if not w.square[1:].isdigit() for s in (w.should, w.seen) if s}
            assert squares_lit(painted, position) == named | pawns
            gone = {w.square for w in wrong if w.square in named and w.should not in picture.EMPTY}
            assert gone <= squares_lit(painted, position, PUT_BACK) | pawns


def wrong_of(position: Position[Any], seen: Visible) -> tuple[Wrong, ...]:
    should = position.visible()
    if "planks" in should:
        return ()
    high = len(should["rows"])
    found = [
        Wrong(f"{chr(ord('a') + x)}{high - n}", code, seen["rows"][n][x])
        for n, row in enumerate(should["rows"])
        for x, code in enumerate(row)
        if code != seen["rows"][n][x]
    ]
    pawns = should.get("pawns", {})
    return (*found, *(Wrong(p, s, seen["pawns"][p]) for p, s in pawns.items() if seen.get("pawns", {}).get(p, s) != s))


@GAMES
def test_the_result_shows_and_the_winners_side_is_known(variant: Variant) -> None:
    for seed in range(3):
        *_, (positions, moves) = game_of(variant, seed)
        position = positions[-1]
        outcomes = [position.outcome()] if position.outcome() else []
        outcomes += [position.ended(player, "resigned") for player in (*position.players, None)]
        painted = [paint(scene_of(positions, moves, outcome=outcome)) for outcome in outcomes]
        for outcome, found in zip(outcomes, painted, strict=True):
            assert outcome is not None
            check_fits(found, position)
            check_told_apart(found)
            kinds = set(found.values()) - {LAST}
            assert kinds == {WON if outcome.winner else OVER}
        if len(position.players) > 1:
            by_winner = {
                o.winner: frozenset(c for c, light in p.items() if light == WON) for o, p in lit(outcomes, painted)
            }
            sides = {frozenset(s) for winner, s in by_winner.items() if winner}
            teams = 2 if len(position.players) == 4 else len(position.players)
            assert len(sides) == teams


def lit(outcomes: list[Outcome | None], painted: list[Picture]) -> list[tuple[Outcome, Picture]]:
    return [(outcome, found) for outcome, found in zip(outcomes, painted, strict=True) if outcome]


@GAMES
def test_no_picture_draws_more_than_it_may(variant: Variant) -> None:
    chance = Random(5)
    layout = parse_wiring("8x8 + arrows" if variant[0] == "trippples" else "9x16")
    for positions, moves in game_of(variant, 5):
        position = positions[-1]
        hint = chance.choice(list(position.moves())) if position.to_move else None
        lights = paint_matrix(scene_of(positions, moves, hint=hint), layout)
        for brightness, limit in ((1.0, 450), (0.3, 450), (1.0, 200)):
            pixels = pixels_of(lights, layout, brightness, limit)
            assert current(pixels) <= limit
            assert sum(any(pixel[:3]) for pixel in pixels) == len(lights)  # nothing is dimmed away


# --- the piece in the hand


def test_the_squares_open_to_a_die_that_is_lifted() -> None:
    for positions, _ in game_of(("six-faces", {}, {}), 6):
        position = positions[-1]
        assert isinstance(position, SixFaces)
        ends: dict[str, set[str]] = {}
        for move in position.moves():
            ends.setdefault(move.squares[0], set()).add(move.squares[-1])
        for square, to in ends.items():
            painted = paint(Scene(position, lifted=square))
            assert squares_lit(painted, position, CAN) == to
            assert squares_lit(painted, position, FROM) == {square}
            check_told_apart(painted)


def test_a_lifted_piece_hides_a_hint_for_another() -> None:
    position = played({"game": "six-faces", "moves": []}).position
    hint = position.trace(read("six-faces", "b1-b2"))
    assert TO not in paint(Scene(position, lifted="c1", hint=hint)).values()
    assert squares_lit(paint(Scene(position, lifted="b1", hint=hint)), position, TO) == {"b2"}


def test_a_piece_from_beside_the_board() -> None:
    blocked = ["#a1", "#b2", "#c3", "#d4", "#e5", "#f6", "#g7", "=I"]
    position = played({"game": "hepta", "moves": blocked}).position
    expected = {square for move in position.moves() for square in move.cells}
    assert squares_lit(paint(Scene(position, lifted=Piece("tromino", "I"))), position, CAN) == expected
    assert not paint(Scene(position, lifted=Piece("tromino", "L"))).keys() - paint(Scene(position)).keys()


@pytest.mark.parametrize("variant", [("six-faces", {}, {}), ("trippples", {}, {}), ("plank", {}, {"players": 2})])
def test_what_is_lifted_is_known_from_a_half_made_turn(variant: Variant) -> None:
    """The look at a half-made turn, as the referee tells it."""
    found = 0
    for positions, moves in game_of(variant, 7):
        position = positions[-1]
        for move in list(position.moves())[:3]:
            start = position.trace(move).start
            for seen in position.steps(move)[:1]:
                wrong = counted_from_south(position, seen) if "planks" in seen else gone_of(position, seen)
                lifted = scene_of(positions, moves, Verdict("partial", wrong=wrong), seen).lifted
                if start and wrong:
                    assert lifted == start[0]
                    found += 1
    assert found > 3


def gone_of(position: Position[Any], seen: Visible) -> tuple[Wrong, ...]:
    pawns = position.visible().get("pawns", {})
    lost = [Wrong(p, s, seen["pawns"].get(p, "")) for p, s in pawns.items() if seen["pawns"].get(p) != s]
    return (*(w for w in wrong_of(position, {**seen, "pawns": pawns})), *lost)


def counted_from_south(position: Position[Any], seen: Visible) -> tuple[Wrong, ...]:
    if len(seen["planks"]) != len(position.visible()["planks"]):
        return ()
    should, now = rows_of(position.visible(), 0), rows_of(seen, 0)
    return tuple(Wrong(s, code, now[s]) for s, code in should.items() if now[s] != code)


# --- Trippples' arrows


@pytest.mark.parametrize("variant", [v for v in VARIANTS if v[0] == "trippples"], ids=names)
def test_the_ways_open_are_lit_on_the_board_and_as_arrows(variant: Variant) -> None:
    most = 0
    for positions, _ in game_of(variant, 8):
        position = positions[-1]
        assert isinstance(position, Trippples)
        scene = Scene(position)
        if position.placing or not position.to_move:
            continue
        board, glyphs = paint(scene), arrows(scene)
        assert squares_lit(board, position, CAN) == {m.to for m in position.moves() if isinstance(m, Step)}
        here = position.pawns[position.turn]
        ways = {way for way in DIRECTIONS if set(GLYPHS[way]) <= glyphs.keys()}
        assert ways == set(position._open_ways())
        assert set(glyphs) == {cell for way in ways for cell in GLYPHS[way]} | set(HUB)
        for way in ways:
            x, y = here % 8 + DIRECTIONS[way][0], here // 8 + DIRECTIONS[way][1]
            to = FRAME.at(x, y)
            legal = to is not None and position.why_not(Step(FRAME.names[to], *position._may_show(to)[:1])) is None
            assert {glyphs[cell] for cell in GLYPHS[way]} == {CAN if legal else BLOCKED}
        check_told_apart(glyphs)
        most = max(most, len(ways) if len(ways) < 8 else 0)
    assert most in ((3, 4, 5, 6) if variant[1].get("players") == 4 else (0, 3))


def test_no_two_arrows_share_a_light() -> None:
    for one, other in combinations(GLYPHS.values(), 2):
        assert not set(one) & set(other)
    assert all(0 <= x < 8 and 0 <= y < 8 for glyph in GLYPHS.values() for x, y in glyph)
    pictures = {frozenset(cell for way in tile.split("-") for cell in GLYPHS[way]) for tile in TILES}
    assert len(pictures) == 56


def test_a_hint_where_to_place_a_tile_shows_the_tile() -> None:
    position = played({"game": "trippples", "setup": {}, "moves": []}).position
    shown = arrows(Scene(position, hint=position.trace(read("trippples", "N-E-SW@c3"))))
    assert set(shown) == {cell for way in ("N", "E", "SW") for cell in GLYPHS[way]} | set(HUB)
    assert arrows(Scene(position)) == {}


# --- the row of planks


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_row_of_planks_stays_in_view(players: int) -> None:
    """It begins in the middle and is pushed along only as far as it must be."""
    for seed in range(6):
        before = None
        for positions, _ in game_of(("plank", {}, {"players": players}), seed):
            position = positions[-1]
            south, count = position.first_row, len(position.visible()["planks"])
            for high in (13, 16, 20):
                bottom = picture._bottom(position, high, [])
                assert bottom <= max(south - 1, south + count - high)
                assert south + count - 1 <= bottom + high - 1
                if count < 12:  # there is room to show one more at either end
                    assert bottom <= south - 1
                    assert south + count <= bottom + high - 1
            now = picture._bottom(position, 16, [])
            assert before is None or abs(now - before) <= 1
            before = now


def test_on_a_short_matrix_the_part_that_matters_is_shown() -> None:
    for seed in range(6):
        for positions, _ in game_of(("plank", {}, {"players": 2}), seed):
            position = positions[-1]
            if not position.to_move:
                continue
            for move in list(position.moves())[:12]:
                way = position.trace(move)
                rows = {int(square[1:]) for square in (*way.start, *way.laid, *way.to)}
                if max(rows) - min(rows) < 4 and not way.start:
                    painted = paint(Scene(position, hint=way), (3, 5))
                    assert TO in painted.values()
                    assert all(0 <= y < 5 for _, y in painted)


def test_a_plank_too_many_is_wrong_at_its_end() -> None:
    setup = {"players": 2, "hands": {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}}
    record = {"game": "plank", "setup": setup, "moves": ["RBW^ B@b0", "WRB^ R@b1"]}
    positions, moves = played(record).positions, [read("plank", text) for text in record["moves"]]
    planks = positions[-1].visible()["planks"]
    bare = {"colors": "BWR", "tokens": [".", ".", "."]}
    for there, lit_squares in (([*planks, bare], {"a2", "b2", "c2"}), ([bare, *planks], {"a-1", "b-1", "c-1"})):
        told = scene_of(positions, moves, Verdict("illegal"), {"planks": there})
        assert {wrong.square for wrong in told.wrong} == lit_squares
        assert set(paint(told).values()) == {WRONG}
    told = scene_of(positions, moves, Verdict("illegal"), {"planks": planks[1:]})
    assert {wrong.square for wrong in told.wrong} == {"a0", "b0", "c0"}
    assert set(paint(told).values()) == {PUT_BACK}


def test_the_last_turn_has_all_its_moves() -> None:
    texts = [f"o{square}" for square in ("a1", "b1", "c1", "d1", "e1", "f1", "g1")]
    positions = played({"game": "pegs", "setup": {}, "moves": texts}).positions
    moves = [read("pegs", text) for text in texts]
    assert [way.to for way in last_turn(positions, moves)] == [(text[1:],) for text in texts]
    assert last_turn(positions, [*moves[:-1], None]) == ()  # what stood there is not known


# --- the lights themselves


def test_the_kinds_of_lights() -> None:
    assert len(set(KINDS.values())) == len(KINDS)
    assert all(0 <= light.blink < len(PATTERNS) for light in KINDS.values())
    assert {KINDS["wrong"], KINDS["put-back"], KINDS["from"], KINDS["unkept"]} == set(WINKING)
    for pattern in PATTERNS:  # three flashes a second are the most that are safe to look at
        assert (pattern + pattern[0]).count(".#") / (8 * 0.2) <= 3
