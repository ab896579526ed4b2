"""The host's side of the LED protocol, alone."""

from __future__ import annotations

import random
from binascii import crc32
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.leds.protocol import (
    CHECKUP,
    DARK,
    DELTA,
    HEALTH,
    HELLO,
    NO_SESSION,
    NONSENSE,
    OTHER_BASE,
    PATTERNS,
    PICTURE,
    PRESS,
    REFUSED,
    SHOWN,
    SOUND,
    TUNE,
    VITALS,
    WELCOME,
    Board,
    Connection,
    Health,
    Messages,
    Pixel,
    Pixels,
    Pressed,
    Refused,
    Shown,
    Slots,
    Statistics,
    Welcomed,
    current,
    encode_strokes,
    frame,
    unframe,
    within_limit,
)


@given(st.binary(min_size=1, max_size=700))
def test_a_frame_is_unpacked_to_its_message_and_has_no_zero_inside(message: bytes) -> None:
    packed = frame(message)
    assert packed.index(0) == len(packed) - 1
    assert unframe(packed[:-1]) == message


@pytest.mark.parametrize("length", [1, 249, 250, 251, 253, 254, 255, 508, 509, 1016])
def test_long_runs_without_zeros(length: int) -> None:
    for message in (b"x" * length, b"\0" * length):
        assert unframe(frame(message)[:-1]) == message


def test_the_frame_of_a_beat_byte_by_byte() -> None:
    assert crc32(b"123456789") == 0xCBF43926  # the CRC of zip and Ethernet
    assert frame(b"\x04\x05\x00") == b"\x03\x04\x05\x05" + crc32(b"\x04\x05\x00").to_bytes(4, "little") + b"\0"


def test_messages_are_cut_out_of_the_stream_and_spoilt_ones_are_dropped() -> None:
    messages = Messages()
    stream = b"noise\0" + frame(b"one") + b"\0\0" + frame(b"two")[:-3] + b"\0" + frame(b"three")
    assert [m for at in range(len(stream)) for m in messages.receive(stream[at : at + 1])] == [b"one", b"three"]


def drawn(body: bytes, base: Pixels, slots: Slots | None) -> tuple[Pixels, Slots | None]:
    """Strokes by the letter of PROTOCOL.md."""
    pixels = list(base)
    size = (len(base) + 7) // 8
    at = 0

    def take(many: int) -> bytes:
        nonlocal at
        at += many
        assert at <= len(body)
        return body[at - many : at]

    def brought(blink: str) -> Pixel:
        nonlocal slots
        red, green, blue = take(3)
        color = (red, green, blue, int(blink, 2))
        slots = None if slots is None else (color, *slots)[:6]
        return color

    def in_slot(number: int) -> Pixel:
        assert slots is not None
        return slots[number] if number < len(slots) else DARK

    def lay(places: Iterable[int], color: Pixel) -> None:
        for place in places:
            pixels[place] = color

    def mapped() -> list[int]:
        marks = int.from_bytes(take(size), "little")
        assert marks < 1 << len(pixels)
        return [place for place in range(len(pixels)) if marks >> place & 1]

    while at < len(body):
        bits = f"{take(1)[0]:08b}"
        if bits[:2] == "00":
            color = brought(bits[2:5])
            lay(take(int(bits[5:], 2) + 1), color)
        elif bits[:2] == "01":
            lay(take(int(bits[2:], 2) + 1), DARK)
        elif bits[:5] == "10000":
            color = brought(bits[5:])
            lay(mapped(), color)
        elif bits[:2] == "10" and bits[2:5] > "001":
            lay(take(int(bits[5:], 2) + 1), in_slot(int(bits[2:5], 2) - 2))
        elif bits[:5] == "11000":
            for place in range(len(pixels)):
                red, green, blue = take(3)
                pixels[place] = (red, green, blue, int(bits[5:], 2))
        elif bits[:5] == "11001":
            for place in mapped():
                pixels[place] = (*pixels[place][:3], int(bits[5:], 2))
        elif bits == "11010000":
            lay(range(len(pixels)), DARK)
        else:
            assert bits[:5] == "11011"
            lay(mapped(), in_slot(int(bits[5:], 2)))
    return tuple(pixels), slots


@pytest.mark.parametrize("slots", [None, ()])
def test_strokes_make_one_picture_of_another(slots: Slots | None) -> None:
    chance = random.Random(7)
    for count in (1, 2, 9, 49, 64, 72, 128):
        palette = [DARK] * 8 + [(chance.randrange(256), chance.randrange(256), 9, number % 8) for number in range(90)]
        pixels: Pixels = (DARK,) * count
        at_hand = slots
        for _ in range(150):
            colors = palette[: chance.choice((9, 12, 20, 98))]
            part = chance.choice((0.05, 0.3, 1))
            wanted = tuple(chance.choice(colors) if chance.random() < part else pixel for pixel in pixels)
            body, after = encode_strokes(wanted, pixels, at_hand)
            assert drawn(body, pixels, at_hand) == (wanted, after)
            rhythms = {pixel[3] for pixel in wanted} - {0}
            assert len(body) <= 1 + 3 * count + len(rhythms) * (1 + (count + 7) // 8)
            pixels, at_hand = wanted, after


def test_any_picture_of_64_is_hardly_longer_than_its_colors() -> None:
    chance = random.Random(1)
    steady = tuple((chance.randrange(256), chance.randrange(256), 1, 0) for _ in range(64))
    body, _ = encode_strokes(steady, (DARK,) * 64, ())
    assert len(frame(b"head" + body)) == 203  # 192 of them colors


def test_a_move_is_small() -> None:
    before, after = [DARK] * 64, [DARK] * 64
    before[3] = before[12] = (0, 60, 90, 0)
    after[51] = after[35] = (0, 60, 90, 0)
    _, slots = encode_strokes(tuple(before), (DARK,) * 64, ())
    body, _ = encode_strokes(tuple(after), tuple(before), slots)
    assert body == bytes([0xD0, 0x91, 35, 51])
    assert len(frame(b"head" + body)) == 14
    body, _ = encode_strokes(tuple(after), tuple(before), None)
    assert len(frame(b"head" + body)) == 19  # a board of version 1


def test_blink_patterns_begin_lit_and_never_flash_more_than_three_times_a_second() -> None:
    assert all(pattern[0] == "#" for pattern in PATTERNS)
    assert len(set(PATTERNS)) == 8
    assert max((pattern * 2).count(".#") for pattern in PATTERNS) / 3.2 <= 3


def test_current_by_the_data_sheet_and_the_limit() -> None:
    assert current(((255, 255, 255, 0),) * 64) == 2752  # 2.75 A
    dim = ((9, 20, 30, 0),) * 64
    assert within_limit(dim, 450) is dim
    for limit in (450, 100, 65, 64, 1):
        bright = tuple((255, place, 128, place % 8) for place in range(64))
        kept = within_limit(bright, limit)
        assert current(kept) <= max(limit, 64)
        assert [p[3] for p in kept] == [p[3] for p in bright]
    assert current(within_limit(((255, 255, 255, 0),) * 64, 450)) > 425  # and no darker than it must be


# the conversation


def welcome(session: int, version: int = 2) -> bytes:
    return frame(
        bytes([WELCOME, 1]) + session.to_bytes(4, "little") + bytes([version, 1, 128, 194, 1, 2, 1, 0, 0]) + b"Uno"
    )


def asked(data: bytes) -> bytes:
    (message,) = Messages().receive(data)
    return message


def greeted() -> Connection:
    connection = Connection(lambda: 7)
    hello = asked(connection.data_to_send(0.0))
    assert hello == bytes([HELLO, 1, 0, 7, 0, 0, 0, 3])
    assert connection.receive_data(welcome(7)) == [Welcomed(Board(2, 1, 128, 450, 2, (1, 0, 0), "Uno"))]
    return connection


RED: Pixels = ((60, 0, 0, 0), DARK)
BLUE: Pixels = ((60, 0, 0, 0), (0, 0, 60, 0))


def test_hello_is_said_until_it_is_answered() -> None:
    connection = Connection(lambda: 9)
    first = connection.data_to_send(0.0)
    assert connection.data_to_send(0.05) == b""
    assert connection.data_to_send(0.11) == first
    assert connection.receive_data(welcome(8)) == []  # somebody else's
    assert connection.board is None
    assert connection.receive_data(welcome(9))
    assert connection.board is not None


def test_a_picture_then_what_changes_then_a_beat() -> None:
    connection = greeted()
    connection.paint(RED)
    assert asked(connection.data_to_send(1.0)) == bytes([PICTURE, 2, 0, 2, 0x00, 60, 0, 0, 0])
    assert not connection.settled
    assert connection.receive_data(frame(bytes([SHOWN, 2, 2]))) == [Shown(RED)]
    assert connection.settled
    connection.paint(BLUE)
    assert asked(connection.data_to_send(1.0)) == bytes([DELTA, 3, 0, 2, 0x00, 0, 0, 60, 1])
    connection.receive_data(frame(bytes([SHOWN, 3, 3])))
    assert connection.data_to_send(1.5) == b""
    assert asked(connection.data_to_send(2.0)) == bytes([4, 4, 0])


def test_errands_are_run_where_the_board_can_and_wait_for_pictures() -> None:
    connection = Connection(lambda: 7)
    connection.data_to_send(0.0)
    extras = bytes([SOUND | VITALS])
    about = bytes([3, 1, 128, 194, 1, 3, 1, 1, 0])
    (event,) = connection.receive_data(frame(bytes([WELCOME, 1]) + (7).to_bytes(4, "little") + about + extras + b"Uno"))
    assert event == Welcomed(Board(3, 1, 128, 450, 3, (1, 1, 0), "Uno", SOUND | VITALS))
    connection.leave()  # it cannot
    connection.play(((1000, 0.1),))
    connection.play(((625, 0.25), (0, 0.1)))  # the newest is enough
    connection.check()
    connection.paint(((1, 2, 3, 0),))
    assert asked(connection.data_to_send(1.0))[0] == PICTURE
    connection.receive_data(frame(bytes([SHOWN, 2, 2])))
    assert asked(connection.data_to_send(1.0)) == bytes([TUNE, 3, 0, 50, 25, 0, 10])
    connection.receive_data(frame(bytes([SHOWN, 3, 2])))
    assert asked(connection.data_to_send(1.0)) == bytes([CHECKUP, 4, 0])
    assert connection.receive_data(frame(bytes([HEALTH, 4, 0x24, 0x13, 2, 0]))) == [Health(4900, 2)]
    assert connection.data_to_send(1.0) == b""
    assert connection.statistics == Statistics(4, 0, 1)


def test_an_old_board_is_sent_no_errands() -> None:
    connection = greeted()
    connection.play(((1000, 0.1),))
    connection.check()
    assert connection.data_to_send(0.5) == b""


def test_a_board_of_version_1_gets_no_slots() -> None:
    one: Pixels = ((60, 0, 0, 0), *(DARK,) * 7)
    for version, again in ((1, [0x40, 0, 0x00, 60, 0, 0, 7]), (2, [0xD0, 0x90, 7])):
        connection = Connection(lambda: 7)
        connection.data_to_send(0.0)
        connection.receive_data(welcome(7, version))
        connection.paint(one)
        connection.data_to_send(0.0)
        connection.receive_data(frame(bytes([SHOWN, 2, 2])))
        connection.paint(one[::-1])
        assert asked(connection.data_to_send(0.0)) == bytes([DELTA, 3, 0, 2, *again])


def test_the_newest_picture_wins_and_one_request_is_outstanding() -> None:
    connection = greeted()
    connection.paint(RED)
    sent = connection.data_to_send(1.0)
    connection.paint(RED[::-1])
    connection.paint(BLUE)
    assert connection.data_to_send(1.05) == b""
    assert connection.data_to_send(1.2) == b"\0" + sent
    connection.receive_data(frame(bytes([SHOWN, 1, 1])))  # an old answer
    assert connection.data_to_send(1.25) == b""
    connection.receive_data(frame(bytes([SHOWN, 2, 2])))
    assert asked(connection.data_to_send(1.25))[:4] == bytes([DELTA, 3, 0, 2])


def test_a_board_that_lost_its_picture_gets_the_whole_one() -> None:
    for answer in (bytes([REFUSED, 3, OTHER_BASE]), bytes([SHOWN, 3, 0])):
        connection = greeted()
        connection.paint(RED)
        connection.data_to_send(1.0)
        connection.receive_data(frame(bytes([SHOWN, 2, 2])))
        connection.paint(BLUE)
        assert asked(connection.data_to_send(1.0))[0] == DELTA
        connection.receive_data(frame(answer))
        assert asked(connection.data_to_send(1.0))[0] == PICTURE


def test_a_board_that_was_reset_is_greeted_again() -> None:
    for news in (frame(bytes([REFUSED, 2, NO_SESSION])), welcome(0)):
        connection = greeted()
        connection.paint(RED)
        connection.data_to_send(1.0)
        assert connection.receive_data(news) == []
        assert asked(connection.data_to_send(1.0))[0] == HELLO
        connection.receive_data(welcome(7))
        assert asked(connection.data_to_send(1.0))[0] == PICTURE


def test_what_cannot_be_shown_is_told_and_not_sent_again() -> None:
    connection = greeted()
    connection.paint(RED)
    connection.data_to_send(1.0)
    assert connection.receive_data(frame(bytes([REFUSED, 2, NONSENSE]))) == [Refused(NONSENSE)]
    assert connection.settled


def test_a_press_is_told_once_and_acknowledged_each_time() -> None:
    connection = greeted()
    press = frame(bytes([PRESS, 1, 1]))
    assert connection.receive_data(press) == [Pressed(1)]
    assert asked(connection.data_to_send(0.1)) == bytes([4, 2, 1])
    assert connection.receive_data(press) == []
    connection.receive_data(frame(bytes([SHOWN, 2, 0])))
    assert asked(connection.data_to_send(0.1)) == bytes([4, 3, 1])
    connection.receive_data(frame(bytes([SHOWN, 3, 0])))
    assert connection.data_to_send(0.1) == b""
    assert connection.receive_data(frame(bytes([PRESS, 2, 1]))) == [Pressed(1)]


def test_a_silent_board_is_greeted_again_after_many_tries() -> None:
    connection = greeted()
    connection.paint(RED)
    tries = [asked(connection.data_to_send(1 + at * 0.2))[0] for at in range(Connection.max_attempts + 1)]
    assert tries == [PICTURE] * Connection.max_attempts + [HELLO]
