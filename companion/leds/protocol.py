"""The host's side of the LED protocol (firmware/PROTOCOL.md): frames, messages, strokes, who speaks when. No I/O."""

from __future__ import annotations

import struct
from binascii import crc32
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

VERSION = 3
HELLO, PICTURE, DELTA, BEAT, TUNE, CHECKUP, LEAVE = 1, 2, 3, 4, 5, 6, 7
WELCOME, SHOWN, REFUSED, PRESS, HEALTH = 129, 130, 131, 132, 133
NO_SESSION, OTHER_BASE, NONSENSE = 1, 2, 3  # why a board refuses
COLOR, MONO = 1, 2  # kinds of boards
SOUND, STATUS, VITALS, LEAVES = 1, 2, 4, 8  # what a board can beyond its LEDs

STEP = 0.2  # seconds of one of the eight steps of a blink pattern
PATTERNS = ("########", "####....", "##..##..", "#.#.#.#.", "#.......", "#.#.....", "#######.", "#####.#.")
DONE, HINT, REFEREE = 0, 1, 2  # buttons

Tones = tuple[tuple[int, float], ...]  # hertz (0: a rest) and seconds of each, eight at most
TICK = 16e-6  # seconds: half a period is told in these

Pixel = tuple[int, int, int, int]  # red, green, blue, blink pattern
Pixels = tuple[Pixel, ...]  # in the order of the wire
DARK: Pixel = (0, 0, 0, 0)
Slots = tuple[Pixel, ...]  # the colors that a board has at hand, the newest first
SLOTS = 6


# frames


def frame(message: bytes) -> bytes:
    """A message as it goes over the wire."""
    packed = bytearray()
    for part in (message + crc32(message).to_bytes(4, "little")).split(b"\0"):
        while len(part) >= 254:
            packed += b"\xff" + part[:254]
            part = part[254:]
        packed.append(len(part) + 1)
        packed += part
    packed.append(0)
    return bytes(packed)


def unframe(packed: bytes) -> bytes | None:
    """The message of a frame without its final zero; None where the line has spoilt it."""
    whole = bytearray()
    at = 0
    while at < len(packed):
        code = packed[at]
        whole += packed[at + 1 : at + code]
        at += code
        if at < len(packed) and code < 255:
            whole.append(0)
    if at != len(packed) or len(whole) < 5:
        return None
    message = bytes(whole[:-4])
    return message if crc32(message) == int.from_bytes(whole[-4:], "little") else None


class Messages:
    """Cuts the stream of bytes that comes in into messages; what is spoilt is dropped."""

    longest = 1024  # nobody sends longer frames: without zeros it is noise

    def __init__(self) -> None:
        self._rest = b""
        self.spoilt = 0  # frames that were dropped

    def take(self, data: bytes) -> list[bytes]:
        *frames, self._rest = (self._rest + data).split(b"\0")
        self._rest = self._rest[-self.longest :]
        found = [unframe(packed) for packed in frames if packed]
        self.spoilt += found.count(None)
        return [message for message in found if message is not None]


# strokes


def _map(places: Sequence[int], count: int) -> bytes:
    return sum(1 << place for place in places).to_bytes((count + 7) // 8, "little")


def strokes(pixels: Pixels, base: Pixels, slots: Slots | None = None) -> tuple[bytes, Slots | None]:
    """The strokes that make a picture out of another one of the same size, and the slots after them; None: the board
    has no slots."""
    lit: dict[Pixel, list[int]] = {}
    changed: dict[Pixel, list[int]] = {}
    for place, pixel in enumerate(pixels):
        if any(pixel[:3]):
            lit.setdefault(pixel, []).append(place)
        if pixel != base[place]:
            changed.setdefault(pixel, []).append(place)
    if 2 * len(changed) > len(pixels):  # fewer colors are never longer than one for each LED
        return _one_by_one(pixels), slots
    drawn = _drawn(changed, len(pixels), slots)
    if slots is None or len(drawn[0]) <= len(lit):
        return drawn
    anew = _drawn(lit, len(pixels), slots)
    return min(drawn, (b"\xd0" + anew[0], anew[1]), key=lambda one: len(one[0]))


def _drawn(groups: dict[Pixel, list[int]], count: int, slots: Slots | None) -> tuple[bytes, Slots | None]:
    """Each color's LEDs by a list or a map of them, whatever is shorter; first those whose color is at hand."""
    drawn = bytearray()
    for pixel in sorted(groups, key=lambda pixel: pixel not in (slots or ())):
        places = groups[pixel]
        *rgb, blink = pixel
        slot = slots.index(pixel) if slots and pixel in slots else None
        most = 64 if pixel == DARK else 8
        listed = bytearray()
        for some in (places[at : at + most] for at in range(0, len(places), most)):
            if pixel == DARK:
                listed.append(0x40 | len(some) - 1)
            elif slot is not None or (listed and slots is not None):
                listed.append(0x90 + 8 * (slot or 0) + len(some) - 1)
            else:
                listed += bytes([blink << 3 | len(some) - 1, *rgb])
            listed += bytes(some)
        mapped = bytes([0x80 | blink, *rgb] if slot is None else [0xD8 | slot]) + _map(places, count)
        drawn += min(bytes(listed), mapped, key=len)
        if slots is not None and slot is None and (pixel != DARK or len(mapped) < len(listed)):
            slots = (pixel, *slots)[:SLOTS]  # where such a stroke has brought it
    return bytes(drawn), slots


def _one_by_one(pixels: Pixels) -> bytes:
    drawn = bytearray([0xC0])
    for red, green, blue, _ in pixels:
        drawn += bytes((red, green, blue))
    for blink in {pixel[3] for pixel in pixels} - {0}:
        drawn += bytes([0xC8 | blink]) + _map([at for at, pixel in enumerate(pixels) if pixel[3] == blink], len(pixels))
    return bytes(drawn)


# current


def current(pixels: Pixels) -> int:
    """What a color strip draws, in mA, with all its blinking LEDs lit."""
    return len(pixels) + _load(pixels) // 255


def within_limit(pixels: Pixels, limit: int) -> Pixels:
    """The picture, dimmed as a whole where it would draw more than the limit (mA)."""
    load = _load(pixels)
    if len(pixels) + load / 255 <= limit:
        return pixels
    share = 256 * 255 * max(0, limit - len(pixels)) // max(1, load)
    return tuple((r * share >> 8, g * share >> 8, b * share >> 8, blink) for r, g, b, blink in pixels)


def _load(pixels: Pixels) -> int:
    return sum(16 * r + 11 * g + 15 * b for r, g, b, _ in pixels)


# what a board says


class Board(NamedTuple):
    """What a board told of itself."""

    version: int
    kind: int
    most: int  # LEDs
    limit: int  # mA
    buttons: int
    firmware: tuple[int, int, int]
    name: str
    extras: int = 0  # SOUND and the like


class Welcomed(NamedTuple):
    board: Board


class Shown(NamedTuple):
    """The LEDs show this picture now."""

    pixels: Pixels


class Pressed(NamedTuple):
    button: int


class Refused(NamedTuple):
    """A picture that the board cannot show, for one it has too few LEDs; it is not sent again."""

    reason: int


class Health(NamedTuple):
    millivolts: int  # of the supply; 0: not known
    spoilt: int  # frames that came to the board so, since it started


class Tally(NamedTuple):
    """How a conversation went."""

    asked: int = 0
    again: int = 0  # requests sent once more, for want of an answer
    hellos: int = 0


Event = Welcomed | Shown | Pressed | Refused | Health


def board_of(welcome: bytes) -> tuple[int, Board] | None:
    """Session and board of a welcome."""
    if len(welcome) < 15 or welcome[0] != WELCOME:
        return None
    session, version, kind, most, limit, buttons, *firmware = struct.unpack_from("<IBBBHB3B", welcome, 2)
    rest = welcome[15:]
    extras, rest = (rest[0], rest[1:]) if version >= 3 and rest else (0, rest)
    name = rest.decode("ascii", "replace")
    return session, Board(version, kind, most, limit, buttons, (firmware[0], firmware[1], firmware[2]), name, extras)


def tones_told(tones: Tones) -> bytes:
    """Tones as boards take them: half a period and the length of each."""
    return b"".join(
        bytes((min(255, max(1, round(0.5 / hertz / TICK))) if hertz else 0, min(255, max(1, round(100 * seconds)))))
        for hertz, seconds in tones[:8]
    )


# the conversation


class _Request(NamedTuple):
    type: int
    number: int
    wire: bytes
    pixels: Pixels | None
    slots: Slots | None  # what the board has at hand when it shows them


class Talk:
    """The host's end of a conversation with one board: what came in is told to `hear`, what is to go out is asked from
    `say`, with the time (seconds of any steady clock). One request is outstanding; the newest picture wins."""

    beat = 1.0  # seconds without a request, then a beat
    tries = 20  # of one request, then hello again

    def __init__(self, new_session: Callable[[], int], patience: float = 0.1) -> None:
        self._new_session = new_session  # numbers by chance, 1 … 2**32 - 1
        self._patience = patience  # seconds until a request is sent again
        self._messages = Messages()
        self._wanted: Pixels | None = None
        self._number = 0
        self._errands: list[tuple[int, bytes]] = []  # requests that have nothing to do with pictures
        self.tally = Tally()
        self._start()

    def _start(self) -> None:
        """Nothing is known of the board: say hello."""
        self.board: Board | None = None
        self.shown: Pixels | None = None  # what its LEDs show for certain
        self._picture = 0  # that picture's number
        self._slots: Slots | None = None  # and the colors it has at hand since
        self._session = 0
        self._heard = 0
        self._acknowledge = False
        self._request: _Request | None = None
        self._errands = []
        self._tried = 0
        self._sent = float("-inf")

    def paint(self, pixels: Pixels) -> None:
        """This is what the LEDs shall show from now on."""
        self._wanted = tuple(pixel if any(pixel[:3]) else DARK for pixel in pixels)

    def play(self, tones: Tones) -> None:
        """Have these tones heard, where there is a piezo."""
        self._run(SOUND, TUNE, tones_told(tones))

    def check(self) -> None:
        """Ask how the board is; Health will be heard, where it knows."""
        self._run(VITALS, CHECKUP)

    def leave(self) -> None:
        """Ask a board with MicroPython for its prompt."""
        self._run(LEAVES, LEAVE)

    def _run(self, needs: int, kind: int, rest: bytes = b"") -> None:
        if self.board is not None and self.board.extras & needs:
            self._errands = [errand for errand in self._errands if errand[0] != kind] + [(kind, rest)]

    @property
    def spoilt(self) -> int:
        """Frames from the board that the line has spoilt."""
        return self._messages.spoilt

    @property
    def settled(self) -> bool:
        """The LEDs show what they shall."""
        return self.board is not None and self._request is None and self._wanted in (None, self.shown)

    def due(self, now: float) -> float:
        """Seconds until `say` has something to say, unless something is heard or painted before."""
        if self._request is not None:
            return max(0.0, self._sent + self._patience - now)
        if self.board is None or self._acknowledge or self._errands or not self.settled:
            return 0.0
        return max(0.0, self._sent + self.beat - now)

    def say(self, now: float) -> bytes:
        """What to write to the port now; often nothing."""
        if self.due(now) > 0:
            return b""
        if self._request is not None and self._tried >= self.tries:
            self._start()
        again = self._request is not None
        self.tally = Tally(self.tally.asked + (not again), self.tally.again + again, self.tally.hellos)
        if self._request is None:
            self._request = self._next()
            self._tried = 0
        self._tried += 1
        self._sent = now
        return b"\0" * (again or self._request.type == HELLO) + self._request.wire

    def _next(self) -> _Request:
        self._number = self._number % 255 + 1
        if self.board is None:
            self._session = self._new_session()
            self.tally = self.tally._replace(hellos=self.tally.hellos + 1)
            return self._made(HELLO, self._session.to_bytes(4, "little") + bytes([VERSION]))
        self._acknowledge = False
        pixels = self._wanted
        if pixels is None or pixels == self.shown:
            return self._made(*self._errands.pop(0)) if self._errands else self._made(BEAT, b"")
        if self.shown is not None and len(self.shown) == len(pixels):
            change, slots = strokes(pixels, self.shown, self._slots)
            return self._made(DELTA, bytes([self._picture]) + change, pixels, slots)
        empty = () if self.board.version >= 2 else None
        whole, slots = strokes(pixels, (DARK,) * len(pixels), empty)
        return self._made(PICTURE, bytes([len(pixels)]) + whole, pixels, slots)

    def _made(self, kind: int, rest: bytes, pixels: Pixels | None = None, slots: Slots | None = None) -> _Request:
        return _Request(kind, self._number, frame(bytes([kind, self._number, self._heard]) + rest), pixels, slots)

    def hear(self, data: bytes) -> list[Event]:
        """What came in from the port; the events in it."""
        return [event for message in self._messages.take(data) for event in self._understood(message)]

    def _understood(self, message: bytes) -> Iterator[Event]:
        kind = message[0]
        if kind == WELCOME:
            yield from self._welcomed(message)
        elif kind == PRESS and len(message) == 3 and self.board is not None:
            number, button = message[1:]
            self._acknowledge = True
            if number != self._heard:
                self._heard = number
                yield Pressed(button)
        elif len(message) == 3 and self._request is not None and message[1] == self._request.number:
            if kind == SHOWN:
                yield from self._answered(message[2])
            elif kind == REFUSED:
                yield from self._refused(message[2])
        elif kind == HEALTH and len(message) == 6 and self._request is not None and message[1] == self._request.number:
            self._request = None
            yield Health(*struct.unpack_from("<HH", message, 2))

    def _welcomed(self, message: bytes) -> Iterator[Event]:
        welcome = board_of(message)
        if welcome is None:
            return
        session, board = welcome
        if session == 0:  # it has just started: whatever was said before, it does not know
            if self.board is not None:
                self._start()
            self._sent = float("-inf")  # so it is told at once
        elif self.board is None and self._request is not None and self._session == session:
            self.board, self._request = board, None
            yield Welcomed(board)

    def _answered(self, picture: int) -> Iterator[Event]:
        request, self._request = self._request, None
        assert request is not None
        if request.pixels is not None and picture == request.number:
            self.shown, self._picture, self._slots = request.pixels, picture, request.slots
            yield Shown(request.pixels)
        elif request.pixels is not None or picture != self._picture:  # its picture is gone: give it the whole one
            self.shown, self._picture = None, 0

    def _refused(self, reason: int) -> Iterator[Event]:
        request, self._request = self._request, None
        assert request is not None
        if reason == OTHER_BASE:
            self.shown, self._picture = None, 0
        elif reason == NO_SESSION:
            self._start()
        else:
            if self._wanted == request.pixels:
                self._wanted = None
            yield Refused(reason)
