"""read, dice, check and calibrate as a user meets them, on pictures that the project draws itself."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.commands.test_rules import complaint, run
from vision.training.sample import Sample, random_sample


@pytest.fixture(scope="module")
def table() -> Sample:
    return random_sample(3, "trominoes", hand=0.0, size=(1280, 720))


@pytest.fixture
def picture(table: Sample, tmp_path: Path) -> Path:
    file = tmp_path / "table.png"
    cv2.imwrite(str(file), table.image)
    return file


def test_read_answers_a_line_per_picture(table: Sample, picture: Path, tmp_path: Path) -> None:
    found = run("read", str(picture), str(picture), "--game", "hepta", "--debug", str(tmp_path / "seen"))
    assert found.returncode == 0, found.stderr
    first, second = map(json.loads, found.stdout.splitlines())
    assert list(first) == [
        "file",
        "field",
        "game",
        "visible",
        "confidence",
        "doubtful",
        "hand",
        "corners",
        "corners_found",
        "mirrored",
        "ms",
    ]
    assert first["file"] == str(picture)
    assert first["visible"] == second["visible"] == table.layout.visible
    assert np.abs(np.array(first["corners"]) - table.pose.corners).max() < 3
    drawn = cv2.imread(str(tmp_path / "seen" / "table.png"))
    assert drawn.shape == table.image.shape
    assert (drawn != table.image).any()


def test_read_without_a_game_finds_the_field_only(picture: Path) -> None:
    answer = json.loads(run("read", str(picture)).stdout)
    assert (answer["field"], answer["game"], answer["visible"]) == ("seven", None, None)


def test_read_by_corners(table: Sample, tmp_path: Path) -> None:
    bare = table.image.copy()
    for marker in table.pose.field.markers:
        outline = table.pose.project(table.pose.field.marker_corners(marker))
        cv2.fillConvexPoly(bare, np.round(outline).astype(np.int32), (90, 90, 90))
    file = tmp_path / "bare.png"
    cv2.imwrite(str(file), bare)
    assert "none of the kit's markers" in complaint(run("read", str(file)))
    found = json.loads(run("read", str(file), "--game", "hepta").stdout)
    assert found["corners_found"] == "lattice"
    off = [np.abs(np.roll(found["corners"], n, axis=0) - table.pose.corners).max() for n in range(4)]
    assert min(off) < 0.2 * table.pose.cell_pixels
    told = json.loads(run("check", str(file), "--game", "hepta", "--json").stdout)
    assert (told[0]["good"], told[0]["code"]) == (True, "lattice.found")
    corners = ",".join(f"{number:.1f}" for number in table.pose.corners.ravel())
    if table.pose.field.surface > 0:
        answer = json.loads(run("read", str(file), "--game", "hepta", "--corners", corners).stdout)
        assert answer["visible"] == table.layout.visible
        # Only a mirrored picture shows north-west, north-east, south-east, south-west counter-clockwise.
        reversed_corners = ",".join(f"{number:.1f}" for number in table.pose.corners[::-1].ravel())
        mirrored = json.loads(run("read", str(file), "--game", "hepta", "--corners", reversed_corners).stdout)
        assert mirrored["mirrored"] is True
        assert mirrored["visible"]["rows"] == answer["visible"]["rows"][::-1]
    assert "--game" in complaint(run("read", str(file), "--corners", corners))
    assert "--corners" in complaint(run("read", str(file), "--game", "hepta", "--corners", "1,2,3"))


def test_pictures_that_cannot_be_read_are_named_and_the_others_read(picture: Path, tmp_path: Path) -> None:
    whole = picture.read_bytes()
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "half.png").write_bytes(whole[: len(whole) // 3])
    cv2.imwrite(str(tmp_path / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    bad = ["empty.jpg", "text.jpg", "dot.png", "none.jpg", "."]
    files = [str(tmp_path / name) for name in bad]
    found = run("read", *files, str(picture), "--game", "hepta")
    assert found.returncode == 2
    assert len(found.stdout.splitlines()) == 1
    lines = found.stderr.splitlines()
    assert len(lines) == len(bad)
    assert all(file in line for file, line in zip(files, lines, strict=True))
    dice = run("dice", *files, str(picture))
    assert dice.returncode == 2
    assert len(dice.stdout.splitlines()) == 1
    cut = run("read", str(tmp_path / "half.png"), "--game", "hepta")
    assert cut.returncode in (0, 2)
    assert "Traceback" not in cut.stderr


def test_pictures_of_any_kind_are_read(table: Sample, tmp_path: Path) -> None:
    kinds = {
        "gray": cv2.cvtColor(table.image, cv2.COLOR_BGR2GRAY),
        "deep": table.image.astype(np.uint16) * 257,
        "alpha": cv2.cvtColor(table.image, cv2.COLOR_BGR2BGRA),
        "huge": cv2.resize(table.image, (8000, 4500)),
    }
    files = [tmp_path / f"{name}.png" for name in kinds]
    for file, image in zip(files, kinds.values(), strict=True):
        cv2.imwrite(str(file), image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    found = run("read", *map(str, files), "--game", "hepta")
    answers = [json.loads(line) for line in found.stdout.splitlines()]
    assert found.returncode == 0, found.stderr
    assert all(a["visible"] == table.layout.visible for a in answers if "gray" not in a["file"])


def test_check_gives_advice_in_both_languages(picture: Path, table: Sample, tmp_path: Path) -> None:
    told = run("check", str(picture)).stdout
    assert "markers of the seven field" in told
    assert len(told.splitlines()) == 6
    assert "repères" in run("check", str(picture), "--lang", "fr").stdout
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), (table.image * 0.1).astype(np.uint8))
    assert "✗ it is too dark" in run("check", str(dark)).stdout
    nothing = tmp_path / "nothing.png"
    cv2.imwrite(str(nothing), np.zeros((480, 640, 3), np.uint8))
    (finding,) = json.loads(run("check", str(nothing), "--json").stdout)
    assert (finding["good"], finding["code"]) == (False, "no-markers")
    assert "plugged in" in complaint(run("check", "63"))


def test_calibrate_writes_its_sheet_and_says_what_it_needs(picture: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.png"
    assert run("calibrate", "--sheet", str(sheet)).returncode == 0
    assert cv2.imread(str(sheet)).shape[0] > 500
    assert "--sheet" in complaint(run("calibrate"))
    found = run("calibrate", str(picture), "--output", str(tmp_path / "lens.json"))
    assert found.returncode == 2
    assert "3 are needed" in found.stderr
    (tmp_path / "lens.json").write_text("{}")
    line = complaint(run("read", str(picture), "--game", "hepta", "--lens", str(tmp_path / "lens.json")))
    assert "lens.json" in line


def test_what_is_wrong_with_a_field_is_one_line(tmp_path: Path) -> None:
    """Sentences that name a field, too: another game's field, and a field of which one marker is seen."""
    sample = random_sample(3, "trominoes", "kitchen", hand=0.0, size=(640, 480))
    whole, one = tmp_path / "whole.png", tmp_path / "one.png"
    cv2.imwrite(str(whole), sample.image)
    hidden = sample.image.copy()
    for marker in sample.pose.field.markers[1:]:
        corners = sample.pose.project(sample.pose.field.marker_corners(marker))
        middle = corners.mean(axis=0)
        cv2.fillConvexPoly(hidden, np.round(middle + 1.6 * (corners - middle)).astype(np.int32), (90, 90, 90))
    cv2.imwrite(str(one), hidden)
    assert "played on a planks field" in complaint(run("read", str(whole), "--game", "plank"))
    assert "1 of the 4 markers" in complaint(run("read", str(one), "--game", "hepta"))
