"""What the readers conclude from all squares together, where one alone may deceive."""

from __future__ import annotations

import numpy as np

from vision.codes import PAWN_OUTPUTS, TILE_KINDS, TRIPLES
from vision.fields import usual_field
from vision.patches import Patches
from vision.readers import arrows, faces, plain, planks, tiles
from vision.readers.parts import squares_of
from vision.readers.row import MARGIN, STEP
from vision.readers.shadows import without_shadows
from vision.readers.sides import without_sides
from vision.simulate.camera import look_at

BOARD = usual_field("faces")


def a_board_with_dice_on(*squares: int) -> Patches:
    """Patches of light and dark squares with a little grain; a die hides its square's wood."""
    rng = np.random.default_rng(1)
    cells = np.arange(72)
    tone = np.where((cells % 9 + cells // 9) % 2, 60, 150)[:, None, None, None]
    patches = np.clip(tone + rng.normal(0, 6, (72, 6, 32, 32)), 0, 255).astype(np.uint8)
    for square in squares:
        patches[square, 3:, 8:24, 8:24] = rng.choice([40, 235], (16, 16))
    return patches


def said_to_be_dice(*squares: int) -> np.ndarray:
    likelihood = np.full((72, 21), 1e-4)
    likelihood[:, 0] = 1 - 20e-4
    likelihood[list(squares)] = likelihood[squares[0]][::-1]
    return likelihood


def test_a_dies_side_is_no_die_on_the_square_before_it() -> None:
    camera = look_at(BOARD, (1280, 720), 60, 40, 0, 0, 0.9)  # from the south
    behind, before = 4 * 9 + 4, 3 * 9 + 4
    said = said_to_be_dice(behind, before)
    found = without_sides(said, a_board_with_dice_on(behind), camera)
    assert found[behind, 0] < 0.1
    assert found[before, 0] > 0.9
    assert np.allclose(found.sum(axis=1), 1, atol=0.01)
    both = without_sides(said, a_board_with_dice_on(behind, before), camera)
    assert both[before, 0] < 0.1
    above = look_at(BOARD, (1280, 720), 60, 2, 0, 0, 0.9)
    assert without_sides(said, a_board_with_dice_on(behind), above)[before, 0] < 0.1  # from there no side is seen


def test_a_die_before_another_is_believed_only_where_the_network_is_sure() -> None:
    camera = look_at(BOARD, (1280, 720), 60, 40, 0, 0, 0.9)
    behind, before = 4 * 9 + 4, 3 * 9 + 4
    patches = a_board_with_dice_on(behind, before)
    for there, stays in ((0.6, False), (0.75, False), (0.97, True), (0.999, True)):
        said = said_to_be_dice(behind, before)
        said[before, 0] = 1 - there
        said[before, 1:] *= there / said[before, 1:].sum()
        assert (without_sides(said, patches, camera)[before, 0] < 0.5) == stays


def test_a_shadow_on_bare_squares_hides_nothing() -> None:
    patches = a_board_with_dice_on()
    hidden, bare = np.full(72, 0.01), np.full(72, 0.99)
    shade, hand = [30, 31], [50, 51, 59]
    hidden[shade + hand] = 0.99
    patches[shade] = (patches[shade] * 0.65).astype(np.uint8)
    patches[51, 3:, 8:24] = np.array([70, 90, 150])[:, None, None]  # skin over one square, its rim over the others
    found = without_shadows(hidden, bare, patches, BOARD)
    assert found[shade].max() <= 0.5
    assert found[hand].min() > 0.9


def test_where_many_tiles_lie_turned_one_in_doubt_may_be_turned_too() -> None:
    arrows = np.ones((60, 1))
    dots = np.tile([0.99, 0.004, 0.003, 0.003], (60, 1))
    dots[0] = 0.02, 0.94, 0.02, 0.02
    assert tiles._upright(dots, arrows)[0] > 0.8
    dots[1:12] = 1e-5, 1 - 3e-5, 1e-5, 1e-5
    assert tiles._upright(dots, arrows)[0] < 0.5
    assert tiles._upright(dots, arrows)[20] > 0.9


def test_dots_that_cannot_be_made_out_turn_no_tile() -> None:
    dots = np.tile([0.1, 0.6, 0.2, 0.1], (50, 1))
    dots[10:20] = 0.01, 0.01, 0.85, 0.13
    dots[20:] = 0.5, 0.3, 0.1, 0.1
    assert tiles._upright(dots, np.ones((50, 1))).min() > 0.95


def _pawns(**seen: tuple[int, float]) -> tuple[dict[str, str], list[str]]:
    """Where pawns are read to stand and which are doubtful, where the network sees each so likely on one square."""
    share = np.full((64, 1 + len(PAWN_OUTPUTS)), 1e-4)
    for name, (square, likely) in seen.items():
        share[square, 1 + PAWN_OUTPUTS.index(name)] = likely
    share[:, 0] = np.maximum(1 - share[:, 1:].sum(axis=1), 1e-6)
    return tiles._pawns(share, squares_of(usual_field("tiles")))[:2]


def test_the_partner_of_a_pawn_that_is_plainly_seen_stands_where_it_is_likeliest() -> None:
    places, doubts = _pawns(round1=(9, 0.999), square1=(30, 0.02))
    assert places == {"round1": "b2", "square1": "g4"}
    assert doubts == ["square1"]
    places, _ = _pawns(round1=(9, 0.6), square1=(30, 0.02))  # that may be none itself
    assert "square1" not in places


def test_what_looks_a_little_like_a_pawn_is_none_where_there_is_no_trace_of_its_partner() -> None:
    seen = {"square1": (0, 0.999), "round1": (7, 0.999)}
    assert _pawns(**seen, round2=(56, 0.4)) == ({"square1": "a1", "round1": "h1"}, [])
    places, doubts = _pawns(**seen, round2=(56, 0.8), square2=(30, 0.9))
    assert places == {"square1": "a1", "round1": "h1", "square2": "g4", "round2": "a8"}
    assert doubts == []


def test_a_pawn_whose_color_is_doubtful_is_the_first_teams_where_the_second_is_not_there() -> None:
    assert _pawns(square1=(0, 0.35), square2=(0, 0.6), round1=(7, 0.999))[0] == {"square1": "a1", "round1": "h1"}


def test_gray_tiles_in_yellow_light_are_as_gray_as_those_with_arrows_are_white() -> None:
    kind = np.full((10, len(TILE_KINDS)), 1e-3)
    kind[:6, 0] = 1
    neutral, down = TILE_KINDS.index("neutral"), TILE_KINDS.index("down")
    kind[6:, neutral], kind[6:, down] = 0.65, 0.35
    kind /= kind.sum(axis=1, keepdims=True)
    patches = np.full((10, 9, 32, 32), 100, np.uint8)
    patches[:6, :3] = np.array([145, 197, 205])[:, None, None]  # white, in this light
    patches[6:, :3] = np.array([72, 101, 109])[:, None, None]
    patches[:, -3:] = np.array([18, 33, 104])[:, None, None]
    judged = plain.judged_by_color(kind, patches, np.ones(10))
    assert (judged[6:, neutral] > 0.9).all()


def test_what_looks_like_five_others_is_not_one_of_four_neutral_squares() -> None:
    neutral, down = TILE_KINDS.index("neutral"), TILE_KINDS.index("down")
    kind = np.full((16, len(TILE_KINDS)), 1e-4)
    kind[:, neutral], kind[:, down] = 0.9, 0.1
    patches = np.full((16, 9, 32, 32), 100, np.uint8)
    patches[:12, :3] = np.array([60, 80, 95])[:, None, None]  # brown in dim light
    patches[12:, :3] = np.array([95, 100, 100])[:, None, None]
    judged = plain._no_more_than_four_alike(kind / kind.sum(axis=1, keepdims=True), plain._colors(patches), np.ones(16))
    assert judged[:12, down].min() > 0.9
    assert judged[12:, neutral].min() > 0.85


def test_clouds_of_a_printed_mat_are_nothing_in_the_way() -> None:
    down, right = np.mgrid[:42, :21]
    cloud = 0.94 * np.exp(-((down - 20) ** 2 + (right - 10) ** 2) / 40)
    thing = np.where((abs(down - 20) < 5) & (right > 8), 0.93, 0.02)
    assert not planks._area_covered(cloud)
    assert planks._area_covered(thing)
    assert planks._area_covered(cloud, hidden=0.9)  # a plank under it is hidden, too


def test_a_token_on_a_square_that_is_plainly_seen_is_nothing_over_the_mat() -> None:
    field = usual_field("planks")
    covered = np.zeros((42, 21))
    covered[9:13, 9:13] = 0.97
    y = field.rows + MARGIN - 11 * STEP
    squares_at = np.array([[x, y, 0.0] for x in (2.2, 3.2, 4.2)])
    for hidden, hand in ((0.1, False), (0.95, True)):
        limit = planks._hidden_at_most(squares_at, np.full(3, hidden), covered.shape, field)
        assert planks._area_covered(np.minimum(covered, limit)) is hand


def test_no_square_is_bare_where_tiles_lie_face_down_and_none_lies_so_where_squares_are_bare() -> None:
    neutral, down, empty = (TILE_KINDS.index(name) for name in ("neutral", "down", "empty"))
    kind = np.full((30, len(TILE_KINDS)), 1e-4)
    kind[:20, 0] = kind[20:28, empty] = 1
    kind[28:, down], kind[28:, empty] = 0.9, 0.1
    judged = plain._placed_or_hidden(kind)
    assert (judged[28:, empty] > 0.9).all()
    kind[20:28, [empty, down]] = kind[20:28, [down, empty]]
    kind[28:, down], kind[28:, empty], kind[28:, neutral] = 0.0, 0.8, 0.2
    judged = plain._placed_or_hidden(kind)
    assert (judged[28:, neutral] > 0.9).all()
    assert (judged[20:28, down] > 0.9).all()


def test_a_triple_that_others_claim_is_hardly_this_ones() -> None:
    count = 6
    said = np.full((count, len(tiles.CODES)), 1e-6)
    for cell in range(count - 1):
        said[cell, cell] = 0.999
    said[-1, [count - 1, 0, 1]] = 0.5, 0.25, 0.25
    judged = tiles._each_triple_once(said / said.sum(axis=1, keepdims=True))
    assert judged[-1].argmax() == count - 1
    assert judged[-1].max() > 0.9
    twice = said.copy()
    twice[-1] = said[0]  # two are as sure of one triple: neither gives way, and both are doubtful
    judged = tiles._each_triple_once(twice / twice.sum(axis=1, keepdims=True))
    assert tiles._claimed_too_often(judged).tolist() == [True] + [False] * (count - 2) + [True]
    assert judged[1:-1].max(axis=1).min() > 0.95
    assert np.allclose(judged.sum(axis=1), 1)


def test_four_neutral_squares_that_are_plainly_seen_leave_none_elsewhere() -> None:
    neutral, empty = tiles.CODES.index("neutral"), tiles.CODES.index("empty")
    said = np.full((64, len(tiles.CODES)), 1e-9)
    said[:, empty], said[:, neutral] = 0.7, 0.3
    said[:4, neutral], said[:4, empty] = 0.999, 0.001
    judged = tiles._within_the_kit(said / said.sum(axis=1, keepdims=True))
    assert judged[4:, empty].min() > 0.95
    assert judged[:4, neutral].min() > 0.95
    said[3] = said[10]  # of three plainly seen ones the fourth may be anywhere
    judged = tiles._within_the_kit(said / said.sum(axis=1, keepdims=True))
    assert 0.5 < judged[3:, neutral].sum() < 1.01


def test_neutral_squares_lie_in_the_middle_where_nothing_speaks_against_it() -> None:
    arrows, neutral, down, empty = 0, *(tiles.CODES.index(name) for name in ("neutral", "down", "empty"))
    said = np.full((64, len(tiles.CODES)), 1e-6)
    said[:, empty] = 1.0
    said[[27, 28], neutral], said[[27, 28], empty] = 0.99, 0.01
    said[[35, 36], neutral], said[[35, 36], empty] = 0.2, 0.8  # nearly as gray as the mat
    said[10, neutral], said[10, empty] = 0.6, 0.4
    judged = tiles._within_the_kit(said / said.sum(axis=1, keepdims=True))
    assert judged[[27, 28, 35, 36], neutral].min() > 0.9
    assert judged[10, empty] > 0.9
    said[[27, 28, 35, 36]] = 1e-6
    said[[27, 28, 35, 36], arrows] = 1.0  # they were agreed to be elsewhere
    judged = tiles._within_the_kit(said / said.sum(axis=1, keepdims=True))
    assert judged[[27, 28, 35, 36], arrows].min() > 0.99
    said[:, [empty, down]] = said[:, [down, empty]]  # that tiles lie face down in the middle, too, tells nothing
    said[[27, 28, 35], down] = 1.0
    assert tiles._within_the_kit(said / said.sum(axis=1, keepdims=True))[36, arrows] > 0.99


def test_how_arrows_are_drawn_here_is_learned_from_the_board_itself() -> None:
    rng = np.random.default_rng(1)
    shown = rng.permutation(len(TRIPLES))[:40]
    patches = np.full((40, 9, 32, 32), 200, np.uint8)
    for patch, triple in zip(patches, shown, strict=True):
        for direction in np.flatnonzero(arrows.SHOWN[triple]):  # each is a blot, which no network takes for an arrow
            x, y = 15 + 9 * np.sin(direction * np.pi / 4), 15 - 9 * np.cos(direction * np.pi / 4)
            patch[:3, round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3] = 60
    said = rng.dirichlet(np.full(len(TRIPLES), 0.05), 40)
    said[np.arange(40), shown] += np.where(rng.random(40) < 0.6, 20.0, 0.02)
    said /= said.sum(axis=1, keepdims=True)
    assert (said.argmax(axis=1) != shown).sum() > 8
    plain_ones = np.ones(40, bool)
    plain_ones[-1] = False  # a pawn stands on this one
    judged, strange = arrows.as_the_others_show(said, patches, plain_ones)
    assert not strange.any()
    assert (judged.argmax(axis=1) == shown)[:-1].all()
    assert np.allclose(judged.sum(axis=1), 1)
    assert (judged[-1] == said[-1]).all()
    few, _ = arrows.as_the_others_show(said[:6], patches[:6], plain_ones[:6])  # too few to learn from
    assert (few == said[:6]).all()
    unknown = 0.5 * said + 0.5 / len(TRIPLES)  # the network is sure of none: what is learned may be all wrong
    assert arrows.as_the_others_show(unknown, patches, plain_ones)[1][:-1].all()


def test_each_side_has_one_king() -> None:
    king, one = faces.CODES.index("rK"), faces.CODES.index("r1")
    said = np.full((72, len(faces.CODES)), 1e-5)
    said[:, 0] = 1.0
    said[5, [0, king, one]] = 0.0, 0.3, 0.7  # it may be the King, and no other die looks like one
    assert faces._one_king_a_side(said)[5].argmax() == king
    said[9, [0, king]] = 1e-3, 1.0
    judged = faces._one_king_a_side(said)
    assert judged[5].argmax() == one
    assert judged[9, king] > 0.99
    said[5, [king, one]] = said[9, [king, 0]] = 0.001, 1.0  # none is there
    assert (faces._one_king_a_side(said)[[5, 9], [one, 0]] > 0.9).all()
