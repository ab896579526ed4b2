"""A strip of 64 LEDs, for MicroPython in node."""

from world import say


class NeoPixel:
    def __init__(self, pin, count):
        self._colors = [(0, 0, 0)] * count

    def __setitem__(self, place, color):
        self._colors[place] = color

    def write(self):
        say("colors 0 0 " + b"".join(bytes(color) for color in self._colors[:64]).hex())
