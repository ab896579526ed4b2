"""The world around the firmware in node: its serial line, its clock, and whoever presses its buttons."""

import js


def say(line):
    js.world.say(line)


class Line:
    """sys, stdin and stdout in one, as far as the firmware uses them."""

    platform = "rp2"

    def __init__(self):
        self.stdin = self.stdout = self.buffer = self
        self.coming = b""

    def write(self, data):
        js.world.send(bytes(data).hex())

    def read(self, many):
        taken, self.coming = self.coming[:many], self.coming[many:]
        return taken

    def register(self, stream, events):
        pass

    def poll(self, timeout):
        return [(self, 1)] if self.coming else []


line = Line()
now = 0


def start(kind):
    global shell, machine
    import machine
    import main

    if kind:
        main.KIND = kind
    main.sys = line
    main.poll = lambda: line
    main.ticks_ms = lambda: now
    main.ticks_diff = lambda later, earlier: later - earlier
    shell = main.Shell()
    shell.start()


def take(data):
    line.coming += bytes.fromhex(data)
    run(1)


def run(ms):
    global now
    for _ in range(ms):
        if not shell.step():
            js.world.leave()
            return
        now += 1
        shell.step()


def hold(button, down):
    machine.pins[(14, 15, 13)[button]] = 0 if down else 1
