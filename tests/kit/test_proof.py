"""A printed proof page is photographed, and the printer's error is found in the photograph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.kit.proofs import proof_page
from companion.kit.sheets import PAPERS, Format
from companion.kit.typesetting import pdf
from tests.commands.test_rules import run
from tests.kit.printed import rendered
from vision.errors import UnreadablePicture
from vision.pose import Image
from vision.proof import measure

DPI, FINER = 150, 3
EXACT = 0.002


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Image]:
    found = {}
    for paper in PAPERS:
        file = tmp_path_factory.mktemp("proof") / "proof.pdf"
        wanted = Format(paper=paper)
        file.write_bytes(pdf([proof_page(wanted)], wanted, "proof"))
        found[paper] = rendered(file, 1, 1, DPI)[0]
    return found


def printed(
    page: Image, scale: tuple[float, float], shift: tuple[float, float] = (0.0, 0.0), sheet: str | None = None
) -> Image:
    """What a printer with this error makes of the page, drawn about the middle of a sheet: of its own paper, or of
    another."""
    page_high, page_wide = page.shape[:2]
    wide, high = (round(side * DPI / 25.4) for side in PAPERS[sheet]) if sheet else (page_wide, page_high)
    (sx, sy), (dx, dy) = scale, (value * DPI / 25.4 for value in shift)
    left, top = (wide - 1 - sx * (page_wide - 1)) / 2, (high - 1 - sy * (page_high - 1)) / 2
    move = np.array([[sx, 0, left + dx], [0, sy, top + dy]])
    return np.asarray(cv2.warpAffine(page, move, (wide, high), flags=cv2.INTER_AREA, borderValue=(255, 255, 255)))


def photograph(
    sheet: Image, tilt: float, turn: float, seed: int, size: tuple[int, int] = (1600, 1200), dark: float = 0.35
) -> Image:
    """The sheet on a table with a grain, by a lens that bends lines a little, in uneven light, noisy, as JPEG."""
    rng = np.random.default_rng(seed)
    wide, high = size
    focal = wide / 2 / np.tan(np.radians(rng.uniform(50, 70) / 2))
    matrix = np.array([[focal, 0, (wide - 1) / 2], [0, focal, (high - 1) / 2], [0, 0, 1]])
    page_high, page_wide = sheet.shape[:2]
    corners = np.array([[x, y, 0] for x, y in ((0, 0), (page_wide, 0), (page_wide, page_high), (0, page_high))], float)
    corners -= [page_wide / 2, page_high / 2, 0]
    t, a = np.radians(tilt), np.radians(turn)
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(t), -np.sin(t)], [0, np.sin(t), np.cos(t)]])
    turned = corners @ (lean @ spin).T
    distance = 1000.0
    for _ in range(30):
        pixels = (turned + np.array([0, 0, distance])) @ matrix.T
        pixels = pixels[:, :2] / pixels[:, 2:]
        span = (pixels.max(axis=0) - pixels.min(axis=0)) / [wide, high]
        distance *= max(span) / 0.86
    pixels += np.array([wide, high]) / 2 - (pixels.max(axis=0) + pixels.min(axis=0)) / 2
    flat = np.array([[0, 0], [page_wide, 0], [page_wide, page_high], [0, page_high]], np.float32) - 0.5
    plane = cv2.getPerspectiveTransform(flat, pixels.astype(np.float32))
    grain = cv2.GaussianBlur(rng.normal(0, 1, (high, wide)).astype(np.float32), (0, 0), 6, sigmaY=1.5)
    table = 255 * dark * (0.8 + 0.6 * grain[..., None]) * np.array([0.5, 0.75, 1.0])
    # a pixel sees all that lies in it: the sheet is drawn finer, and averaged
    finer = np.array([[FINER, 0, (FINER - 1) / 2], [0, FINER, (FINER - 1) / 2], [0, 0, 1]]) @ plane
    large = wide * FINER, high * FINER
    big = cv2.resize(cv2.warpPerspective(sheet, finer, large).astype(np.float32), size, interpolation=cv2.INTER_AREA)
    whole = np.ones(sheet.shape[:2], np.float32)
    cover = cv2.resize(cv2.warpPerspective(whole, finer, large), size, interpolation=cv2.INTER_AREA)[..., None]
    image = 25 * cover + 205 * big / 255 + table * (1 - cover)
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    image *= (0.75 + 0.3 * x / wide)[..., None]
    bend = float(rng.normal(0, 0.02))
    u, v = (x - wide / 2) / (wide / 2), (y - high / 2) / (wide / 2)
    by = 1 + bend * (u * u + v * v)
    image = cv2.remap(image, wide / 2 + u * by * wide / 2, high / 2 + v * by * wide / 2, cv2.INTER_LINEAR)
    image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.5, 1.1))) + rng.normal(0, 3, image.shape)
    coded = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def cases() -> Iterator[tuple[str, tuple[float, float], float, float, int]]:
    rng = np.random.default_rng(5)
    for n, tilt in enumerate((0, 8, 16, 24, 32, 40)):
        scale = tuple(float(1 + rng.uniform(-0.05, 0.05)) for _ in range(2))
        yield ("A4", "A4", "Letter", "A3")[n % 4], (scale[0], scale[1]), tilt, float(rng.uniform(0, 360)), n
    yield "A4", (1.0, 1.0), 20, 90, 7
    yield "A4", (0.95, 0.95), 40, 200, 8
    yield "Letter", (0.97, 0.97), 15, 10, 9


@pytest.mark.parametrize(("paper", "scale", "tilt", "turn", "seed"), list(cases()))
def test_the_printers_error_is_found(
    pages: dict[str, Image], paper: str, scale: tuple[float, float], tilt: float, turn: float, seed: int
) -> None:
    found = measure(photograph(printed(pages[paper], scale, (1.2, -0.8)), tilt, turn, seed))
    assert found.paper == found.sheet == paper
    assert found.scale == pytest.approx(scale, abs=EXACT)
    assert found.is_fitted == (scale[0] == scale[1] < 0.99)
    assert found.black < 0.3
    assert min(found.colors.values()) > 0.3


@pytest.mark.parametrize(
    ("paper", "sheet", "scale"), [("A4", "Letter", 1.0), ("A4", "Letter", 0.94), ("Letter", "A4", 1.0)]
)
def test_another_paper_is_told(pages: dict[str, Image], paper: str, sheet: str, scale: float) -> None:
    """Who forgets `--paper` is not told that his printer draws one way too large and the other too small."""
    found = measure(photograph(printed(pages[paper], (scale, scale), sheet=sheet), 20, 40, 4))
    assert (found.paper, found.sheet) == (paper, sheet)
    assert found.scale == pytest.approx((scale, scale), abs=EXACT)
    assert found.is_fitted == (scale < 1)


def test_pale_ink_is_seen(pages: dict[str, Image]) -> None:
    pale = np.asarray(255 - (255 - pages["A4"].astype(np.float32)) * 0.25, np.uint8)
    found = measure(photograph(pale, 10, 20, 3))
    assert found.black > 0.35
    assert min(found.colors.values()) < 0.3


def test_the_kit_is_made_anew_as_the_printer_needs_it(pages: dict[str, Image], tmp_path: Path) -> None:
    photo, out = tmp_path / "photo.jpg", tmp_path / "kit.pdf"
    cv2.imwrite(str(photo), photograph(printed(pages["A4"], (0.97, 0.98)), 20, 30, 2))
    answered = run("kit", "plank", "--proof", str(photo), "-o", str(out))
    assert answered.returncode == 0, answered.stderr
    told = json.loads(answered.stdout)
    assert [told["scale_x"], told["scale_y"]] == pytest.approx([0.97, 0.98], abs=EXACT)
    assert told["corrected"] == pytest.approx([1 / 0.97, 1 / 0.98], abs=0.003)
    assert told["file"] == str(out)
    assert not told["fitted"]
    assert str(out) in told["advice"][0]  # what was written needs no --scale
    # the ruler of the new kit, printed by the same printer, is as long as it says
    from tests.kit.test_pages import ruler

    across, down = ruler(rendered(out, 2, 2, 300)[0], 300)
    assert across * 0.97 == pytest.approx(100, abs=0.3)
    assert down * 0.98 == pytest.approx(100, abs=0.3)


def test_a_photograph_without_a_proof_page_is_refused_in_one_line(pages: dict[str, Image], tmp_path: Path) -> None:
    photo = tmp_path / "nothing.png"
    cv2.imwrite(str(photo), np.full((600, 800, 3), 90, np.uint8))
    answered = run("kit", "--proof", str(photo))
    assert answered.returncode == 2
    assert answered.stdout == ""
    assert answered.stderr.count("\n") == 1
    assert "proof page" in answered.stderr
    whole = photograph(pages["A4"], 5, 0, 1)
    west = int(np.nonzero(whole[600, :, 0] > 150)[0][0])
    with pytest.raises(UnreadablePicture, match="proof-edges"):  # its left edge is not in the picture
        measure(np.ascontiguousarray(whole[:, west + 6 :]))
