"""The commands that follow a game with a camera: follow, new, run, demo."""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from socket import socket
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.commands import Argument, Command
from companion.commands.pictures import prepare
from companion.commands.rules import RECORD, checked, must_be_legal, text_of
from companion.games import GAME_IDS
from companion.games.position import BadInput, Visible
from companion.messages import say, say_bad, say_verdict
from companion.record import read_record
from companion.settings import SETTINGS, Settings, arguments, settings_for

if TYPE_CHECKING:
    from companion.host import Host
    from companion.referee import Referee, Verdict
    from companion.store import Store
    from vision.cameras import Camera


def _follow(given: argparse.Namespace, language: str) -> int:
    prepare()
    from companion.referee import Referee, line_of
    from vision.picture import open_picture
    from vision.reading import read_picture
    from vision.trouble import CannotRead

    record, played = checked(given.record, lambda record: (record, must_be_legal(record)))
    referee = Referee(line_of(record, played))
    status = 0
    for file in given.images:
        try:
            reading = read_picture(open_picture(Path(file)), record.game.id)
        except CannotRead as error:
            print(f"companion: {say_bad(BadInput(file, error.code, **error.params), language)}", file=sys.stderr)
            status = 2
            continue
        assert reading.look is not None  # the game was given
        verdict = referee.see(reading.look)
        told = {"file": file, **as_json(verdict, referee, language)}
        print(json.dumps(told, ensure_ascii=False), flush=True)
    return status


def as_json(verdict: Verdict, referee: Referee, language: str) -> dict[str, Any]:
    """A verdict as `companion follow` answers it: unseen draws and discards are left out."""
    moved = verdict.kind == "move"
    return {
        "verdict": verdict.kind,
        "moves": referee.seen_moves(len(verdict.moves)) if moved else [],
        "reason": say_verdict(verdict, language),
        "rule": verdict.reason.rule if verdict.reason else None,
        "squares": [wrong.square for wrong in verdict.wrong],
    }


def _new(given: argparse.Namespace, language: str) -> int:
    """Put a new game into the table's log, to be gone on with by `run`."""
    settings = settings_for(given)
    from companion.store import open_store

    record = _opening(given, settings, given.game_id, camera=given.from_camera)
    with open_store(settings.data, settings.table) as store:
        if store.trouble:
            raise store.trouble
        number = store.new_game(record, "person")
        if given.json:
            print(json.dumps({"id": number, "record": record}, ensure_ascii=False))
        else:
            print(say("FINDINGS", "live.begun", {"id": number}, language))
    return 0


def _run(given: argparse.Namespace, language: str) -> int:
    prepare()
    settings = settings_for(given)
    from companion.host import NO_CAMERA, Host, unfinished
    from companion.store import open_store

    with open_store(settings.data, settings.table) as store, _listening(given, settings) as listening:
        if settings.keep_pictures is not None:
            store.forget_pictures(settings.keep_pictures)
        # with a page, a game may also be begun there
        played = _game_of(settings, needed=listening is None or given.new)
        if given.record:
            record: dict[str, Any] | None = _record(given.record, played)
            number = None
        else:
            number = None if given.new else unfinished(store, played)
            camera = not settings.camera.startswith("sim:") and settings.camera != NO_CAMERA
            record = _opening(given, settings, played, camera) if number is None and played else None
        if number is not None:
            _say("live.resumed", language, id=number, moves=len(store.record(number)["moves"]))
        elif record:
            number = store.new_game({"options": {}, "setup": {}, "moves": [], **record}, "person")
            _say("live.begun", language, id=number)
        shown = _Shown(store, language, given.json)
        host = Host(store, settings, ends=listening is None, keeps_settings=True, told=shown.show)
        if number is not None:
            host.open(number)
        status = _serve(host, listening, shown)
        if number is not None:
            _say("live.where", language, file=store.file, id=number, folder=settings.data)
    return status


def _demo(given: argparse.Namespace, language: str) -> int:
    """Games that play themselves on a simulated table, one after another, until interrupted."""
    prepare()
    given.leds = given.leds or "virtual"  # what is real is left to those who play
    settings = settings_for(given)
    from companion.host import Demo, Host
    from companion.store import open_store

    with ExitStack() as stack:
        folder = settings.data
        if given.data is None:  # the demonstration leaves nothing behind unless it is asked to
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-"))
        store = stack.enter_context(open_store(folder, settings.table))
        listening = stack.enter_context(_listening(given, settings._replace(data=folder)))
        seed = Random().randrange(10_000) if given.seed is None else given.seed
        games = (settings.game,) if settings.game else ("six-faces", *(id for id in GAME_IDS if id != "six-faces"))
        parts = given.sim or ""
        if "trouble=" not in parts:  # a mistake now and then, so that one sees it caught
            parts = ",".join(filter(None, (parts, "trouble=illegal")))
        demo = Demo(games, seed, parts, given.games, goes_on=given.data is not None)
        shown = _Shown(store, language, given.json)
        host = Host(store, settings._replace(data=folder), demo=demo, ends=listening is None, told=shown.show)
        return _serve(host, listening, shown)


# --- what they share


class _Shown:
    """The table in the terminal, as a view or as the log's events; told by the host after each step."""

    def __init__(self, store: Store, language: str, as_json_lines: bool) -> None:
        from companion.terminal import View

        self.store, self.language, self.as_json_lines = store, language, as_json_lines
        self.view = View(sys.stdout, language, sys.stdout.isatty() and "NO_COLOR" not in os.environ)
        self._printed = store.last
        self._game: int | None = None
        self._trouble = ""

    def show(self, host: Host) -> None:
        live = host.live
        if live and host.demo and live.table.game != self._game:
            self._game = live.table.game
            moves = len(live.table.moves)
            _say("live.resumed" if moves else "live.begun", self.language, id=self._game, moves=moves)
        if self.as_json_lines:
            self._printed = _print_events(self.store, self._printed)
            self._warn()
        elif live:
            self.view.show(live)

    def _warn(self) -> None:
        """Where only what is safe is printed, somebody must say why nothing is."""
        trouble = say_bad(self.store.trouble, self.language) if self.store.trouble else ""
        if trouble and trouble != self._trouble:
            print(f"companion: {trouble}", file=sys.stderr, flush=True)
        self._trouble = trouble

    def address(self, address: str, player: str, referee: str) -> None:
        """Where the page is, first of all, and what those who play must know."""
        pins = say("FINDINGS", "web.pins", {"player": player, "referee": referee}, self.language)
        if self.as_json_lines:
            print(json.dumps({"kind": "serving", "data": {"address": address}}), flush=True)
        else:
            print(address, flush=True)
        print(pins, file=sys.stderr, flush=True)
        self.view.notes = [address, pins]


class _Listening(NamedTuple):
    socket: socket
    bound: str
    port: int
    certificate: tuple[Path, Path] | None

    @property
    def address(self) -> str:
        from web.certificate import own_addresses

        name = self.bound
        if name in ("0.0.0.0", "::", ""):
            name = next(iter(own_addresses()), "127.0.0.1")
        name = f"[{name}]" if ":" in name else name
        return f"{'https' if self.certificate else 'http'}://{name}:{self.port}/"


@contextmanager
def _listening(given: argparse.Namespace, settings: Settings) -> Iterator[_Listening | None]:
    """The dashboard's place, held before anything is changed; None where no page is wanted."""
    if given.no_web:
        yield None
        return
    from web.certificate import certificate
    from web.serve import listen

    bound = given.host or "127.0.0.1"
    found = listen(bound, settings.port)
    try:
        secure = certificate(Path(settings.data)) if given.https else None
        yield _Listening(found, bound, found.getsockname()[1], secure)
    finally:
        found.close()


def _serve(host: Host, listening: _Listening | None, shown: _Shown) -> int:
    """Let the host do its work until it is over or somebody ends it."""
    if listening is None:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # also where a script started us deaf to SIGINT
        with host:
            while not host.over.wait(1.0):
                pass
        interrupted = False
    else:
        from web.app import create_app
        from web.safety import Pins
        from web.serve import Server

        pins = Pins()
        app = create_app(
            host, pins, address=listening.bound, port=listening.port, secure=listening.certificate is not None
        )
        server = Server(app, listening.socket, listening.certificate)
        shown.address(listening.address, pins.player, pins.referee)
        if listening.bound not in ("127.0.0.1", "localhost", "::1") and sys.stderr.isatty():
            code = _code(listening.address)
            print(code, file=sys.stderr)
            shown.view.notes.append(code)
        with host:
            threading.Thread(target=server.stop_after, args=(host.over,), daemon=True).start()
            server.run()
        interrupted = server.interrupted
    if host.failure:
        raise host.failure
    if not shown.as_json_lines and host.live:
        host.live.table.changes += 1
        shown.view.show(host.live)
    return 130 if interrupted else 0


def _code(address: str) -> str:
    """The address as a QR code, for phones."""
    import segno

    drawn = io.StringIO()
    segno.make(address, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue()


def _print_events(store: Store, shown: int) -> int:
    """The events that are safe on disk and have not been shown yet, a JSON line each."""
    for event in store.events(after=shown):
        if event.number > store.safe:
            break
        print(json.dumps(event._asdict(), ensure_ascii=False), flush=True)
        shown = event.number
    return shown


def _camera(source: str, size: tuple[int, int]) -> Camera:
    from vision.cameras import open_camera
    from vision.trouble import CannotRead

    try:
        return open_camera(source, size)
    except CannotRead as error:
        raise BadInput("--camera", error.code, **error.params) from None


def _game_of(settings: Settings, needed: bool) -> str | None:
    if settings.game:
        return settings.game
    if settings.camera.startswith("sim:"):
        from companion.simulated import Simulation

        return Simulation.parse(settings.camera).game
    if needed:
        raise BadInput("--game", "missing-game", choices=", ".join(GAME_IDS))
    return None


def _opening(given: argparse.Namespace, settings: Settings, played: str, camera: bool) -> dict[str, Any]:
    from companion.host import dealt
    from companion.opening import opening

    if not camera and settings.camera.startswith("sim:") and not given.setup:
        from companion.simulated import Simulation

        return {**dealt(played, Simulation.parse(settings.camera).seed), "options": options_of(given.option)}
    setup = _json(given.setup) if given.setup else None
    south = dict(part.partition("=")[::2] for part in given.south.split(",")) if given.south else None
    seen = _first_look(settings, played) if camera and not given.setup else None
    about = {"players": given.players.split(",")} if given.players else None
    return opening(played, options_of(given.option), setup, seen, None, about, south)


def _record(source: str, played: str | None) -> dict[str, Any]:
    """A record to go on from; it must be of the game that is played, if that was said."""
    data = _json(source)
    try:
        must_be_legal(read_record(json.dumps(data)))
    except BadInput as bad:
        raise BadInput(f"{source}: {bad.field}" if bad.field else source, bad.code, **bad.params) from None
    if played and data["game"] != played:
        raise BadInput(f"{source}: game", "not-one-of", value=data["game"], choices=played)
    return data


def _json(source: str) -> dict[str, Any]:
    try:
        data = json.loads(text_of(source))
    except BadInput as bad:
        raise BadInput(source, bad.code, **bad.params) from None
    except (ValueError, RecursionError):
        raise BadInput(source, "not-json", at="1:1") from None
    if not isinstance(data, dict):
        raise BadInput(source, "not-an-object")
    return data


def options_of(given: list[str] | None) -> dict[str, Any]:
    """`name=value` options, the values as in JSON or as plain text."""
    options: dict[str, Any] = {}
    for part in given or ():
        name, sign, value = part.partition("=")
        if not sign:
            raise BadInput("--option", "not-an-option", text=part)
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options


def _first_look(settings: Settings, played: str) -> Visible:
    """What the camera sees of a game that begins."""
    from companion.host import first_look, watch_for

    with _camera(settings.camera, settings.size) as camera:
        return first_look(camera, watch_for(played, settings))


def _say(code: str, language: str, **params: object) -> None:
    print(say("FINDINGS", code, params, language), file=sys.stderr, flush=True)


BEGINNING = (
    Argument("--option", "new-option", {"metavar": "NAME=VALUE", "action": "append"}),
    Argument("--setup", "new-setup", {"metavar": "FILE"}),
    Argument("--south", "new-south", {"metavar": "a1=3,…"}),
    Argument("--players", "new-players", {"metavar": "NAME,NAME"}),
)
PAGE = (
    Argument("--host", "web-host", {"metavar": "ADDRESS"}),
    Argument("--https", "web-https", {"action": "store_true"}),
    Argument("--no-web", "web-none", {"action": "store_true"}),
)
LEDS = arguments(*(name for name in SETTINGS if name.startswith("leds")))
TABLE = arguments("camera", "data", "table", "size", "still", "lens", "corners", "surface", "keep_pictures")
COMMANDS = {
    "follow": Command(
        _follow,
        (
            RECORD,
            Argument("images", "follow-images", {"metavar": "IMAGE", "nargs": "+"}),
            Argument("--json", "json", {"action": "store_true"}),
        ),
    ),
    "new": Command(
        _new,
        (
            Argument("game_id", "new-game", {"metavar": "GAME", "choices": GAME_IDS}),
            *BEGINNING,
            Argument("--from-camera", "new-from-camera", {"action": "store_true"}),
            *TABLE,
            Argument("--json", "new-json", {"action": "store_true"}),
        ),
    ),
    "run": Command(
        _run,
        (
            *arguments("game"),
            *TABLE,
            *arguments("port"),
            *LEDS,
            *PAGE,
            Argument("--record", "run-record", {"metavar": "FILE"}),
            Argument("--new", "run-new", {"action": "store_true"}),
            *BEGINNING,
            Argument("--json", "run-json", {"action": "store_true"}),
        ),
    ),
    "demo": Command(
        _demo,
        (
            *arguments("game", "data", "table", "size", "port"),
            *LEDS,
            *PAGE,
            Argument("--seed", "demo-seed", {"metavar": "N", "type": int}),
            Argument("--games", "demo-games", {"metavar": "N", "type": int}),
            Argument("--sim", "demo-sim", {"metavar": "PARTS"}),
            Argument("--json", "run-json", {"action": "store_true"}),
        ),
    ),
}
