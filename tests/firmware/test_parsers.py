"""The parser in C and the one in Python are two of the same: whatever they hear, they say and show the same."""

from __future__ import annotations

import random

import pytest

from companion.leds.protocol import (
    BEAT,
    CHECKUP,
    DELTA,
    HELLO,
    NONSENSE,
    PICTURE,
    REFUSED,
    TUNE,
    VERSION,
    WELCOME,
    Board,
    Messages,
    frame,
    parse_welcome,
)
from tests.firmware.boards import CParser, Parser, PythonParser


def a_body(chance: random.Random, count: int) -> bytes:
    """Strokes that mostly make sense."""
    size = (count + 7) // 8
    body = bytearray()
    for _ in range(chance.choice((0, 1, 1, 2, 3, 5))):
        op = chance.choice((0x00, 0x40, 0x80, 0x90, 0xB0, 0xC0, 0xC8, 0xD0, 0xD8)) | chance.randrange(8)
        places = range(count) if count and chance.random() < 0.97 else range(256)
        if op < 0x40:
            op |= chance.randrange(8) << 3
            body += bytes([op]) + chance.randbytes(3) + bytes(chance.choices(places, k=(op & 7) + 1))
        elif op < 0x80:
            body += bytes([op]) + bytes(chance.choices(places, k=(op & 63) + 1))
        elif 0x90 <= op < 0xC0:
            op += chance.choice((0, 8))
            body += bytes([op]) + bytes(chance.choices(places, k=(op & 7) + 1))
        elif op < 0xC0:
            marks = chance.getrandbits(max(1, count if chance.random() < 0.97 else 8 * size))
            body += bytes([op]) + chance.randbytes(3) + marks.to_bytes(size + 1, "little")[:size]
        elif op < 0xC8:
            body += bytes([op]) + chance.randbytes(3 * count)
        elif op >> 3 == 0xD0 >> 3:
            body += b"\xd0" if chance.random() < 0.9 else bytes([op])
        else:
            body += bytes([op]) + chance.getrandbits(max(1, count)).to_bytes(size + 1, "little")[:size]
    if chance.random() < 0.1:
        body = body[: chance.randrange(len(body) + 1)]
    if chance.random() < 0.1:
        body += chance.randbytes(chance.randrange(1, 5))
    return bytes(body)


@pytest.mark.parametrize("seed", range(2))
def test_both_parsers_say_and_show_the_same(seed: int) -> None:
    chance = random.Random(seed)
    in_c, in_python = CParser(), PythonParser()
    messages = Messages()
    number = count = picture = shown = refused = heard_tones = 0
    for _ in range(2500):
        number = number if chance.random() < 0.05 else number % 255 + 1
        kinds = (PICTURE, PICTURE, DELTA, DELTA, DELTA, DELTA, DELTA, BEAT, TUNE, CHECKUP)
        kind = chance.choice(kinds) if chance.random() < 0.97 else chance.randrange(256)
        if chance.random() < 0.02:
            kind = HELLO
        if kind == HELLO:
            rest = chance.choice((b"\1\0\0\0", b"\2\0\0\0", bytes(4))) + chance.choice((b"\1", b"\2", b"\3"))
        elif kind == TUNE:
            rest = chance.randbytes(chance.choice((0, 1, 2, 4, 16, 18)))
        elif kind == PICTURE:
            size = chance.choice((1, 7, 8, 49, 64, 64, 72, 128, 128, 200))
            rest = bytes([size]) + a_body(chance, min(size, 128))
        else:
            rest = bytes([picture if chance.random() < 0.9 else chance.randrange(256)]) + a_body(chance, count)
        heard = frame(bytes([kind, number, chance.randrange(3)]) + (rest if kind != BEAT else b""))
        if chance.random() < 0.02:
            heard = heard[:-5] + heard[-4:]
        said = in_c.hear(heard)
        assert in_python.hear(heard) == said, heard.hex()
        assert in_python.shown == in_c.shown, heard.hex()
        for answer in messages.receive(said):
            if answer[0] == 130 and answer[2] == number and kind in (PICTURE, DELTA):
                picture, shown = number, shown + 1
                count = rest[0] if kind == PICTURE else count
            refused += answer[0] == 131
        if chance.random() < 0.1:
            ms = chance.choice((1, 60, 200, 1000, 3500, 6000))
            assert in_python.tick(ms, 0) == in_c.tick(ms, 0)
            assert in_python.pitch == in_c.pitch
            heard_tones += in_c.pitch > 0
            assert in_python.shown[-1:] == in_c.shown[-1:]
    assert shown > 300
    assert heard_tones > 5
    assert refused > 100


def greeted(parser: Parser) -> tuple[int, Board]:
    (welcome,) = Messages().receive(parser.greet())
    found = parse_welcome(welcome)
    assert found is not None
    return found


HELLO_AS_IT_SHOULD_BE = bytes([HELLO, 1, 0, 7, 0, 0, 0, VERSION])


@pytest.mark.parametrize("kind", [CParser, PythonParser])
@pytest.mark.parametrize(
    "hello",
    [
        *(HELLO_AS_IT_SHOULD_BE[:length] for length in range(3, 8)),
        bytes([HELLO, 1, 0, 7, 0, 0, 0, 1, 0]),
        bytes([HELLO, 1, 0, 7, 0, 0, 0, 0, 0, 0]),
        bytes([HELLO, 1, 0, 0, 0, 0, 0, 1]),
    ],
    ids=bytes.hex,
)
def test_a_hello_of_another_length_changes_nothing(kind: type[Parser], hello: bytes) -> None:
    """What lies where its version should be is the CRC, or was left there by a message before it."""
    parser = kind()
    parser.hear(frame(bytes([HELLO, 9, 0, 0, 0, 0, 0, 0])))  # refused: there is no session 0
    before = greeted(parser)
    assert before[1].version == VERSION
    (answer,) = Messages().receive(parser.hear(frame(hello)))
    assert answer == bytes([REFUSED, 1, NONSENSE])
    assert greeted(parser) == before
    (welcome,) = Messages().receive(parser.hear(frame(HELLO_AS_IT_SHOULD_BE)))
    assert welcome[0] == WELCOME
    assert greeted(parser)[0] == 7


def test_messages_cut_off_anywhere_are_understood_alike() -> None:
    chance = random.Random(3)
    in_c, in_python = CParser(), PythonParser()
    for number in range(1, 1500):
        kind = chance.choice((HELLO, PICTURE, DELTA, BEAT, chance.randrange(256)))
        message = bytes([kind, number % 256, 0]) + chance.choice((b"\0" * 5, b"\1\0\0\0\1", chance.randbytes(5)))
        heard = frame(message[: chance.randrange(1, 9)] + chance.randbytes(chance.choice((0, 0, 0, 1, 4))))
        assert in_c.hear(heard) == in_python.hear(heard), heard.hex()
        assert in_c.shown == in_python.shown, heard.hex()
        assert greeted(in_c) == greeted(in_python), heard.hex()
