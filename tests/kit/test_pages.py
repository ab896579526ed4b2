"""The printed kit as a file: its sizes, boxes, fonts and backs, and that everything a game needs is in it."""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pikepdf
import pytest
from resvg_py import svg_to_bytes

from companion.games import game, game_ids
from companion.kit.book import SHEETS, Kit, kit_of, kit_pdf, together
from companion.kit.booklets import imposed
from companion.kit.camera import CAMERAS, TILT, Camera, stands
from companion.kit.camera import place as place_of
from companion.kit.parts import MEETING, NET, SIDE, VALUES, pips_of
from companion.kit.proofs import ASIDE, duplex_pages
from companion.kit.sheets import PAPERS, Format, Page, Text, laid
from companion.kit.typesetting import EDGE
from tests.commands.test_rules import run
from tests.kit.printed import rendered
from vision.calibrate import calibrate
from vision.check import LEAST_PIXELS
from vision.codes import PIPS
from vision.fields import FIELDS
from vision.pose import Image, find_markers

MM = 72 / 25.4
ALL = [game(id) for id in game_ids()]


class Book:
    def __init__(self, folder: Path, **wanted: Any) -> None:
        self.wanted = Format(**wanted)
        self.kit: Kit = kit_of(ALL, self.wanted)
        self.file = folder / "kit.pdf"
        self.file.write_bytes(kit_pdf(ALL, self.kit, self.wanted))

    def pages(self, code: str, dpi: int) -> list[Image]:
        sheets = next(found for found in self.kit.sheets if found.code == code)
        first = next(n for n, page in enumerate(self.kit.pages, 1) if page is sheets.pages[0])
        return rendered(self.file, first, first + len(sheets.pages) - 1, dpi)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return Book(tmp_path_factory.mktemp("kit"))


def ruler(page: Image, dpi: int) -> tuple[float, float]:
    """How long the proof page's two rulers are, in millimetres, by the middles of their outermost lines."""
    dark = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY) < 128
    high, wide = dark.shape
    longest = []
    for lines in (dark[int(0.42 * high) : int(0.56 * high)], dark[:, int(0.15 * wide) : int(0.21 * wide)].T):
        rows = [(row.sum(), row) for row in lines]
        _, row = max(rows, key=lambda found: int(found[0]))
        at = np.nonzero(row)[0]
        groups = np.split(at, np.nonzero(np.diff(at) > 2)[0] + 1)
        line = max(groups, key=len)
        longest.append((line[-1] - line[0] + 1) / dpi * 25.4 - 0.2)  # its end lines are 0.2 mm thick
    return longest[0], longest[1]


def test_the_ruler_is_as_long_as_it_says(book: Book) -> None:
    assert ruler(book.pages("proof", 600)[0], 600) == pytest.approx((100, 100), abs=0.2)


def test_everything_that_the_games_need_is_there(book: Book) -> None:
    assert book.kit.counted == {
        "mat": 4,
        "tromino": 14,
        "tetrod": 12,
        "blocker": 7,
        "mushroom": 13,
        "peg": 41,
        "card": 36,
        "die": 16,
        "king": 2,
        "plank": 12,
        "token": 24,
        "tile": 64,
        "pawn": 4,
        "marker": 24,
    }


def test_every_sheet_says_its_page_and_how_it_is_cut(book: Book) -> None:
    """As the cover counts them, so that a pile of prints can be sorted."""
    told = subprocess.run(["pdftotext", "-layout", str(book.file), "-"], capture_output=True, text=True, check=True)
    pages = told.stdout.split("\f")
    for n, page in enumerate(book.kit.pages, 1):
        assert page.number == (n if page.title else 0)
        if page.title:
            head = pages[n - 1].strip().splitlines()[0]  # one line: a longer one would run into what is below
            assert head.startswith(page.title.replace("'", "’")), head
            assert head.split()[-1] == str(n), head
    for code in ("plates", "pierced", "dice", "planks", "tokens", "tiles", "standins", "cards"):
        front = next(sheets.pages for sheets in book.kit.sheets if sheets.code == code)[-1 if code == "standins" else 0]
        assert " · cut " in front.title, front.title


def test_a_printer_is_told_to_keep_the_size(book: Book) -> None:
    with pikepdf.open(book.file) as document:
        told = document.Root.ViewerPreferences
        assert told.PrintScaling == "/None"
        assert told.Duplex == "/Simplex"
        for sheet, page in zip(document.pages, book.kit.pages, strict=True):
            media, trim, bleed = ([float(x) for x in sheet[name]] for name in ("/MediaBox", "/TrimBox", "/BleedBox"))
            width, height = PAPERS["A4"][::-1] if page.is_wide else PAPERS["A4"]
            assert media == pytest.approx([0, 0, width * MM, height * MM], abs=0.01)
            inside = [bleed[0] <= trim[0], bleed[1] <= trim[1], trim[2] <= bleed[2], trim[3] <= bleed[3]]
            assert all(inside)
            if page.trim:
                x, y, wide, high = page.trim
                assert trim == pytest.approx(
                    [x * MM, (height - y - high) * MM, (x + wide) * MM, (height - y) * MM], abs=0.05
                )
                assert trim[0] - bleed[0] == pytest.approx(1.0 * MM, abs=0.05)
            else:
                assert trim == media


def are_set_in_our_font(file: Path) -> bool:
    """Whether all letters are embedded, and of our own font: another one stands in for letters that it lacks."""
    told = subprocess.run(["pdffonts", str(file)], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    return bool(told) and all("Cabin" in line and re.search(r"\byes yes\b", line) for line in told)


def test_fonts_are_embedded_and_nothing_is_a_raster(book: Book) -> None:
    assert are_set_in_our_font(book.file)
    images = subprocess.run(["pdfimages", "-list", str(book.file)], capture_output=True, text=True, check=True).stdout
    assert len(images.splitlines()) == 2, images


def test_the_same_kit_is_the_same_file(book: Book, tmp_path: Path) -> None:
    assert Book(tmp_path).file.read_bytes() == book.file.read_bytes()


def running_into_one_another(boxes: np.ndarray[Any, Any]) -> set[int]:
    """Words that share more than a sixth of a line's height: the lines of a text touch at most."""
    low, high = np.maximum(boxes[:, None, :2], boxes[:, :2]), np.minimum(boxes[:, None, 2:], boxes[:, 2:])
    across, down = np.moveaxis(high - low, 2, 0)
    lines = boxes[:, 3] - boxes[:, 1]
    meeting = (across > 1) & (down > np.minimum(lines[:, None], lines) / 6)
    return {int(n) for n in np.nonzero(meeting & ~np.eye(len(boxes), dtype=bool))[0]}


@pytest.mark.parametrize(
    ("paper", "language", "scale"), [("A4", "en", 1.0), ("A4", "fr", 1.0), ("Letter", "fr", 1.05), ("A3", "en", 1.0)]
)
def test_nothing_leaves_its_page(paper: str, language: str, scale: float, tmp_path: Path) -> None:
    book = Book(tmp_path, paper=paper, language=language, scale=(scale, scale))
    file, dpi = book.file, 40
    told_pages = [n for n, page in enumerate(book.kit.pages, 1) if page.story]
    assert told_pages[:11] == [1, *range(3, 13)]  # the cover, where the camera goes, the rules of nine games
    for n in told_pages:  # neither words nor pictures reach over the edge that stories keep
        page = rendered(file, n, n, dpi)[0]
        inner = round((EDGE - 1.5) / 25.4 * dpi)
        page[inner:-inner, inner:-inner] = 255
        assert page.min() > 250, n
    told = subprocess.run(["pdftotext", "-bbox", str(file), "-"], capture_output=True, text=True, check=True).stdout
    edge = 6 * MM
    words = 0
    for page in told.split("<page ")[1:]:
        width, height = map(float, re.findall(r'"([\d.]+)"', page)[:2])
        found = re.findall(r'xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)', page)
        boxes = np.array([one[:4] for one in found], float).reshape(-1, 4)
        assert boxes[:, :2].min(initial=np.inf) > edge, found
        assert (boxes[:, 2:] < [width - edge, height - edge]).all(), found
        assert not running_into_one_another(boxes), [found[n][4] for n in running_into_one_another(boxes)]
        words += len(found)
    assert words > 1000
    assert are_set_in_our_font(file)
    assert "'" not in told  # as print has it, ’
    if language == "fr":
        assert all(word in told for word in ("épreuve", "matériel", "À", "dés", "16,2"))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_line_begins_with_a_mark_and_no_command_is_broken(language: str, tmp_path: Path) -> None:
    told = subprocess.run(
        ["pdftotext", "-layout", str(Book(tmp_path, language=language).file), "-"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert not re.search(r"^ *[:;!?»%]", told, re.MULTILINE)
    assert told.count("companion kit --proof PHOTO") == 2  # on the cover and on the proof page
    assert "companion kit … --offset X,Y" in told
    assert "`" not in told


def test_backs_lie_behind_their_fronts(book: Book) -> None:
    """Turned over the long edge, what is printed on a back lies within 0.2 mm of its front's outline."""
    for code in ("cards", "tiles", "pierced"):
        pages = next(found.pages for found in book.kit.sheets if found.code == code)
        for front, back in zip(pages[::2], pages[1::2], strict=True):
            assert back.is_back
            for one, other in zip(front.parts, back.parts, strict=True):
                assert other.box.x == pytest.approx(PAPERS["A4"][0] - one.box.x - one.box.width, abs=0.01)
                assert other.box.y == pytest.approx(one.box.y, abs=0.01)
    # what is cut from the front is cut from the back: outlines and holes fall on one another
    for code, paper, cell in product(("cards", "tiles", "pierced"), ("A4", "A3"), (24.0, 30.0)):
        wanted = Format(paper=paper, cell=cell)
        parts = [part for part in together(ALL) if part.kind in SHEETS.get(code, ("card",))]
        front, back = laid(parts, wanted, "")[:2]
        seen_through = f'<g transform="translate({wanted.size[0]:g} 0) scale(-1 1)">{cuts_of(back)}</g>'
        one, other = (drawn_black(what, wanted) for what in (cuts_of(front), seen_through))
        assert (one < 128).any()
        assert (np.abs(one.astype(int) - other) < 128).all(), (code, paper, cell)
    front, back = book.pages("cards", 200)[:2]
    # through a sheet held against the light: behind every blue disc lies a white one
    fronts, backs = discs(is_blue(front)), discs(~is_blue(back[:, ::-1]))
    assert len(fronts) == 6 * 9
    for middle in fronts:
        assert np.linalg.norm(backs - middle, axis=1).min() / 200 * 25.4 < 0.2


def test_what_the_duplex_page_tells_puts_backs_behind_their_fronts() -> None:
    """A printer that shifts the back is simulated; what is read off the front's scales is given as the offset."""
    error = 3.0, -4.0  # to the right and down on the back's own page
    front, back = duplex_pages(Format())
    x, y = (float(value) for value in re.findall(r"translate\(([\d.]+) ([\d.]+)\)", back.drawing)[0])
    seen = Format().size[0] - (x + error[0]), y + error[1]  # through the sheet, as the front's reader sees it
    middles = {(text.x + text.width / 2, text.y + 1.2): int(text.text) for text in front.texts if text.size < 7}
    above = {at[0]: value for at, value in middles.items() if at[1] < y - ASIDE}
    beside = {at[1]: value for at, value in middles.items() if at[0] < seen[0] - ASIDE and at[1] < 2 * y - 30}
    read = tuple(
        float(np.interp(at, sorted(labels), [labels[k] for k in sorted(labels)]))
        for at, labels in ((seen[0], above), (seen[1], beside))
    )
    assert read == pytest.approx((-error[0], -error[1]))
    moved = duplex_pages(Format(offset=(read[0], read[1])))[1]
    mended = [float(value) for value in re.findall(r"translate\(([\d.]+) ([\d.]+)\)", moved.drawing)[0]]
    assert Format().size[0] - (mended[0] + error[0]) == pytest.approx(Format().size[0] / 2)
    assert mended[1] + error[1] == pytest.approx(Format().size[1] / 4)


def cuts_of(page: Page) -> str:
    return "".join(one.drawn(f'<path d="{one.part.cut}" fill-rule="evenodd"/>') for one in page.parts)


def drawn_black(drawing: str, wanted: Format) -> Any:
    width, height = wanted.size
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{4 * width:g}" '
        f'height="{4 * height:g}"><rect width="100%" height="100%" fill="#fff"/>{drawing}</svg>'
    )
    return cv2.imdecode(np.frombuffer(svg_to_bytes(svg_string=svg), np.uint8), cv2.IMREAD_GRAYSCALE)


def is_blue(page: Image) -> Any:
    return page[..., 0].astype(int) - page[..., 2] > 60


def discs(mask: Any) -> Any:
    """The middles of all round things as large as a card's discs."""
    outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    circles = [cv2.minEnclosingCircle(outline) for outline in outlines]
    radius = 0.33 * 30 / 25.4 * 200
    return np.array([middle for middle, found in circles if abs(found - radius) < 0.06 * radius])


def test_cells_that_do_not_fit_and_bad_paper_are_refused_in_one_line(tmp_path: Path) -> None:
    out = str(tmp_path / "kit.pdf")
    for arguments, said in (
        (("kit", "six-faces", "-o", out, "--cell", "95"), "smaller cell"),
        (("kit", "six-faces", "-o", out, "--cell", "500"), "--cell"),
        (("kit", "all", "-o", out, "--paper", "B5"), "A4"),
        (("kit", "chess", "-o", out), "six-faces"),
        (("kit", "all", "-o", out, "--scale", "2"), "--scale"),
        (("kit", "all", "-o", str(tmp_path / "none" / "kit.pdf")), "kit.pdf"),
        (("kit", "all", "-o", str(tmp_path)), str(tmp_path)),
        (("kit", "plank", "-o", out, "--scale", "0.97,"), "--scale"),
        (("kit", "plank", "--svg", __file__), "test_pages.py"),
        (("kit", "plank", "-o", out, "--svg", __file__), "test_pages.py"),
        (("kit", "plank", "-o", out, "--svg", str(tmp_path / "plans"), "--kerf", "9"), "--kerf"),
        (("kit", "plank", "-o", out, "--kerf", "0.1"), "--svg"),
        (("kit", "all"), "-o FILE.pdf"),
        (("kit",), "six-faces"),
        (("kit", "--proof", str(tmp_path / "none.jpg")), "none.jpg"),
        (("booklet", "six-faces", "-o", out), "tetrods"),
        (("booklet", "tetrods", "--level", "odd", "-o", out), "fiendish"),
        (("booklet", "tetrods", "--count", "1.5", "-o", out), "--count"),
        (("booklet", "hepta-solo", "--count", "400", "-o", str(tmp_path / "none" / "b.pdf")), "b.pdf"),
        (("booklet", "tetrods", "--address", "nowhere at all", "-o", out), "http://"),
    ):
        answered = run(*arguments)
        assert answered.returncode == 2, arguments
        assert answered.stdout == ""
        assert answered.stderr.count("\n") == 1, answered.stderr
        assert said in answered.stderr, (arguments, answered.stderr)
    assert not list(tmp_path.iterdir())


def test_every_marker_of_every_field_can_be_seen(book: Book) -> None:
    seen = set()
    for page in book.pages("markers", 100):
        gray = np.asarray(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY), np.uint8)
        seen |= {marker.id for marker in find_markers(gray)}
    assert seen == {marker for field in FIELDS for marker in field.markers}


def test_the_lens_sheet_calibrates_a_camera(book: Book) -> None:
    page = book.pages("charuco", 80)[0]
    high, wide = page.shape[:2]
    views = []
    for n in range(4):
        lean = 0.08 * np.array([[n % 2, 0], [-1, n // 2], [0, -1], [-(n % 2), n / 4]]) * [wide, high]
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
        plane = cv2.getPerspectiveTransform(
            corners, (corners * 0.8 + 0.1 * np.array([wide, high]) + lean).astype(np.float32)
        )
        views.append(np.asarray(cv2.warpPerspective(page, plane, (wide, high), borderValue=(120, 120, 120)), np.uint8))
    assert calibrate(views)[2] == 4


# --- the camera


@pytest.mark.parametrize("camera", CAMERAS, ids=[camera.code for camera in CAMERAS])
@pytest.mark.parametrize("name", ["seven", "faces", "tiles", "planks"])
def test_from_where_the_page_puts_the_camera_the_whole_mat_is_large_enough(name: str, camera: Camera) -> None:
    pose = stands(name, camera)
    points = np.concatenate([pose.field.marker_corners(number) for number in pose.field.markers])
    seen = pose.project(points)
    assert (seen > 0).all()
    assert (seen < camera.size).all()
    assert pose.cell_pixels >= 1.5 * LEAST_PIXELS
    assert pose.tilt == pytest.approx(TILT, abs=0.5)
    height, back = place_of(pose, 30.0)
    assert 150 < height < 700  # a stand for a desk will do
    assert 0.3 * height < back < 0.6 * height


# --- dice


def test_a_folded_die_is_right_handed() -> None:
    """Folded in three dimensions: neighbors in the net stay neighbors on the cube, and the faces lie as they should."""
    for place, (normal, right, up) in NET.items():
        assert tuple(np.cross(right, up)) == normal  # printed side out
        for step, way in (((1, 0), right), ((0, -1), up)):
            beside = (place[0] + step[0], place[1] + step[1])
            if beside in NET:  # folded along the edge between them, it looks where that edge points
                assert NET[beside][0] == way, (place, beside)
    faces = {value: np.array(normal) for normal, value in VALUES.items()}
    assert all((faces[value] == -faces[7 - value]).all() for value in faces)
    assert (np.cross(faces[1], faces[2]) == faces[3]).all()  # 1 on top, 2 toward you: 3 on the right
    corners: dict[int, list[Any]] = {}
    for place, (normal, right, up) in NET.items():
        for i, j in pips_of(place):
            corners.setdefault(VALUES[normal], []).append(np.array(right) * i + np.array(up) * j)
    assert {value: len(pips) for value, pips in corners.items()} == {n: n for n in range(1, 7)}
    for value in (2, 3):  # their diagonals run through the corner where 1, 2 and 3 meet
        flat = np.array(MEETING) - np.array(faces[value])
        assert any((pip == flat).all() for pip in corners[value])
    along = {tuple(np.abs(a - b)) for a, b in product(corners[6], repeat=2) if np.abs(a - b).sum() == 1}
    assert along == {tuple(np.abs(faces[2]))}  # the six's lines point to the 2 and the 5


def test_the_tables_of_rolls_tell_what_a_folded_die_does() -> None:
    """Rolled in three dimensions, square by square: where it gets to, and what it shows there, by either way."""
    faces = {value: np.array(normal) for normal, value in VALUES.items()}
    value_of = {tuple(normal): value for value, normal in faces.items()}

    def rolled(top: Any, south: Any, x: int, y: int, column_first: bool) -> int:
        for way in (1, 0) if column_first else (0, 1):
            for _ in range(abs((x, y)[way])):
                east = np.cross(-south, top)
                if way == 0:
                    top = -east * np.sign(x)
                else:
                    top, south = south * np.sign(y), -top * np.sign(y)
        return value_of[tuple(top)]

    tables = game("six-faces").rolls
    assert tables is not None
    for number, table in enumerate(tables(), 1):
        top, south = faces[number], faces[table.south]
        (place,) = (place for place, (normal, _, _) in NET.items() if normal == tuple(top))
        _, right, up = map(np.array, NET[place])
        on_top = [np.array(right) * i + np.array(up) * j for i, j in pips_of(place)]
        assert {(int(pip @ np.cross(-south, top)), int(pip @ -south)) for pip in on_top} == set(PIPS[table.die[1:]])
        squares = [(x, y) for x, y in product(range(-6, 7), repeat=2) if abs(x) + abs(y) == number]
        expected = {at: dict.fromkeys(rolled(top, south, *at, first) for first in (True, False)) for at in squares}
        assert table.ends == {at: tuple(tops) for at, tops in expected.items()}


def test_dice_are_as_large_as_they_should_be(book: Book) -> None:
    first = next(found.pages[0] for found in book.kit.sheets if found.code == "dice").parts[0]
    assert first.unit * SIDE == pytest.approx(0.72 * 30)


# --- booklets


@pytest.mark.parametrize(
    ("game_id", "level", "begun"),
    [
        ("tetrods", "all", "setup.mushrooms=([a-g1-7]{2},){12}[a-g1-7]{2}"),
        ("hepta-solo", "easy", "setup.blockers=([a-g1-7]{2},){6}[a-g1-7]{2}(&moves=.+)?"),
        ("pegs-solo", "easy", "moves=(o[a-g1-7]{2},){20,}.+"),
    ],
)
def test_a_booklet_is_graded_and_every_code_opens_its_problem(
    game_id: str, level: str, begun: str, tmp_path: Path
) -> None:
    out = tmp_path / "booklet.pdf"
    address = ("--address", "http://192.168.1.20:8000")
    answered = run("booklet", game_id, "--level", level, "--count", "4", "-o", str(out), *address)
    assert answered.returncode == 0, answered.stderr
    told = json.loads(answered.stdout)
    assert told == {"file": str(out), "pages": 4, "problems": 4, "address": "http://192.168.1.20:8000"}
    found = set()
    for page in rendered(out, 1, 4, 200):
        for half in np.array_split(page, 2, axis=1):
            for part in np.array_split(half, 2, axis=0):
                text, *_ = cv2.QRCodeDetectorAruco().detectAndDecode(part)
                if text:
                    found.add(text)
    assert len(found) == 4
    for text in found:
        assert re.fullmatch(rf"http://192\.168\.1\.20:8000/new\?game={game_id}&{begun}", text), text
    with pikepdf.open(io.BytesIO(out.read_bytes())) as document:
        assert document.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"


def test_a_folded_booklet_is_read_in_order() -> None:
    """Sheets lie in one another: each is four pages, and the right half of its front comes before its back."""
    wanted = Format()
    for count in (1, 4, 7, 32):
        pages = [Page(texts=[Text(0, 0, 10, str(n))]) for n in range(count)]
        sides = imposed(pages, wanted)
        middle = PAPERS[wanted.paper][1] / 2
        halves = [
            ["".join(text.text for text in side.texts if (text.x >= middle) == is_right) for is_right in (False, True)]
            for side in sides
        ]
        fronts, backs = halves[::2], halves[1::2]
        going = [page for front, back in zip(fronts, backs, strict=True) for page in (front[1], back[0])]
        coming = [page for front, back in zip(fronts[::-1], backs[::-1], strict=True) for page in (back[1], front[0])]
        read = [*going, *coming]
        assert read == [*map(str, range(count)), *[""] * (len(read) - count)]
        assert len(read) - count < 4


# --- lasers and 3D printers


def test_cut_plans_are_true_and_a_kerf_makes_parts_larger(tmp_path: Path) -> None:
    from companion.kit.cutting import kerfed, plans, polygons
    from companion.kit.parts import circle

    def area(path: str) -> float:
        return sum(
            0.5 * float(np.dot(loop[:, 0], np.roll(loop[:, 1], -1)) - np.dot(loop[:, 1], np.roll(loop[:, 0], -1)))
            for loop in polygons(path)
        )

    assert abs(area(kerfed(circle(0, 0, 50), 0.3, 0))) == pytest.approx(np.pi * 15**2, rel=0.005)
    assert abs(area(kerfed(circle(0, 0, 50), 0.3, 0.2))) == pytest.approx(np.pi * 15.1**2, rel=0.005)
    answered = run("kit", "all", "--svg", str(tmp_path), "--kerf", "0.15", "--leds", "16.7")
    names = json.loads(answered.stdout)["svg"]
    assert {
        "board-seven.svg",
        "board-seven-leds.svg",
        "board-faces.svg",
        "board-tiles.svg",
        "tetrods.svg",
        "tiles.svg",
    } <= set(names)
    for name in names:
        plan = (tmp_path / name).read_text()
        assert "h100m0" in plan  # the line to check the scale by
        strokes = set(re.findall(r'stroke="(#\w+)"', plan))
        assert {"#000000", "#ff0000"} <= strokes <= {"#000000", "#0000ff", "#ff0000"}, name
    blockers = (tmp_path / "blockers.svg").read_text()
    loops = [
        loop for cut in re.findall(r'd="([^"]*)" fill="none" stroke="#000000"', blockers) for loop in polygons(cut)
    ]
    across = sorted(round(float(np.ptp(loop[:, 0])), 1) for loop in loops)  # plates, and holes for the stems
    assert across == pytest.approx([2 * 0.09 * 30 - 0.15] * 7 + [0.92 * 30 + 0.15] * 7, abs=0.06)
    holes = dict(plans([game("tetrods")], 30, 0, 16.7))["board-seven-leds.svg"]
    (cut,) = re.findall(r'd="([^"]*)" fill="none" stroke="#000000"', holes)
    middles = sorted(tuple(loop.mean(axis=0)) for loop in polygons(cut) if np.ptp(loop[:, 0]) < 16)
    assert len(middles) == 49
    assert np.diff(sorted({round(x, 1) for x, _ in middles})) == pytest.approx(16.7, abs=0.11)


def test_the_walls_between_lights_fit_into_one_another() -> None:
    from companion.kit.cutting import plans, polygons

    plan = dict(plans([game("six-faces")], 30, 0, 33.3))["walls-faces-leds.svg"]
    walls = [polygons(cut)[0] for cut in re.findall(r'd="([^"]*)" fill="none" stroke="#000000"', plan)]
    lengths = sorted(round(float(np.ptp(wall[:, 0])), 1) for wall in walls)
    assert lengths == [round(8 * 33.3 + 16, 1)] * 10 + [round(9 * 33.3 + 16, 1)] * 9
    for wall in walls:
        assert np.ptp(wall[:, 1]) == pytest.approx(12, abs=0.01)
        middle = wall[np.isclose(wall[:, 1], 6, atol=0.01)]  # the notches reach to half the height
        notches = np.sort(middle[:, 0]).reshape(-1, 2)
        assert notches[:, 1] - notches[:, 0] == pytest.approx(4, abs=0.01)  # as wide as the wood is thick
        assert np.diff(notches.mean(axis=1)) == pytest.approx(33.3, abs=0.01)
    # those along the rows open upward, the others downward
    assert {bool(len(wall[np.isclose(wall[:, 1], 0, atol=0.01)]) > 2) for wall in walls} == {True, False}


def test_solids_are_watertight_and_as_large_as_the_kit_says(tmp_path: Path) -> None:
    answered = run("kit", "all", "--stl", str(tmp_path))
    sizes = {
        "peg.stl": (7.2, 7.2, 23.9),  # with 8.4 mm in the board's hole
        "mushroom.stl": (12, 12, 18.9),
        "pawn-square.stl": (18, 18, 9),
        "pawn-round.stl": (19.8, 19.8, 9),
        "die.stl": (21.6, 21.6, 21.6),
        "king.stl": (21.6, 21.6, 21.6),
    }
    assert set(json.loads(answered.stdout)["stl"]) == set(sizes)
    for name, size in sizes.items():
        data = (tmp_path / name).read_bytes()
        assert len(data) == 84 + 50 * int.from_bytes(data[80:84], "little")
        corners = np.frombuffer(data[84:], [("numbers", "<f4", (4, 3)), ("more", "<u2")])["numbers"][:, 1:]
        assert np.ptp(corners.reshape(-1, 3), axis=0) == pytest.approx(size, abs=0.05), name
        assert corners[..., 2].min() == pytest.approx(0, abs=0.001)  # it stands on the printer's bed
        edges = Counter(
            (one[n].tobytes(), one[(n + 1) % 3].tobytes()) for one in corners for n in range(3)
        )  # each once, and once the other way, by the triangle next to it
        assert all(number == 1 == edges[end, start] for (start, end), number in list(edges.items())), name
        outward = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
        assert 0 < outward < np.prod(size), name
