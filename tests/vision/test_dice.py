"""The dice reader on pictures rendered here, on damaged files, and (where they are) on real photographs."""

from __future__ import annotations

import json
import pathlib

import cv2
import numpy as np
import pytest

from companion.cli import main as run_command
from vision.dice import read_dice
from vision.training.dice_pictures import Picture, render

SHARED = pathlib.Path(__file__).parents[3] / "shared"
PHOTOS = SHARED / "photos" / "dice"
FRAMES = SHARED / "frames" / "dev"


def _scene(seed: int, dice: int, side: float = 44, tidy: bool = True) -> tuple[Picture, list[int]]:
    """A rendered picture whose dice are all wholly in view; another seed is tried where one is not."""
    for turn in range(100):
        scene = render(np.random.default_rng([7, seed, turn]), 320, side, dice, tidy)
        if len(scene.labels) == dice and all(label.shown > 0.95 for label in scene.labels):
            return scene.picture, sorted(label.value for label in scene.labels)
    raise AssertionError("no such picture")


@pytest.fixture(scope="module")
def picture() -> Picture:
    return _scene(1, 2)[0]


def test_rendered_dice_are_read() -> None:
    right = 0
    for seed in range(20):
        picture, values = _scene(seed, 1 + seed % 3)
        right += sorted(die.top for die in read_dice(picture)) == values
    assert right >= 17, f"{right} of 20 pictures"


def test_near_and_far_dice_are_read() -> None:
    right = 0
    for seed in range(6):
        picture, values = _scene(40 + seed, 2, 40)
        large = cv2.resize(picture, None, fx=5, fy=5, interpolation=cv2.INTER_CUBIC)
        small = cv2.resize(picture, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
        for view in (large, small):
            right += sorted(die.top for die in read_dice(np.asarray(view, np.uint8))) == values
    assert right >= 10, f"{right} of 12 pictures"


def test_a_die_that_fills_the_picture_is_read() -> None:
    right = 0
    for seed in range(8):
        picture, values = _scene(60 + seed, 1, 130 + 12 * seed)
        right += [die.top for die in read_dice(picture)] == values
    assert right >= 6, f"{right} of 8 pictures"


def test_narrow_sixes_are_sixes() -> None:
    right = seed = pictures = 0
    while pictures < 6:
        scene = render(np.random.default_rng([13, seed]), 240, 50, 1, tidy=True)
        seed += 1
        if not scene.labels or scene.labels[0].value != 6 or scene.labels[0].shown < 0.95:
            continue
        corner, _, _, along, across, other = scene.labels[0].pips
        if np.linalg.norm(across - other) < 0.7 * np.linalg.norm(corner - along):
            pictures += 1
            right += [die.top for die in read_dice(scene.picture)] == [6]
    assert right >= 5, f"{right} of 6 pictures"


def test_things_without_dice_give_nothing() -> None:
    pictures = [render(np.random.default_rng([11, seed]), 480, 50, 0).picture for seed in range(16)]
    found = sum(bool(read_dice(picture)) for picture in pictures)
    assert found <= 2, f"dice in {found} of 16 pictures of keys, coins, dominoes, boards and writing"


def test_boxes_lie_on_the_upper_faces() -> None:
    scene = render(np.random.default_rng(6), 320, 50, 1, tidy=True)
    (label,) = scene.labels
    (die,) = read_dice(scene.picture)
    x, y, w, h = die.box
    middle = label.quad.mean(0)
    assert abs(x + w / 2 - middle[0]) < 0.25 * w
    assert abs(y + h / 2 - middle[1]) < 0.25 * h
    assert 0 < die.confidence <= 1


@pytest.mark.parametrize("shade", [0, 120, 255])
@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 900, 3), (480, 640, 3)])
def test_no_dice_in_an_empty_picture(shade: int, shape: tuple[int, int, int]) -> None:
    assert read_dice(np.full(shape, shade, np.uint8)) == []


def test_a_large_photograph_is_read_as_a_small_one() -> None:
    small, _ = _scene(2, 3)
    large = np.asarray(cv2.resize(small, (4000, 4000), interpolation=cv2.INTER_CUBIC), np.uint8)
    assert [die.top for die in read_dice(large)] == [die.top for die in read_dice(small)]


def test_a_json_line_for_each_picture(
    picture: Picture, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "color.jpg", tmp_path / "gray.png", tmp_path / "deep.png", tmp_path / "alpha.png"]
    cv2.imwrite(str(files[0]), picture)
    cv2.imwrite(str(files[1]), cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    cv2.imwrite(str(files[2]), picture.astype(np.uint16) * 257)
    cv2.imwrite(str(files[3]), cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA))
    assert run_command(["dice", *map(str, files)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["file"] for line in lines] == [str(f) for f in files]
    assert all(set(line) == {"file", "dice", "ms"} for line in lines)
    assert all(set(die) == {"top", "color", "box", "confidence"} for line in lines for die in line["dice"])
    assert lines[0]["dice"]


def test_bad_files_are_named_and_the_rest_is_read(
    picture: Picture, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.jpg").write_text("no picture")
    good, cut = tmp_path / "good.png", tmp_path / "cut.png"
    cv2.imwrite(str(good), picture)
    cut.write_bytes(good.read_bytes()[:60])
    bad = [tmp_path / "empty.jpg", tmp_path / "text.jpg", tmp_path, tmp_path / "missing.jpg", cut]
    assert run_command(["dice", *map(str, bad), str(good)]) == 2
    told = capsys.readouterr()
    assert [json.loads(line)["file"] for line in told.out.splitlines()] == [str(good)]
    complaints = [line for line in told.err.splitlines() if str(tmp_path) in line]
    assert [line.removeprefix("companion: ").split(": ")[0] for line in complaints] == [str(p) for p in bad]


Shade = tuple[int, int, int]


def _painted(pips: tuple[tuple[int, int], ...], body: Shade, ink: Shade) -> Picture:
    """A die seen from straight above, with pips so many pixels off its middle, in given colors (BGR)."""
    image = np.full((240, 320, 3), (120, 140, 150), np.uint8)
    cv2.rectangle(image, (138, 98), (182, 142), body, -1)
    for x, y in pips:
        cv2.circle(image, (160 + x, 120 + y), 5, ink, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


@pytest.mark.parametrize(
    ("name", "body", "ink"),
    [
        ("white", (225, 235, 240), (20, 20, 20)),
        ("red", (30, 25, 190), (240, 240, 240)),
        ("blue", (170, 60, 20), (240, 240, 240)),
        ("green", (50, 130, 20), (240, 240, 240)),
        ("black", (25, 25, 25), (240, 240, 240)),
        ("yellow", (30, 210, 235), (20, 20, 20)),
    ],
)
def test_colors_have_names(name: str, body: Shade, ink: Shade) -> None:
    (die,) = read_dice(_painted(((-12, -12), (12, 12)), body, ink))
    assert (die.top, die.color) == (2, name)


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the real photographs are not beside this checkout")
def test_real_photographs() -> None:
    images = json.loads((PHOTOS / "labels.json").read_text())["images"][2::5]
    right = 0
    for image in images:
        photo = np.asarray(cv2.imread(str(PHOTOS / image["file"])), np.uint8)
        right += sorted(die.top for die in read_dice(photo)) == sorted(image["top_faces"])
    assert right >= 0.93 * len(images), f"{right} of {len(images)} photographs"


@pytest.mark.skipif(not FRAMES.is_dir(), reason="the shared frames are not beside this checkout")
def test_boards_without_dice_are_mostly_quiet() -> None:
    frames = json.loads((FRAMES / "labels.json").read_text())
    frames = [frame for frame in frames if frame["game"] != "six-faces"]
    # A die may lie beside any board.
    boards = [f["file"] for f in frames if not any(thing.startswith("die") for thing in f["conditions"]["clutter"])]
    found = sum(bool(read_dice(np.asarray(cv2.imread(str(FRAMES / board)), np.uint8))) for board in boards[::20])
    assert found <= 4, f"dice on {found} of {len(boards[::20])} boards with markers, pegs, planks and tiles"
