"""What is drawn is what lies on the board, in documents that any page can take in."""

from __future__ import annotations

import json
import os
import re
import struct
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import cv2
import pytest

from companion.games import game as game_of
from companion.games.hepta import Hepta
from companion.games.pegs import Cover, Pegs
from companion.games.position import Position, Visible
from companion.messages import LANGUAGES
from companion.record import read_record
from tests.commands.test_rules import complaint, run
from tests.records import VARIANTS, names, new_record, position
from web.drawing import Marks, board_svg
from web.drawing.shapes import outline

SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 40_000  # characters of a drawing without marks
KNOWN = {"svg", "defs", "g", "path", "rect", "circle", "ellipse", "use", "text", "pattern", "stop"}
KNOWN |= {"linearGradient", "radialGradient"}
VARIANT = {names(variant): variant for variant in VARIANTS}


@cache
def played(variant: str, seed: int) -> list[Position[Any]]:
    """The positions of a random game, cards placed as often as they fit."""
    random = Random(seed)
    at = read_record(json.dumps(new_record(VARIANT[variant], seed))).start
    positions = [at]
    for _ in range(70):
        moves = [] if at.outcome() else list(at.moves())
        if not moves:
            break
        at = at.play(random.choice([move for move in moves if isinstance(move, Cover)] or moves))
        positions.append(at)
    return positions


def sampled(variant: str, seed: int) -> Iterator[Position[Any]]:
    positions = played(variant, seed)
    return (positions[n * (len(positions) - 1) // 4] for n in range(5))


def drawn(game: str, at: Position[Any] | None, visible: Visible, **more: Any) -> ElementTree.Element:
    return ElementTree.fromstring(board_svg(game_of(game), at, visible, **more))


def squares(svg: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {g.attrib["data-square"]: g for g in svg.iter(f"{SVG}g") if g.get("class") == "square"}


def shapes(square: ElementTree.Element) -> list[str]:
    """The shapes used on a square, by name, from the lowest to the topmost."""
    found = [use.attrib["href"].split("-", 1)[1] for use in square.iter(f"{SVG}use")]
    assert found.pop() == "hit"
    return found


def middle(square: ElementTree.Element) -> tuple[int, int]:
    x, y = re.findall("-?[0-9]+", square.attrib["transform"])
    return int(x), int(y)


def by_square(visible: Visible) -> dict[str, str]:
    rows = visible["rows"]
    return {f"{'abcdefghi'[x]}{len(rows) - y}": cell for y, row in enumerate(rows) for x, cell in enumerate(row)}


# --- every game, every variant


@pytest.mark.parametrize("variant", VARIANT)
def test_drawings_are_sound(variant: str) -> None:
    game = VARIANT[variant][0]
    for n, at in enumerate(sampled(variant, 1)):
        text = board_svg(game_of(game), at, at.visible(), language=LANGUAGES[n % 2], flipped=n == 3)
        svg = ElementTree.fromstring(text)
        assert len(text) < LARGEST
        tags = {element.tag.removeprefix(SVG) for element in svg.iter()}
        assert tags <= KNOWN
        ids = Counter(element.attrib["id"] for element in svg.iter() if "id" in element.attrib)
        assert set(ids.values()) <= {1}
        used = re.findall('href="([^"]*)"', text) + re.findall(r"url\(([^)]*)\)", text)
        assert {f"#{name}" for name in ids} == set(used)  # none missing, none for nothing
        for element in svg.iter():
            assert not any(name == "style" or name.startswith("on") for name in element.attrib)
        assert "://" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "§" not in text


@pytest.mark.parametrize("variant", VARIANT)
def test_every_square_is_there_and_has_its_words(variant: str) -> None:
    game = VARIANT[variant][0]
    for at in sampled(variant, 2):
        visible = at.visible()
        said = {}
        for language in LANGUAGES:
            found = squares(drawn(game, at, visible, language=language))
            if game == "plank":
                assert len(found) == 3 * max(len(visible["planks"]), 1)
            else:
                assert list(found) == sorted(by_square(visible), key=lambda name: (name[1], name[0]))
            for name, square in found.items():
                words = square.attrib["aria-label"]
                assert words.startswith(f"{name}, ")
                assert not re.search(r"seen\.|way\.|[{}]|start-|finish-", words), words
                assert square.attrib["role"] == "button"
                assert square.attrib["tabindex"] == "0"
            said[language] = [square.attrib["aria-label"] for square in found.values()]
        assert said["en"] != said["fr"]


@pytest.mark.parametrize("variant", VARIANT)
def test_flipped_is_seen_from_the_other_side(variant: str) -> None:
    game = VARIANT[variant][0]
    at = played(variant, 3)[-1]
    here, there = (drawn(game, at, at.visible(), flipped=flipped) for flipped in (False, True))
    x, y, width, height = map(int, here.attrib["viewBox"].split())
    assert here.attrib["viewBox"] == there.attrib["viewBox"]
    for name, square in squares(here).items():
        (x0, y0), (x1, y1) = middle(square), middle(squares(there)[name])
        assert (x0 + x1, y0 + y1) == (width + 2 * x, height + 2 * y)


@pytest.mark.parametrize("variant", VARIANT)
def test_several_drawings_can_stand_in_one_page(variant: str) -> None:
    game = VARIANT[variant][0]
    first, last = played(variant, 1)[0], played(variant, 1)[-1]
    pages = [board_svg(game_of(game), at, at.visible()) for at in (first, last)]
    ids = [set(re.findall(' id="([^"]*)"', page)) for page in pages]
    assert not ids[0] & ids[1]
    assert pages[0] == board_svg(
        game_of(game), first, first.visible()
    )  # and the same position is always drawn the same


# --- what lies there


def test_dice_show_their_pips_as_they_lie() -> None:
    tops = set()
    for seed in range(4):
        for at in sampled("six-faces", seed):
            found = squares(drawn("six-faces", at, at.visible()))
            for name, code in by_square(at.visible()).items():
                tops.add(code)
                on = found[name]
                if code == ".":
                    assert shapes(on) == []
                    continue
                color, top = code[0], code[1]
                assert shapes(on)[0] == f"{color}-die"
                pips = [use for use in on.iter(f"{SVG}use") if use.attrib["href"].endswith("-pip")]
                assert len(pips) == (1 if top == "K" else int(top))
                assert (f"{color}-ring" in shapes(on)) == (top == "K")
                at_x, at_y = ([float(pip.get(axis, 0)) for pip in pips] for axis in "xy")
                if code[2:] == ":ne":  # up to the right: where x grows, y falls
                    assert all(x == -y for x, y in zip(at_x, at_y, strict=True))
                if code[2:] == ":nw":
                    assert at_x == at_y
                if code[2:] == ":ns":
                    assert (len(set(at_x)), len(set(at_y))) == (2, 3)
                if code[2:] == ":ew":
                    assert (len(set(at_x)), len(set(at_y))) == (3, 2)
    assert len(tops) > 16


@pytest.mark.parametrize("variant", [name for name in VARIANT if name.startswith("trippples")])
def test_tiles_show_their_arrows_and_pawns(variant: str) -> None:
    ways = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    opposite = dict(zip(ways, ways[4:] + ways[:4], strict=True))
    for at in sampled(variant, 5):
        visible = at.visible()
        pawns = {square: pawn for pawn, square in visible.get("pawns", {}).items()}
        for flipped in (False, True):
            found = squares(drawn("trippples", at, visible, flipped=flipped))
            for name, code in by_square(visible).items():
                on = shapes(found[name])
                arrows = [shape for shape in on if shape in opposite]
                triple = code.split("-") if code.isupper() else []
                assert arrows == [opposite[way] if flipped else way for way in triple]
                assert ("dot" in on) == (code not in ("empty", "down", "neutral"))
                if code not in ("empty", *([code] if triple else [])):
                    assert code in on
                assert [shape for shape in on if shape[-1] in "12"] == ([pawns[name]] if name in pawns else [])


@pytest.mark.parametrize("variant", [name for name in VARIANT if name.startswith("plank")])
def test_planks_show_their_colors_and_tokens(variant: str) -> None:
    for at in sampled(variant, 7):
        planks = at.visible()["planks"]
        svg = drawn("plank", at, at.visible())
        found = squares(svg)
        south = min((int(name[1:]) for name in found), default=0)
        for n, plank in enumerate(planks):
            for column, color, token in zip("abc", plank["colors"], plank["tokens"], strict=True):
                on = found[f"{column}{south + n}"]
                assert shapes(on) == [f"on-{color}"] + ([f"token-{color}"] if token != "." else [])
                assert (f"{token}'s " in on.attrib["aria-label"]) == (token != ".")
        assert sum(use.attrib["href"].endswith("-plank") for use in svg.iter(f"{SVG}use")) == len(planks)


def test_a_token_on_another_color_keeps_its_own() -> None:
    visible: Visible = {"planks": [{"colors": "RWB", "tokens": ["A:B", ".", "."]}]}
    found = squares(drawn("plank", None, visible))
    assert shapes(found["a0"]) == ["on-R", "token-B"]
    assert found["a0"].attrib["aria-label"] == "a0, red square, A's blue token"


STANDING = {
    "hepta": {"#": ["blocker", "mushroom"], "x": [], ".": ["hole"]},
    "tetrods": {"o": ["mushroom"], "@": ["wide-hole", "mushroom"], "x": [], ".": ["hole"]},
    "pegs": {"o": ["peg"], "B": ["punched", "peg"], "W": ["punched", "peg"], "b": [], "w": [], ".": ["hole"]},
}


@pytest.mark.parametrize("variant", [n for n in VARIANT if n.startswith(("hepta", "tetrods", "t-for-two", "pegs"))])
def test_what_stands_on_the_seven_board(variant: str) -> None:
    game = VARIANT[variant][0]
    standing = STANDING["tetrods" if game == "t-for-two" else game.removesuffix("-solo")]
    for at in sampled(variant, 8):
        found = squares(drawn(game, at, at.visible()))
        for name, code in by_square(at.visible()).items():
            assert shapes(found[name]) == standing[code]


def plates(svg: ElementTree.Element) -> int:
    return sum(g.get("stroke-linejoin") == "round" and "aria-hidden" not in g.attrib for g in svg.findall(f"{SVG}g"))


def test_pieces_are_drawn_as_they_were_laid() -> None:
    at = played("hepta", 4)[-1]
    assert isinstance(at, Hepta)
    assert plates(drawn("hepta", at, at.visible())) == len(at.pieces) > 4
    # who does not know how they were laid sees fewer, larger plates
    assert 0 < plates(drawn("hepta", None, at.visible())) < len(at.pieces)


def test_cards_lie_in_their_layers() -> None:
    at = max(
        (at for seed in range(4) for at in sampled("pegs", seed) if isinstance(at, Pegs)), key=lambda at: len(at.cards)
    )
    assert len(at.cards) > 3
    uses = [use.attrib["href"].split("-", 1)[1] for use in drawn("pegs", at, at.visible()).findall(f"{SVG}use")]
    assert [shape.split("-")[0] for shape in uses] == [placed.owner for placed in at.cards]
    assert not any(shape.endswith("-one") for shape in uses)


def test_without_its_position_a_card_is_drawn_square_by_square() -> None:
    at = position("pegs-solo", ["oa1", "a1c2"])
    svg = drawn("pegs-solo", None, at.visible())
    assert [use.attrib["href"].split("-", 1)[1] for use in svg.findall(f"{SVG}use")] == ["blue-one"] * 6


def test_what_is_seen_goes_before_what_was_laid() -> None:
    at = position("pegs-solo", ["oa1", "a1c2", "oe1", "d1f2"])
    seen = at.visible()
    seen["rows"][6][5] = "."  # the second card is gone, a white one lies there
    for x in (3, 4):
        seen["rows"][5][x] = "w"
    uses = [use.attrib["href"].split("-", 1)[1] for use in drawn("pegs-solo", at, seen).findall(f"{SVG}use")]
    assert Counter(uses) == {"blue-h": 1, "white-one": 2, "blue-one": 3}


def test_outlines_go_around_cells_and_around_holes() -> None:
    assert outline([(0, 0)], 10) == "M10 10L90 10L90 90L10 90z"
    assert outline([(0, 0), (1, 0), (0, 1)], 10).count("L") == 5
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert sorted(outline(ring, 10).split("z"))[1:] == ["M10 10L290 10L290 290L10 290", "M90 90L90 210L210 210L210 90"]
    assert outline([(0, 0), (1, 1)], 10).count("M") == 2  # they touch at a corner only


# --- what is pointed out


def test_marks_are_where_they_belong() -> None:
    at = position("six-faces", ["b1-b2"])
    marks = Marks(last=("b1", "b2"), can=("c3", "a8"), wrong=("d4",), hint=("e1",), labels={"c3": '<"&\x00\ud800§>'})
    text = board_svg(game_of("six-faces"), at, at.visible(), marks=marks)
    svg = ElementTree.fromstring(text)
    found = squares(svg)
    assert shapes(found["c3"]) == ["can-go"]
    assert shapes(found["a8"])[-1] == "can-take"  # a ring around the die, a dot on a free square
    assert shapes(found["d4"]) == ["wrong"]
    rings = {g.attrib["class"]: g.attrib["data-squares"] for g in svg.iter(f"{SVG}g") if "data-squares" in g.attrib}
    assert rings == {"mark last": "b1 b2", "mark hint": "e1"}
    assert found["d4"].attrib["aria-label"] == "d4, empty, not as it should be"
    (label,) = found["c3"].iter(f"{SVG}text")
    assert label.text == '<"&§>'


def test_a_place_for_a_plank_can_be_pointed_at() -> None:
    at = position("plank", ["RBW^ B@b0"], setup=new_record(VARIANT["plank-players=2"], 1)["setup"])
    found = squares(drawn("plank", at, at.visible(), marks=Marks(can=("b1", "c-1", "a9", "a99999999"))))
    assert list(found) == [f"{column}{row}" for row in (-1, 0, 1) for column in "abc"]
    assert shapes(found["b1"]) == ["place", "can-go"]


@pytest.mark.parametrize(
    ("game", "moves", "ringed"),
    [
        ("hepta", ["#d4"], "d4"),
        ("t-for-two", ["@c3"], "c3"),
        ("t-for-two", ["@c3", "O1b2b3c2c3@c3"], "b2 c2 b3 c3"),
        ("pegs-solo", ["oc3", "oa1", "a1c2"], "a1 b1 c1 a2 b2 c2"),
        ("six-faces", ["e1-e2"], "e1 e2"),
        ("plank", ["RBW^ B@b0"], "a0 b0 c0"),
        ("trippples", ["N-E-SW@c3"], "c3"),
    ],
)
def test_the_last_move_is_ringed_where_it_shows(game: str, moves: list[str], ringed: str) -> None:
    hands = {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}
    setup = {"players": 2, "hands": hands} if game == "plank" else {}
    drawn = run("draw", "-", stdin={"game": game, "setup": setup, "moves": moves}).stdout
    assert re.findall('data-squares="([^"]*)"', drawn) == [ringed]


def test_pieces_of_all_kinds_on_one_board() -> None:
    """A game may mix what the kit has: each piece is drawn and named by what it is, whatever its code."""
    pieces = {
        " ": "bare",
        "m": "mushroom",
        "#": "blocker",
        "t": "tromino",
        "T": "tetrod",
        "@": "tetrod+mushroom",
        "p": "peg",
        "w": "card w",
        "W": "card w+peg",
    }
    mixed = game_of("hepta")._replace(pieces=pieces)
    rows = ["mmm####", "#   ttt", "T T@ pw", "TTTT Ww", "      w", "  m# ww", "       "]
    text = board_svg(mixed, None, {"rows": [list(row) for row in rows]})
    svg = ElementTree.fromstring(text)
    found = squares(svg)
    said = {name: square.attrib["aria-label"].removeprefix(f"{name}, ") for name, square in found.items()}
    assert (said["a7"], said["a6"], said["e6"], said["d5"]) == (
        "mushroom",
        "blocker",
        "piece",
        "tetrod with a mushroom",
    )
    assert shapes(found["a7"]) == ["mushroom"]
    assert shapes(found["a6"]) == ["blocker", "mushroom"]
    assert shapes(found["d5"]) == ["wide-hole", "mushroom"]
    assert shapes(found["f4"]) == ["punched", "peg"]
    assert plates(svg) == 2
    assert text.count("ebony)") < text.count("enamel)")
    assert [use.attrib["href"].split("-", 1)[1] for use in svg.findall(f"{SVG}use")] == ["white-one"] * 6


# --- the command

GAME = {"game": "six-faces", "moves": ["b1-b2", "b8-b7"]}


def test_draw_writes_svg(tmp_path: Path) -> None:
    printed = run("draw", "-", stdin=GAME).stdout
    assert run("draw", "-", "-o", "-", stdin=GAME).stdout == printed
    found = squares(ElementTree.fromstring(printed))
    assert found["b7"].attrib["aria-label"] == "b7, red die, 3 on top, last move"
    assert 'data-squares="b7 b8"' in printed
    file = tmp_path / "board.svg"
    assert run("draw", "-", "-o", str(file), "--ply", "1", "--flip", lang="fr_FR", stdin=GAME).stdout == ""
    early = file.read_text("utf-8")
    assert 'data-squares="b1 b2"' in early
    assert 'aria-label="b8, dé rouge, 1 dessus"' in early
    assert middle(squares(ElementTree.fromstring(early))["a1"]) == (850, 50)


def test_the_last_move_is_one_that_can_be_seen() -> None:
    game = {"game": "hepta", "moves": [*(f"#{column}1" for column in "abcdefg"), "=I"]}
    assert 'data-squares="g1"' in run("draw", "-", stdin=game).stdout
    assert "data-squares" not in run("draw", "-", "--ply", "0", stdin=game).stdout


@pytest.mark.parametrize("width", [None, 64, 640])
def test_draw_writes_png_as_wide_as_asked(tmp_path: Path, width: int | None) -> None:
    file = tmp_path / "board.PNG"
    found = run("draw", "-", "-o", str(file), *(["--width", str(width)] if width else []), stdin=GAME)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    wide, high = struct.unpack(">II", data[16:24])
    assert wide == (width or 900)
    assert abs(high / wide - 908 / 1008) < 0.02


def test_a_png_has_the_boards_colors_and_is_clear_around_it(tmp_path: Path) -> None:
    file = tmp_path / "board.png"
    run("draw", "-", "-o", str(file), "--width", "1008", stdin=GAME)
    picture = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    assert picture[0, 0, 3] == 0
    x, y = 54 + 50, 54 + 750  # a1, a white die with 5 on top
    blue, green, red, alpha = (int(value) for value in picture[y, x + 9])
    assert alpha == 255
    assert min(blue, green, red) > 220
    assert max(int(value) for value in picture[y, x][:3]) < 80  # the pip in its middle


@pytest.mark.parametrize(
    ("arguments", "record", "said"),
    [
        (["-"], {"game": "six-faces", "moves": ["b1-b2", "b1-b2"]}, "moves[1]"),
        (["-"], "{", "JSON"),
        (["-"], {"game": "chess"}, "chess"),
        (["-", "-o", "board.jpg"], GAME, ".png"),
        (["-", "-o", "board"], GAME, ".png"),
        (["-", "-o", "missing/board.svg"], GAME, "missing/board.svg"),
        (["-", "-o", "missing/board.png"], GAME, "missing/board.png"),
        (["-", "--ply", "3"], GAME, "from 0 to 2"),
        (["-", "--ply", "-1"], GAME, "--ply"),
        (["-", "--ply", "one"], GAME, "--ply"),
        (["-", "-o", "board.png", "--width", "9999999"], GAME, "--width"),
        (["-", "-o", "board.png", "--width", "0"], GAME, "--width"),
        (["-", "--width", "100"], GAME, ".png"),
        (["missing.json"], "", "missing.json"),
    ],
)
def test_draw_refuses_in_one_line(arguments: list[str], record: Any, said: str, tmp_path: Path) -> None:
    # run from an empty folder: nothing may be written there
    path = {"PYTHONPATH": os.pathsep.join(filter(None, [str(Path.cwd()), os.environ.get("PYTHONPATH", "")]))}
    assert said in complaint(run("draw", *arguments, stdin=record, cwd=tmp_path, env=path))
    assert list(tmp_path.iterdir()) == []


def test_draw_explains_itself_in_both_languages() -> None:
    assert "companion draw game.json -o board.svg" in run("draw", "--help").stdout
    assert "vu de l'autre côté de la table" in run("draw", "--help", lang="fr_FR").stdout
