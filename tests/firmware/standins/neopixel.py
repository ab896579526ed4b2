"""A strip of 64 LEDs, for MicroPython in node."""

from world import say


class NeoPixel:
    def __init__(self, pin, count):
        self._colours = [(0, 0, 0)] * count

    def __setitem__(self, place, colour):
        self._colours[place] = colour

    def write(self):
        say("colours 0 0 " + b"".join(bytes(colour) for colour in self._colours[:64]).hex())
