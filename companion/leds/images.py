"""The programs for boards, as they come with the companion: built from `firmware`, and held against their hashes."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files

from companion.errors import BadInput

FIRMWARE = (1, 1, 0)  # of all of them
TAG = b"limit="  # after it an AVR's program has its current limit
PYTHON = ("protocol.py", "main.py")  # in the order in which they are put on a board: the last one starts
LEAST, MOST = 100, 20_000  # mA


def image(name: str) -> bytes:
    """A file as it was built. BadInput if the installation has spoilt it."""
    folder = files("companion.leds") / "programs"
    try:
        sums = dict(line.split()[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
        data = (folder / name).read_bytes()
    except OSError:
        raise BadInput(name, "spoilt-image") from None
    if sha256(data).hexdigest() != sums.get(name):
        raise BadInput(name, "spoilt-image")
    return data


def avr_program(mono: bool, limit: int) -> bytes:
    """The machine code for an Uno or Nano whose LEDs may draw so many mA."""
    code = bytearray(from_hex(image("max7219.hex" if mono else "ws2812.hex")))
    at = code.index(TAG) + len(TAG)
    code[at : at + 2] = limit.to_bytes(2, "little")
    return bytes(code)


def python_program(mono: bool, limit: int) -> dict[str, bytes]:
    """The files for a board with MicroPython."""
    found = {name: image(f"{name}.txt") for name in PYTHON}
    found["main.py"] = found["main.py"].replace(b"\nLIMIT = 450 ", b"\nLIMIT = %d " % limit)
    if mono:
        found["main.py"] = found["main.py"].replace(b"\nKIND = COLOR ", b"\nKIND = MONO ")
    return found


def from_hex(text: bytes) -> bytes:
    """What a file in Intel's hex format says, from address 0 on."""
    code = bytearray()
    for line in text.split():
        record = bytes.fromhex(line[1:].decode())
        size, at, kind = record[0], int.from_bytes(record[1:3], "big"), record[3]
        if kind == 0:
            code[len(code) :] = b"\xff" * (at - len(code))
            code[at : at + size] = record[4 : 4 + size]
    return bytes(code)
