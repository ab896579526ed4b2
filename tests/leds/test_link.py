"""The link over pseudo-terminals, with a board at the other end: found, kept, lost, found again."""

from __future__ import annotations

import fcntl
import os
import time
import tty
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from companion.leds.drivers import adalight
from companion.leds.link import PRESS_BURST, PRESS_INTERVAL, TEST, LedSettings, Link
from companion.leds.picture import LAST, TO, WRONG, Cell, Light
from companion.leds.ports import Port, candidate_ports
from companion.leds.protocol import COLOR, MONO, current
from companion.leds.wiring import parse_wiring
from tests.leds.board import Brain, Plugged, until

LAYOUT = parse_wiring("8x8 nw serpentine")
PICTURE = {(0, 0): LAST, (3, 4): WRONG, (7, 7): TO}
BACK = 3.0  # seconds after plugging in again


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "board"


@pytest.fixture
def links() -> Iterator[list[Link]]:
    found: list[Link] = []
    yield found
    for link in found:
        link.close()


def begun(links: list[Link], port: object, lights: dict[Cell, Light] | None = None, **more: object) -> Link:
    link = Link(LedSettings(str(port), **more))  # type: ignore[arg-type]
    links.append(link)
    link.show(PICTURE if lights is None else lights, LAYOUT)
    return link


def shows(board: Plugged, lights: dict[Cell, Light]) -> bool:
    """Whether the board's LEDs show these lights, each at its place of the wire."""
    if len(board.brain.leds) != 64:
        return False
    lit = {cell for cell, pixel in zip(LAYOUT.wire(), board.brain.leds, strict=True) if any(pixel[:3])}
    return lit == set(lights)


def test_a_board_is_lit(path: Path, links: list[Link]) -> None:
    with Plugged(path) as board:
        link = begun(links, path)
        until(lambda: shows(board, PICTURE))
        assert link.state.code == "leds.ready"
        assert (link.state.name, link.state.port, link.state.mono) == ("paper board", str(path), False)
        assert board.brain.leds[LAYOUT.wire().index((0, 0))] == (76, 27, 0, 0)
        assert board.brain.leds[LAYOUT.wire().index((3, 4))][3] == WRONG.blink
        link.dim(1.0)
        until(lambda: board.brain.leds[LAYOUT.wire().index((0, 0))] == (255, 90, 0, 0))
        assert current(tuple(board.brain.leds)) <= 450


def test_a_board_that_boots_is_waited_for_and_not_longer(path: Path, links: list[Link]) -> None:
    """Opening resets it; how long it boots is its own affair."""
    with Plugged(path, boot=1.2) as board:
        link = begun(links, path)
        took = until(lambda: shows(board, PICTURE))
        assert 1.0 < took < 2.5
        assert link.state.ready


def test_the_newest_picture_wins_and_nobody_waits(path: Path, links: list[Link]) -> None:
    with Plugged(path) as board:
        link = begun(links, path)
        until(lambda: link.state.ready)
        slowest = 0.0
        for n in range(300):
            began = time.perf_counter()
            link.show({(n % 8, n // 8 % 8): LAST}, LAYOUT)
            slowest = max(slowest, time.perf_counter() - began)
        last = {(299 % 8, 299 // 8 % 8): LAST}
        until(lambda: shows(board, last))
        assert len(board.brain.pictures) < 100  # those in between were left out


def test_a_board_of_one_color(path: Path, links: list[Link]) -> None:
    with Plugged(path, brain=Brain(kind=MONO)) as board:
        link = begun(links, path)
        until(lambda: shows(board, PICTURE))
        assert link.state.mono
        lit = [pixel for pixel in board.brain.leds if any(pixel[:3])]
        assert len({pixel[:3] for pixel in lit}) == 1
        assert {pixel[3] for pixel in lit} == {LAST.blink, WRONG.blink, TO.blink}


def test_the_boards_own_limit_holds_too(path: Path, links: list[Link]) -> None:
    with Plugged(path, brain=Brain(kind=COLOR, limit=90)) as board:
        begun(links, path, dict.fromkeys(LAYOUT.wire(), LAST), brightness=1.0)
        until(lambda: len(board.brain.leds) == 64 and all(any(pixel[:3]) for pixel in board.brain.leds))
        assert current(tuple(board.brain.leds)) <= 90


def test_too_few_leds_are_lit_as_far_as_they_go(path: Path, links: list[Link]) -> None:
    with Plugged(path, brain=Brain(most=20)) as board:
        link = begun(links, path, dict.fromkeys(LAYOUT.wire(), LAST))
        until(lambda: len(board.brain.leds) == 20)
        assert link.state.code == "leds.too-few"
        assert link.state.params["need"] == 64
        assert link.state.ready


def test_a_board_that_floods_presses_is_heard_a_few_times(path: Path, links: list[Link]) -> None:
    with Plugged(path) as board:
        link = begun(links, path)
        until(lambda: link.state.ready)
        began = time.monotonic()
        for _ in range(400):
            board.press(0)
        board.press(1)
        pressed: list[int] = []
        until(lambda: (pressed.extend(link.pressed()), 1 in pressed)[1])
        assert pressed.count(0) <= PRESS_BURST + 1 + (time.monotonic() - began) / PRESS_INTERVAL


def test_buttons_are_heard_once_each(path: Path, links: list[Link]) -> None:
    with Plugged(path) as board:
        link = begun(links, path)
        until(lambda: link.state.ready)
        pressed: list[int] = []
        for button in (0, 1, 1, 0):
            board.press(button)
        until(lambda: (pressed.extend(link.pressed()), len(pressed) >= 4)[1])
        time.sleep(0.3)
        assert pressed + link.pressed() == [0, 1, 1, 0]


def test_walk_and_test(path: Path, links: list[Link], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.leds.link.TEST_STEP", 0.25)
    with Plugged(path) as board:
        link = begun(links, path)
        for place in (0, 5, 63):
            link.walk(place)
            until(lambda n=place: [i for i, pixel in enumerate(board.brain.leds) if any(pixel[:3])] == [n])
        link.walk(None)
        until(lambda: shows(board, PICTURE))
        before = len(board.brain.pictures)
        link.test()
        until(lambda: not link.testing)
        until(lambda: shows(board, PICTURE))
        colors = {picture[0][:3] for picture in board.brain.pictures[before:]}
        assert len(colors) >= len(TEST)


def test_it_goes_dark_at_the_end(path: Path) -> None:
    with Plugged(path) as board:
        link = Link(LedSettings(str(path)))
        link.show(PICTURE, LAYOUT)
        until(lambda: shows(board, PICTURE))
        link.close()
        assert shows(board, {})


# --- trouble


def test_a_board_that_is_reset_is_lit_again(path: Path, links: list[Link]) -> None:
    with Plugged(path, boot=0.3) as board:
        link = begun(links, path)
        until(lambda: shows(board, PICTURE))
        for _ in range(3):
            board.restart()
            until(lambda: not board.brain.leds)
            assert until(lambda: shows(board, PICTURE)) < BACK
        assert link.state.ready


def test_a_port_that_is_not_there_is_said_and_waited_for(path: Path, links: list[Link]) -> None:
    link = begun(links, path)
    until(lambda: link.state.code == "leds.absent")
    time.sleep(1.5)  # by now it looks less often
    with Plugged(path) as board:
        assert until(lambda: shows(board, PICTURE)) < BACK


def test_a_port_that_somebody_else_holds_is_refused_and_left_alone(path: Path, links: list[Link]) -> None:
    with Plugged(path) as board:
        held = os.open(path, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(held, fcntl.LOCK_EX)
        link = begun(links, path)
        until(lambda: link.state.code == "leds.busy")
        assert link.state.params == {"port": str(path)}
        time.sleep(0.3)
        assert not board.brain.pictures
        os.close(held)
        until(lambda: shows(board, PICTURE))


def test_nobody_else_gets_a_port_that_we_hold(path: Path, links: list[Link]) -> None:
    with Plugged(path):
        link = begun(links, path)
        until(lambda: link.state.ready)
        other = begun(links, path)
        until(lambda: other.state.code == "leds.busy")
        assert link.state.ready


def test_a_mute_port_is_said_to_be_mute(path: Path, links: list[Link], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.leds.drivers.CONNECT_TIMEOUT", 1.0)
    with Plugged(path, mute=True):
        link = begun(links, path)
        until(lambda: link.state.code == "leds.mute", 8)
    with Plugged(path) as board:  # something else is plugged in there
        assert until(lambda: shows(board, PICTURE)) < BACK


def test_a_file_is_no_port(tmp_path: Path, links: list[Link]) -> None:
    (tmp_path / "notes.txt").write_text("no port")
    link = begun(links, tmp_path / "notes.txt")
    until(lambda: link.state.code == "leds.no-port")


def test_nonsense_on_the_line_does_no_harm(path: Path, links: list[Link]) -> None:
    with Plugged(path, noise=Random(3)) as board:
        link = begun(links, path)
        until(lambda: shows(board, PICTURE))
        for n in range(8):
            lights = {(n, n): TO}
            link.show(lights, LAYOUT)
            until(lambda lit=lights: shows(board, lit))
        assert link.pressed() == []


def pulled_out_again_and_again(path: Path, links: list[Link], times: int, chance: Random) -> list[float]:
    """Pulled out in the middle of anything: at some byte, or some moment, while pictures go over the line."""
    link, took = begun(links, path), []
    for n in range(times):
        at_byte = chance.random() < 0.6
        cut = chance.randrange(1, 900) if at_byte else None
        board = Plugged(path, boot=chance.choice([0.0, 0.0, 0.2]), cut_after=cut)
        lights = {(n % 8, n // 8 % 8): chance.choice([LAST, TO, WRONG])}
        link.show(lights, LAYOUT)
        end = time.monotonic() + chance.uniform(0.02, 0.3)
        while not board.gone.is_set() and time.monotonic() < end + 1.0 * at_byte:
            link.show({**lights, (chance.randrange(8), chance.randrange(8)): TO}, LAYOUT)
            time.sleep(0.01)
        board.pull()
        time.sleep(chance.choice([0.0, 0.05, 0.2]))
        with Plugged(path) as back:
            link.show(lights, LAYOUT)
            took.append(until(lambda lit=lights, board=back: shows(board, lit), BACK))
            link.show({}, LAYOUT)
    return took


def test_unplugging_at_twenty_random_moments(path: Path, links: list[Link]) -> None:
    assert max(pulled_out_again_and_again(path, links, 20, Random(11))) < BACK


@pytest.mark.soak
def test_unplugging_at_two_hundred_random_moments(path: Path, links: list[Link]) -> None:
    assert max(pulled_out_again_and_again(path, links, 200, Random(12))) < BACK


# --- AUTO


def test_auto_finds_the_board_among_others(tmp_path: Path, links: list[Link], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.leds.drivers.CONNECT_TIMEOUT", 1.0)
    with Plugged(tmp_path / "a-modem", mute=True), Plugged(tmp_path / "b-board") as board:
        link = begun(links, "AUTO", only=(f"{tmp_path}/*",))
        until(lambda: shows(board, PICTURE), 8)
        assert link.state.port == str(tmp_path / "b-board")


def test_auto_leaves_alone_what_is_black_listed(tmp_path: Path, links: list[Link]) -> None:
    with Plugged(tmp_path / "a-printer") as printer, Plugged(tmp_path / "b-board") as board:
        begun(links, "AUTO", only=(f"{tmp_path}/*",), never=("*printer*",))
        until(lambda: shows(board, PICTURE))
        assert printer.brain.session == b"\0\0\0\0"


def test_auto_finds_a_board_that_comes_back_elsewhere(tmp_path: Path, links: list[Link]) -> None:
    link = begun(links, "AUTO", only=(f"{tmp_path}/*",))
    for name in ("usb0", "usb1", "usb0"):
        with Plugged(tmp_path / name, boot=0.5) as board:
            assert until(lambda board=board: shows(board, PICTURE)) < BACK
            assert link.state.port.endswith(name)


def test_which_ports_are_tried() -> None:
    uno = Port("/dev/serial/by-id/usb-Arduino_Uno_1", "/dev/ttyACM0", "Arduino Uno", True)
    clone = Port("/dev/ttyUSB0", "/dev/ttyUSB0", "USB Serial", True)
    builtin = Port("/dev/ttyS0", "/dev/ttyS0", "", False)
    there = [uno, clone, builtin]
    assert candidate_ports(ports_found=there) == [
        uno.path,
        clone.path,
    ]  # the machine's own ports are not looked at unasked
    assert candidate_ports(only=["*Arduino*"], ports_found=there) == [uno.path]
    assert candidate_ports(only=["/dev/ttyACM0"], ports_found=there) == [uno.path]  # by the name that stays the same
    assert candidate_ports(only=["/dev/ttyS*"], ports_found=there) == [builtin.path]
    assert candidate_ports(never=["ttyUSB*"], ports_found=there) == [uno.path]
    assert candidate_ports(only=["*"], never=["/dev/ttyACM0", "/dev/ttyS0"], ports_found=there) == [clone.path]


# --- the other drivers


def test_adalight_byte_for_byte() -> None:
    pixels = ((1, 2, 3, 0), (250, 0, 9, 3), (7, 7, 7, 1))
    assert adalight(pixels, 0) == bytes.fromhex("416461 0002 57 010203 fa0009 070707")
    assert adalight(pixels, 1) == bytes.fromhex("416461 0002 57 010203 000000 070707")
    assert adalight(pixels, 4) == bytes.fromhex("416461 0002 57 010203 fa0009 000000")
    many = adalight(((0, 0, 0, 0),) * 300, 0)
    assert many[:6] == bytes.fromhex("416461 012b 7f")
    assert len(many) == 6 + 900


class Listening:
    """A board that takes what it is sent and says nothing."""

    def __init__(self, path: Path) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        path.symlink_to(os.ttyname(slave))
        self.slave, self.heard = slave, b""
        os.set_blocking(self.master, False)

    def listen(self) -> bytes:
        with suppress(BlockingIOError):
            self.heard += os.read(self.master, 65536)
        return self.heard


def test_an_adalight_board_blinks_by_our_hand(path: Path, links: list[Link]) -> None:
    board = Listening(path)
    link = begun(links, path, {(0, 7): WRONG}, kind="adalight", brightness=1.0)
    until(lambda: board.listen().count(b"Ada\0?") >= 6)
    assert link.state.ready
    frames = [frame for frame in board.heard.split(b"Ada") if len(frame) == 3 + 192]
    assert all(frame[:3] == bytes((0, 63, 0 ^ 63 ^ 0x55)) for frame in frames)
    assert {frame[3:6] for frame in frames} == {b"\xff\0\0", b"\0\0\0"}
    assert all(frame[6:] == bytes(189) for frame in frames)
    link.close()
    assert board.listen()[-192:] == bytes(192)


def test_an_adalight_board_is_told_again_what_it_shows(path: Path, links: list[Link]) -> None:
    """WLED goes back to its own play when nothing comes."""
    board = Listening(path)
    begun(links, path, {(0, 7): LAST}, kind="adalight")
    until(lambda: board.listen().count(b"Ada\0?") >= 3)


def test_a_virtual_board(links: list[Link]) -> None:
    for port, mono in (("virtual", False), ("virtual-mono", True)):
        link = begun(links, port)
        until(lambda link=link: link.state.code == "leds.drawn" and any(any(pixel) for pixel in link.shown))
        assert link.state.mono == mono


def test_off_is_off(links: list[Link]) -> None:
    for port in ("OFF", "off", ""):
        link = begun(links, port)
        assert link.state.code == "leds.off"
        assert not link._thread.is_alive()
