"""What the firmware finds on a chip, for MicroPython in node: pins, and an SPI with two MAX7219 behind it."""

import js
from world import say

pins = {}  # number: level


def reset():
    js.world.reset()


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number, mode=0, pull=0, value=None):
        self._number = number
        pins.setdefault(number, 1 if pull else 0)
        if value is not None:
            pins[number] = value

    def __call__(self, value=None):
        if value is None:
            return pins[self._number]
        if self._number == "LED":
            if pins[self._number] != value:
                say("status 0 " + str(value))
        elif value and not pins[self._number]:
            modules.load()
        pins[self._number] = value
        return None


class PWM:
    """A piezo."""

    def __init__(self, pin):
        self._hertz = self._duty = 0

    def freq(self, hertz):
        self._hertz = hertz

    def duty_u16(self, duty):
        if duty != self._duty:
            say("sound 0 " + str(self._hertz if duty else 0))
        self._duty = duty


class Modules:
    def __init__(self):
        self.shift = [0] * 4
        self.registers = [[0] * 16, [0] * 16]

    def load(self):
        for module in (0, 1):
            where, value = self.shift[2 - 2 * module : 4 - 2 * module]
            self.registers[module][where & 15] = value
        if where == 12:  # the firmware's last word
            if any(r[9] or r[11] != 7 or r[15] for r in self.registers):
                say("fault decode, scan limit or test of a module")
            rows = [r[row] if r[12] & 1 else 0 for r in self.registers for row in range(1, 9)]
            say("rows 0 0 " + bytes(r[10] for r in self.registers).hex() + "/" + bytes(rows).hex())


modules = Modules()


class SPI:
    def __init__(self, number, baudrate, sck, mosi):
        assert baudrate <= 10_000_000

    def write(self, data):
        modules.shift = (modules.shift + list(data))[-4:]
