"""The commands that serve the page, as they are started by people."""

from __future__ import annotations

import json
import os
import re
import signal
import ssl
import subprocess
import threading
import time
import urllib.request
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.settings import settings_file, settings_for
from tests.commands.test_rules import COMPANION, ROOT, complaint, run
from tests.web.serving import Browser, Place, served
from web.certificate import certificate
from web.serve import INLINE_LIMIT


@contextmanager
def started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it printed first."""
    environment = {**os.environ, "LC_ALL": "C", "XDG_CONFIG_HOME": os.devnull}
    process = subprocess.Popen(
        [*COMPANION, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def test_the_demonstration_shows_its_page(tmp_path: Path) -> None:
    with started("demo", "--port", "0", "--size", "640x480", "--sim", "pace=8") as (process, address):
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/", address)
        assert found
        assert process.stderr is not None
        pins = re.findall(r"\d{8}", process.stderr.readline())
        browser = Browser(int(found[1]))
        assert browser.get("/api/table")["role"] == "viewer"
        assert [browser.log_in(pin).get("/api/table")["role"] for pin in pins] == ["player", "referee"]
        refused = run("run", "--camera", "none", "--port", found[1], "--data", str(tmp_path))
        assert f"port {found[1]} is in use" in complaint(refused)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=20)
        assert "Traceback" not in told


def test_the_page_is_there_without_camera_and_game(tmp_path: Path) -> None:
    with started("run", "--camera", "none", "--port", "0", "--data", str(tmp_path)) as (process, address):
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        assert process.stderr is not None
        referee = re.findall(r"\d{8}", process.stderr.readline())[1]
        browser = Browser(port).log_in(referee)
        assert browser.get("/api/table")["game"] is None
        assert browser.ask("GET", "/api/board.svg")[0] == 409
        assert browser.post("/api/new", {"game": "hepta"})["game"] == "hepta"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert "hepta" in run("games", "--json", "--data", str(tmp_path)).stdout


def test_a_reader_of_the_first_line_who_leaves_is_no_error() -> None:
    demo = f"{' '.join(COMPANION)} demo --game hepta-solo --port 0 --size 640x480 --sim pace=8"
    found = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {demo} | head -n 1"], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert found.returncode == 0, found
    assert found.stdout.startswith("http://")
    assert "Traceback" not in found.stderr


def test_bad_places_are_said() -> None:
    assert "no.such.invalid" in complaint(run("demo", "--host", "no.such.invalid"))
    assert "--game" in complaint(run("run", "--camera", "none", "--no-web"))


def test_https_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    with started("demo", "--port", "0", "--https", "--data", str(tmp_path), "--size", "640x480", "--sim", "pace=8") as (
        _,
        address,
    ):
        assert address.startswith("https://")
        trusted = ssl.create_default_context(cafile=str(tmp_path / "https.pem"))
        with urllib.request.urlopen(f"{address}api/table", context=trusted, timeout=20) as answer:
            assert json.load(answer)["game"] == "six-faces"
        with urllib.request.urlopen(f"{address}api/events", context=trusted, timeout=20) as stream:
            lines = (line for line in islice(stream, 200) if line.startswith(b"data: "))
            seen = [json.loads(line[6:])["changes"] for line in islice(lines, 3)]
        assert len(seen) > 2
        assert seen == list(range(seen[0], seen[0] + len(seen)))
    assert (tmp_path / "https-key.pem").stat().st_mode & 0o777 == 0o600
    before = (tmp_path / "https.pem").read_bytes()
    assert certificate(tmp_path)[0].read_bytes() == before  # it is kept


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with served(tmp_path, "hepta") as found:
        yield found


def test_cookies_are_kept_from_plain_http_when_served_by_https(tmp_path: Path) -> None:
    from companion.store import open_store
    from companion.table.host import Host
    from tests.web.serving import PLAYER, settings
    from web.app import create_app
    from web.people import People

    with open_store(tmp_path) as store:
        app = create_app(Host(store, settings(tmp_path)), People(PLAYER), secure=True)
        answer = app.test_client().post("/api/login", json={"pin": PLAYER}, base_url="https://localhost")
        assert "Secure" in answer.headers["Set-Cookie"]


def test_a_request_under_way_is_answered_when_the_server_stops(place: Place) -> None:
    """And whoever looks on is sent home."""
    stream = place.events()
    stream.next()
    answers: list[int] = []
    held = threading.Event()

    def slow() -> str:
        held.set()
        time.sleep(0.5)
        return "there"

    place.server.app.view_functions["GET /api/games"] = slow
    asking = threading.Thread(target=lambda: answers.append(place.browser(None).ask("GET", "/api/games")[0]))
    asking.start()
    assert held.wait(5)
    place.server.stop()
    asking.join(5)
    assert answers == [200]
    place.host.over.wait(0.1)
    stream.answer.read()  # to its end


def test_what_takes_its_time_is_answered_by_a_thread(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state is told in the event loop itself, but only while that is quick: nobody is to wait behind it."""
    threads: list[str] = []
    seconds = iter([0.0, 0.0, 4 * INLINE_LIMIT, 0.0, 0.0, 0.0])

    def table() -> str:
        threads.append(threading.current_thread().name)
        until = time.thread_time() + next(seconds)
        while time.thread_time() < until:
            pass
        return "{}"

    monkeypatch.setitem(place.server.app.view_functions, "GET /api/table", table)
    browser = place.browser(None)
    for address in 5 * ["/api/table"] + ["/api/table?lang=fr"]:
        browser.get(address)
    at_once = [not name.startswith("answer-") for name in threads]
    assert at_once == [True, True, True, False, False, False]


def test_what_is_refused_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever page it comes from, a setting is used first and written afterwards."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def refuse(*_: object) -> None:
        raise BadInput("", "no-camera")

    with served(tmp_path / "data", "hepta", keeps=True) as place:
        monkeypatch.setattr(place.host, "use", refuse)
        monkeypatch.setattr(place.host.camera, "use", refuse)
        browser = place.browser()
        corners = [[10, 10], [600, 10], [600, 400], [10, 400]]
        for path, body in (
            ("/api/settings", {"still": 0.5}),
            ("/api/settings", {"camera": "browser"}),
            ("/api/camera", {"corners": corners}),
            ("/api/camera", {"no_corners": True}),
            ("/api/camera", {"source": "browser"}),
            ("/api/leds", {"do": "dim", "brightness": 70}),
            ("/api/leds", {"do": "use", "port": "virtual"}),
        ):
            assert browser.ask("POST", path, body)[0] == 404, body
            assert not Path(settings_file()).exists(), body


def test_settings_and_the_camera_are_kept_for_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with served(tmp_path / "data", "hepta", keeps=True) as place:
        browser = place.browser()
        browser.post("/api/settings", {"still": "0.5", "table": "window", "keep_pictures": 0, "game": "plank"})
        assert place.host.settings.still == 0.5
        assert not place.host.game.keep_pictures
        browser.post("/api/camera", {"source": "browser"})
        assert browser.post("/api/settings", {"camera": "/etc/passwd"}, status=422)["error"] == "camera-source"
        assert browser.post("/api/settings", {"data": "/tmp"}, status=422)["error"] == "unknown-field"
        shown = {one["name"]: one for one in browser.get("/api/settings")}
        assert (shown["camera"]["value"], shown["still"]["value"]) == ("browser", 0.5)
        assert not shown["data"]["changeable"]
        assert shown["table"]["when"] == "start"
    kept = settings_for(Namespace())
    assert (kept.camera, kept.still, kept.table, kept.keep_pictures, kept.game) == (
        "browser",
        0.5,
        "window",
        0,
        "plank",
    )
