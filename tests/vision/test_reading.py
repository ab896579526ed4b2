"""Whole pictures read end to end: simulated ones always, the shared frames where they are."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games import game as game_of
from companion.labels import labels_of
from vision.codes import TRIPLES, Labels
from vision.errors import UnreadablePicture
from vision.fields import Floats
from vision.look import Look
from vision.network import run
from vision.overlay import overlay
from vision.patches import CUTS, against_mat, cut_cells
from vision.picture import open_picture
from vision.pose import Image, find_markers
from vision.readers import parts, plain, planks, tiles
from vision.readers.deal import assign
from vision.readers.plates import Codes, Plates
from vision.reading import Reading, read_picture
from vision.simulate.layout import Layout
from vision.simulate.plan import StagePlan
from vision.simulate.stage import Stage
from vision.simulate.style import HELD_OUT
from vision.training.positions import SETS
from vision.training.sample import Sample, random_sample

FRAMES = Path(__file__).parents[3] / "shared" / "frames" / "dev"
PIECES = ("trominoes", "mushrooms", "cards", "dice", "planks", "tiles")


def read(sample: Sample) -> tuple[Reading, Look]:
    reading = read_picture(sample.image, sample.layout.labels)
    assert reading.look is not None
    return reading, reading.look


def wrong_cells(look: Look, visible: dict) -> int:
    seen = look.visible()
    if "planks" in visible:
        if len(seen["planks"]) != len(visible["planks"]):
            return 99
        pairs = zip(seen["planks"], visible["planks"], strict=True)
        return sum(
            (a, s) != (b, t)
            for one, two in pairs
            for a, b, s, t in zip(one["colors"], two["colors"], one["tokens"], two["tokens"], strict=True)
        )
    wrong = sum(
        a != b for one, two in zip(seen["rows"], visible["rows"], strict=True) for a, b in zip(one, two, strict=True)
    )
    return wrong + (seen.get("pawns") != visible.get("pawns"))


@pytest.mark.parametrize("pieces", PIECES)
def test_a_style_that_was_never_trained_on_is_read(pieces: str) -> None:
    sample = random_sample(42, pieces, family=HELD_OUT, hand=0.0, size=(1280, 720))
    reading, look = read(sample)
    assert wrong_cells(look, sample.layout.visible) <= len(look.doubtful())
    assert wrong_cells(look, sample.layout.visible) <= 2
    assert not look.hand
    assert np.abs(reading.corners - sample.pose.corners).max() < 3
    json.dumps(reading.as_json())


@pytest.mark.parametrize("pieces", PIECES)
def test_likelihoods_are_likelihoods(pieces: str) -> None:
    look = read(random_sample(5, pieces, hand=0.0, size=(960, 540)))[1]
    assert look.likelihood.shape == (len(look.squares), len(look.codes))
    if len(look.squares):
        assert np.allclose(look.likelihood.sum(axis=1), 1, atol=1e-6)
        assert 0 <= look.confidence <= 1


def test_the_game_of_a_seven_field_must_be_said() -> None:
    sample = random_sample(11, "trominoes", hand=0.0, size=(960, 540))
    answer = read_picture(sample.image).as_json()
    assert answer["field"] == "seven"
    assert answer["visible"] is None
    assert answer["game"] is None
    with pytest.raises(UnreadablePicture, match="other-field"):
        read_picture(sample.image, SETS["planks"])


def test_who_opens_a_picture_may_say_what_is_played_on_a_field() -> None:
    sample, asked = random_sample(5, "dice", hand=0.0, size=(960, 540)), []

    def labels(field: str) -> Labels | None:
        asked.append(field)
        return SETS["dice"]

    look = read_picture(sample.image, on_field=labels).look
    assert asked == ["faces"]
    assert look is not None
    assert look.game == "dice"
    assert wrong_cells(look, sample.layout.visible) == 0


NEVER_HEARD_OF = Labels("never-heard-of", "seven", {"_": "bare", "m": "mushroom", "b": "blocker"})


@pytest.mark.parametrize(("seed", "family"), [(1, None), (2, None), (3, "kitchen"), (4, HELD_OUT)])
def test_any_of_the_kits_pieces_can_be_played_with_together(seed: int, family: str | None) -> None:
    """Mushrooms against blockers, which no game of the kit has, and under codes of their own."""
    stage = Stage(StagePlan(NEVER_HEARD_OF, seed=seed, family=family, size=(960, 720)))
    rows = np.random.default_rng(seed).choice(["_", "m", "b"], (7, 7), p=[0.5, 0.25, 0.25]).tolist()
    stage.show(Layout(NEVER_HEARD_OF, {"rows": rows}))
    image = stage.frame(0.0)
    assert image is not None
    look = read_picture(image, NEVER_HEARD_OF).look
    assert look is not None
    assert look.visible() == {"rows": rows}
    assert look.codes == ("_", "m", "b")
    assert not len(look.askew)


def test_cards_are_measured_whatever_a_game_calls_them() -> None:
    sample = random_sample(5, "cards", hand=0.0, size=(1280, 720))
    labels = Labels("other", "seven", {code.swapcase(): piece for code, piece in SETS["cards"].pieces.items()})
    usual, other = read(sample)[1], read_picture(sample.image, labels).look
    assert other is not None
    assert np.isfinite(usual.askew[:, 2]).any()
    assert np.array_equal(usual.askew, other.askew)
    assert other.visible()["rows"] == [[code.swapcase() for code in row] for row in usual.visible()["rows"]]


@pytest.mark.parametrize(
    "pieces", [{}, {"x": "mushroom"}, {".": "bare", "x": "castle"}, {".": "bare", "a": "peg", "b": "peg"}]
)
def test_labels_that_no_reader_could_tell_apart_are_refused(pieces: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="chess"):
        Labels("chess", "seven", pieces)


@pytest.mark.parametrize("name", ["trominoes", "cards", "dice", "planks", "tiles"])
def test_a_mirrored_picture_is_turned_back(name: str) -> None:
    """It is read as the picture without the mirror, and its corners are told where they lie in the mirrored one."""
    image = random_sample(17, name, hand=0.0, size=(1280, 720)).image
    plain, mirrored = (read_picture(picture, SETS[name]) for picture in (image, np.ascontiguousarray(image[:, ::-1])))
    assert (plain.mirrored, mirrored.mirrored) == (False, True)
    assert plain.look is not None
    assert mirrored.look is not None
    assert mirrored.look.visible() == plain.look.visible()
    expected = plain.corners * [-1, 1] + [image.shape[1] - 1, 0]
    assert np.abs(mirrored.corners - expected).max() < 0.01
    assert mirrored.as_json()["mirrored"] is True


def test_markers_that_look_like_themselves_in_a_mirror_do_not_hide_it() -> None:
    """Two of the tiles' markers were made out in the mirror as well, and the board was read the wrong way round."""
    sample = random_sample(900, "tiles", hand=0.0, size=(960, 540), lived_in=True)
    mirrored = np.ascontiguousarray(sample.image[:, ::-1])
    seen = find_markers(np.asarray(cv2.cvtColor(mirrored, cv2.COLOR_BGR2GRAY), np.uint8))
    assert len(seen) == 2
    reading = read_picture(mirrored, SETS["tiles"])
    assert reading.mirrored
    assert reading.look is not None
    plain = read_picture(sample.image, SETS["tiles"])
    assert plain.look is not None
    assert reading.look.visible() == plain.look.visible()
    for marker in (10, 11):  # no more are seen in the picture turned back
        at = mirrored.shape[1] - 1 - plain.pose.project(plain.pose.field.marker_corners(marker))[:, 0]
        y = plain.pose.project(plain.pose.field.marker_corners(marker))[:, 1]
        cv2.circle(mirrored, (round(at.mean()), round(y.mean())), 40, (70, 90, 80), -1)
    assert read_picture(mirrored, SETS["tiles"]).mirrored


def test_corners_that_run_backwards_tell_of_a_mirror() -> None:
    sample = random_sample(17, "dice", hand=0.0, size=(1280, 720))
    mirrored = np.ascontiguousarray(sample.image[:, ::-1])
    corners = sample.pose.corners * [-1, 1] + [mirrored.shape[1] - 1, 0]
    plain, reading = read_picture(sample.image, SETS["dice"]), read_picture(mirrored, SETS["dice"], corners)
    assert reading.mirrored
    assert np.abs(reading.corners - corners).max() < 1, "where they lie in the camera's own picture"
    assert plain.look is not None
    assert reading.look is not None
    assert reading.look.visible() == plain.look.visible()


def test_corners_stand_in_for_markers() -> None:
    sample = random_sample(17, "mushrooms", hand=0.0, size=(1280, 720))
    bare = sample.image.copy()
    for marker in sample.pose.field.markers:
        outline = sample.pose.project(sample.pose.field.marker_corners(marker))
        cv2.fillConvexPoly(bare, np.round(outline).astype(np.int32), (90, 90, 90))
    with pytest.raises(UnreadablePicture, match="no-markers"):
        read_picture(bare)
    with pytest.raises(UnreadablePicture, match="corners-need-game"):
        read_picture(bare, corners=sample.pose.corners)
    if sample.pose.field.surface > 0:
        look = read_picture(bare, SETS["mushrooms"], corners=sample.pose.corners).look
        assert look is not None
        assert wrong_cells(look, sample.layout.visible) <= 2


def test_a_huge_picture_is_read_at_a_size_that_makes_sense() -> None:
    sample = random_sample(42, "trominoes", hand=0.0, size=(1280, 720))
    huge = cv2.resize(sample.image, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    reading = read_picture(np.asarray(huge, np.uint8), SETS["trominoes"])
    assert np.abs(reading.corners / 4 - sample.pose.corners).max() < 3


def test_the_overlay_shows_every_field() -> None:
    for pieces in PIECES:
        sample = random_sample(9, pieces, hand=0.0, size=(960, 540))
        drawn: Image = overlay(sample.image, read_picture(sample.image, SETS[pieces]))
        assert drawn.shape == sample.image.shape
        assert not np.array_equal(drawn, sample.image)


@pytest.mark.parametrize("pieces", ["dice", "tiles"])
def test_people_who_play_are_shown_no_codes_of_the_readers(pieces: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr("vision.overlay._write", lambda _out, _centre, text, *_: written.append(text))
    sample = random_sample(9, pieces, hand=0.0, size=(960, 540))
    reading = read_picture(sample.image, SETS[pieces])
    overlay(sample.image, reading)
    assert any(len(text) > 3 for text in written)  # r6:ew, N-NE-SE, round1
    written.clear()
    overlay(sample.image, reading, plainly=True)
    assert written
    assert all(len(text) <= 3 or text in ("square", "round") for text in written), written


def test_triples_are_dealt_at_the_least_cost() -> None:
    cost = np.array([[1.0, 2.0, 9.0], [1.0, 9.0, 9.0]])
    assert assign(cost) == [1, 0]
    rng = np.random.default_rng(0)
    for _ in range(20):
        square = rng.random((4, 5))
        dealt = assign(square)
        assert len(set(dealt)) == 4
        swapped = list(dealt)
        swapped[0], swapped[1] = swapped[1], swapped[0]
        rows = np.arange(4)
        assert square[rows, dealt].sum() <= square[rows, swapped].sum() + 1e-12


@pytest.mark.parametrize(("pieces", "part"), [("tiles", "arrows"), ("tiles", "dot"), ("dice", "face")])
def test_cells_looked_at_from_another_side_say_the_same(pieces: str, part: str) -> None:
    sample = random_sample(42, pieces, hand=0.0, size=(1280, 720))
    reading, look = read(sample)
    name = reading.pose.field.name
    patches = cut_cells(sample.image, reading.pose, reading.light, CUTS[name])
    codes = [code for row in reversed(look.visible()["rows"]) for code in row]
    shown = np.array([code.rstrip("~") in TRIPLES if name == "tiles" else code != "." for code in codes])
    cells = against_mat(patches[shown]) if name == "tiles" else patches[shown]
    straight = parts.split(name, run(name, cells)[:, :, 0, 0])[part]
    for quarters in (1, 2, 3):
        turned = np.ascontiguousarray(np.rot90(cells, quarters, axes=(2, 3)))
        back = parts._turned_back(part, parts.split(name, run(name, turned)[:, :, 0, 0])[part], quarters)
        assert np.corrcoef(back.ravel(), straight.ravel())[0, 1] > 0.8


def test_two_cells_that_claim_one_tile_are_both_in_doubt() -> None:
    likelihood = np.full((3, len(tiles.CODES)), 1e-6)
    likelihood[0, 0], likelihood[1, 0], likelihood[1, 1], likelihood[2, 2] = 0.99, 0.97, 0.02, 0.99
    dealt = tiles._all_different(likelihood)
    assert len(set(dealt.tolist())) == 3
    assert tiles._claimed_too_often(likelihood).tolist() == [True, True, False]


def test_where_two_play_a_faint_letter_is_one_of_theirs() -> None:
    token = np.tile([0.0, 1.0, 0.0, 0.0], (9, 1))
    letter = np.tile(np.eye(4)[:2], (4, 1))
    faint, plain = [0.02, 0.38, 0.0, 0.6], [0.0, 0.001, 0.0, 0.999]
    assert planks._of_those_who_play(token, np.array([*letter, faint]))[-1].argmax() == 1
    assert planks._of_those_who_play(token, np.array([*letter, plain]))[-1].argmax() == 3
    four = np.tile(np.eye(4), (2, 1))
    assert planks._of_those_who_play(token, np.array([*four, faint]))[-1].argmax() == 3


def test_a_square_has_a_token_only_if_one_is_seen() -> None:
    """That white tokens lie on white squares says which token lies there, not that one does; and a token with a letter
    that cannot be read is a token."""
    white, anyone = np.array([[0.0, 1.0, 0.0]]), np.full((1, 4), 0.25)

    def read_as(token: list[float], letter: Floats) -> str:
        own = planks._of_their_squares(white, np.array([token]))
        return planks.CODES[planks._likeliest(planks._likelihood(white, own, letter))[0]]

    assert read_as([0.7, 0.0, 0.3, 0.0], np.eye(4)[:1]) == "W."
    assert read_as([0.3, 0.0, 0.7, 0.0], anyone) == "WA"
    assert read_as([0.1, 0.5, 0.4, 0.0], np.eye(4)[1:2]) == "WB"


def test_at_an_end_of_the_row_a_faint_plank_must_show_three_colors() -> None:
    plank, mat = np.eye(3), np.tile([0.0, 1.0, 0.0], (3, 1))
    heat, seen = np.array([0.3, 0.9, 0.3, 0.9, 0.3]), np.zeros(15)
    color = np.concatenate([mat, plank, mat, plank, mat])
    assert planks._that_show_planks(heat, color, seen).tolist() == [False, True, True, True, False]
    assert planks._that_show_planks(heat, np.tile(plank, (5, 1)), seen).all()
    assert planks._that_show_planks(np.full(5, 0.9), color, seen).all()
    hand = np.array([0.0, 0.9, *np.zeros(13)])
    assert planks._that_show_planks(heat, color, hand).tolist() == [True, True, True, True, False]


PLATES = Plates(plate=2, hole=3, columns=7)  # of bare, mushroom, tetrod, tetrod with a mushroom


def a_tetrod_with_its_hole_read_as(hole: list[float], other: float = 0.99) -> tuple[Codes, Floats]:
    """One tetrod from a1 to d1 on an empty board; the likelihoods of what was read in its hole in b1."""
    likelihood = np.full((49, 4), (1 - other) / 3)
    likelihood[:, 0] = other
    likelihood[[0, 2, 3]] = likelihood[4][[2, 1, 0, 3]]
    likelihood[1] = hole
    return PLATES.settled(likelihood, likelihood.argmax(axis=1))


def test_a_mushroom_on_shining_plastic_stands_in_its_tetrods_hole() -> None:
    for hole, certain in (([0.002, 0.86, 0.002, 0.136], True), ([0.001, 0.995, 0.001, 0.003], False)):
        best, sure = a_tetrod_with_its_hole_read_as(hole)
        assert best[:4].tolist() == [2, 3, 2, 2]
        assert not best[4:].any()
        assert (sure[1] > 0.9) == certain
        assert min(np.delete(sure, 1)) > 0.9


def test_what_makes_a_plate_of_four_is_surer_than_it_looks() -> None:
    best, sure = a_tetrod_with_its_hole_read_as([0.02, 0.2, 0.08, 0.7])
    assert best[1] == 3
    assert sure[1] > 0.97


def test_an_open_hole_that_is_plainly_seen_stays_open() -> None:
    best, sure = a_tetrod_with_its_hole_read_as([0.0005, 0.0005, 0.998, 0.001])
    assert best[:4].tolist() == [2, 2, 2, 2]
    assert sure[1] > 0.99


def test_mushrooms_on_several_bare_squares_that_pass_for_holes_stand_on_wood() -> None:
    """Gray wood between blue plates: three free mushrooms, each a little likelier in a hole."""
    likelihood = np.full((49, 4), 0.01 / 3)
    likelihood[:, 0] = 0.99
    likelihood[[0, 2, 3]] = likelihood[4][[2, 1, 0, 3]]
    likelihood[1] = likelihood[4][[3, 1, 2, 0]]
    free = [4, 20, 30]
    likelihood[free] = [0.01, 0.35, 0.01, 0.63]
    best, sure = PLATES.settled(likelihood, likelihood.argmax(axis=1))
    assert best[:4].tolist() == [2, 3, 2, 2]
    assert best[free].tolist() == [1, 1, 1]
    assert min(sure) > 0.9


def test_a_plate_of_three_that_nothing_explains_is_left_in_doubt() -> None:
    best, sure = a_tetrod_with_its_hole_read_as([1.0, 0.0, 0.0, 0.0], 1.0)
    assert best[:4].tolist() == [2, 0, 2, 2]
    assert min(sure) == 0


def test_a_plain_cell_in_doubt_is_what_others_like_it_are() -> None:
    neutral, down, empty = (tiles.TILE_KINDS.index(name) for name in ("neutral", "down", "empty"))
    kind = np.full((6, len(tiles.TILE_KINDS)), 1e-6)
    kind[:4, neutral] = 1
    kind[4, [neutral, down]] = 0.45, 0.55  # looks like the first four
    kind[5, [neutral, empty]] = 0.45, 0.55  # does not
    patches = np.full((6, 9, 32, 32), 100, np.uint8)
    patches[5, :3] = np.array([90, 100, 130])[:, None, None]
    judged = plain._as_others_alike(kind, plain._colors(patches), np.ones(6))
    assert judged[4].argmax() == neutral
    assert judged[5].argmax() == empty
    assert np.allclose(judged.sum(axis=1), kind.sum(axis=1))


@pytest.mark.skipif(not FRAMES.exists(), reason="the shared frames are not beside this checkout")
@pytest.mark.parametrize("game", ["hepta", "t-for-two", "pegs", "six-faces", "plank", "trippples"])
def test_shared_frames(game: str) -> None:
    frames = [label for label in json.loads((FRAMES / "labels.json").read_text()) if label["game"] == game]
    exact = 0
    # Every third frame is kept aside, to be measured on when all is done.
    chosen = [label for n, label in enumerate(frames) if n % 3 != 2 and not label["hand"]][:8]
    for label in chosen:
        look = read_picture(open_picture(FRAMES / label["file"]), labels_of(game_of(game))).look
        assert look is not None
        exact += wrong_cells(look, label["visible"]) == 0
    assert exact >= len(chosen) - 1
