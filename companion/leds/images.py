"""The firmware images in this package, built from `firmware/` and checked against their hashes."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files

from companion.errors import BadInput

FIRMWARE = (1, 1, 0)  # the version of all images
TAG = b"limit="  # precedes the current limit in an AVR's program
PYTHON = ("protocol.py", "main.py")  # in the order of copying: the last one is what a board starts
LEAST, MOST = 100, 20_000  # mA


def image(name: str) -> bytes:
    """An image as it was built. BadInput if the installed file is damaged."""
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
    """The machine code for an Uno or Nano. `limit`: mA that its LEDs may draw."""
    code = bytearray(parse_intel_hex(image("max7219.hex" if mono else "ws2812.hex")))
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


def parse_intel_hex(text: bytes) -> bytes:
    """The content of a file in Intel's hex format, from address 0 on."""
    code = bytearray()
    for line in text.split():
        record = bytes.fromhex(line[1:].decode())
        size, at, kind = record[0], int.from_bytes(record[1:3], "big"), record[3]
        if kind == 0:
            code[len(code) :] = b"\xff" * (at - len(code))
            code[at : at + size] = record[4 : 4 + size]
    return bytes(code)
