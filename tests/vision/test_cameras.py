"""Cameras with real parts: a server on loopback that fails, films, folders, killed and stopped processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.mjpeg import MjpegServer
from vision.cameras import Camera, list_cameras, open_camera, without_secrets
from vision.codes import Labels
from vision.errors import UnreadablePicture
from vision.frame_buffer import Frame, attach, create
from vision.picture import picture_from
from vision.pose import Image
from vision.simulate.plan import StagePlan
from vision.training.positions import SETS

QUICK = {"patience": 0.6, "pauses": (0.1, 0.2)}  # seconds; a fault shows after a third of the usual time
PLAIN = (240, 320, 3)


def shade(value: int) -> Image:
    return np.full(PLAIN, value, np.uint8)


def shade_of(frame: Frame | None) -> int:
    assert frame is not None
    return round(float(frame.image.mean()))


def wait_for(what: Callable[[], bool], seconds: float = 10.0) -> float:
    """How long it took until it was so."""
    began = time.monotonic()
    while not what():
        assert time.monotonic() - began < seconds, "it did not come"
        time.sleep(0.01)
    return time.monotonic() - began


def becomes(camera: Camera, code: str) -> float:
    return wait_for(lambda: camera.state.code == code)


def reader(camera: Camera) -> int:
    wait_for(lambda: camera.reader_pid is not None)
    pid = camera.reader_pid
    assert pid is not None
    return pid


def is_running(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return False


@pytest.fixture
def server():
    numbers = count()
    with MjpegServer(lambda: shade(next(numbers) % 250)) as server:
        yield server


# --- network cameras and their faults

FAULTS = ("stall", "half", "garbage", "hang up", "dead")


def fails_and_comes_back(server: MjpegServer, camera: Camera, fault: str) -> None:
    before = camera.newest()
    assert before is not None
    if fault == "dead":
        server.die()
    else:
        server.fault = fault
    assert becomes(camera, "lost") < 3.0
    assert camera.state.reason in ("camera-stalled", "camera-url")
    kept = camera.newest()
    assert kept is not None, "the last frame is still there"
    if fault == "dead":
        server.revive()
    server.fault = ""
    becomes(camera, "live")
    assert camera.state.reason == ""
    after = camera.newest(kept.number)
    assert after is not None
    assert after.number > kept.number >= before.number, "the numbers go on"
    assert time.monotonic() - after.at < 0.5


def test_a_network_camera_that_fails_comes_back(server: MjpegServer) -> None:
    with open_camera(server.url, **QUICK) as camera:
        assert camera.state.code == "starting"
        becomes(camera, "live")
        for fault in ("stall", "half", "dead"):
            fails_and_comes_back(server, camera, fault)


@pytest.mark.soak
def test_a_network_camera_is_lost_ten_times_and_more(server: MjpegServer) -> None:
    with open_camera(server.url, **QUICK) as camera:
        becomes(camera, "live")
        for fault in FAULTS * 4:
            fails_and_comes_back(server, camera, fault)


@pytest.mark.soak
@pytest.mark.parametrize("fault", FAULTS)
def test_with_the_usual_patience_a_fault_is_reported_within_three_seconds(server: MjpegServer, fault: str) -> None:
    with open_camera(server.url) as camera:
        becomes(camera, "live")
        server.fault = fault
        if fault == "dead":
            server.die()
        assert becomes(camera, "lost") < 3.0


def test_a_camera_that_is_not_there_yet_is_waited_for(server: MjpegServer) -> None:
    server.die()
    with open_camera(server.url, **QUICK) as camera:
        # on a busy machine it is given up for lost before its reader has come to the address
        wait_for(lambda: (camera.state.code, camera.state.reason) == ("lost", "camera-url"))
        assert camera.newest(timeout=0.05) is None
        server.revive()
        becomes(camera, "live")


def test_a_slow_consumer_sees_the_newest_frame_only(server: MjpegServer) -> None:
    with open_camera(server.url) as camera:
        frame = camera.newest(timeout=10)
        for _ in range(4):
            time.sleep(0.4)
            assert frame is not None
            number, frame = frame.number, camera.newest(frame.number)
            assert frame is not None
            assert time.monotonic() - frame.at < 0.3
            assert frame.number > number + 3, "what came meanwhile is left out"


# --- devices


def test_a_device_that_is_not_there_is_lost_and_tried_again() -> None:
    with open_camera("97", **QUICK) as camera:
        becomes(camera, "lost")
        assert camera.state.reason == "camera-none"
        assert camera.state.code == "lost"
        first = reader(camera)
        wait_for(lambda: camera.reader_pid not in (None, first))


def test_one_picture_of_a_camera(server: MjpegServer) -> None:
    assert picture_from(server.url).shape == PLAIN
    server.die()
    with pytest.raises(UnreadablePicture, match="camera-url"):
        picture_from(server.url)


def test_cameras_are_listed_by_names_that_stay(tmp_path: Path) -> None:
    assert list_cameras(tmp_path) == []
    for node in ("video0", "video2", "video10"):
        (tmp_path / node).touch()
    by_id = tmp_path / "v4l" / "by-id"
    by_id.mkdir(parents=True)
    (by_id / "usb-Cam-video-index0").symlink_to(tmp_path / "video2")
    (by_id / "usb-Cam-video-index1").symlink_to(tmp_path / "video3")
    assert [Path(name).name for name in list_cameras(tmp_path)] == ["usb-Cam-video-index0", "video0", "video10"]


# --- films and folders


def test_a_film_is_played_at_its_own_speed_and_ends(tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 20, PLAIN[1::-1])
    for n in range(21):
        writer.write(shade(10 * n))
    writer.release()
    with open_camera(str(film)) as camera:
        first = camera.newest(timeout=10)
        assert first is not None
        becomes(camera, "ended")
        last = camera.newest()
        assert last is not None
        assert last.at - first.at == pytest.approx(0.05 * (last.number - first.number), abs=0.2)
        assert last.number == 21
        assert shade_of(last) == pytest.approx(200, abs=3)
        assert camera.state.reason == "camera-over"
        assert camera.newest(last.number, timeout=60) is None, "nothing is waited for"


def test_a_folder_holds_each_picture_for_a_while(tmp_path: Path) -> None:
    for n, name in enumerate(("a.jpg", "b.PNG", "c.jpeg")):
        cv2.imwrite(str(tmp_path / name), shade(50 * n))
    (tmp_path / "b2.jpg").write_bytes(b"no picture")
    (tmp_path / "notes.txt").write_text("no picture either")
    seen: dict[int, list[float]] = {}
    number = 0
    with open_camera(str(tmp_path), interval=0.3) as camera:
        while camera.state.code != "ended":
            if frame := camera.newest(number, timeout=0.1):
                number = frame.number
                seen.setdefault(round(shade_of(frame), -1), []).append(frame.at)
    assert list(seen) == [0, 50, 100]
    assert all(len(times) > 1 for times in seen.values()), "a picture that stays is seen again"
    assert seen[100][0] - seen[0][0] == pytest.approx(0.6, abs=0.15)


def test_what_cannot_be_played_is_said(tmp_path: Path) -> None:
    text = tmp_path / "film.mp4"
    text.write_text("this is no film")
    with open_camera(str(text), **QUICK) as camera:
        becomes(camera, "ended")
        assert camera.state.reason == "camera-film"
    for source, complaint in (
        (str(tmp_path), "camera-folder"),
        (str(tmp_path / "missing"), "camera-source"),
        ("ftp://somewhere/film", "camera-address"),
        ("sim:anything", "camera-source"),  # nobody says what it shows
    ):
        with pytest.raises(UnreadablePicture, match=complaint):
            open_camera(source)


def test_passwords_are_not_shown() -> None:
    assert without_secrets("rtsp://me:secret@10.0.0.7/1") == "rtsp://10.0.0.7/…"
    assert without_secrets("/home/a@b/film.mp4") == "/home/a@b/film.mp4"


# --- the simulated table

STAGE = """
    import sys, types
    import numpy as np

    class Stage:
        def __init__(self, plan):
            self.size, self.shade, self.busy, self.until, self.lost = plan.size, plan.seed, False, 0.0, 0.0

        def show(self, shade):
            self.shade = shade

        def move(self, *shades):
            self.shade, self.busy, self.until = shades[-1], True, 0.0

        def lose(self, seconds):
            self.lost = -seconds

        def frame(self, at):
            if self.busy:
                self.until = self.until or at + 0.3
                self.busy = at < self.until
            self.lost = at - self.lost if self.lost < 0 else self.lost
            return None if at < self.lost else np.full((self.size[1], self.size[0], 3), self.shade, np.uint8)

    module = types.ModuleType("vision.simulate.stage")
    module.Stage = Stage
    sys.modules["vision.simulate.stage"] = module
"""


@pytest.fixture
def bare_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage that shows a mere shade, so that what goes through the reader can be told exactly."""
    (tmp_path / "sitecustomize.py").write_text(textwrap.dedent(STAGE))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))


def stage(**more: Any) -> Camera:
    plan = StagePlan(SETS["trominoes"], seed=40, size=(96, 64))
    return open_camera("sim:anything", stage=plan, **QUICK, **more)


@pytest.mark.usefixtures("bare_stage")
def test_the_stage_does_what_it_is_told() -> None:
    with stage() as camera:
        frame = camera.newest(timeout=10)
        assert frame is not None
        assert frame.image.shape == (64, 96, 3)
        assert shade_of(frame) == 40
        camera.tell("nonsense")
        camera.tell("move", 50, 60)
        assert camera.busy, "from the moment it is told"
        wait_for(lambda: not camera.busy)
        assert shade_of(camera.newest()) == 60


@pytest.mark.usefixtures("bare_stage")
def test_a_stage_that_gives_no_frames_is_lost_but_stays() -> None:
    with stage() as camera:
        becomes(camera, "live")
        camera.tell("show", 70)
        before = reader(camera)
        camera.tell("lose", 1.5)
        becomes(camera, "lost")
        becomes(camera, "live")
        assert reader(camera) == before
        assert shade_of(camera.newest()) == 70


@pytest.mark.usefixtures("bare_stage")
def test_a_stage_that_must_be_replaced_shows_what_lay_on_it() -> None:
    with stage() as camera:
        camera.tell("show", 80)  # before there is anybody to hear it
        assert camera.busy
        becomes(camera, "live")
        wait_for(lambda: not camera.busy)
        assert shade_of(camera.newest()) == 80
        os.kill(reader(camera), signal.SIGKILL)
        becomes(camera, "lost")
        becomes(camera, "live")
        wait_for(lambda: not camera.busy)
        assert shade_of(camera.newest()) == 80


def test_only_a_simulated_table_can_be_told(server: MjpegServer) -> None:
    with open_camera(server.url) as camera, pytest.raises(ValueError, match="no stage"):
        camera.tell("reach")


def test_the_real_stage_gives_frames() -> None:
    """In a process of its own, of a game of which only the labels are known."""
    labels = Labels("never-heard-of", "seven", {" ": "bare", "m": "mushroom", "b": "blocker"})
    with open_camera("sim:anything", stage=StagePlan(labels, seed=3, size=(640, 360))) as camera:
        frame = camera.newest(timeout=30)
        assert frame is not None
        assert frame.image.shape == (360, 640, 3)
        camera.tell("reach")
        assert camera.busy


# --- processes


def test_a_reader_that_hangs_is_ended_and_replaced(server: MjpegServer) -> None:
    with open_camera(server.url, **QUICK) as camera:
        becomes(camera, "live")
        hung = reader(camera)
        os.kill(hung, signal.SIGSTOP)
        assert becomes(camera, "lost") < 3.0
        assert camera.state.reason == "camera-stalled"
        becomes(camera, "live")
        assert reader(camera) != hung
        assert not is_running(hung)
    assert camera.reader_pid is None


def shared_memory() -> set[Path]:
    """What lies in the system's shared memory, but for what browsers and locks of tests beside this one put there."""
    folder = Path("/dev/shm")
    files = folder.iterdir() if folder.exists() else ()
    return {file for file in files if not file.name.startswith((".org.chromium", "sem."))}


def test_a_killed_parent_takes_its_reader_with_it_and_leaves_nothing(server: MjpegServer) -> None:
    before = shared_memory()
    script = """
        import sys, time
        from vision.cameras import open_camera
        with open_camera(sys.argv[1]) as camera:
            camera.newest(timeout=10)
            print(camera.reader_pid, flush=True)
            time.sleep(60)
    """
    arguments = [sys.executable, "-c", textwrap.dedent(script), server.url]
    parent = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert is_running(pid)
    parent.kill()
    assert parent.communicate()[1] == ""
    assert wait_for(lambda: not is_running(pid)) < 2
    assert shared_memory() <= before


def test_closing_ends_the_reader(server: MjpegServer) -> None:
    camera = open_camera(server.url)
    pid = reader(camera)
    camera.close()
    assert not is_running(pid)
    assert camera.newest(10**9, timeout=60) is None, "nothing is waited for"


def test_no_torn_frame_is_handed_out() -> None:
    """A writer as fast as it can be, in a process of its own, and every frame that is taken is of one shade."""
    frames, word, descriptors = create()
    script = """
        import sys, time
        import numpy as np
        from vision.frame_buffer import attach
        frames = attach(sys.argv[1])
        pictures = [np.full((480, 640, 3), shade, np.uint8) for shade in range(250)]
        until = time.monotonic() + 0.8
        while time.monotonic() < until:
            for picture in pictures:
                frames.put(picture, time.monotonic())
    """
    writer = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script), word], pass_fds=descriptors)
    os.close(descriptors[0])
    taken: set[int] = set()
    while writer.poll() is None:
        if frame := frames.get():
            assert frame.image.min() == frame.image.max() == (frame.number - 1) % 250
            taken.add(frame.number)
    assert len(taken) > 5


def test_a_huge_frame_is_made_smaller() -> None:
    frames, word, descriptors = create()
    attach(word).put(np.full((3000, 4000, 3), 7, np.uint8), 1.0)
    os.close(descriptors[0])
    frame = frames.get()
    assert frame is not None
    assert frame.image.shape == (1950, 2600, 3)
