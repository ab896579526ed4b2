"""The process that reads a camera: `python -m vision.camera_reader WORD`, started by vision.cameras.

It may hang in a driver or in a network library for ever; then it is killed, and another takes its place. What it is to
read comes over its standard input, then commands for the stage; the input's end means that the parent is gone.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import UnreadablePicture
from vision.frame_buffer import FrameBuffer, attach
from vision.picture import LARGEST_SENT, SMALLEST, as_color, open_picture
from vision.pose import Image
from vision.simulate.plan import StagePlan

OPEN_TIMEOUT = 5.0  # seconds
STAGE_RATE = 20.0  # frames a second, at most
HOLD_RATE = 10.0  # how often a picture that stays is given again
ROOM = 256 << 20  # bytes for unpacking it
USUAL_RATE = 25.0  # of a film that does not tell

_told: queue.SimpleQueue[tuple[str, tuple[Any, ...]]] = queue.SimpleQueue()  # commands for the stage


def read_device(frames: FrameBuffer, source: str, size: tuple[int, int]) -> None:
    """A camera on this machine, by its number or path."""
    frames.give_reason("camera-none")
    back_end = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
    capture = cv2.VideoCapture(int(source) if source.isdigit() else source, back_end)
    # Motion JPEG first: most cameras give their larger sizes at full rate in no other format.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    _follow(frames, capture, _decoded)


def read_address(frames: FrameBuffer, url: str, patience: float) -> None:
    """A camera in the network."""
    frames.give_reason("camera-url")
    limits = {
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: int(1000 * OPEN_TIMEOUT),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC: int(1000 * patience),
        cv2.CAP_PROP_N_THREADS: 1,  # each further thread of the decoder holds a frame back
    }
    capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, [number for limit in limits.items() for number in limit])
    # FFMPEG fills up half a JPEG with what was there before; undecoded, one sees whether it is whole.
    jpeg = int(capture.get(cv2.CAP_PROP_FOURCC)) == cv2.VideoWriter.fourcc(*"MJPG")
    raw = jpeg and capture.set(cv2.CAP_PROP_FORMAT, -1)
    _follow(frames, capture, _whole_jpeg if raw else _decoded)


def _follow(
    frames: FrameBuffer, capture: cv2.VideoCapture, picture_of: Callable[[cv2.VideoCapture], Image | None]
) -> None:
    while capture.grab():
        at = time.monotonic()
        image = picture_of(capture)
        if image is not None:
            frames.put(image, at)
            frames.give_reason("camera-stalled")


def _decoded(capture: cv2.VideoCapture) -> Image | None:
    there, image = capture.retrieve()
    try:
        return as_color(np.asarray(image)) if there else None
    except UnreadablePicture:
        return None


def _whole_jpeg(capture: cv2.VideoCapture) -> Image | None:
    there, data = capture.retrieve()
    if not there or not bytes(data[0, -64:]).rstrip(b"\0\r\n").endswith(b"\xff\xd9"):
        return None
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        return None if image is None else as_color(np.asarray(image))
    except (UnreadablePicture, cv2.error):
        return None


def read_film(frames: FrameBuffer, path: str) -> None:
    """A film at its own speed."""
    frames.give_reason("camera-film")
    capture = cv2.VideoCapture(path, cv2.CAP_FFMPEG)
    rate = capture.get(cv2.CAP_PROP_FPS)
    rate = rate if 0.01 < rate < 1000 else USUAL_RATE
    began = time.monotonic()
    count = 0
    while capture.grab():
        due = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 or count / rate
        image = _decoded(capture)
        count += 1
        if image is not None:
            _sleep_until(began + due)
            _hold(frames, image, began + due + 1 / rate)
    _end(frames)


def read_folder(frames: FrameBuffer, paths: list[str], interval: float) -> None:
    """Pictures one after another, each held before the camera for a while."""
    frames.give_reason("camera-folder")
    due = time.monotonic()
    for path in paths:
        try:
            image = open_picture(Path(path))
        except UnreadablePicture:
            continue  # one broken picture among good ones is no reason to stop
        due = max(due, time.monotonic()) + interval
        _hold(frames, image, due)
    _end(frames)


def _hold(frames: FrameBuffer, image: Image, until: float) -> None:
    """A picture that stays is seen again and again, as before a camera."""
    frames.put(image, time.monotonic())
    while (left := until - time.monotonic()) > 1 / HOLD_RATE:
        _sleep_until(time.monotonic() + min(left, 1 / HOLD_RATE))
        frames.put(image, time.monotonic())
    _sleep_until(until)


def _sleep_until(due: float) -> None:
    time.sleep(max(0.0, due - time.monotonic()))


def _end(frames: FrameBuffer) -> None:
    if frames.number:
        frames.give_reason("camera-over")
    frames.finish()


def run_stage(frames: FrameBuffer, plan: StagePlan) -> None:
    """The simulated table."""
    from vision.simulate.stage import Stage

    frames.give_reason("camera-stalled")
    stage = Stage(plan)
    done = 0
    while True:
        at = time.monotonic()
        while not _told.empty():
            name, arguments = _told.get()
            try:
                getattr(stage, name)(*arguments)
            except Exception:  # a wrong command must not take the table away
                traceback.print_exc()
            done += 1
        image = stage.frame(at)
        if image is None:
            frames.show_life()
        else:
            frames.put(image, at)
        frames.show_stage(stage.busy, done)
        _sleep_until(at + 1 / STAGE_RATE)


def unpack_handed(frames: FrameBuffer) -> None:
    """Pictures that somebody sends, one at a time, with a limit on what each may cost."""
    _limit_memory()
    done = 0
    while True:
        _, (jpeg,) = _told.get()
        done += 1
        frames.give_reason(_unpack(frames, jpeg))
        frames.show_stage(False, done)


def _unpack(frames: FrameBuffer, jpeg: bytes) -> str:
    """A code, and what belongs to it."""
    try:
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, MemoryError):
        return "picture-huge"
    if image is None:
        return "picture-unknown"
    high, wide = image.shape[:2]
    if min(wide, high) < SMALLEST:
        return f"picture-small {wide} {high}"
    if max(wide, high) > LARGEST_SENT:
        return "picture-huge"
    frames.put(np.asarray(image, np.uint8), time.monotonic())
    return "good"


def _limit_memory() -> None:
    """To what is taken already, and what the largest picture needs."""
    if sys.platform == "linux":
        import resource

        taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, taken + ROOM))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


READERS: dict[str, Callable[..., None]] = {
    "device": read_device,
    "address": read_address,
    "film": read_film,
    "folder": read_folder,
    "stage": run_stage,
    "handed": unpack_handed,
}


def _listen() -> None:
    """Commands for the stage; when the parent is gone, so is this process, whatever it hangs in."""
    try:
        while True:
            _told.put(pickle.load(sys.stdin.buffer))
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(0)


def main(word: str) -> None:
    cv2.setNumThreads(1)
    frames = attach(word)
    kind, arguments = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_listen, daemon=True).start()
    READERS[kind](frames, *arguments)
    os._exit(0)  # the listening thread would not let go of standard input


if __name__ == "__main__":
    main(sys.argv[1])
