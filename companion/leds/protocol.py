"""The host's side of the LED protocol (firmware/PROTOCOL.md): frames, messages, strokes, the session. No I/O."""

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
SOUND, STATUS, VITALS, LEAVES = 1, 2, 4, 8  # capabilities of a board

STEP = 0.2  # seconds of one of the eight steps of a blink pattern
PATTERNS = ("########", "####....", "##..##..", "#.#.#.#.", "#.......", "#.#.....", "#######.", "#####.#.")
DONE, HINT, REFEREE = 0, 1, 2  # buttons

Tones = tuple[tuple[int, float], ...]  # hertz (0: a rest) and seconds of each; at most eight
TICK = 16e-6  # seconds: the unit of half a period

Pixel = tuple[int, int, int, int]  # red, green, blue, blink pattern
Pixels = tuple[Pixel, ...]  # in the order of the wire
DARK: Pixel = (0, 0, 0, 0)
Slots = tuple[Pixel, ...]  # the colors in a board's cache, the newest first
SLOTS = 6


# frames


def frame(message: bytes) -> bytes:
    """Encode a message as a frame: CRC-32, then COBS, then a zero byte."""
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
    """Decode a frame without its final zero byte. None if it is corrupted."""
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
    """Splits the received bytes into messages. Corrupted frames are dropped."""

    longest = 1024  # no frame is longer: more bytes without a zero are noise

    def __init__(self) -> None:
        self._rest = b""
        self.corrupted = 0  # dropped frames

    def receive(self, data: bytes) -> list[bytes]:
        *frames, self._rest = (self._rest + data).split(b"\0")
        self._rest = self._rest[-self.longest :]
        found = [unframe(packed) for packed in frames if packed]
        self.corrupted += found.count(None)
        return [message for message in found if message is not None]


# strokes


def _map(places: Sequence[int], count: int) -> bytes:
    return sum(1 << place for place in places).to_bytes((count + 7) // 8, "little")


def encode_strokes(pixels: Pixels, base: Pixels, slots: Slots | None = None) -> tuple[bytes, Slots | None]:
    """The strokes that change the picture `base` into `pixels`, and the slots after them. `slots` None: the board has
    no slots."""
    lit: dict[Pixel, list[int]] = {}
    changed: dict[Pixel, list[int]] = {}
    for place, pixel in enumerate(pixels):
        if any(pixel[:3]):
            lit.setdefault(pixel, []).append(place)
        if pixel != base[place]:
            changed.setdefault(pixel, []).append(place)
    if 2 * len(changed) > len(pixels):  # with so many colors one per LED is shorter
        return _encode_all(pixels), slots
    drawn = _encode_groups(changed, len(pixels), slots)
    if slots is None or len(drawn[0]) <= len(lit):
        return drawn
    anew = _encode_groups(lit, len(pixels), slots)
    return min(drawn, (b"\xd0" + anew[0], anew[1]), key=lambda one: len(one[0]))


def _encode_groups(groups: dict[Pixel, list[int]], count: int, slots: Slots | None) -> tuple[bytes, Slots | None]:
    """The LEDs of each color as a list or a bitmap, whichever is shorter. Colors in the slots come first."""
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
            slots = (pixel, *slots)[:SLOTS]  # the board's cache after this stroke
    return bytes(drawn), slots


def _encode_all(pixels: Pixels) -> bytes:
    drawn = bytearray([0xC0])
    for red, green, blue, _ in pixels:
        drawn += bytes((red, green, blue))
    for blink in {pixel[3] for pixel in pixels} - {0}:
        drawn += bytes([0xC8 | blink]) + _map([at for at, pixel in enumerate(pixels) if pixel[3] == blink], len(pixels))
    return bytes(drawn)


# current


def current(pixels: Pixels) -> int:
    """The current of a color strip in mA, with all blinking LEDs lit."""
    return len(pixels) + _load(pixels) // 255


def within_limit(pixels: Pixels, limit: int) -> Pixels:
    """The picture, dimmed evenly if it would draw more than `limit` mA."""
    load = _load(pixels)
    if len(pixels) + load / 255 <= limit:
        return pixels
    share = 256 * 255 * max(0, limit - len(pixels)) // max(1, load)
    return tuple((r * share >> 8, g * share >> 8, b * share >> 8, blink) for r, g, b, blink in pixels)


def _load(pixels: Pixels) -> int:
    return sum(16 * r + 11 * g + 15 * b for r, g, b, _ in pixels)


# messages from a board


class Board(NamedTuple):
    """What a board says of itself in its welcome."""

    version: int
    kind: int
    most: int  # LEDs
    limit: int  # mA
    buttons: int
    firmware: tuple[int, int, int]
    name: str
    extras: int = 0  # capabilities: SOUND | STATUS | …


class Welcomed(NamedTuple):
    board: Board


class Shown(NamedTuple):
    """The LEDs show this picture now."""

    pixels: Pixels


class Pressed(NamedTuple):
    button: int


class Refused(NamedTuple):
    """The board cannot show a picture, for example because it has too few LEDs. It is not sent again."""

    reason: int


class Health(NamedTuple):
    millivolts: int  # of the supply; 0: not known
    corrupted: int  # corrupted frames that the board has received since it started


class Statistics(NamedTuple):
    """Counts of a connection."""

    requests: int = 0
    retries: int = 0  # requests sent once more, for want of an answer
    hellos: int = 0


Event = Welcomed | Shown | Pressed | Refused | Health


def parse_welcome(welcome: bytes) -> tuple[int, Board] | None:
    """Parse a welcome: the session and the board."""
    if len(welcome) < 15 or welcome[0] != WELCOME:
        return None
    session, version, kind, most, limit, buttons, *firmware = struct.unpack_from("<IBBBHB3B", welcome, 2)
    rest = welcome[15:]
    extras, rest = (rest[0], rest[1:]) if version >= 3 and rest else (0, rest)
    name = rest.decode("ascii", "replace")
    return session, Board(version, kind, most, limit, buttons, (firmware[0], firmware[1], firmware[2]), name, extras)


def encode_tones(tones: Tones) -> bytes:
    """Tones as bytes: half a period and the length of each."""
    return b"".join(
        bytes((min(255, max(1, round(0.5 / hertz / TICK))) if hertz else 0, min(255, max(1, round(100 * seconds)))))
        for hertz, seconds in tones[:8]
    )


# the connection


class _Request(NamedTuple):
    type: int
    number: int
    wire: bytes
    pixels: Pixels | None
    slots: Slots | None  # the board's color cache after this request


class Connection:
    """The host's end of a connection to one board, without I/O: pass received bytes to `receive_data`, and write what
    `data_to_send` returns. Times are seconds of any monotonic clock. One request is outstanding at a time; of pictures
    only the newest is sent."""

    heartbeat = 1.0  # seconds without a request, then a beat
    max_attempts = 20  # of one request, then hello again

    def __init__(self, new_session: Callable[[], int], timeout: float = 0.1) -> None:
        self._new_session = new_session  # returns a random number, 1 … 2**32 - 1
        self._timeout = timeout  # seconds until a request is retried
        self._messages = Messages()
        self._wanted: Pixels | None = None
        self._number = 0
        self._queued: list[tuple[int, bytes]] = []  # requests that have nothing to do with pictures
        self.statistics = Statistics()
        self._reset()

    def _reset(self) -> None:
        """Forget the board and begin again with a hello."""
        self.board: Board | None = None
        self.shown: Pixels | None = None  # the picture that the board has acknowledged
        self._picture = 0  # the number of that picture
        self._slots: Slots | None = None  # the board's color cache after it
        self._session = 0
        self._last_press = 0
        self._acknowledge = False
        self._request: _Request | None = None
        self._queued = []
        self._attempts = 0
        self._sent = float("-inf")

    def paint(self, pixels: Pixels) -> None:
        """Show these pixels from now on."""
        self._wanted = tuple(pixel if any(pixel[:3]) else DARK for pixel in pixels)

    def play(self, tones: Tones) -> None:
        """Play these tones if the board has a piezo."""
        self._enqueue(SOUND, TUNE, encode_tones(tones))

    def check(self) -> None:
        """Request the board's health. A Health event follows, if the board supports it."""
        self._enqueue(VITALS, CHECKUP)

    def leave(self) -> None:
        """Let a board with MicroPython return to its prompt."""
        self._enqueue(LEAVES, LEAVE)

    def _enqueue(self, needs: int, kind: int, rest: bytes = b"") -> None:
        if self.board is not None and self.board.extras & needs:
            self._queued = [queued for queued in self._queued if queued[0] != kind] + [(kind, rest)]

    @property
    def corrupted(self) -> int:
        """The number of corrupted frames from the board."""
        return self._messages.corrupted

    @property
    def settled(self) -> bool:
        """The board has acknowledged the newest picture."""
        return self.board is not None and self._request is None and self._wanted in (None, self.shown)

    def seconds_until_send(self, now: float) -> float:
        """Seconds until `data_to_send` returns something, unless data is received or a picture painted before."""
        if self._request is not None:
            return max(0.0, self._sent + self._timeout - now)
        if self.board is None or self._acknowledge or self._queued or not self.settled:
            return 0.0
        return max(0.0, self._sent + self.heartbeat - now)

    def data_to_send(self, now: float) -> bytes:
        """The bytes to write to the port now; often none."""
        if self.seconds_until_send(now) > 0:
            return b""
        if self._request is not None and self._attempts >= self.max_attempts:
            self._reset()
        again = self._request is not None
        self.statistics = Statistics(
            self.statistics.requests + (not again), self.statistics.retries + again, self.statistics.hellos
        )
        if self._request is None:
            self._request = self._next_request()
            self._attempts = 0
        self._attempts += 1
        self._sent = now
        return b"\0" * (again or self._request.type == HELLO) + self._request.wire

    def _next_request(self) -> _Request:
        self._number = self._number % 255 + 1
        if self.board is None:
            self._session = self._new_session()
            self.statistics = self.statistics._replace(hellos=self.statistics.hellos + 1)
            return self._make_request(HELLO, self._session.to_bytes(4, "little") + bytes([VERSION]))
        self._acknowledge = False
        pixels = self._wanted
        if pixels is None or pixels == self.shown:
            return self._make_request(*self._queued.pop(0)) if self._queued else self._make_request(BEAT, b"")
        if self.shown is not None and len(self.shown) == len(pixels):
            change, slots = encode_strokes(pixels, self.shown, self._slots)
            return self._make_request(DELTA, bytes([self._picture]) + change, pixels, slots)
        empty = () if self.board.version >= 2 else None
        whole, slots = encode_strokes(pixels, (DARK,) * len(pixels), empty)
        return self._make_request(PICTURE, bytes([len(pixels)]) + whole, pixels, slots)

    def _make_request(
        self, kind: int, rest: bytes, pixels: Pixels | None = None, slots: Slots | None = None
    ) -> _Request:
        return _Request(kind, self._number, frame(bytes([kind, self._number, self._last_press]) + rest), pixels, slots)

    def receive_data(self, data: bytes) -> list[Event]:
        """Process bytes read from the port. Returns the events in them."""
        return [event for message in self._messages.receive(data) for event in self._handle(message)]

    def _handle(self, message: bytes) -> Iterator[Event]:
        kind = message[0]
        if kind == WELCOME:
            yield from self._on_welcome(message)
        elif kind == PRESS and len(message) == 3 and self.board is not None:
            number, button = message[1:]
            self._acknowledge = True
            if number != self._last_press:
                self._last_press = number
                yield Pressed(button)
        elif len(message) == 3 and self._request is not None and message[1] == self._request.number:
            if kind == SHOWN:
                yield from self._on_shown(message[2])
            elif kind == REFUSED:
                yield from self._on_refused(message[2])
        elif kind == HEALTH and len(message) == 6 and self._request is not None and message[1] == self._request.number:
            self._request = None
            yield Health(*struct.unpack_from("<HH", message, 2))

    def _on_welcome(self, message: bytes) -> Iterator[Event]:
        welcome = parse_welcome(message)
        if welcome is None:
            return
        session, board = welcome
        if session == 0:  # it has just started and knows nothing of this session
            if self.board is not None:
                self._reset()
            self._sent = float("-inf")  # send the hello at once
        elif self.board is None and self._request is not None and self._session == session:
            self.board, self._request = board, None
            yield Welcomed(board)

    def _on_shown(self, picture: int) -> Iterator[Event]:
        request, self._request = self._request, None
        assert request is not None
        if request.pixels is not None and picture == request.number:
            self.shown, self._picture, self._slots = request.pixels, picture, request.slots
            yield Shown(request.pixels)
        elif request.pixels is not None or picture != self._picture:  # it lost its picture: send a whole one
            self.shown, self._picture = None, 0

    def _on_refused(self, reason: int) -> Iterator[Event]:
        request, self._request = self._request, None
        assert request is not None
        if reason == OTHER_BASE:
            self.shown, self._picture = None, 0
        elif reason == NO_SESSION:
            self._reset()
        else:
            if self._wanted == request.pixels:
                self._wanted = None
            yield Refused(reason)
