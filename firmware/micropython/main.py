"""LED firmware for Raspberry Pi Pico and ESP32: the wires around protocol.py. Whoever holds the hint button while the
board starts gets MicroPython's prompt instead, to change something here."""

import sys
from select import POLLIN, poll
from time import sleep_ms, ticks_diff, ticks_ms

import micropython
from machine import PWM, SPI, Pin
from neopixel import NeoPixel
from protocol import COLOR, LEAVES, MONO, SOUND, STATUS, VITALS, Board  # noqa: F401

KIND = COLOR  # MONO: MAX7219
LEDS = 128  # at most
LIMIT = 450  # mA
if sys.platform == "esp32":
    DATA, CLOCK, MOSI, LOAD, DONE, HINT, REFEREE, PIEZO, LIGHT = 13, 18, 23, 5, 26, 27, 25, 14, 2
else:
    DATA, CLOCK, MOSI, LOAD, DONE, HINT, REFEREE, PIEZO, LIGHT = 16, 18, 19, 17, 14, 15, 13, 12, "LED"


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


class Piezo:
    def __init__(self):
        self._pwm, self._heard = PWM(Pin(PIEZO)), 0
        self._pwm.duty_u16(0)

    def play(self, pitch):
        if pitch != self._heard:
            self._heard = pitch
            if pitch:
                self._pwm.freq(31250 // pitch)
            self._pwm.duty_u16(0x8000 if pitch else 0)


class Shell:
    def __init__(self):
        self._buttons = [Pin(number, Pin.IN, Pin.PULL_UP) for number in (DONE, HINT, REFEREE)]
        self._leds = Strip() if KIND == COLOR else Matrix()
        self._piezo, self._light, self._ms = Piezo(), Pin(LIGHT, Pin.OUT), 0
        extras = SOUND | STATUS | VITALS | LEAVES
        name = sys.platform + (" WS2812" if KIND == COLOR else " MAX7219")
        show = lambda: self._leds.show(self._board)  # noqa: E731
        self._board = Board(KIND, LEDS, LIMIT, len(self._buttons), name, show, sys.stdout.buffer.write, extras)
        self._poll = poll()
        self._poll.register(sys.stdin, POLLIN)
        self._last = ticks_ms()

    def start(self):
        self._board.start()

    def wants_prompt(self):
        return not self._buttons[1]()

    def step(self):
        while self._poll.poll(0):
            self._board.hear(sys.stdin.buffer.read(1))
        now = ticks_ms()
        gone = ticks_diff(now, self._last)
        if gone > 0:
            self._last = now
            self._board.tick(gone, sum((not button()) << bit for bit, button in enumerate(self._buttons)))
            self._piezo.play(self._board.pitch)
            self._ms = (self._ms + gone) & 1023
            self._light(1 if self._board.in_touch or self._ms < 32 else 0)  # it winks while a host is waited for
        return not self._board.leaving


if __name__ == "__main__":
    shell = Shell()
    if not shell.wants_prompt():
        micropython.kbd_intr(-1)  # a 3 in the stream of bytes is not somebody's Ctrl-C
        shell.start()
        while shell.step():
            sleep_ms(1)
        micropython.kbd_intr(3)  # the companion brings a newer program
