"""The table's camera: which one it is, what it shows, and who plays before it where it is simulated."""

from __future__ import annotations

import re
import time
from typing import NamedTuple, Self, cast

import numpy as np

from companion.errors import BadInput
from companion.games import game
from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Visible
from companion.labels import labels_of
from companion.learned import learned_set
from companion.lens import lens_of
from companion.record import Stood
from companion.settings import Settings
from companion.simulation.player import SimulatedPlayer
from companion.simulation.source import PREFIX as SIMULATED
from companion.simulation.source import Simulation
from companion.table.state import NO_CAMERA, CameraState
from companion.table.table import Table
from companion.table.watching import Device, Watching
from vision.browser_camera import BrowserCamera
from vision.cameras import Camera, open_camera
from vision.errors import UnreadablePicture
from vision.reading import Reading
from vision.watch import Watch

BROWSER = "browser"  # a source
FIRST_LOOK = 15.0  # seconds in which a camera must show the field of a game that begins
GLANCE = 4.0  # the same, where somebody is setting it up and looks again and again


class Connection(NamedTuple):
    """A camera that is open, and its source: one value, so that other threads never see half of a change."""

    source: str
    device: Device | None = None


class TableCamera:
    """Belongs to the host's thread, but for what says otherwise. `changes` counts up when there is something new to
    show."""

    def __init__(self, settings: Settings) -> None:
        self.connection = Connection(settings.camera)
        self.watching: Watching | None = None
        self._settings = settings
        self._table: Table | None = None
        self._changes = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- which camera, which game; what is refused changes nothing

    def start(self) -> None:
        """Open the camera of the settings, if it is not open yet."""
        if self.device is None:
            self._change(self.source, self._table, self._settings, anew=True)

    def use(self, source: str) -> None:
        """Change over to another camera."""
        if source == self.source and self.device:
            return
        self._change(source, self._table, self._settings, anew=True)
        if self._table:
            self._table.look_anew()

    def watch(self, table: Table, source: str | None = None) -> None:
        """Turn to this game, with another camera if one is named. A simulated table is set up anew for it."""
        source = self.source if source is None else source
        anew = source != self.source or self.device is None or source.startswith(SIMULATED)
        self._change(source, table, self._settings, anew)

    def use_settings(self, settings: Settings) -> None:
        """The field is looked for anew; with another size the camera is opened anew."""
        anew = settings.size != self._settings.size and isinstance(self.device, Camera)
        self._change(self.source, self._table, settings, anew)

    def close(self) -> None:
        if self.device:
            self.device.close()
        self.connection, self.watching = Connection(self.source), None

    def _change(self, source: str, table: Table | None, settings: Settings, anew: bool) -> None:
        # Whatever may be refused comes first.
        simulation, script = None, tuple[str | Stood, ...]()
        if source.startswith(SIMULATED):
            if table:  # what is simulated is this game
                source = re.sub(f"^{SIMULATED}[^,]*", f"{SIMULATED}{table.game.id}", source)
            simulation = Simulation.parse(source)
            script = simulation.script()
        watch = watch_for(table.game, settings) if table else None
        seats = len(table.position.seats) if table else None
        device = _open(source, simulation, settings.size, seats) if anew else self.device
        # From here on nothing is.
        before, watching = self.device, self.watching
        if device is before and table is self._table:
            if watch and watching:
                watching.look_with(watch)
        elif table and watch and device:
            player = None
            if simulation and isinstance(device, Camera):
                rest = script[len(table.moves) :]
                player = SimulatedPlayer(device.tell, table.opened, simulation, rest, table.position)
            watching = Watching(table, device, watch, player)
        else:
            watching = None
        self.watching, self._table, self._settings = watching, table, settings
        self.connection = Connection(source, device)
        if before and before is not device:
            before.close()
        self._changes += 1

    # --- the host's steps

    def step(self, patience: float) -> None:
        """Take in the newest frame, if one comes in time."""
        if self.watching:
            self.watching.step(patience)

    def look_again(self) -> None:
        """At the next chance, although nothing changes."""
        if self.watching:
            self.watching.watch.again()

    def follow(self, position: AnyPosition) -> None:
        """Simulated hands do what persons said was done."""
        if self.watching and self.watching.player:
            self.watching.player.follow(position)

    # --- for everybody, from any thread

    @property
    def source(self) -> str:
        return self.connection.source

    @property
    def is_simulated(self) -> bool:
        return self.source.startswith(SIMULATED)

    @property
    def device(self) -> Device | None:
        return self.connection.device

    @property
    def reading(self) -> Reading | None:
        """What was last made of a picture, unless the board cannot be read now."""
        watching = self.watching
        return watching.reading if watching and not watching.trouble else None

    @property
    def corners(self) -> list[list[float]] | None:
        """Where the field's corners lie in the picture: as they were set, or as they were last seen."""
        settings, watching = self._settings, self.watching
        if settings.corners is not None:
            return settings.corners
        return watching.reading.corners.tolist() if watching and watching.reading else None

    @property
    def changes(self) -> object:
        """Another value whenever there is something new to show."""
        device, watching = self.device, self.watching
        return self._changes, watching and watching.changes, device and device.state.code

    def state(self) -> CameraState:
        device, watching = self.device, self.watching
        if device is None:
            return CameraState()
        code, since, reason = device.state
        since_wall = time.time() - time.monotonic() + since
        reading = watching.reading if watching else None
        trouble, mirrored = watching.trouble if watching else None, reading is not None and reading.mirrored
        by_lines = reading is not None and reading.found == "lattice"
        return CameraState(device.source, code, reason, since_wall, trouble, mirrored, by_lines)

    def first_look(self, game_id: str, glance: bool = False) -> Visible:
        """What lies on the table, with nothing in the way. BadInput where that cannot be seen in time."""
        device, watch = self.device, watch_for(game(game_id), self._settings)
        seconds = GLANCE if glance else FIRST_LOOK
        trouble, number, began = None, 0, time.monotonic()
        until = began + seconds
        while device and device is self.device and time.monotonic() < until:
            if isinstance(device, Camera) and device.state.code == "starting":  # that takes what it takes
                until = min(time.monotonic() + seconds, began + max(seconds, FIRST_LOOK))
            frame = device.newest(number, 0.5)
            if frame is None:
                continue
            number = frame.number
            seen = watch.see(frame)
            trouble = seen.trouble or trouble
            if seen.reading and seen.reading.look and not seen.reading.look.hand:
                return cast(Visible, seen.reading.look.visible())
        if device is None or device is not self.device:  # somebody chose another one meanwhile
            raise BadInput("camera", "no-camera")
        if trouble:
            raise BadInput("camera", trouble.code, **trouble.params)
        raise BadInput("camera", device.state.reason or "camera-none", source=device.source)


def watch_for(played: AnyGame, settings: Settings) -> Watch:
    return Watch(
        labels_of(played),
        corners=None if settings.corners is None else np.array(settings.corners),
        lens=lens_of(settings.lens),
        surface=settings.surface,
        still_for=settings.still,
        learned=learned_set(settings, played.id),
    )


def _open(source: str, simulation: Simulation | None, size: tuple[int, int], seats: int | None) -> Device | None:
    if source == NO_CAMERA:
        return None
    if source == BROWSER:
        return BrowserCamera()
    try:
        return open_camera(source, size, stage=simulation.plan(size, seats) if simulation else None)
    except UnreadablePicture as error:
        raise BadInput("camera", error.code, **error.params) from None
