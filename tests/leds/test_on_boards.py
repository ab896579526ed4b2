"""The lights on real firmware: machine code on a simulated Uno, MicroPython on a simulated Pico."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import game as game_of
from companion.games import game_ids
from companion.leds.lighting import pixels_of
from companion.leds.link import LedSettings, Link
from companion.leds.picture import LAST, TO, WRONG, board_size
from companion.leds.protocol import DARK, HINT, Pixels
from companion.leds.scenes import scene_of
from companion.leds.wiring import paint_matrix, wiring_for
from companion.referee import Verdict, Wrong
from companion.solvers.playing import sensible_move
from tests.firmware.boards import Board, board, check_arrival, expected
from tests.leds.board import until
from tests.records import new_record, played

LONGEST = 60  # moves of a game whose players do not hurry


def pictures_of(game: str, mono: bool) -> list[Pixels]:
    """All that the LEDs are to show of a whole game: each turn, a hint now and then, a mistake, the result."""
    chance, moves = Random(9), list[Any]()
    positions = [played(new_record((game, {}, {}), 9)).position]
    layout = wiring_for(
        None, "8x8 nw serpentine" if board_size(positions[0])[0] in (7, 8) else "", board_size(positions[0])
    )
    found: list[Pixels] = []

    def show(**more: object) -> None:
        lights = paint_matrix(scene_of(positions, moves, **more), layout)  # type: ignore[arg-type]
        found.append(pixels_of(lights, layout, 0.3, 450, mono))

    while positions[-1].to_move and len(moves) < LONGEST:
        show()
        move = sensible_move(game_of(game), positions[-1], chance, tired=len(moves) > 20)
        if len(moves) % 3 == 0:
            show(hint=move)
        if len(moves) % 7 == 5 and game != "plank":
            show(verdict=Verdict("illegal", wrong=(Wrong("b2", ".", "x"), Wrong("c3", "x", "."))))
        moves.append(move)
        positions.append(positions[-1].play(move))
    show(outcome=positions[-1].outcome() or positions[-1].ended(None, "agreed"))
    return found


@pytest.mark.parametrize("kind", ["uno ws2812", "uno max7219"])
def test_all_pictures_of_whole_games_arrive_exactly(kind: str) -> None:
    for game in game_ids():
        pictures = pictures_of(game, "max7219" in kind)
        count = len(pictures[0])
        assert len(set(pictures)) > 4
        with board(kind, arguments=["--leds", str(max(64, count))] if "ws2812" in kind else []) as running:
            check_arrival(running, [(DARK,) * count, *pictures])


class Plug:
    """A board at a path that stays the same, whichever port it has today."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.running: Board | None = None

    def plug_in(self) -> Board:
        self.running = Board("uno ws2812", realtime=True, arguments=["--boot", "1000"])
        self.path.symlink_to(self.running.port)
        return self.running

    def pull_out(self) -> None:
        assert self.running is not None
        self.path.unlink()
        self.running.close()
        self.running = None


def test_the_link_finds_its_uno_again(tmp_path: Path) -> None:
    """Opening resets it; pulled out and plugged in, it shows what is to be shown within three seconds."""
    plug = Plug(tmp_path / "uno")
    layout = wiring_for((8, 8), "", (8, 8))
    link = Link(LedSettings("AUTO", only=(str(plug.path),)))
    try:
        for n, light in enumerate((LAST, TO, WRONG)):
            running = plug.plug_in()
            link.show({(n, n): light}, layout)
            took = until(lambda uno=running, n=n: shows(uno, link.shown, 9 * n), 15)
            assert took < 3.0, f"{took:.1f} s"
            assert link.state.code == "leds.ready"
            assert link.state.port == str(plug.path)
            assert running.faults() == []
            plug.pull_out()
            until(lambda: link.state.code == "leds.lost")
    finally:
        link.close()
        if plug.running:
            plug.pull_out()


def shows(uno: Board, pixels: Pixels, lit: int) -> bool:
    shown = uno.shown()
    burning = [place for place, pixel in enumerate(pixels) if any(pixel[:3])]
    return burning == [lit] and bool(shown) and shown[-1] == expected(pixels, "ws2812")


def test_a_pico_needs_no_reset() -> None:
    with board("pico ws2812", realtime=True) as pico:
        for _ in range(2):  # another host comes, and it has been running all the while
            link = Link(LedSettings(pico.port))
            link.show({(0, 0): LAST}, wiring_for((8, 8), "", (8, 8)))
            until(lambda link=link: link.state.ready and shows(pico, link.shown, 0))
            link.close()
            assert pico.shown()[-1] == expected((DARK,), "ws2812")


def test_a_button_of_the_uno_reaches_the_link() -> None:
    with board("uno ws2812", realtime=True) as uno:
        link = Link(LedSettings(uno.port))
        try:
            until(lambda: link.state.ready)
            uno.tell(f"down {HINT}")  # held until it is heard of: on a busy machine the chip's time goes more slowly
            pressed: list[int] = []
            until(lambda: (pressed.extend(link.pressed()), pressed)[1], 30.0)
            time.sleep(0.3)  # held on, it is not pressed again
            uno.tell(f"up {HINT}")
            assert [*pressed, *link.pressed()] == [HINT]
        finally:
            link.close()
