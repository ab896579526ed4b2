"""A table's side of a hall: beside the table's loop, which never waits for it.

The table's log is the truth. Whatever is safe in it is sent on, in order, until the hall says that it has it; nothing
is
remembered here that a restart would lose: the hall says up to which event it has the log, and the log says which of the
hall's commands were done. Where the network is gone, play goes on, and everything is sent when it comes back.
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
from companion.events import By, Commanded, EventKind
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
QUIET = 10.0  # seconds after which a sign of life is sent when nothing happens
PATIENCE = 10.0  # seconds for an answer
SOONEST, LATEST = 0.25, 5.0  # seconds after which a hall that does not answer is tried again
EVIDENCE = (EventKind.VERDICT, EventKind.STOOD)  # whose pictures are sent without being asked for
AILING = 500  # the status of an answer from which on it is the hall's own trouble
ANEW = 2.0  # seconds after which a game that cannot begin yet is tried again


def read_place(url: str, key: str) -> tuple[SplitResult, Key]:
    """Where the hall is, and the table's key there. BadInput if they make no sense."""
    found = read_key(key)
    if found is None:
        raise BadInput("--key", "hall-odd-key")
    try:
        parts = urlsplit(url)
        sensible = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        sensible = False
    if not sensible:
        raise BadInput("--hall", "hall-odd-address", address=url)
    return parts, found


class Uplink:
    def __init__(self, host: Host, url: str, key: str) -> None:
        """BadInput if address or key make no sense."""
        self._host = host
        self._url, self.key = read_place(url, key)
        self._log = ""
        self._state = HallState()
        self._wanted = False  # the referee
        self._called = 0  # up to which event it was looked whether the referee was called
        self._wake, self._stopping = threading.Event(), threading.Event()
        self._done: int | None = None  # the last command that was done; None: the log was not asked yet
        self._signed = ""  # what was last told of what the table has signed
        self._offered: set[int] = set()  # pictures that the hall was given, or will not have
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
            thread.join(PATIENCE)

    def shown(self) -> HallState:
        """In the table's thread."""
        store = self._host.store
        if store.last > self._called:
            calls = store.events(after=self._called, kinds=(EventKind.CALL,))
            self._called = store.last
            if calls:
                self._wanted = bool(calls[-1].data.get("wanted"))
        return self._state._replace(called=self._wanted, far=tuple(sorted(self._host.aids.far)))

    def look(self) -> None:
        """In the table's thread: there may be something to send."""
        if self._host.store.safe > self._state.have or self._is_unsigned():
            self._wake.set()

    # --- reporting

    def _report(self) -> None:
        pause = SOONEST
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                more = self._send()
                pause = SOONEST
            except Exception as error:  # whatever it is: the next try may go well
                if not isinstance(error, OSError | http.client.HTTPException | ValueError):
                    logging.getLogger("companion.hall").exception("the report to the hall stumbled")
                if self._state.reached:
                    self._state = self._state._replace(reached=False)
                self._stopping.wait(pause)
                pause = min(LATEST, pause * 2)
                continue
            if not more:
                self._wake.wait(ANEW if self._state.waiting else QUIET)

    def _send(self) -> bool:
        """Send what is new, do what is wanted. Whether there is more to do at once."""
        store = self._host.store
        if not self._log:
            first = store.sealed(0, 1)
            self._log = first[0].hash if first else ""
        events = store.sealed(self._state.have, BATCH) if self._log else []
        body: dict[str, Any] = {"events": [list(event) for event in events], "done": self._last_done()}
        if self._log:
            body["log"] = self._log
        if (head := self._host.sealer.head) and self._is_unsigned():
            body["head"] = head.text()
        told = self._post("/api/link/report", body)
        self._signed = body.get("head", self._signed)
        self._state = self._state._replace(reached=True, have=int(told["have"]), refused=told["refused"] is not None)
        for number in told["wanted"]:
            self._send_picture(number)
        for event in events:
            if event.kind in EVIDENCE and '"picture":' in event.text and event.number <= self._state.have:
                self._send_picture(event.number)
        self._do_commands(told["commands"])
        return (store.safe > self._state.have or self._is_unsigned()) and told["refused"] is None

    def _is_unsigned(self) -> bool:
        """The hall has events that were signed, but not what was signed."""
        head = self._host.sealer.head
        return head is not None and head.number <= self._state.have and head.text() != self._signed

    def _send_picture(self, number: int) -> None:
        if number in self._offered:
            return
        jpeg = self._host.store.picture(number)
        try:
            self._ask("POST", f"/api/link/picture?log={self._log}&number={number}", jpeg or b"", "image/jpeg")
        except _Refused as refused:
            if refused.status >= AILING:  # it cannot keep it now
                raise
        self._offered.add(number)  # only now: a network that went in between leaves it to be sent

    # --- commands

    def _last_done(self) -> int:
        """The number of the last command that was done, as the log says."""
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
                return  # one is missing: it comes first
            # Whoever joins in the third round does not begin the games of the first two.
            if not self._do(number, command, is_past=command["kind"] == "start" and number < newest):
                return
            self._done = number

    def _do(self, number: int, command: Mapping[str, Any], is_past: bool) -> bool:
        """Have a command done in the table's thread; what it changes and that it was done are kept at once. False: it
        is to be tried again soon."""
        kind, data, who = str(command["kind"]), command["data"], str(command["who"])
        host, refused = self._host, SUPERSEDED if is_past else None
        try:
            act = (lambda: None) if is_past else _ACTS[kind](self, data) if kind in _ACTS else None
        except BadInput as bad:
            if bad.field == "camera" or bad.code in WAITING:
                self._state = self._state._replace(waiting=bad.code)
                return False
            act, refused = (lambda: None), bad.code
        self._state = self._state._replace(waiting=None)
        if act is None:
            act, refused = (lambda: None), "unknown"

        def done() -> None:
            nonlocal refused
            with host.store.together():
                try:
                    act()
                except BadInput as bad:
                    refused = bad.code
                commanded = Commanded(number=number, do=kind, who=who, refused=refused)
                if kind == "far":
                    commanded["far"] = dict(data)
                host.store.append(host.state.number or 0, EventKind.COMMAND, commanded)

        try:
            host.do(done)
        except BadInput:  # the table is closed: it is done when it is opened again
            return False
        return True

    def _start(self, data: Mapping[str, Any]) -> Callable[[], object]:
        """The game that the hall wants. Told twice, it is begun once."""
        host = self._host
        asked = {name: data[name] for name in ("pairing", "number", "of", "twin", "far") if name in data}
        for event in host.store.events(kinds=(EventKind.NEW,)):
            about = event.data.get("record", {}).get("about") or {}
            if isinstance(about, dict) and about.get("hall") == asked:
                return lambda: None
        played = game(data["game"])
        options, setup = dict(data["options"]), dict(data.get("setup") or {})
        if played.players_in is Where.OPTIONS:
            options["players"] = data["count"]
        elif played.players_in is Where.SETUP:
            setup["players"] = data["count"]
        if played.match.seats_stay and "first" in played.setup:
            setup["first"] = data["first"]
        told = "setup" in data  # as the other table began; nothing is dealt anew
        watched = host.is_watched and not host.camera.is_simulated and not told
        about = {"players": list(data["players"]), "hall": asked}
        record = record_for(
            host.camera, played.id, options, setup, from_camera=watched, about=about, deals=False if told else None
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
        """What happened at the other table of the game that is played at both."""

        def hear() -> None:
            if twin_of(self._host.game.record) == data["twin"]:  # else it is heard when that game is opened
                self._host.aids.hear_from_afar(Far.of(data))

        return hear

    def _stand(self, data: Mapping[str, Any]) -> Callable[[], object]:
        return lambda: self._host.game.accept_as_seen(str(data.get("note") or ""))

    def _back(self, data: Mapping[str, Any]) -> Callable[[], object]:
        return lambda: self._host.game.take_back(int(data["count"]), By.REFEREE)

    # --- speaking with the hall

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return json.loads(self._ask("POST", path, json.dumps(body).encode(), "application/json"))

    def _ask(self, method: str, path: str, body: bytes, kind: str) -> bytes:
        connection = self._connected()
        try:
            connection.request(method, path, body, {**self._headers(), "Content-Type": kind})
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise _Refused(answer.status)
        return content

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key.place}-{self.key.secret}"}

    def _connected(self, patience: float = PATIENCE) -> http.client.HTTPConnection:
        """By HTTPS the hall must have the certificate whose fingerprint came with the key, or one that this machine
        trusts."""
        name = str(self._url.hostname)
        if self._url.scheme == "http":
            return http.client.HTTPConnection(name, self._url.port or 80, timeout=patience)
        context = ssl.create_default_context()
        if self.key.fingerprint:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        secure = http.client.HTTPSConnection(name, self._url.port or 443, timeout=patience, context=context)
        if self.key.fingerprint:
            secure.connect()
            shown = secure.sock.getpeercert(binary_form=True) or b""
            if not sha256(shown).hexdigest().startswith(self.key.fingerprint.lower()):
                secure.close()
                raise ssl.SSLError("another certificate")
        return secure

    def _listen(self) -> None:
        """The hall's wake-ups, so that commands need not wait for the next sign of life."""
        while not self._stopping.is_set():
            with suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
                connection = self._connected(QUIET * 3)
                try:
                    connection.request("GET", "/api/link/wake", headers=self._headers())
                    answer = connection.getresponse()
                    while not self._stopping.is_set() and (line := answer.readline()):
                        if line.startswith(b"data:"):
                            self._wake.set()
                finally:
                    connection.close()
            self._stopping.wait(LATEST / 2)


class _Refused(OSError):
    """The hall answered otherwise than it should: it is tried again like a hall that does not answer."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status


WAITING = ("not-a-start", "nothing-seen", "no-camera", "hidden-face", "camera-absent", "missing")
_ACTS: dict[str, Callable[[Uplink, Mapping[str, Any]], Callable[[], object]]] = {
    "start": Uplink._start,
    "hints": Uplink._hints,
    "clock": Uplink._clock,
    "answered": Uplink._answered,
    "end": Uplink._end,
    "far": Uplink._far,
    "stand": Uplink._stand,
    "back": Uplink._back,
}
