"""The commands that follow a game with a camera: follow, new, run, demo."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from companion.commands import Argument, Command
from companion.commands.pictures import lens_of, prepare
from companion.commands.rules import RECORD, checked, must_be_legal, text_of
from companion.games import GAME_IDS
from companion.games.position import BadInput, Visible
from companion.messages import say, say_bad, say_verdict
from companion.settings import Settings, arguments, settings_for

if TYPE_CHECKING:
    from companion.referee import Referee, Verdict
    from companion.store import Store
    from vision.cameras import Camera

FIRST_LOOK = 15.0  # seconds in which a camera must show the field of a game that begins


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
    from companion.store import open_store

    played = _game_of(settings)
    with open_store(settings.data, settings.table) as store:
        if settings.keep_pictures is not None:
            store.forget_pictures(settings.keep_pictures)
        number = None if given.new or given.record else _unfinished(store, played)
        if number is None:
            if given.record:
                record = checked(
                    given.record, lambda record: (must_be_legal(record), json.loads(text_of(given.record)))[1]
                )
            else:
                record = _opening(given, settings, played, camera=not settings.camera.startswith("sim:"))
            number = store.new_game({"options": {}, "setup": {}, "moves": [], **record}, "person")
            _say("live.begun", language, id=number)
        else:
            _say("live.resumed", language, id=number, moves=len(store.record(number)["moves"]))
        _follow_live(settings, store, number, settings.camera, language, given.json)
        _say("live.where", language, file=store.file, id=number, folder=settings.data)
    return 0


def _demo(given: argparse.Namespace, language: str) -> int:
    """Games that play themselves on a simulated table, one after another, until interrupted."""
    prepare()
    settings = settings_for(given)
    from companion.store import open_store

    with ExitStack() as stack:
        folder = settings.data
        if given.data is None:  # the demonstration leaves nothing behind unless it is asked to
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-"))
        store = stack.enter_context(open_store(folder, settings.table))
        seed = Random().randrange(10_000) if given.seed is None else given.seed
        games = [settings.game] if settings.game else ["six-faces", *(id for id in GAME_IDS if id != "six-faces")]
        for n, played in enumerate(cycle(games)):
            if given.games is not None and n == given.games:
                return 0
            source = f"sim:{played},seed={seed + n}" + (f",{given.sim}" if given.sim else "")
            number = _unfinished(store, played) if given.data else None
            if number is None:
                number = store.new_game(_dealt(played, seed + n), "person")
                _say("live.begun", language, id=number)
            else:
                _say("live.resumed", language, id=number, moves=len(store.record(number)["moves"]))
            _follow_live(settings, store, number, source, language, given.json)
    return 0


# --- what they share


def _follow_live(
    settings: Settings, store: Store, number: int, source: str, language: str, as_json_lines: bool
) -> None:
    """Follow one game to its end, shown in the terminal."""
    import numpy as np

    from companion.live import Live
    from companion.simulated import Player, Simulation
    from companion.table import Table
    from companion.terminal import View
    from vision.watch import Watch

    table = Table(store, number, settings.keep_pictures != 0)
    corners = None if settings.corners is None else np.array(settings.corners)
    watch = Watch(
        table.read.game.id,
        corners=corners,
        lens=lens_of(settings.lens),
        surface=settings.surface,
        still_for=settings.still,
    )
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
    with _camera(source, settings.size) as camera:
        player = None
        if source.startswith("sim:"):
            how = Simulation.parse(source)
            script = checked(str(how.record), lambda record: record.moves) if how.record else ()
            player = Player(camera.tell, table.read, how, script[len(table.moves) :], table.position)
        live = Live(table, camera, watch, player)
        view = View(sys.stdout, language, sys.stdout.isatty() and "NO_COLOR" not in os.environ)
        shown = store.last
        while not (table.outcome or (player and player.over and not camera.busy and table.verdict.kind == "same")):
            live.step()
            if as_json_lines:
                shown = _print_events(store, shown)
            else:
                view.show(live)
        if not as_json_lines:
            table.changes += 1
            view.show(live)


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


def _game_of(settings: Settings) -> str:
    if settings.game:
        return settings.game
    if settings.camera.startswith("sim:"):
        from companion.simulated import Simulation

        return Simulation.parse(settings.camera).game
    raise BadInput("--game", "missing-game", choices=", ".join(GAME_IDS))


def _unfinished(store: Store, played: str) -> int | None:
    """The last game of this kind, if it has not ended."""
    games = [summary for summary in store.games() if summary.game == played]
    return games[-1].id if games and games[-1].result is None else None


def _dealt(played: str, seed: int) -> dict[str, Any]:
    """A record to begin a simulated game with."""
    from companion.dealing import deal

    setup = deal(played, Random(seed))
    setup.pop("deck", None)  # nobody sees the pack's order
    return {"game": played, "options": {}, "setup": setup, "moves": []}


def _opening(given: argparse.Namespace, settings: Settings, played: str, camera: bool) -> dict[str, Any]:
    from companion.opening import opening

    if not camera and settings.camera.startswith("sim:") and not given.setup:
        from companion.simulated import Simulation

        return {**_dealt(played, Simulation.parse(settings.camera).seed), "options": _options(given.option)}
    setup = json.loads(text_of(given.setup)) if given.setup else None
    south = dict(part.partition("=")[::2] for part in given.south.split(",")) if given.south else None
    seen = _first_look(settings, played) if camera and not given.setup else None
    about = {"players": given.players.split(",")} if given.players else None
    return opening(played, _options(given.option), setup, seen, None, about, south)


def _options(given: list[str] | None) -> dict[str, Any]:
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
    """What lies on the table now, with nothing in the way."""
    import time

    import numpy as np

    from vision.watch import Watch

    corners = None if settings.corners is None else np.array(settings.corners)
    watch = Watch(
        played, corners=corners, lens=lens_of(settings.lens), surface=settings.surface, still_for=settings.still
    )
    trouble, number, until = None, 0, time.monotonic() + FIRST_LOOK
    with _camera(settings.camera, settings.size) as camera:
        while time.monotonic() < until:
            frame = camera.newest(number, 0.5)
            if frame is None:
                continue
            number = frame.number
            seen = watch.see(frame)
            trouble = seen.trouble or trouble
            if seen.reading and seen.reading.look and not seen.reading.look.hand:
                found: Visible = seen.reading.look.visible()  # type: ignore[assignment]
                return found
        if trouble:
            raise BadInput("--camera", trouble.code, **trouble.params)
        raise BadInput("--camera", camera.state.reason or "camera-none", source=camera.source)


def _say(code: str, language: str, **params: object) -> None:
    print(say("FINDINGS", code, params, language), file=sys.stderr, flush=True)


BEGINNING = (
    Argument("--option", "new-option", {"metavar": "NAME=VALUE", "action": "append"}),
    Argument("--setup", "new-setup", {"metavar": "FILE"}),
    Argument("--south", "new-south", {"metavar": "a1=3,…"}),
    Argument("--players", "new-players", {"metavar": "NAME,NAME"}),
)
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
            *arguments("port", "leds"),
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
            Argument("--seed", "demo-seed", {"metavar": "N", "type": int}),
            Argument("--games", "demo-games", {"metavar": "N", "type": int}),
            Argument("--sim", "demo-sim", {"metavar": "PARTS"}),
            Argument("--json", "run-json", {"action": "store_true"}),
        ),
    ),
}
