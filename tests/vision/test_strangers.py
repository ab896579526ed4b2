"""Pictures that strangers send: what lies about its size, or costs too much, harms nobody but its sender."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from vision.browser_camera import BrowserCamera
from vision.errors import UnreadablePicture

MOST_MEMORY = 400 << 20  # bytes that the picture's own process may hold at any time


def jpeg(wide: int = 320, high: int = 240) -> bytes:
    image = Random(1).randbytes(wide * high * 3)
    return cv2.imencode(".jpg", np.frombuffer(image, np.uint8).reshape(high, wide, 3))[1].tobytes()


def lying(wide: int, high: int, padding: int = 0, twice: bool = False) -> bytes:
    """A picture whose header says another size; with `twice` a small one is told first, and another after it."""
    made = bytearray(jpeg())
    at = made.index(b"\xff\xc0")
    length = int.from_bytes(made[at + 2 : at + 4], "big")
    frame = bytearray(made[at : at + 2 + length])
    frame[5:9] = high.to_bytes(2, "big") + wide.to_bytes(2, "big")
    if twice:
        made[at:at] = b"\xff\xe1\x00\x10" + bytes(made[at : at + 14])  # where a careless reader finds a size
        at += 18
    made[at : at + 2 + length] = frame
    return bytes(made) + bytes(padding)


def peak(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) << 10


BOMBS = {
    "2.7 MB that lies about its size": lying(65_000, 65_000, 2_700_000),
    "30 000 a side": lying(30_000, 30_000),
    "two sizes": lying(50_000, 50_000, twice=True),
    "long and thin": lying(65_535, 70),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_before_memory_is_taken(name: str) -> None:
    with BrowserCamera() as camera:
        assert camera.hand(jpeg()) == 1
        assert camera._reader is not None
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.monotonic()
        with pytest.raises(UnreadablePicture, match="picture-"):
            camera.hand(BOMBS[name])
        assert time.monotonic() - began < 10
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10
        assert camera._reader is None or peak(camera._reader.process.pid) < MOST_MEMORY
        assert camera.hand(jpeg()) == 2  # honest pictures go on


def test_a_process_that_hangs_or_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with BrowserCamera() as camera:
        camera.hand(jpeg())
        assert camera._reader is not None
        monkeypatch.setattr("vision.browser_camera.UNPACKING", 0.3)
        os.kill(camera._reader.process.pid, signal.SIGSTOP)
        with pytest.raises(UnreadablePicture, match="picture-harmful"):
            camera.hand(jpeg())
        monkeypatch.undo()
        assert camera.hand(jpeg()) == 2
        assert camera._reader is not None
        camera._reader.process.kill()
        with pytest.raises(UnreadablePicture, match="picture-harmful"):
            camera.hand(jpeg())
        assert camera.hand(jpeg()) == 3


def mangled(chance: Random, good: bytes) -> bytes:
    """A good file with some of it changed, cut off, doubled, or moved."""
    made = bytearray(good)
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(made) or 1)
        match chance.randrange(5):
            case 0:
                made[at : at + 1] = chance.randbytes(1)
            case 1:
                made[at : at + chance.randrange(1, 9)] = chance.choice([b"", b"\xff\xd8", b"\xff" * 4, bytes(4)])
            case 2:
                del made[at : at + chance.randrange(1, 400)]
            case 3:
                made[at:at] = made[at : at + chance.randrange(1, 400)]
            case _:
                made[at : at + 2] = chance.randrange(1 << 16).to_bytes(2, "big")
    return bytes(made)


def try_pictures(seconds: float, seed: int, least: int) -> int:
    """Strange pictures for a while, so many at least: each is taken or refused, and an honest one is taken after it."""
    chance, count, refused = Random(seed), 0, 0
    good = [
        jpeg(),
        jpeg(65, 64),
        lying(4000, 4000),
        lying(4096, 4096),
        cv2.imencode(".png", np.zeros((70, 90, 3), np.uint8))[1].tobytes(),
    ]
    progressive = cv2.imencode(".jpg", np.zeros((200, 200, 3), np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    good.append(progressive[1].tobytes())
    with BrowserCamera() as camera:
        camera.hand(good[0])
        until = time.monotonic() + seconds
        while count < least or time.monotonic() < until:
            count += 1
            try:
                camera.hand(mangled(chance, chance.choice(good)))
            except UnreadablePicture:
                refused += 1
            if camera._reader:
                assert peak(camera._reader.process.pid) < MOST_MEMORY
        camera.hand(good[0])
    print(f"pictures: {count} tried, {refused} refused")
    assert refused > count / 20
    return count


def test_strange_pictures_for_a_moment() -> None:
    assert try_pictures(1.5, 1, 3) >= 3


@pytest.mark.soak
def test_strange_pictures_for_ten_minutes() -> None:
    assert try_pictures(600, int(time.time()), 0) > 1000


def test_a_picture_for_a_process_that_was_ended_is_nobodys() -> None:
    """It may be on its way in a thread of its own when that process is given up."""
    with BrowserCamera() as camera:
        camera.hand(jpeg())
        reader = camera._reader
        assert reader
        camera.close()
        reader.tell("hand", (jpeg(),))
        assert camera.hand(jpeg()) == 2


def test_no_picture_is_unpacked_in_our_own_process() -> None:
    """The bytes of strangers come to no decoder here."""
    script = "import vision.browser_camera, sys; print('cv2' in dir(vision.browser_camera))"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
