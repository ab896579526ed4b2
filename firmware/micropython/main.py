"""LED firmware for Raspberry Pi Pico and ESP32: the wires around protocol.py. Whoever holds the hint button while the
board starts gets MicroPython's prompt instead, to change something here."""

import sys
from select import POLLIN, poll
from time import sleep_ms, ticks_diff, ticks_ms

import micropython
from machine import SPI, Pin
from neopixel import NeoPixel
from protocol import COLOR, MONO, Board  # noqa: F401

KIND = COLOR  # MONO: MAX7219
LEDS = 128  # at most
LIMIT = 450  # mA
if sys.platform == "esp32":
    DATA, CLOCK, MOSI, LOAD, DONE, HINT = 13, 18, 23, 5, 26, 27
else:
    DATA, CLOCK, MOSI, LOAD, DONE, HINT = 16, 18, 19, 17, 14, 15


class Strip:
    """WS2812."""

    def __init__(self):
        self._pixels = NeoPixel(Pin(DATA), LEDS)

    def show(self, board):
        for place in range(board.reach):
            self._pixels[place] = board.color(place)
        self._pixels.write()


class Matrix:
    """MAX7219, one or more in a row."""

    modules = (LEDS + 63) // 64

    def __init__(self):
        self._load = Pin(LOAD, Pin.OUT, value=1)
        self._spi = SPI(0 if sys.platform == "rp2" else 2, baudrate=4_000_000, sck=Pin(CLOCK), mosi=Pin(MOSI))
        for where, value in ((15, 0), (9, 0), (11, 7)):  # no test, no decoding, all eight rows
            self._write(where, [value] * self.modules)

    def _write(self, where, values):
        self._load(0)
        for value in reversed(values):  # the first goes through to the last module
            self._spi.write(bytes([where, value]))
        self._load(1)

    def show(self, board):
        self._write(10, [board.intensity()] * self.modules)
        for row in range(8):
            self._write(row + 1, [board.row(64 * module + 8 * row) for module in range(self.modules)])
        self._write(12, [1] * self.modules)  # on only now, for it wakes up with whatever it held


class Shell:
    def __init__(self):
        self._done, self._hint = Pin(DONE, Pin.IN, Pin.PULL_UP), Pin(HINT, Pin.IN, Pin.PULL_UP)
        self._leds = Strip() if KIND == COLOR else Matrix()
        name = sys.platform + (" WS2812" if KIND == COLOR else " MAX7219")
        self._board = Board(KIND, LEDS, LIMIT, 2, name, lambda: self._leds.show(self._board), sys.stdout.buffer.write)
        self._poll = poll()
        self._poll.register(sys.stdin, POLLIN)
        self._last = ticks_ms()

    def start(self):
        self._board.start()

    def wants_prompt(self):
        return not self._hint()

    def step(self):
        while self._poll.poll(0):
            self._board.hear(sys.stdin.buffer.read(1))
        now = ticks_ms()
        gone = ticks_diff(now, self._last)
        if gone > 0:
            self._last = now
            self._board.tick(gone, (not self._done()) | (not self._hint()) << 1)


if __name__ == "__main__":
    shell = Shell()
    if not shell.wants_prompt():
        micropython.kbd_intr(-1)  # a 3 in the stream of bytes is not somebody's Ctrl-C
        shell.start()
        while True:
            shell.step()
            sleep_ms(1)
