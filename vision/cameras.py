"""Cameras of every kind, newest frame only: a reader process each, killed and started again when it hangs."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple, Self

from vision.errors import UnreadablePicture
from vision.frame_buffer import Frame as Frame
from vision.frame_buffer import FrameBuffer, create
from vision.picture import LARGEST_SENT
from vision.simulate.plan import StagePlan

SIZE = (1280, 720)
PATIENCE = 2.0  # seconds: a camera whose newest frame is older is lost
OPENING = 10.0  # seconds that a reader may take to its first frame
BUILDING = 60.0  # seconds that a simulated table may take to it, on a slow machine
PAUSES = (0.5, 1.0, 2.0, 4.0, 5.0)  # seconds before a new reader is tried; the last again and again
INTERVAL = 0.5  # seconds for which each picture of a folder is held
POLL = 0.004  # seconds
MOST_PIXELS = LARGEST_SENT * LARGEST_SENT  # of one picture
GIVEN_BACK = 1 << 22  # bytes, more than a frame: what took more, as scenes do, goes back to the system at once

ADDRESSES = ("http", "https", "rtsp", "rtsps")
PICTURES = (".jpg", ".jpeg", ".png")

Job = tuple[str, tuple[object, ...]]  # what a reader is to read: a kind of vision.camera_reader, and its arguments


Code = Literal["starting", "live", "lost", "ended"]  # ended: a film or folder that is over


class State(NamedTuple):
    code: Code
    since: float  # time.monotonic()
    reason: str  # a code of the message catalogues, whose sentence takes `source`; "" when starting or live


class Camera:
    """One camera. When it comes back after it was lost, the numbers of its frames go on."""

    def __init__(self, source: str, job: Job, *, patience: float = PATIENCE, pauses: Sequence[float] = PAUSES) -> None:
        self.source = without_secrets(source)
        self.state = State("starting", time.monotonic(), "")
        self._job, self._patience, self._pauses = job, patience, pauses
        # Until the first frame: how long nothing is said, and how long a reader is let be.
        self._first_frame_in = (BUILDING, BUILDING) if job[0] == "stage" else (1.4 * patience, OPENING)
        self._reader: Reader | None = None
        self._shown: tuple[FrameBuffer, int] | None = None  # and how many frames came before this reader's first
        self._layout: object = None
        self._pending: list[tuple[str, tuple[object, ...]]] = []  # told while there was nobody to hear it
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise, name=f"camera {self.source}", daemon=True)
        self._supervisor.start()

    def newest(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """The newest frame if its number is larger than `after`, else the next one that comes in time."""
        until = time.monotonic() + timeout
        while True:
            waiting = self.state.code != "ended" and time.monotonic() < until and not self._closed.is_set()
            if self._shown is not None:
                frames, before = self._shown
                if before + frames.number > after and (frame := frames.get()):
                    return frame._replace(number=before + frame.number)
            if not waiting:
                return None
            time.sleep(POLL)

    def tell(self, name: str, *arguments: object) -> None:
        """Call a method of the simulated table, only for `sim:` cameras."""
        if self._job[0] != "stage":
            raise ValueError(f"{self.source} has no stage")
        with self._lock:
            if self._reader is None:
                self._pending.append((name, arguments))
            else:
                self._pass_on(self._reader, name, arguments)

    def _pass_on(self, reader: Reader, name: str, arguments: tuple[object, ...]) -> None:
        if name in ("show", "move") and arguments:
            self._layout = arguments[-1]  # what lies on the table, should its process have to be replaced
        reader.tell(name, arguments)

    @property
    def busy(self) -> bool:
        """Whether the simulated table has not yet done all it was told."""
        with self._lock:
            at_work = self._reader is not None and self._reader.frames.busy(self._reader.told)
            return at_work or bool(self._pending)

    @property
    def reader_pid(self) -> int | None:
        """The reader's process, None while there is none."""
        with self._lock:
            return None if self._reader is None else self._reader.process.pid

    def close(self) -> None:
        self._closed.set()
        self._supervisor.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _supervise(self) -> None:
        tries = 0
        while not self._closed.is_set():
            seen = self._shown
            try:
                self._run_reader()
            except OSError:  # no process or no memory to be had: as good as a camera that is not there
                self._set_state("lost", "camera-none")
            if self.state.code == "ended":
                return
            tries = 0 if self._shown is not seen else tries
            self._closed.wait(self._pauses[min(tries, len(self._pauses) - 1)])
            tries += 1

    def _run_reader(self) -> None:
        """Start a reader and watch over it until it ends."""
        began = time.monotonic()
        reader = Reader(self._job)
        with self._lock:
            self._reader = reader
            if self._layout is not None:
                reader.tell("show", (self._layout,))
            for name, arguments in self._pending:
                self._pass_on(reader, name, arguments)
            self._pending.clear()
        try:
            while not self._closed.wait(self._patience / 40):
                dead = not reader.running  # asked first: what it left behind is then complete
                if self._update_state(reader.frames, began, dead):
                    return
        finally:
            with self._lock:
                self._reader = None
            reader.end()

    def _update_state(self, frames: FrameBuffer, began: float, dead: bool) -> bool:
        """Set the camera's state by what the reader does; True when the reader is to be ended."""
        now = time.monotonic()
        if frames.number and (self._shown is None or self._shown[0] is not frames):
            before = 0 if self._shown is None else self._shown[1] + self._shown[0].number
            self._shown = frames, before
        if frames.over:
            self._set_state("ended", frames.reason)
            return True
        if frames.number and now - frames.newest_at < self._patience and not dead:
            self._set_state("live", "")
        elif dead or self.state.code != "starting" or now - began > self._first_frame_in[0]:
            self._set_state("lost", frames.reason or self.state.reason or "camera-none")
        stuck = now - frames.alive > self._patience if frames.alive else now - began > self._first_frame_in[1]
        return dead or stuck

    def _set_state(self, code: Code, reason: str) -> None:
        if (code, reason) != (self.state.code, self.state.reason):
            since = self.state.since if code == self.state.code else time.monotonic()
            self.state = State(code, since, reason)


class Reader:
    """A reader process with its own memory, so that one that cannot be killed at once disturbs nobody."""

    def __init__(self, job: Job) -> None:
        self.frames, word, descriptors = create()
        self.told = 0
        here = str(Path(__file__).parents[1])
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH")))),
            "MALLOC_MMAP_THRESHOLD_": str(GIVEN_BACK),  # of the GNU C library; others do not know it
            "OPENCV_LOG_LEVEL": "SILENT",
            "OPENCV_FFMPEG_LOGLEVEL": "-8",
            "OPENCV_IO_MAX_IMAGE_PIXELS": str(MOST_PIXELS),  # the decoder itself looks before it takes memory
        }
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "vision.camera_reader", word],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=None if job[0] == "stage" else subprocess.DEVNULL,  # codecs complain there of every bad byte
                pass_fds=descriptors,
                env=environment,
                start_new_session=True,  # Ctrl-C is for the parent, which then ends its readers
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        self._send(job)

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def tell(self, name: str, arguments: tuple[object, ...]) -> None:
        self.told += 1
        self._send((name, arguments))

    def _send(self, what: object) -> None:
        assert self.process.stdin is not None
        message = pickle.dumps(what)
        with suppress(OSError, ValueError):  # it is gone, or was ended just now; whoever watches it sees that too
            self.process.stdin.write(message)
            self.process.stdin.flush()

    def end(self) -> None:
        self.process.kill()
        # stuck in a driver: it goes when the driver lets go; or ended by somebody else just now
        with suppress(subprocess.TimeoutExpired, ValueError):
            self.process.communicate(timeout=1.0)


def open_camera(
    source: str,
    size: tuple[int, int] = SIZE,
    *,
    patience: float = PATIENCE,
    pauses: Sequence[float] = PAUSES,
    interval: float = INTERVAL,
    stage: StagePlan | None = None,
) -> Camera:
    """A camera by its source; raises UnreadablePicture for one that makes no sense, not for one that is not there now.

    A source is a device's number or path, an http or rtsp address, a film, or a folder of pictures. One that begins
    with `sim:` is a simulated table; whoever opens it says what that looks like: its `stage`.
    """
    job = ("stage", (stage,)) if stage else _job(source, size, patience, interval)
    return Camera(source, job, patience=patience, pauses=pauses)


def is_camera(source: str) -> bool:
    """Whether a source is a camera by its form, and no file or folder."""
    return source.isdecimal() or source.startswith(("/dev/", "sim:")) or "://" in source


def is_absent(source: str, devices: Path = Path("/dev")) -> bool:
    """Whether a camera of this machine is surely not plugged in. Only Linux tells without opening it."""
    if sys.platform != "linux":
        return False
    if source.isdecimal():
        return not (devices / f"video{int(source)}").exists()
    return source.startswith("/dev/") and not Path(source).exists()


def _job(source: str, size: tuple[int, int], patience: float, interval: float) -> Job:
    if source.startswith("sim:"):
        raise UnreadablePicture("camera-source", source=source)
    if "://" in source:
        if source.split("://")[0].lower() not in ADDRESSES:
            raise UnreadablePicture("camera-address", source=without_secrets(source), choices=", ".join(ADDRESSES))
        return "address", (source, patience)
    if is_camera(source):
        return "device", (source, size)
    path = Path(source)
    if path.is_dir():
        pictures = sorted(str(file) for file in path.iterdir() if file.suffix.lower() in PICTURES)
        if not pictures:
            raise UnreadablePicture("camera-folder", source=source)
        return "folder", (pictures, interval)
    if not path.is_file():
        raise UnreadablePicture("camera-source", source=source)
    return "film", (source,)


def without_secrets(source: str) -> str:
    """A source as it may be shown: of an address the machine alone, since names, passwords and keys may stand in every
    other part of it."""
    scheme, sign, rest = source.partition("://")
    if not sign:
        return source
    # a password may hold any sign, the slash too: what comes after the last @ of what is not asked is the machine
    place = re.split(r"[?#]", rest)[0]
    place = place.rpartition("@")[2]
    host, _, path = place.partition("/")
    return f"{scheme}://{host}{'/…' if path or '?' in rest or '#' in rest else ''}"


def list_cameras(devices: Path = Path("/dev")) -> list[str]:
    """The cameras plugged into this machine, by names that stay the same where there are such; only on Linux."""
    named = sorted(devices.glob("v4l/by-id/*-video-index0"))  # further indices of a camera give no pictures
    known = {file.resolve() for file in named}
    others = [
        file
        for file in sorted(devices.glob("video*"), key=lambda file: (len(file.name), file.name))
        if file.resolve() not in known and _gives_pictures(file.name)
    ]
    return [str(file) for file in (*named, *others)]


def _gives_pictures(name: str) -> bool:
    """The system counts a camera's nodes; only the first gives pictures, the others hold notes on them."""
    index = Path("/sys/class/video4linux") / name / "index"
    return not index.exists() or index.read_text().strip() == "0"
