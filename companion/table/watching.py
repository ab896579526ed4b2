"""One game before one camera: its frames become looks, and looks become what the table makes of them."""

from __future__ import annotations

import time
from contextlib import suppress

from companion.errors import BadInput
from companion.simulation.player import SimulatedPlayer
from companion.table.table import Table
from vision.browser_camera import BrowserCamera
from vision.cameras import Camera
from vision.errors import UnreadablePicture
from vision.reading import Reading
from vision.watch import Seen, Watch

Device = Camera | BrowserCamera
WAITED = 8.0  # seconds for which a simulated player waits until his last action has been looked at
REMEMBERED = 1000  # times of looks


class Watching:
    """`step` belongs to one thread and never waits for anybody. `changes` counts up when there is something to show."""

    def __init__(self, table: Table, device: Device, watch: Watch, player: SimulatedPlayer | None = None) -> None:
        self.table, self.device, self.watch, self.player = table, device, watch, player
        self.reading: Reading | None = None  # the newest
        self.trouble: UnreadablePicture | None = None  # why a board at rest cannot be read
        self.latency: list[float] = []  # seconds from a board at rest to its verdict
        self.changes = 0
        self._number = 0  # of the newest frame
        self._state = ("", "")  # of the camera, and why, as it was logged last
        self._looked, self._acted = False, time.monotonic()  # since and when the simulated player last did something

    def step(self, patience: float = 0.1) -> None:
        """Take in the newest frame, if one comes in time."""
        self._let_play()
        frame = self.device.newest(self._number, patience)
        self._note_state()
        self.table.update()
        if frame:
            self._number = frame.number
            if not self.table.paused:
                if self.table.wants_look:
                    self.watch.again()
                self._look(self.watch.see(frame))

    def look_with(self, watch: Watch) -> None:
        """The field is looked for anew."""
        self.watch, self.reading, self.trouble = watch, None, None

    @property
    def played_out(self) -> bool:
        """Whether the simulated player has nothing more to do, and all that he did has been looked at."""
        return self.player is not None and self.player.over and not self.device.busy and self._is_looked_at

    def tell_unseen(self) -> None:
        """What the simulated player did at last and nobody could see, he says; so the game ends."""
        log = self.player.log if self.player else []
        if len(log) > 1 and log[-1].moves and log[-1].visible == log[-2].visible:
            with suppress(BadInput):  # they do not agree on how it came to this
                self.table.play(log[-1].moves)

    def _note_state(self) -> None:
        """The camera came or went."""
        code, _, reason = self.device.state
        if (code, reason) != self._state:
            self._state = (code, reason)
            self.table.note_camera(code, reason)
            self.changes += 1

    @property
    def _is_looked_at(self) -> bool:
        """Whether the camera has looked since the simulated player last did something; it is not waited for forever."""
        return self._looked or time.monotonic() - self._acted > WAITED

    def _let_play(self) -> None:
        """The simulated player, like a polite one, waits until his last action has been looked at; not for ever."""
        if self.player and not self.table.paused:
            now, done = time.monotonic(), len(self.player.log)
            if not done or self._is_looked_at:
                self.player.tick(now)
            if len(self.player.log) > done:
                self._looked, self._acted = False, now

    def _look(self, seen: Seen) -> None:
        began = time.perf_counter()
        if seen.bumped:
            self.table.note_camera("bumped")
        self._note_trouble(seen)
        if seen.reading:
            self.reading = seen.reading
            self._looked = self._looked or not self.device.busy
            verdict = self.table.see(seen.reading, seen.image, seen.disturbed)
            if verdict.kind == "same":  # the board is as it should be: so this is how it looks now
                self.watch.agree(seen.reading, seen.image)
            self.latency.append(seen.reading.ms / 1000 + time.perf_counter() - began)
            del self.latency[:-REMEMBERED]

    def _note_trouble(self, seen: Seen) -> None:
        """Trouble lasts until the board is read, or until something else is wrong."""
        trouble = seen.trouble or (None if seen.reading else self.trouble)
        if (trouble and trouble.code) != (self.trouble and self.trouble.code):
            self.changes += 1
        self.trouble = trouble
