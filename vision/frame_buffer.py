"""Frames in memory that two processes share: one puts them in, the other takes the newest.

The memory has no name that could be left behind: on POSIX it is a file without a name whose descriptor the child
inherits, on Windows the system drops it with its last user. So whoever is killed, and how, nothing leaks.
"""

from __future__ import annotations

import mmap
import os
import sys
import tempfile
import threading
import time
import uuid
from typing import NamedTuple

import numpy as np

from vision.picture import LARGEST, within_reason
from vision.pose import Image

SLOTS = 3  # the writer must overtake the reader by two whole frames before one is torn, and that is noticed
SLOT_BYTES = LARGEST * LARGEST * 3  # pages that no frame touches take no memory

_HEADER = np.dtype(
    [
        ("number", np.uint64),  # of the newest whole frame; 0: none yet
        ("alive", np.float64),  # when the writer last showed that it is not stuck
        ("told", np.uint64),  # how many commands it has carried out
        ("busy", np.uint8),
        ("over", np.uint8),  # nothing more will come, and that is right so
        ("reason", "S32"),  # what to say should nothing more come: a code of the message catalogues
        ("slots", [("number", np.uint64), ("at", np.float64), ("height", np.int64), ("width", np.int64)], SLOTS),
    ],
    align=True,
)
_HEADER_BYTES = 4096


class Frame(NamedTuple):
    image: Image  # blue, green, red; the caller's own copy
    number: int  # counts up from 1, also over reconnects
    at: float  # time.monotonic() when it was taken


class FrameBuffer:
    """The newest frame, and the state of the process that writes them."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._header = np.ndarray((), _HEADER, memory)
        self._slots = self._header["slots"]
        self._bytes = np.ndarray((SLOTS, SLOT_BYTES), np.uint8, memory, _HEADER_BYTES)
        self._fence = threading.Lock()

    # --- the writer's side

    def put(self, image: Image, at: float) -> None:
        """Publish a frame; one that is too large is made smaller."""
        image, _ = within_reason(image)
        number = self.number + 1
        k = number % SLOTS
        self._slots["number"][k] = 0  # a reader that is still copying what lay here will see that it is gone
        self._ordered()
        self._slots["at"][k] = at
        self._slots["height"][k], self._slots["width"][k] = image.shape[:2]
        self._bytes[k, : image.size] = image.reshape(-1)
        self._ordered()
        self._slots["number"][k] = number
        self._header["number"] = number
        self._header["alive"] = time.monotonic()

    def show_life(self) -> None:
        self._header["alive"] = time.monotonic()

    def show_stage(self, busy: bool, told: int) -> None:
        self._header["busy"], self._header["told"] = busy, told

    def give_reason(self, code: str) -> None:
        """What to say should nothing more come from now on."""
        self._header["reason"] = code.encode()

    def finish(self) -> None:
        self._header["over"] = True

    # --- the reader's side

    @property
    def number(self) -> int:
        return int(self._header["number"])

    @property
    def alive(self) -> float:
        """When the writer last showed that it is not stuck; 0 before the first time."""
        return float(self._header["alive"])

    @property
    def newest_at(self) -> float:
        """When the newest frame was taken."""
        return float(self._slots["at"][self.number % SLOTS])

    @property
    def over(self) -> bool:
        return bool(self._header["over"])

    @property
    def reason(self) -> str:
        code: bytes = self._header["reason"].item()
        return code.decode()

    @property
    def told(self) -> int:
        """How many commands it has carried out."""
        return int(self._header["told"])

    def busy(self, told: int) -> bool:
        """Whether the stage is at work, or has not yet carried out all it was told."""
        return bool(self._header["busy"]) or int(self._header["told"]) < told

    def get(self) -> Frame | None:
        """The newest frame; None while there is none. What the writer overtook is never handed out."""
        while number := self.number:
            k = number % SLOTS
            self._ordered()
            at, height, width = (self._slots[name][k].item() for name in ("at", "height", "width"))
            image = self._bytes[k, : height * width * 3].copy()
            self._ordered()
            if self._slots["number"][k] == number:
                return Frame(image.reshape(height, width, 3), number, at)
        return None

    def _ordered(self) -> None:
        """What comes before in the program comes before in memory too; processors other than Intel's need it."""
        with self._fence:
            pass


def create() -> tuple[FrameBuffer, str, tuple[int, ...]]:
    """New memory, the word by which a child finds it, and the descriptors that the child must inherit.

    The descriptors are the caller's to close once the child has started.
    """
    size = _HEADER_BYTES + SLOTS * SLOT_BYTES
    if sys.platform == "win32":
        name = f"companion-{uuid.uuid4()}"
        return FrameBuffer(mmap.mmap(-1, size, tagname=name)), name, ()
    if sys.platform == "linux":
        descriptor = os.memfd_create("companion-frames")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return FrameBuffer(mmap.mmap(descriptor, size)), str(descriptor), (descriptor,)


def attach(word: str) -> FrameBuffer:
    """The child's side of `create`."""
    size = _HEADER_BYTES + SLOTS * SLOT_BYTES
    if sys.platform == "win32":
        return FrameBuffer(mmap.mmap(-1, size, tagname=word))
    return FrameBuffer(mmap.mmap(int(word), size))
