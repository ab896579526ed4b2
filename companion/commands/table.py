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
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from socket import socket
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.commands import Argument, Command, setting_arguments
from companion.commands.pictures import prepare
from companion.commands.rules import RECORD
from companion.errors import BadInput
from companion.games import game, game_ids
from companion.messages import say, say_bad, say_verdict
from companion.record import read_record
from companion.record_files import read_text, require_legal, use_record
from companion.settings import SETTINGS, Settings, settings_for

if TYPE_CHECKING:
    from companion.referee import Referee, Verdict
    from companion.store import Store
    from companion.table.camera import TableCamera
    from companion.table.host import Host

DICE_FIELD = "faces"


PATIENCE = (
    60_000  # positions looked at for each picture that `follow` is given: there is no next look at the same board
)
INVITED, INVITED_FOR = 8, 3600.0  # how many may come in by the code in the terminal, and for how many seconds
DEVICE_OPENS = 3.0  # seconds in which a camera of this machine has failed to open, if it does


def _follow(given: argparse.Namespace, language: str) -> int:
    prepare()
    from companion.labels import labels_of
    from companion.learned import learned_set
    from companion.referee import Referee, line_of
    from vision.errors import UnreadablePicture
    from vision.picture import open_picture
    from vision.reading import read_picture

    if not given.images:
        return follow_evidence(given.record, language)
    record, played = use_record(given.record, lambda record: (record, require_legal(record)))
    learned = learned_set(settings_for(given), record.game.id)
    referee = Referee(line_of(record, played), patience=PATIENCE, watches=False)
    status = 0
    for file in given.images:
        try:
            reading = read_picture(open_picture(Path(file)), labels_of(record.game), learned=lambda _: learned)
        except UnreadablePicture as error:
            print(f"companion: {say_bad(BadInput(file, error.code, **error.params), language)}", file=sys.stderr)
            status = 2
            continue
        assert reading.look is not None  # the game was given
        verdict = referee.see(reading.look)
        told = {"file": file, **as_json(verdict, referee, language)}
        print(json.dumps(told, ensure_ascii=False), flush=True)
    return status


def follow_evidence(source: str, language: str) -> int:
    """Judge looks from a file of evidence again."""
    from companion.referee import Referee, line_of
    from companion.table.kept_looks import seen_from_json

    data = _json(source)
    if not isinstance(data.get("looks"), list) or not isinstance(data.get("record"), dict):
        raise BadInput(source, "no-pictures-no-looks")
    try:
        record = read_record(json.dumps(data["record"]))
        referee = Referee(line_of(record, require_legal(record)), patience=PATIENCE)
        seen = [seen_from_json(look, record.game.id) for look in data["looks"]]
        for number, (kept, look) in enumerate(zip(data["looks"], seen, strict=True), 1):
            told = as_json(referee.see(*look), referee, language)
            found = {"file": source, "look": number, "event": kept.get("event"), **told}
            print(json.dumps(found, ensure_ascii=False), flush=True)
    except BadInput as bad:
        raise BadInput(f"{source}: {bad.field}" if bad.field else source, bad.code, **bad.params) from None
    return 0


def as_json(verdict: Verdict, referee: Referee, language: str) -> dict[str, Any]:
    """A verdict in the output of `companion follow`, without unseen draws and discards.

    A correction of an earlier verdict is not a move of this look.
    """
    new = len(verdict.moves) - verdict.earlier if verdict.kind == "move" else 0
    return {
        "verdict": "same" if verdict.kind == "move" and not new else verdict.kind,
        "moves": referee.seen_moves(new) if new else [],
        "reason": say_verdict(verdict, language),
        "rule": verdict.reason.rule if verdict.reason else None,
        "squares": [wrong.square for wrong in verdict.wrong],
    }


def _new(given: argparse.Namespace, language: str) -> int:
    """Begin a game in the table's log, for `run` to continue."""
    settings = settings_for(given)
    from companion.store import open_store
    from companion.table.starting import begin

    record = _opening(given, settings, given.game_id, from_camera=given.from_camera)
    with open_store(settings.data, settings.table) as store:
        if store.trouble:
            raise store.trouble
        number = begin(store, record)
        if store.trouble:  # the game is only in memory
            raise store.trouble
        if given.json:
            print(json.dumps({"id": number, "record": record}, ensure_ascii=False))
        else:
            print(say("FINDINGS", "live.begun", {"id": number}, language))
    return 0


def _run(given: argparse.Namespace, language: str) -> int:
    prepare()
    settings = settings_for(given)
    check_hall(given)
    from companion.learned import learned_sets
    from companion.store import open_store
    from companion.table.host import Host

    learned_sets(settings)  # BadInput for a damaged file, before a game is begun
    with open_store(settings.data, settings.table) as store, _listening(given, settings) as listening:
        if settings.keep_pictures is not None:
            store.forget_due_pictures(settings.keep_pictures)
        shown = _Shown(store, language, given.json)
        host = Host(store, settings, ends=listening is None, keeps_settings=True, on_step=shown.show)
        # with a page, a game may also be begun there
        number = _game_to_play(given, settings, store, language, needed=listening is None or given.new)
        if absent := _absent(settings.camera):  # it may be plugged in later
            print(f"companion: {say_bad(absent, language)}", file=sys.stderr, flush=True)
        if number is not None:
            host.open(number)
        try:
            with _in_hall(given, host):
                status = _serve(host, listening, shown)
        finally:  # also when it is interrupted: say if events are not on disk
            if not store.retry() or not store.keeping.ok:
                why = say_bad(store.keeping.trouble, language) if store.keeping.trouble else ""
                _say("live.lost", language, waiting=store.keeping.waiting, why=why)
        if not store.keeping.ok:
            status = status or 1
        elif number is not None:
            _say("live.where", language, file=store.file, id=number, folder=settings.data)
    return status


def check_hall(given: argparse.Namespace) -> None:
    """BadInput if the hall's address or key is malformed, before anything else is done."""
    if given.hall is None:
        return
    if given.key is None:
        raise BadInput("--key", "hall-needs-key")
    from companion.hall.uplink import parse_hall_address

    parse_hall_address(given.hall, key_of(given.key))


@contextmanager
def _in_hall(given: argparse.Namespace, host: Host) -> Iterator[None]:
    """Connect the table to its hall, if it has one."""
    if given.hall is None:
        yield
        return
    from companion.hall.uplink import Uplink

    with Uplink(host, given.hall, key_of(given.key)) as host.hall:
        yield


def key_of(given: str) -> str:
    """The key itself, or read from a file, so that other users do not see it in the command line."""
    file = Path(given)
    try:
        return file.read_text("utf-8").strip() if file.is_file() else given
    except (OSError, ValueError):
        raise BadInput("--key", "hall-odd-key") from None


def _game_to_play(
    given: argparse.Namespace, settings: Settings, store: Store, language: str, needed: bool
) -> int | None:
    """The number of the game that `run` starts with: an unfinished one, or a new one."""
    from companion.simulation.source import PREFIX as SIMULATED
    from companion.table.starting import begin, unfinished
    from companion.table.state import NO_CAMERA

    def say_unplayable(number: int, why: BadInput) -> None:
        _say("live.unplayable", language, id=number, reason=say_bad(why, language))

    game_id = _game_of(settings, needed)
    if not given.record and not given.new:
        number = unfinished(store, game_id, say_unplayable)
        if number is not None:
            _say("live.resumed", language, id=number, moves=len(store.record(number)["moves"]))
            return number
    if given.record:
        record = _record(given.record, game_id)
    elif game_id:
        watched = not settings.camera.startswith(SIMULATED) and settings.camera != NO_CAMERA
        record = _opening(given, settings, game_id, from_camera=watched)
    else:
        return None
    number = begin(store, record)
    _say("live.begun", language, id=number)
    return number


def _demo(given: argparse.Namespace, language: str) -> int:
    """Games that play themselves on a simulated table, one after another, until interrupted."""
    prepare()
    given.leds = given.leds or "virtual"  # never use a real board without being asked
    settings = settings_for(given)
    from companion.store import open_store
    from companion.table.demo import Demo
    from companion.table.host import Host

    with ExitStack() as stack:
        folder = settings.data
        if given.data is None:  # without --data the demonstration keeps nothing
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-"))
        store = stack.enter_context(open_store(folder, settings.table))
        seed = Random().randrange(10_000) if given.seed is None else given.seed
        parts = given.sim or ""
        if "trouble=" not in parts:  # show how mistakes are caught
            parts = ",".join(filter(None, (parts, "trouble=illegal")))
        demo = Demo(_shown_games(settings.game), seed, parts, given.games, goes_on=given.data is not None)
        listening = stack.enter_context(_listening(given, settings._replace(data=folder), nearby=True))
        shown = _Shown(store, language, given.json)
        if listening and listening.port != settings.port != 0:
            shown.note(say("FINDINGS", "web.other-port", {"taken": settings.port, "port": listening.port}, language))
        host = Host(store, settings._replace(data=folder), demo=demo, ends=listening is None, on_step=shown.show)
        return _serve(host, listening, shown)


def _shown_games(only: str | None) -> tuple[str, ...]:
    """The games of a demonstration. Dice come first, since they show best what the camera reads."""
    if only:
        return (only,)
    return tuple(found.id for found in sorted(map(game, game_ids()), key=lambda found: found.field != DICE_FIELD))


# --- what they share


class _Shown:
    """Shows the table in the terminal, as a view or as the log's events. The host calls it after each step."""

    def __init__(self, store: Store, language: str, as_json_lines: bool) -> None:
        from companion.terminal import View

        self.store, self.language, self.as_json_lines = store, language, as_json_lines
        self.view = View(sys.stdout, language, sys.stdout.isatty() and "NO_COLOR" not in os.environ)
        self._printed = store.last
        self._game: int | None = None
        self._trouble = self._pins = ""

    def show(self, host: Host) -> None:
        state = host.state
        if host.demo and state.number != self._game:
            self._game = state.number
            moves = len(state.record["moves"])
            _say("live.resumed" if moves else "live.begun", self.language, id=self._game, moves=moves)
        if self.as_json_lines:
            self._printed = _print_events(self.store, self._printed)
            self._warn()
        elif state.game:
            self.view.show(state)

    def _warn(self) -> None:
        """With --json only committed events are printed, so say on standard error why there are none."""
        trouble = say_bad(self.store.trouble, self.language) if self.store.trouble else ""
        if trouble and trouble != self._trouble:
            print(f"companion: {trouble}", file=sys.stderr, flush=True)
        self._trouble = trouble

    def note(self, text: str) -> None:
        """Print a note; in a terminal it stays below the board."""
        print(text, file=sys.stderr, flush=True)
        self.view.notes.append(text)

    def address(self, address: str, player: str, referee: str) -> None:
        """Print the page's address, with a QR code and the PINs."""
        if self.as_json_lines:
            print(json.dumps({"kind": "serving", "data": {"address": address}}), flush=True)
        else:
            print(address, flush=True)
        self.view.notes.append(address)
        self.pins(player, referee)

    def pins(self, player: str, referee: str) -> None:
        """Print the current PINs."""
        if self._pins in self.view.notes:
            self.view.notes.remove(self._pins)
        self._pins = say("FINDINGS", "web.pins", {"player": player, "referee": referee}, self.language)
        self.note(self._pins)


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
def _listening(given: argparse.Namespace, settings: Settings, nearby: bool = False) -> Iterator[_Listening | None]:
    """Open the dashboard's socket before anything is changed; None without a page. `nearby`: if the port is taken, use
    the next free one."""
    if given.no_web:
        yield None
        return
    from web.certificate import certificate
    from web.serve import listen, listen_nearby

    bound = given.host or "127.0.0.1"
    found = (listen_nearby if nearby else listen)(bound, settings.port)
    try:
        secure = certificate(Path(settings.data)) if given.https else None
        yield _Listening(found, bound, found.getsockname()[1], secure)
    finally:
        found.close()


def _serve(host: Host, listening: _Listening | None, shown: _Shown) -> int:
    """Run the host, and the server if there is one, until the end or an interruption."""
    from companion.table.watchdog import Watchdog

    Watchdog(host, lambda code, params: shown.note(say("FINDINGS", code, params, shown.language))).start()
    if listening is None:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGINT may be ignored if a script started us
        with host:
            while not host.over.wait(1.0):
                pass
        interrupted = False
    else:
        from companion.rights import Role, Who
        from web.app import create_app
        from web.people import People
        from web.serve import Server

        people = People(on_pins=lambda changed: shown.pins(changed.player, changed.referee))
        app = create_app(
            host,
            people,
            address=listening.bound,
            port=listening.port,
            secure=listening.certificate is not None,
            printer=_printed,
        )
        server = Server(app, listening.socket, listening.certificate)
        shown.address(listening.address, people.player, people.referee)
        if listening.bound not in ("127.0.0.1", "localhost", "::1") and sys.stderr.isatty():
            invited = people.invite(Who(Role.PLAYER), INVITED, INVITED_FOR)
            code = _code(f"{listening.address}join#{invited}")
            print(code, file=sys.stderr)
            shown.view.notes.append(code)
        with host:
            threading.Thread(target=server.stop_after, args=(host.over,), daemon=True).start()
            server.run()
        interrupted = server.interrupted
    if host.failure:
        raise host.failure
    if not shown.as_json_lines and host.state.game:
        shown.view.show(host.state, again=True)
    return 130 if interrupted else 0


def _code(address: str) -> str:
    """The address as a QR code."""
    import segno

    drawn = io.StringIO()
    segno.make(address, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue()


def _printed(paper: str, language: str, game_id: str | None) -> bytes:
    """A page of the kit as PDF. The typesetting packages are imported only now."""
    from companion.kit.book import page_pdf

    return page_pdf(paper, language, game(game_id) if game_id else None)


def _print_events(store: Store, shown: int) -> int:
    """Print the new committed events as JSON lines."""
    for event in store.events(after=shown):
        if event.number > store.committed:
            break
        print(json.dumps(event._asdict(), ensure_ascii=False), flush=True)
        shown = event.number
    return shown


def _game_of(settings: Settings, needed: bool) -> str | None:
    from companion.simulation.source import PREFIX as SIMULATED

    if settings.game:
        return settings.game
    if settings.camera.startswith(SIMULATED):
        from companion.simulation.source import Simulation

        return Simulation.parse(settings.camera).game
    if needed:
        raise BadInput("--game", "missing-game", choices=", ".join(game_ids()))
    return None


def _opening(given: argparse.Namespace, settings: Settings, game_id: str, from_camera: bool) -> dict[str, Any]:
    """The record of the game that the command line describes."""
    from companion.simulation.source import PREFIX as SIMULATED
    from companion.table.camera import TableCamera
    from companion.table.opening import new_record
    from companion.table.starting import simulated_record

    options, setup = options_of(given.option), _json(given.setup) if given.setup else None
    about = {"players": given.players.split(",")} if given.players else None
    if not from_camera and settings.camera.startswith(SIMULATED):
        from companion.simulation.source import Simulation

        return simulated_record(game_id, Simulation.parse(settings.camera).seed, options, setup, about)
    south = dict(part.partition("=")[::2] for part in given.south.split(",")) if given.south else None
    seen = None
    if from_camera and setup is None:
        if absent := _absent(settings.camera):
            raise absent
        with TableCamera(settings) as camera:
            _wait_for_device(camera)
            seen = camera.first_look(game_id)
    return new_record(game(game_id), options, setup, seen=seen, told=south, about=about)


def _record(source: str, game_id: str | None) -> dict[str, Any]:
    """Read a record to continue from. BadInput if it is of another game than the one given."""
    data = _json(source)
    try:
        require_legal(read_record(json.dumps(data)))
    except BadInput as bad:
        raise BadInput(f"{source}: {bad.field}" if bad.field else source, bad.code, **bad.params) from None
    if game_id and data["game"] != game_id:
        raise BadInput(f"{source}: game", "not-one-of", value=data["game"], choices=game_id)
    return data


def _json(source: str) -> dict[str, Any]:
    try:
        data = json.loads(read_text(source))
    except BadInput as bad:
        raise BadInput(source, bad.code, **bad.params) from None
    except (ValueError, RecursionError):
        raise BadInput(source, "not-json", at="1:1") from None
    if not isinstance(data, dict):
        raise BadInput(source, "not-an-object")
    return data


def options_of(given: list[str] | None) -> dict[str, Any]:
    """Parse `name=value` options; values are JSON or plain text."""
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


def _absent(source: str) -> BadInput | None:
    """Why there is no such camera, if that is known without opening it. None if it may exist."""
    from vision.cameras import is_absent

    return BadInput("--camera", "camera-absent", source=source) if is_absent(source) else None


def _wait_for_device(camera: TableCamera) -> None:
    """BadInput if a local camera cannot be opened. One in the network may only be slow."""
    from vision.cameras import Camera

    device, until = camera.device, time.monotonic() + DEVICE_OPENS
    if not isinstance(device, Camera) or "://" in camera.source:
        return
    while time.monotonic() < until and device.newest(timeout=0.05) is None:
        if device.state.reason == "camera-none" and device.reader_pid is None:
            raise BadInput("--camera", "camera-absent", source=camera.source)


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
LEDS = setting_arguments(*(name for name in SETTINGS if name.startswith("leds")))
# What the demonstration does of itself is not what the settings say.
DEMO_HELP = {"--game": "demo-game", "--data": "demo-data", "--port": "demo-port", "--leds": "demo-leds"}
TABLE = setting_arguments("camera", "data", "table", "size", "still", "lens", "corners", "surface", "keep_pictures")
COMMANDS = {
    "follow": Command(
        _follow,
        (
            RECORD,
            Argument("images", "follow-images", {"metavar": "IMAGE", "nargs": "*"}),
            *setting_arguments("data", "table"),
            Argument("--json", "json", {"action": "store_true"}),
        ),
    ),
    "new": Command(
        _new,
        (
            Argument("game_id", "new-game", {"metavar": "GAME", "choices": game_ids()}),
            *BEGINNING,
            Argument("--from-camera", "new-from-camera", {"action": "store_true"}),
            *TABLE,
            Argument("--json", "new-json", {"action": "store_true"}),
        ),
    ),
    "run": Command(
        _run,
        (
            *setting_arguments("game"),
            *TABLE,
            *setting_arguments("port", "shared_machine"),
            *LEDS,
            *PAGE,
            Argument("--record", "run-record", {"metavar": "FILE"}),
            Argument("--new", "run-new", {"action": "store_true"}),
            *BEGINNING,
            Argument("--hall", "run-hall", {"metavar": "URL"}),
            Argument("--key", "run-key", {"metavar": "KEY"}),
            Argument("--json", "run-json", {"action": "store_true"}),
        ),
    ),
    "demo": Command(
        _demo,
        (
            *(
                argument._replace(help=DEMO_HELP.get(argument.name, argument.help))
                for argument in (
                    *setting_arguments("game", "data", "table", "size", "port", "shared_machine"),
                    *LEDS,
                    *PAGE,
                )
            ),
            Argument("--seed", "demo-seed", {"metavar": "N", "type": int}),
            Argument("--games", "demo-games", {"metavar": "N", "type": int}),
            Argument("--sim", "demo-sim", {"metavar": "PARTS"}),
            Argument("--json", "run-json", {"action": "store_true"}),
        ),
    ),
}
