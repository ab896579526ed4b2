"""The command leds, for the LEDs in the board."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands import Argument, Command
from companion.errors import BadInput, UnreadableMove
from companion.games.position import AnyPosition, Piece
from companion.messages import say, say_bad, say_reason, term
from companion.record import Record
from companion.record_files import require_legal, use_record
from companion.settings import SETTINGS, settings_for

if TYPE_CHECKING:
    from companion.leds.link import LedSettings, Link
    from companion.leds.picture import Scene
    from companion.leds.wiring import Wiring

LIT = 3.0  # seconds to wait until an LED is lit
PATIENCE = 8.0  # seconds to wait for a board
HOLD = 0.4  # seconds for which `walk` lights each LED
WIDTH = 900  # of a preview in pixels


def _leds(given: argparse.Namespace, language: str) -> int:
    return DOING[given.what](given, language)


# --- ports


def _ports(given: argparse.Namespace, language: str) -> int:
    from companion.leds.ports import candidate_ports, list_ports

    wanted = _wanted(given)
    tried = candidate_ports(wanted.only, wanted.never)
    listed = dict.fromkeys(tried, "") | {port.path: port.about for port in list_ports()}
    found = [
        {"port": path, "about": about or None, **(_answering(path, language) if path in tried else {})}
        for path, about in listed.items()
    ]
    from companion.leds.wled import PREFIX, find

    for one in find():
        text = say("FINDINGS", "leds.wled", {"name": one.name}, language)
        found.append({"port": f"{PREFIX}{one.address}", "about": one.name, "board": None, "text": text})
    if given.json:
        print(json.dumps(found, ensure_ascii=False))
        return 0
    for port in found:
        told = port.get("text") or say("FINDINGS", "leds.not-tried", {}, language)
        print(f"{port['port']}  {told}")
    if not found:
        print(say("FINDINGS", "leds.none", {}, language))
    return 0


def _answering(path: str, language: str) -> dict[str, Any]:
    """The board at a port, or why there is none."""
    from companion.leds.drivers import FirmwareBoard
    from companion.leds.ports import CannotOpen

    driver = FirmwareBoard(path)
    try:
        driver.open(lambda: False)
    except CannotOpen as why:
        return {"board": None, "text": say("FINDINGS", why.code, why.params, language)}
    finally:
        driver.close()
    assert driver.board is not None
    board = driver.board._asdict()
    words = {**board, "firmware": ".".join(map(str, driver.board.firmware)), "kind": f"leds.kind.{driver.board.kind}"}
    return {"board": board, "text": say("FINDINGS", "leds.board", words, language)}


# --- test and walk


def _test(given: argparse.Namespace, language: str) -> int:
    from companion.leds.link import TEST, TEST_STEP

    link, _ = _found(given, language)
    if link is None:
        return 2
    try:
        print(say("FINDINGS", "leds.testing", {}, language), flush=True)
        link.test()
        until = time.monotonic() + TEST_STEP * len(TEST)
        while time.monotonic() < until and link.state.ready:
            for button in link.pressed():
                print(say("FINDINGS", "leds.pressed", {"button": button + 1}, language), flush=True)
            time.sleep(0.05)
        return _still_there(link, language)
    finally:
        link.close()


def _walk(given: argparse.Namespace, language: str) -> int:
    from companion.leds.legend import square_at
    from companion.leds.wiring import DEFAULT_SIZE

    hold = _seconds(given.seconds)
    link, wanted = _found(given, language)
    if link is None:
        return 2
    layout = wanted.layout(DEFAULT_SIZE)
    try:
        link.show({}, layout)
        for place, (column, row) in enumerate(layout.wire()):
            link.walk(place)
            square = square_at((column, row), layout, layout.board) or term("leds.spare", language)
            where = {"place": place, "column": column, "row": row, "square": square}
            print(say("FINDINGS", "leds.walking", where, language), flush=True)
            time.sleep(hold)
            if not link.state.ready:
                break
        return _still_there(link, language)
    finally:
        link.close()


def _found(given: argparse.Namespace, language: str) -> tuple[Link | None, LedSettings]:
    """A link that is ready. None if no board is found; the reason is printed."""
    from companion.leds.link import AUTO, Link

    wanted = _wanted(given)
    link, until = Link(wanted), time.monotonic() + PATIENCE
    hopeless = {"leds.busy", "leds.denied", "leds.no-port", "leds.absent", "leds.mute"}
    hopeless |= {"leds.no-wled", "leds.no-wled-found", "leds.which-wled"}
    while not link.state.ready and not (link.state.code in hopeless and wanted.port != AUTO):
        if time.monotonic() > until:
            break
        time.sleep(0.05)
    told = say("FINDINGS", link.state.code, link.state.params, language)
    if link.state.ready:
        print(told, flush=True)
        return link, wanted
    print(f"companion: {told}", file=sys.stderr)
    link.close()
    return None, wanted


def _still_there(link: Link, language: str) -> int:
    if link.state.ready:
        return 0
    print(f"companion: {say('FINDINGS', link.state.code, link.state.params, language)}", file=sys.stderr)
    return 1


def _wanted(given: argparse.Namespace) -> LedSettings:
    from companion.leds.link import AUTO, LedSettings

    settings = settings_for(given)
    if settings.leds.upper() == "OFF":  # this command needs LEDs whatever the setting is
        settings = settings._replace(leds=AUTO)
    return LedSettings.of(settings)


def _seconds(text: str | None) -> float:
    try:
        seconds = HOLD if text is None else float(text)
    except ValueError:
        seconds = -1.0
    if not 0.01 <= seconds <= 60:
        raise BadInput("--seconds", "not-a-number", value=text, least=0.01, most=60)
    return seconds


# --- doctor


def _doctor(given: argparse.Namespace, language: str) -> int:
    """Diagnose the connection; --output writes a log for a bug report."""
    from companion.leds.doctor import DURATION, diagnose
    from companion.leds.ports import CannotOpen

    seconds = _seconds(given.seconds) if given.seconds else DURATION
    try:
        found = diagnose(_wanted(given), seconds)
    except CannotOpen as why:
        print(f"companion: {say('FINDINGS', why.code, why.params, language)}", file=sys.stderr)
        return 2
    if given.output:
        try:
            Path(given.output).write_text(json.dumps(found.log(), indent=1) + "\n", encoding="utf-8")
        except (OSError, ValueError) as error:
            raise BadInput(given.output, "cannot-open", error=getattr(error, "strerror", None) or str(error)) from None
    if given.json:
        print(json.dumps(found.told()))
        return 0
    for code, words in found.findings():
        print(say("FINDINGS", code, words, language))
    return 0


# --- flash


def _flash(given: argparse.Namespace, language: str) -> int:
    from companion.leds.flash import flash
    from companion.leds.images import FIRMWARE
    from companion.leds.ports import CannotOpen

    settings = settings_for(given)
    said = ".".join(map(str, FIRMWARE))

    def progress(part: float) -> None:
        if part and sys.stderr.isatty():
            print(f"\r{part:4.0%} ", end="" if part < 1 else "\n", file=sys.stderr, flush=True)

    try:
        path = given.record or (given.leds if given.leds else _only_board(settings.leds_only, settings.leds_never))
        print(say("FINDINGS", "leds.flashing", {"port": path, "firmware": said}, language), flush=True)
        limit = settings.leds_current if given.leds_current is not None else None
        told = flash(path, True if given.mono else None, limit, anyway=given.anyway, progress=progress)
    except CannotOpen as why:
        print(f"companion: {say('FINDINGS', why.code, why.params, language)}", file=sys.stderr)
        return 2
    code = "leds.flashed" if told.fresh else "leds.newest"
    print(say("FINDINGS", code, {"port": path, "name": told.board.name, "firmware": said}, language))
    return 0


def _only_board(only: str, never: str) -> str:
    """The port of the only board."""
    from companion.leds.flash import waiting_pico
    from companion.leds.link import patterns
    from companion.leds.ports import CannotOpen, candidate_ports

    found = candidate_ports(patterns(only), patterns(never))
    if len(found) > 1:
        raise BadInput("PORT", "which-board", choices=", ".join(found))
    if not found:
        drive = waiting_pico()
        if drive is not None:
            raise CannotOpen("leds.pico-waits", drive=drive or "USB")
        raise CannotOpen("leds.no-board")
    return found[0]


# --- layout


def _layout(given: argparse.Namespace, language: str) -> int:
    """Find the wiring by a camera or by questions, and write it to the settings."""
    from companion.leds.survey import format_wiring
    from companion.leds.wiring import parse_wiring
    from companion.settings import write_settings

    link, wanted = _found(given, language)
    if link is None:
        return 2
    try:
        layout = _surveyed(given, link, wanted, language) if given.camera else _asked(link, wanted, language)
        words = format_wiring(layout)
        parse_wiring(words)
        write_settings({"leds_layout": words, "leds_size": ""})
    finally:
        link.close()
    print(say("FINDINGS", "leds.layout-found", {"words": words, "count": len(layout.wire())}, language))
    return 0


def _asked(link: Link, wanted: LedSettings, language: str) -> Wiring:
    from companion.checks import matrix_size
    from companion.leds.survey import Questions, cell_of
    from companion.leds.wiring import Panel, Wiring

    usual = wanted.size or (8, 8)
    told = _answer("leds.ask-size", language, size=f"{usual[0]}x{usual[1]}")
    size = matrix_size(told) if told else usual
    questions = Questions(size)
    link.show({}, Wiring((Panel(*size),)))
    while questions.found is None:
        link.walk(questions.place)
        _wait_until_lit(link, questions.place)  # so that the answer is about this LED
        square = _answer("leds.ask-square", language, place=questions.place, last=f"{chr(96 + size[0])}{size[1]}")
        try:
            questions.answer(cell_of(square))
        except BadInput as bad:
            print(say_bad(bad, language))
    return questions.found


def _wait_until_lit(link: Link, place: int) -> None:
    until = time.monotonic() + LIT
    while time.monotonic() < until and not (len(link.shown) > place and any(link.shown[place][:3])):
        time.sleep(0.01)


def _answer(code: str, language: str, **params: object) -> str:
    print(say("FINDINGS", code, params, language), end=" ", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise BadInput("", "no-answer")
    return line.strip()


def _surveyed(given: argparse.Namespace, link: Link, wanted: LedSettings, language: str) -> Wiring:
    """Find the wiring by a camera, which needs the markers in the light, then the LEDs in the dark."""
    from companion.leds.wiring import Panel, Wiring
    from companion.table.survey import fresh_looks, pose_by_day, survey
    from vision.cameras import open_camera
    from vision.errors import UnreadablePicture

    count = len(wanted.layout((8, 8)).wire())
    link.show({}, Wiring((Panel(count, 1),)))
    hold = _seconds(given.seconds)
    try:
        with open_camera(given.camera) as camera:
            look = fresh_looks(camera, hold)
            pose = pose_by_day(look())
            _answer("leds.ask-dark", language)
            return survey(count, link.walk, look, pose)
    except UnreadablePicture as error:
        raise BadInput(given.camera, error.code, **error.params) from None


# --- preview


def _preview(given: argparse.Namespace, language: str) -> int:
    if given.record is None:
        raise BadInput("RECORD", "preview-needs-record")
    kind = "svg" if given.output in (None, "-") else Path(given.output).suffix.lower().removeprefix(".")
    if kind not in ("png", "svg"):
        raise BadInput("--output", "not-a-picture-name", value=given.output)
    settings = settings_for(given)
    from companion.leds.legend import meanings
    from companion.leds.lighting import pixels_of
    from companion.leds.picture import board_size
    from companion.leds.wiring import paint_matrix, wiring_for
    from web.drawing.leds import leds_svg

    scene = use_record(given.record, lambda record: _scene(record, given, language))
    board = board_size(scene.position)
    layout = wiring_for(settings.leds_size, settings.leds_layout, board)
    lights = paint_matrix(scene, layout)
    told = [
        f"{term(f'light.{meaning.kind}', language)}: {' '.join(meaning.squares)}"
        for meaning in meanings(lights, layout, board)
    ]
    brightness = settings.leds_brightness / 100
    pixels = pixels_of(lights, layout, brightness, settings.leds_current, given.mono)
    title = "; ".join(told)
    svg = leds_svg(pixels, layout, board, brightness=brightness, mono=given.mono, still=True, title=title)
    if given.output in (None, "-"):
        print(svg)
        return 0
    data = svg.encode()
    if kind == "png":
        from resvg_py import svg_to_bytes

        data = svg_to_bytes(svg_string=svg, width=WIDTH, skip_system_fonts=True)
    try:
        Path(given.output).write_bytes(data)
    except (OSError, ValueError) as error:
        raise BadInput(given.output, "cannot-open", error=getattr(error, "strerror", None) or str(error)) from None
    print("\n".join(told))
    return 0


def _scene(record: Record, given: argparse.Namespace, language: str) -> Scene:
    from companion.leds.scenes import scene_of

    played = require_legal(record)
    last = played.plies if given.ply is None else _ply(given.ply, played.plies)
    positions, read = played.positions[: last + 1], record.game.read
    position, hint = positions[-1], None
    if given.hint is not None:
        try:
            hint = read(given.hint)
            reason = position.why_not(hint)
        except UnreadableMove as error:
            reason = error.reason
        if reason:
            told = say_reason(reason, language)
            raise BadInput("--hint", "illegal-move", move=given.hint, rule=reason.rule, reason=told)
    outcome = played.outcome if last == played.plies else None
    moves = [read(entry) if isinstance(entry, str) else None for entry in record.moves]
    scene = scene_of(positions, moves, outcome=outcome, hint=hint)
    return scene._replace(lifted=_lifted(position, given.lifted)) if given.lifted else scene


def _lifted(position: AnyPosition, text: str) -> str | Piece:
    """A square, or by name a piece from beside the board."""
    from companion.leds.picture import is_square

    if is_square(text):
        return text
    pieces = (piece for move in position.moves() for piece in position.trace(move).pieces)
    return next((piece for piece in pieces if piece.name == text), Piece("", text))


def _ply(text: str, most: int) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) > most:
        raise BadInput("--ply", "not-a-number", value=text, least=0, most=most)
    return int(text)


def _settings() -> tuple[Argument, ...]:
    """The settings of the LEDs as arguments, also with short names: `--layout` for `--leds-layout`."""
    found = []
    for name, setting in SETTINGS.items():
        if name.startswith("leds"):
            short = "--port" if name == "leds" else f"--{name.removeprefix('leds_')}"
            names = f"{short}, --{name.replace('_', '-')}"
            found.append(Argument(names, setting.help, {"metavar": setting.metavar, "dest": name}))
    return tuple(found)


DOING = {
    "ports": _ports,
    "test": _test,
    "walk": _walk,
    "flash": _flash,
    "layout": _layout,
    "doctor": _doctor,
    "preview": _preview,
}
COMMANDS = {
    "leds": Command(
        _leds,
        (
            Argument(
                "what",
                "leds-what",
                {"metavar": "WHAT", "choices": tuple(DOING)},
            ),
            Argument("record", "leds-record", {"metavar": "RECORD|PORT", "nargs": "?"}),
            Argument("--camera", "leds-camera", {"metavar": "SOURCE"}),
            Argument("--anyway", "leds-anyway", {"action": "store_true"}),
            Argument("-o, --output", "leds-output", {"metavar": "FILE"}),
            Argument("--mono", "leds-mono", {"action": "store_true"}),
            Argument("--ply", "draw-ply", {"metavar": "N"}),
            Argument("--hint", "leds-hint", {"metavar": "MOVE"}),
            Argument("--lifted", "leds-lifted", {"metavar": "SQUARE"}),
            Argument("--seconds", "leds-seconds", {"metavar": "SECONDS"}),
            *_settings(),
            Argument("--json", "as-json", {"action": "store_true"}),
        ),
    ),
}
