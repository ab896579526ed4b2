"""The board's side of the LED protocol (../PROTOCOL.md): what comes in, what goes out, what the LEDs show. No I/O."""

from binascii import crc32

COLOR, MONO = 1, 2  # kinds of LEDs
SOUND, STATUS, VITALS, LEAVES = 1, 2, 4, 8  # what a board can beyond them
_VERSION = 3
_HELLO, _PICTURE, _DELTA, _BEAT, _TUNE, _CHECKUP, _LEAVE = 1, 2, 3, 4, 5, 6, 7
_WELCOME, _SHOWN, _REFUSED, _PRESS, _HEALTH = 129, 130, 131, 132, 133
_NO_SESSION, _OTHER_BASE, _NONSENSE = 1, 2, 3
_SILENCE, _FADE, _STEP, _AGAIN, _GAP, _BOUNCE = 3000, 2048, 200, 100, 50, 16  # ms
_PATTERNS = b"\xff\x0f\x33\x55\x01\x05\x7f\x5f"  # lowest bit: lit in the first step
_FIRMWARE = b"\x01\x01\x00"


def framed(message):
    """A message as it goes over the wire."""
    packed = bytearray()
    for part in (message + crc32(message).to_bytes(4, "little")).split(b"\0"):
        packed.append(len(part) + 1)  # a board's messages are far shorter than 254 bytes
        packed.extend(part)
    packed.append(0)
    return packed


def unpacked(packed):
    """The message of a frame without its final zero, or None."""
    whole = bytearray()
    at = 0
    end = len(packed)
    while at < end:
        code = packed[at]
        whole.extend(packed[at + 1 : at + code])
        at += code
        if at < end and code < 255:
            whole.append(0)
    if at != end or len(whole) < 7:
        return None
    message = whole[:-4]
    return message if crc32(message) == int.from_bytes(whole[-4:], "little") else None


class Board:
    """A board with `most` LEDs of a kind, which may draw `limit` mA. It calls `show` when the LEDs are to be written
    and `send` with the bytes for the host; `hear` is told what came in, `tick` that time has gone by. `pitch` is what
    is to be heard, as half a period in 16 µs, 0 for silence; `leaving`: the host wants MicroPython's prompt."""

    def __init__(self, kind, most, limit, buttons, name, show, send, extras=VITALS):
        self._about = bytes([kind, most, limit & 255, limit >> 8, buttons]) + _FIRMWARE
        self._name, self._extras = name.encode(), extras
        self.pitch = self._tone_ms = self._spoilt = 0
        self.leaving = False
        self._tones = b""
        self._kind, self._most, self._limit = kind, most, limit
        self._show, self._send = show, send
        self._longest = 5 + 3 * most + 7 * (1 + (most + 7) // 8)  # message
        self._packed = bytearray()  # the frame that is coming in
        self._gap = 0
        self.lights = bytearray(4 * most)  # red, green, blue, blink pattern
        self._slots = [bytes(4)] * 6  # the colors that strokes brought last, the newest first
        self.count = 0
        self.reach = most  # LEDs to be written: the first time all, for they keep their light when a board restarts
        self._picture = self._number = self._session = 0
        self._version = _VERSION
        self._reply = b""
        self._share = self._level = 256
        self._bright = 0
        self._blinks = self._stale = False
        self._step = self._step_ms = self._silent = 0
        self._presses = []
        self._press, self._press_ms = 1, 0
        self._since = [0] * buttons  # ms for which a button has been other than `held` says
        self._held = 0

    def start(self):
        self._write()
        self._send(framed(self._welcome(0)))

    # what comes in

    def hear(self, data):
        self._gap = 0
        for byte in data:
            if byte:
                if len(self._packed) < self._longest + 16:  # with its CRC and what COBS adds
                    self._packed.append(byte)
                continue
            if not self._packed:
                continue
            message = unpacked(self._packed)
            self._packed = bytearray()
            if message is None or len(message) > self._longest:
                self._spoilt = min(self._spoilt + 1, 0xFFFF)
            elif self._understood(message):
                if self._stale:
                    self._write()
                self._send(framed(self._answer()))

    def _answer(self):
        if self._reply[0] == _WELCOME:
            return self._welcome(self._number)
        if self._reply[0] == _HEALTH:  # how high the supply is, these boards do not know
            return bytes([_HEALTH, self._number, 0, 0]) + self._spoilt.to_bytes(2, "little")
        return self._reply

    def _welcome(self, number):
        extras = bytes([self._extras]) if self._version >= 3 else b""
        head = bytes([_WELCOME, number]) + self._session.to_bytes(4, "little") + bytes([self._version])
        return head + self._about + extras + self._name

    @property
    def in_touch(self):
        """With a host."""
        return self._session != 0 and self._silent < _SILENCE

    def _done(self, kind, value):
        self._reply = bytes([kind, self._number, value])
        return True

    def _understood(self, message):
        kind, number, heard = message[0], message[1], message[2]
        if not number:
            return False
        again = number == self._number
        self._number = number
        if kind != _HELLO and not self._session:
            return self._done(_REFUSED, _NO_SESSION)
        self._silent = 0
        if self._level != 256:
            self._level = 256
            self._stale = True
        if kind == _HELLO:
            session = int.from_bytes(message[3:7], "little")
            if len(message) != 8 or not session:
                return self._done(_REFUSED, _NONSENSE)
            self._version = min(message[7], _VERSION)
            if session != self._session:
                self._session = session
                self._presses = []
                self._press = 1
                self._darken()
            return self._done(_WELCOME, 0)
        if self._presses and heard == self._press:
            self._presses.pop(0)
            self._press = self._press % 255 + 1
            self._press_ms = 0
        if again:
            return True
        if kind in (_PICTURE, _DELTA):
            return self._picture_comes(message, kind == _PICTURE)
        if kind == _TUNE:
            return self._tune_comes(bytes(message[3:]))
        if kind == _CHECKUP:
            return self._done(_HEALTH, 0)
        if kind == _LEAVE and self._extras & LEAVES:
            self.leaving = True
            return self._done(_SHOWN, self._picture)
        return self._done(_SHOWN, self._picture) if kind == _BEAT else self._done(_REFUSED, _NONSENSE)

    def _tune_comes(self, tones):
        """Pitch and length of each tone."""
        if len(tones) > 16 or len(tones) % 2:
            return self._done(_REFUSED, _NONSENSE)
        self._tones, self._tone_ms = tones, 0
        return self._done(_SHOWN, self._picture)

    def _picture_comes(self, message, whole):
        if len(message) < 4 or (whole and message[3] > self._most):
            return self._done(_REFUSED, _NONSENSE)
        if not whole and (not self._picture or message[3] != self._picture):
            return self._done(_REFUSED, _OTHER_BASE)
        count = message[3] if whole else self.count
        lights = bytearray(4 * self._most) if whole else bytearray(self.lights)
        slots = [bytes(4)] * 6 if whole else list(self._slots)
        if not self._strokes(message, count, lights, slots):
            return self._done(_REFUSED, _NONSENSE)
        self.lights, self._slots = lights, slots
        self._picture = self._number
        self._shows(count)
        return self._done(_SHOWN, self._picture)

    def _strokes(self, message, count, lights, slots):
        """Paint the strokes; whether they make sense."""
        at, end, size = 4, len(message), (count + 7) // 8
        while at < end:
            op = message[at]
            at += 1
            kind = op & 0xF8
            listed = op < 0x80
            light = bytes(4)
            if op < 0x40 or kind == 0x80:
                light = bytes(message[at : at + 3]) + bytes([op >> 3 if op < 0x40 else op & 7])
                at += 3
                slots.insert(0, light)
                slots.pop()
            elif 0x90 <= op < 0xC0:
                light = slots[(op - 0x90) >> 3]
                listed = True
            elif 0xD8 <= op < 0xD8 + 6:
                light = slots[op & 7]
                kind = 0x80
            if listed:
                many = (op & 63 if 0x40 <= op < 0x80 else op & 7) + 1
                if end - at < many:
                    return False
                for place in message[at : at + many]:
                    if place >= count:
                        return False
                    lights[4 * place : 4 * place + 4] = light
                at += many
            elif kind in (0x80, 0xC8):
                if end - at < size:
                    return False
                places = int.from_bytes(message[at : at + size], "little")
                if places >> count:
                    return False
                for place in range(count):
                    if places >> place & 1:
                        if kind == 0x80:
                            lights[4 * place : 4 * place + 4] = light
                        else:
                            lights[4 * place + 3] = op & 7
                at += size
            elif kind == 0xC0:
                if end - at < 3 * count:
                    return False
                for place in range(count):
                    lights[4 * place : 4 * place + 3] = message[at : at + 3]
                    lights[4 * place + 3] = op & 7
                    at += 3
            elif op == 0xD0:
                lights[: 4 * count] = bytes(4 * count)
            else:
                return False
        return True

    # what the LEDs show

    def _shows(self, count):
        self.count = count
        self.reach = max(self.reach, count)
        load = lit = brightest = 0
        self._blinks = False
        for at in range(0, 4 * count, 4):
            red, green, blue = self.lights[at], self.lights[at + 1], self.lights[at + 2]
            load += 16 * red + 11 * green + 15 * blue
            brightest = max(brightest, red, green, blue)
            lit += 1 if red or green or blue else 0
            if self.lights[at + 3]:
                self._blinks = True
        room = 255 * max(0, self._limit - count)
        self._share = 256 * room // load if load > room else 256
        bright = brightest >> 4
        while bright and 8 * ((count + 63) // 64) + lit * 5 * (2 * bright + 1) // 32 > self._limit:
            bright -= 1
        self._bright = bright
        self._step = self._step_ms = 0
        self._stale = True

    def _darken(self):
        self.lights = bytearray(4 * self._most)
        self._picture = 0
        self._shows(self.count)

    def _write(self):
        self._stale = False
        self._show()
        self.reach = self.count

    def color(self, place):
        """Red, green and blue that an LED is to show now."""
        at = 4 * place
        if not _PATTERNS[self.lights[at + 3]] >> self._step & 1:
            return 0, 0, 0
        part = self._share * self._level >> 8
        return self.lights[at] * part >> 8, self.lights[at + 1] * part >> 8, self.lights[at + 2] * part >> 8

    def row(self, at):
        """The eight LEDs from place `at` on, for a MAX7219: the first in the highest bit."""
        bits = 0
        for place in range(4 * at, min(4 * at + 32, len(self.lights)), 4):
            on = _PATTERNS[self.lights[place + 3]] >> self._step & 1 and any(self.lights[place : place + 3])
            bits = bits << 1 | (1 if on else 0)
        return bits

    def intensity(self):
        """0 … 15, for a MAX7219."""
        return self._bright * self._level >> 8

    # time

    def tick(self, ms, down):
        """So many milliseconds have gone by; bit b of `down`: button b is held."""
        self._gap += ms
        if self._gap >= _GAP and self._packed:
            self._packed = bytearray()  # a frame that stopped halfway goes no further
        self._press_ms = max(0, self._press_ms - ms)
        self._tone_ms = max(0, self._tone_ms - ms)
        if not self._tone_ms:
            self.pitch = self._tones[0] if self._tones else 0
            self._tone_ms = 10 * self._tones[1] if self._tones else 0
            self._tones = self._tones[2:]
        for button in range(len(self._since)):
            bit = 1 << button
            self._since[button] = self._since[button] + ms if (down ^ self._held) & bit else 0
            if self._since[button] >= _BOUNCE:
                self._held ^= bit
                if self._held & bit and self._session and len(self._presses) < 8:
                    self._presses.append(button)
        if self._presses and not self._press_ms:
            self._press_ms = _AGAIN
            self._send(framed(bytes([_PRESS, self._press, self._presses[0]])))
        if self._session:
            self._go_on(ms)
        if self._stale:
            self._write()

    def _go_on(self, ms):
        """Blink, and fade in silence."""
        self._step_ms += ms
        if self._step_ms >= _STEP:
            self._step = (self._step + self._step_ms // _STEP) & 7
            self._step_ms %= _STEP
            self._stale = self._stale or self._blinks
        self._silent += ms
        if self._silent >= _SILENCE + _FADE:
            self._session = 0
            self._level = 256
            self._darken()
        elif self._silent > _SILENCE:
            level = 256 - (self._silent - _SILENCE) // 16 * 2
            self._stale = self._stale or level != self._level
            self._level = level
