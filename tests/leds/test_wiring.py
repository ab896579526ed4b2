"""Where each LED sits: every layout is one to one, and the known ways to wind a wire are told as they are."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadInput
from companion.games.position import Trace
from companion.leds.lighting import at_step, mono_current, pixels_of
from companion.leds.picture import FROM, LAST, TO, TURN, Light, Scene, paint
from companion.leds.protocol import PATTERNS, current
from companion.leds.wiring import Panel, Wiring, paint_matrix, parse_wiring, wiring_for
from tests.records import played, read

START = played({"game": "six-faces", "moves": []}).position
SIZES = [(8, 8), (7, 7), (9, 8), (3, 16), (1, 8), (5, 1), (2, 3)]
ALL = product(SIZES, ("sw", "se", "nw", "ne"), (False, True), (False, True), (0, 90, 180, 270))


def rolled(text: str) -> Trace:
    """Where a die is rolled in the opening."""
    return START.trace(read("six-faces", text))


def test_every_panel_is_one_to_one() -> None:
    for size, corner, by_columns, serpentine, turn in ALL:
        panel = Panel(*size, corner, by_columns, serpentine, turn)
        wire = panel.wire()
        wide, high = panel.size
        assert len(wire) == len(set(wire)) == size[0] * size[1]
        assert set(wire) == {(x, y) for x in range(wide) for y in range(high)}
        steps = [abs(x - x1) + abs(y - y1) for (x, y), (x1, y1) in pairwise(wire)]
        assert not serpentine or set(steps) <= {1}  # the wire never jumps


@pytest.mark.parametrize(
    ("words", "wire"),
    [
        ("3x2", "00 10 20 01 11 21"),
        ("3x2 serpentine", "00 10 20 21 11 01"),
        ("3x2 nw serpentine", "01 11 21 20 10 00"),
        ("3x2 ne", "21 11 01 20 10 00"),
        ("3x2 columns", "00 01 10 11 20 21"),
        ("3x2 se columns serpentine", "20 21 11 10 00 01"),
        ("3x2 turn=90", "02 01 00 12 11 10"),  # its south-west corner is now in the north-west
        ("3x2 turn=180", "21 11 01 20 10 00"),
        ("3x2 turn=270", "10 11 12 00 01 02"),
        ("2x1+1x2", "00 10 20 21"),
        ("2x2 + 2x1 at=0:2", "00 10 01 11 02 12"),
        ("2x1, sw + 1x1 at=5:5", "00 10 55"),
    ],
)
def test_known_ways_to_wind_a_wire(words: str, wire: str) -> None:
    assert [f"{x}{y}" for x, y in parse_wiring(words).wire()] == wire.split()


def test_six_faces_on_a_matrix_and_a_strip() -> None:
    layout = parse_wiring("8x8 nw serpentine + 1x8 columns serpentine")
    assert layout.size == (9, 8)
    assert len(set(layout.wire())) == 72
    assert layout.wire()[64] == (8, 0)
    position = played({"game": "six-faces", "moves": ["i1-i6"]}).position
    lights = paint_matrix(Scene(position, last=(rolled("i1-i6"),)), layout)
    assert {cell for cell, light in lights.items() if light == LAST} == {(8, 0), (8, 5)}


def test_seven_by_seven_in_eight_by_eight() -> None:
    position = played({"game": "hepta", "moves": ["#a1", "#g7"]}).position
    scene = Scene(position, last=(Trace(to=("a1",)), Trace(to=("g7",))))
    for words, corner in (("", (0, 0)), ("a1=1:1", (1, 1)), ("a1=0:1", (0, 1))):
        layout = wiring_for(None, words, (7, 7))
        assert layout.size == (8, 8)
        lit = {cell for cell, light in paint_matrix(scene, layout).items() if light == LAST}
        assert lit == {corner, (corner[0] + 6, corner[1] + 6)}


@pytest.mark.parametrize(("board", "size"), [((7, 7), (8, 8)), ((8, 8), (8, 8)), ((9, 8), (9, 8)), ((3, 16), (3, 16))])
def test_the_usual_matrix(board: tuple[int, int], size: tuple[int, int]) -> None:
    assert wiring_for(None, "", board).size == size
    assert wiring_for((5, 4), "", board).size == (5, 4)
    assert wiring_for(None, "+ 1x8 at=8:0", board).size == (9, 8)  # who joins panels has said what there is


def test_a_board_larger_than_the_matrix_shows_what_fits() -> None:
    position = played({"game": "six-faces", "moves": ["i1-i6"]}).position
    lights = paint_matrix(Scene(position, last=(rolled("i1-i6"),), hint=rolled("a8-a3")), parse_wiring("8x8"))
    assert LAST not in lights.values()
    assert (lights[0, 7], lights[0, 2]) == (FROM, TO)


def test_arrows_have_a_display_of_their_own() -> None:
    layout = parse_wiring("8x8 + arrows ne columns turn=90")
    assert layout.board == (8, 8)
    assert layout.size == (17, 8)
    assert len(set(layout.wire())) == 128


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("8x8 sideways", "no-such-layout-word"),
        ("turn=45", "no-such-layout-word"),
        ("at=8,0", "no-such-layout-word"),
        ("8x8 + nw", "panel-without-size"),
        ("8x8 +", "panel-without-size"),
        ("16x16", "too-many-leds"),
        ("8x8 + 2x2 at=7:7", "panels-overlap"),
        ("8x8 arrows", "no-board-panel"),
    ],
)
def test_layouts_that_make_no_sense(words: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_wiring(words)
    assert refused.value.code == code


# --- brightness and current

colors = st.tuples(*[st.integers(0, 255)] * 3).filter(any)
lights = st.dictionaries(
    st.tuples(st.integers(0, 15), st.integers(0, 7)), st.builds(Light, colors, st.integers(0, 7)), max_size=128
)


@given(lights, st.floats(0, 1), st.integers(0, 3000), st.booleans())
@settings(deadline=None, max_examples=150)
def test_never_more_than_the_budget(
    found: dict[tuple[int, int], Light], brightness: float, limit: int, mono: bool
) -> None:
    layout = parse_wiring("16x8")
    pixels = pixels_of(found, layout, brightness, limit, mono)
    assert len(pixels) == 128
    lit = sum(any(pixel[:3]) for pixel in pixels)
    assert all(0 <= part <= 255 for pixel in pixels for part in pixel[:3])
    if mono and lit:
        assert mono_current(lit, 128, max(pixel[0] for pixel in pixels) // 16) <= limit
    elif not mono and lit:
        assert current(pixels) <= limit


def test_all_white_within_usb() -> None:
    layout = parse_wiring("8x8")
    everywhere = dict.fromkeys(layout.wire(), Light((255, 255, 255)))
    pixels = pixels_of(everywhere, layout, 1.0, 450)
    assert 400 < current(pixels) <= 450
    assert current(pixels_of(everywhere, layout, 1.0, 5000)) == 64 + 64 * 42


def test_brightness_is_brightness() -> None:
    layout = parse_wiring("8x8")
    bright, dim = (pixels_of({(0, 0): LAST, (1, 0): TURN}, layout, part, 450) for part in (1.0, 0.1))
    assert bright[0][:3] == LAST.color
    assert dim[0][:3] == (26, 9, 0)
    assert min(dim[1][:3]) >= 1  # what is faint does not go out
    assert not any(any(pixel) for pixel in pixels_of({(0, 0): LAST}, layout, 0.0, 450))


def test_a_matrix_of_one_color_blinks_and_one_of_colors_mostly_does_not() -> None:
    position = played({"game": "six-faces", "moves": []}).position
    painted = paint(Scene(position, hint=rolled("b1-b2")))
    layout = Wiring((Panel(9, 8),))
    mono, color = (pixels_of(painted, layout, 0.3, 450, one) for one in (True, False))
    assert {pixel[3] for pixel in mono if pixel[0]} == {light.blink for light in painted.values()}
    assert {pixel[3] for pixel in color if any(pixel[:3])} == {0, FROM.blink}
    assert len({pixel[:3] for pixel in mono if pixel[0]}) == 1


def test_the_steps_of_blinking() -> None:
    pixels = tuple((9, 8, 7, blink) for blink in range(8))
    for step in range(16):
        shown = at_step(pixels, step)
        assert [color == (9, 8, 7) for color in shown] == [pattern[step % 8] == "#" for pattern in PATTERNS]
    assert all(color == (9, 8, 7) for color in at_step(pixels, 0))
