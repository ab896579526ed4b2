"""A table's connection to its hall. It runs in threads of its own; the table's loop never waits for it.

The table's log is the source of truth. Committed events are sent in order until the hall acknowledges them. Nothing is
kept only here, so a restart loses nothing: the hall says up to which event it has the log, and the log says which of
the hall's commands were executed. While the network is down play goes on, and everything is sent when it is back.
"""

from __future__ import annotations

import http.client
import json
import logging
import ssl
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any
from urllib.parse import SplitResult, urlsplit

from companion.errors import BadInput
from companion.events import By, CommandExecuted, EventKind
from companion.games import game
from companion.games.game import Where
from companion.hall.keys import Key, read_key
from companion.hall.live import SUPERSEDED
from companion.table.aids import Far, twin_of
from companion.table.clocks import Control, control_of
from companion.table.host import Host
from companion.table.starting import record_for
from companion.table.state import HallState

BATCH = 200  # events
HEARTBEAT = 10.0  # seconds without events after which an empty report is sent
TIMEOUT = 10.0  # seconds for a response
MIN_BACKOFF, MAX_BACKOFF = 0.25, 5.0  # seconds between retries when the hall does not respond
EVIDENCE = (EventKind.VERDICT, EventKind.STOOD)  # events whose pictures are sent unasked
SERVER_ERROR = 500  # HTTP statuses from here on are the hall's own errors
WAITING_RETRY = 2.0  # seconds after which a game that cannot start yet is retried


def parse_hall_address(url: str, key: str) -> tuple[SplitResult, Key]:
    """Parse the hall's address and the table's key. BadInput if either is malformed."""
    parsed = read_key(key)
    if parsed is None:
        raise BadInput("--key", "hall-odd-key")
    try:
        parts = urlsplit(url)
        sensible = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        sensible = False
    if not sensible:
        raise BadInput("--hall", "hall-odd-address", address=url)
    return parts, parsed


class Uplink:
    def __init__(self, host: Host, url: str, key: str) -> None:
        """BadInput if the address or the key is malformed."""
        self._host = host
        self._url, self.key = parse_hall_address(url, key)
        self._log = ""
        self._state = HallState()
        self._called = False  # the players have called the referee
        self._calls_read = 0  # the last event that was searched for such calls
        self._wake, self._stopping = threading.Event(), threading.Event()
        self._done: int | None = None  # the number of the last command that was executed; None: not read from the log
        self._head_sent = ""  # the last signed head that was sent
        self._offered: set[int] = set()  # events whose pictures were sent, or refused by the hall
        self._listening: http.client.HTTPConnection | None = None
        self._threads = [
            threading.Thread(target=self._report, name="uplink", daemon=True),
            threading.Thread(target=self._listen, name="uplink-ear", daemon=True),
        ]

    def __enter__(self) -> Uplink:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._wake.set()
        for thread in self._threads[:1]:
            thread.join(TIMEOUT)

    def shown(self) -> HallState:
        """The hall's part of the table's state. Called in the table's thread."""
        store = self._host.store
        if store.last > self._calls_read:
            calls = store.events(after=self._calls_read, kinds=(EventKind.CALL,))
            self._calls_read = store.last
            if calls:
                self._called = bool(calls[-1].data.get("wanted"))
        return self._state._replace(called=self._called, far=tuple(sorted(self._host.aids.far)))

    def look(self) -> None:
        """Wake the sender if there is something to send. Called in the table's thread."""
        if self._host.store.committed > self._state.have or self._has_unsent_head():
            self._wake.set()

    # --- reporting

    def _report(self) -> None:
        backoff = MIN_BACKOFF
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                more = self._send()
                backoff = MIN_BACKOFF
            except Exception as error:  # the thread must survive any error: a retry may succeed
                if not isinstance(error, OSError | http.client.HTTPException | ValueError):
                    logging.getLogger("companion.hall").exception("the report to the hall stumbled")
                if self._state.reached:
                    self._state = self._state._replace(reached=False)
                self._stopping.wait(backoff)
                backoff = min(MAX_BACKOFF, backoff * 2)
                continue
            if not more:
                self._wake.wait(WAITING_RETRY if self._state.waiting else HEARTBEAT)

    def _send(self) -> bool:
        """Send one report and execute the commands in the response. True if there is more to send at once."""
        store = self._host.store
        if not self._log:
            first = store.sealed(0, 1)
            self._log = first[0].hash if first else ""
        events = store.sealed(self._state.have, BATCH) if self._log else []
        body: dict[str, Any] = {"events": [list(event) for event in events], "done": self._last_done()}
        if self._log:
            body["log"] = self._log
        if (head := self._host.sealer.head) and self._has_unsent_head():
            body["head"] = head.text()
        response = self._post("/api/link/report", body)
        self._head_sent = body.get("head", self._head_sent)
        refused = response["refused"] is not None
        self._state = self._state._replace(reached=True, have=int(response["have"]), refused=refused)
        for number in response["wanted"]:
            self._send_picture(number)
        for event in events:
            if event.kind in EVIDENCE and '"picture":' in event.text and event.number <= self._state.have:
                self._send_picture(event.number)
        self._do_commands(response["commands"])
        return (store.committed > self._state.have or self._has_unsent_head()) and not refused

    def _has_unsent_head(self) -> bool:
        """The hall has the events of the newest signed head, but not the head itself."""
        head = self._host.sealer.head
        return head is not None and head.number <= self._state.have and head.text() != self._head_sent

    def _send_picture(self, number: int) -> None:
        if number in self._offered:
            return
        jpeg = self._host.store.picture(number)
        try:
            self._request("POST", f"/api/link/picture?log={self._log}&number={number}", jpeg or b"", "image/jpeg")
        except _HttpError as refused:
            if refused.status >= SERVER_ERROR:
                raise
        self._offered.add(number)  # not before the response, so that a picture lost on the way is sent again

    # --- commands

    def _last_done(self) -> int:
        """The number of the last command that was executed, by the table's log."""
        if self._done is None:
            events = self._host.store.events(kinds=(EventKind.COMMAND,))
            self._done = max((int(event.data["number"]) for event in events), default=0)
        return self._done

    def _do_commands(self, commands: list[Mapping[str, Any]]) -> None:
        newest = max((int(one["number"]) for one in commands if one["kind"] == "start"), default=0)
        for command in commands:
            number = int(command["number"])
            if number <= self._last_done():
                continue
            if number != self._last_done() + 1:
                return  # one is missing and must be executed first
            # A table that joins in the third round skips the start commands of the first two.
            if not self._do(number, command, is_past=command["kind"] == "start" and number < newest):
                return
            self._done = number

    def _do(self, number: int, command: Mapping[str, Any], is_past: bool) -> bool:
        """Execute a command in the table's thread. Its effect and the event that it was executed are written in one
        transaction. False: retry it soon."""
        kind, data, who = str(command["kind"]), command["data"], str(command["who"])
        host, refused = self._host, SUPERSEDED if is_past else None
        try:
            act = (lambda: None) if is_past else _COMMANDS[kind](self, data) if kind in _COMMANDS else None
        except BadInput as bad:
            if bad.field == "camera" or bad.code in WAITING_CODES:
                self._state = self._state._replace(waiting=bad.code)
                return False
            act, refused = (lambda: None), bad.code
        self._state = self._state._replace(waiting=None)
        if act is None:
            act, refused = (lambda: None), "unknown"

        def done() -> None:
            nonlocal refused
            with host.store.transaction():
                try:
                    act()
                except BadInput as bad:
                    refused = bad.code
                commanded = CommandExecuted(number=number, do=kind, who=who, refused=refused)
                if kind == "far":
                    commanded["far"] = dict(data)
                host.store.append(host.state.number or 0, EventKind.COMMAND, commanded)

        try:
            host.do(done)
        except BadInput:  # the table is closed: the command is executed after it is opened again
            return False
        return True

    def _start(self, data: Mapping[str, Any]) -> Callable[[], object]:
        """Start the hall's game, unless this table has started it already."""
        host = self._host
        assignment = {name: data[name] for name in ("pairing", "number", "of", "twin", "far") if name in data}
        for event in host.store.events(kinds=(EventKind.NEW,)):
            about = event.data.get("record", {}).get("about") or {}
            if isinstance(about, dict) and about.get("hall") == assignment:
                return lambda: None
        played = game(data["game"])
        options, setup = dict(data["options"]), dict(data.get("setup") or {})
        if played.players_in is Where.OPTIONS:
            options["players"] = data["count"]
        elif played.players_in is Where.SETUP:
            setup["players"] = data["count"]
        if played.match.seats_stay and "first" in played.setup:
            setup["first"] = data["first"]
        given = "setup" in data  # the other table's setup of a twin game: nothing is dealt here
        watched = host.is_watched and not host.camera.is_simulated and not given
        about = {"players": list(data["players"]), "hall": assignment}
        record = record_for(
            host.camera, played.id, options, setup, from_camera=watched, about=about, deals=False if given else None
        )
        control: Control | None = control_of(data["clock"]) if data.get("clock") else None
        return lambda: host.begin(record, control)

    def _hints(self, data: Mapping[str, Any]) -> Callable[[], object]:
        on = False if data["locked"] else None
        return lambda: self._host.aids.set_hints(on, bool(data["locked"]), By.REFEREE)

    def _clock(self, data: Mapping[str, Any]) -> Callable[[], object]:
        host, seat = self._host, data.get("seat")
        match data["do"]:
            case "set":
                control = control_of(data["clock"]) if data.get("clock") else None
                return lambda: host.clock.set(control)
            case "add":
                return lambda: host.clock.add(seat, float(data["seconds"]))
            case "start":
                return lambda: host.clock.start(seat)
            case "stop":
                return lambda: host.clock.stop()
        raise BadInput("do", "unknown-field", choices="set, add, start, stop")

    def _answered(self, data: Mapping[str, Any]) -> Callable[[], object]:
        return lambda: self._host.call_referee(False, By.REFEREE)

    def _end(self, data: Mapping[str, Any]) -> Callable[[], object]:
        return lambda: self._host.game.end(data["winner"], "referee", By.REFEREE)

    def _far(self, data: Mapping[str, Any]) -> Callable[[], object]:
        """What happened at the other table of a twin game."""

        def show() -> None:
            if twin_of(self._host.game.record) == data["twin"]:  # else it is shown when that game is opened
                self._host.aids.hear_from_afar(Far.of(data))

        return show

    def _stand(self, data: Mapping[str, Any]) -> Callable[[], object]:
        return lambda: self._host.game.accept_as_seen(str(data.get("note") or ""))

    def _back(self, data: Mapping[str, Any]) -> Callable[[], object]:
        return lambda: self._host.game.take_back(int(data["count"]), By.REFEREE)

    # --- requests

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return json.loads(self._request("POST", path, json.dumps(body).encode(), "application/json"))

    def _request(self, method: str, path: str, body: bytes, kind: str) -> bytes:
        connection = self._connect()
        try:
            connection.request(method, path, body, {**self._headers(), "Content-Type": kind})
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        if response.status != 200:
            raise _HttpError(response.status)
        return content

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key.place}-{self.key.secret}"}

    def _connect(self, timeout: float = TIMEOUT) -> http.client.HTTPConnection:
        """With HTTPS the hall's certificate must have the fingerprint in the key, or be trusted by this machine."""
        name = str(self._url.hostname)
        if self._url.scheme == "http":
            return http.client.HTTPConnection(name, self._url.port or 80, timeout=timeout)
        context = ssl.create_default_context()
        if self.key.fingerprint:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        secure = http.client.HTTPSConnection(name, self._url.port or 443, timeout=timeout, context=context)
        if self.key.fingerprint:
            secure.connect()
            shown = secure.sock.getpeercert(binary_form=True) or b""
            if not sha256(shown).hexdigest().startswith(self.key.fingerprint.lower()):
                secure.close()
                raise ssl.SSLError("another certificate")
        return secure

    def _listen(self) -> None:
        """Read the stream of wake-ups from the hall, so that commands need not wait for the next heartbeat."""
        while not self._stopping.is_set():
            with suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
                connection = self._connect(HEARTBEAT * 3)
                try:
                    connection.request("GET", "/api/link/wake", headers=self._headers())
                    response = connection.getresponse()
                    while not self._stopping.is_set() and (line := response.readline()):
                        if line.startswith(b"data:"):
                            self._wake.set()
                finally:
                    connection.close()
            self._stopping.wait(MAX_BACKOFF / 2)


class _HttpError(OSError):
    """The hall responded with an error status. It is retried like a hall that does not respond."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status


WAITING_CODES = ("not-a-start", "nothing-seen", "no-camera", "hidden-face", "camera-absent", "missing")
_COMMANDS: dict[str, Callable[[Uplink, Mapping[str, Any]], Callable[[], object]]] = {
    "start": Uplink._start,
    "hints": Uplink._hints,
    "clock": Uplink._clock,
    "answered": Uplink._answered,
    "end": Uplink._end,
    "far": Uplink._far,
    "stand": Uplink._stand,
    "back": Uplink._back,
}
