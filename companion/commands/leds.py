"""The command for the lights in the board: leds. What speaks to ports or draws is loaded when it runs."""

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
from companion.record_files import checked, must_be_legal
from companion.settings import SETTINGS, settings_for

if TYPE_CHECKING:
    from companion.leds.link import Link, Wanted
    from companion.leds.picture import Scene
    from companion.leds.wiring import Wiring

LIT = 3.0  # seconds in which a board that is there has lit an LED
PATIENCE = 8.0  # seconds in which a board must be found
HOLD = 0.4  # seconds for which each LED is lit
WIDTH = 900  # pixels of a preview


def _leds(given: argparse.Namespace, language: str) -> int:
    return DOING[given.what](given, language)


# --- ports


def _ports(given: argparse.Namespace, language: str) -> int:
    from companion.leds.ports import list_ports, to_try

    wanted = _wanted(given)
    tried = to_try(wanted.only, wanted.never)
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
    """What board answers at a port, or why none does."""
    from companion.leds.drivers import OwnBoard
    from companion.leds.ports import CannotOpen

    driver = OwnBoard(path)
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
    from companion.leds.link import TEST, TESTED

    link, _ = _found(given, language)
    if link is None:
        return 2
    try:
        print(say("FINDINGS", "leds.testing", {}, language), flush=True)
        link.test()
        until = time.monotonic() + TESTED * len(TEST)
        while time.monotonic() < until and link.state.ready:
            for button in link.pressed():
                print(say("FINDINGS", "leds.pressed", {"button": button + 1}, language), flush=True)
            time.sleep(0.05)
        return _still_there(link, language)
    finally:
        link.close()


def _walk(given: argparse.Namespace, language: str) -> int:
    from companion.leds.legend import square_at
    from companion.leds.wiring import USUAL

    hold = _seconds(given.seconds)
    link, wanted = _found(given, language)
    if link is None:
        return 2
    layout = wanted.layout(USUAL)
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


def _found(given: argparse.Namespace, language: str) -> tuple[Link | None, Wanted]:
    """A link that is ready; None, and why is said, if no board is found."""
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


def _wanted(given: argparse.Namespace) -> Wanted:
    from companion.leds.link import AUTO, Wanted

    settings = settings_for(given)
    if settings.leds.upper() == "OFF":  # whoever asks for LEDs wants them
        settings = settings._replace(leds=AUTO)
    return Wanted.of(settings)


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
    """How the link is; with --output also a log to send with a bug report."""
    from companion.leds.doctor import EXAMINED, board_examined
    from companion.leds.ports import CannotOpen

    seconds = _seconds(given.seconds) if given.seconds else EXAMINED
    try:
        found = board_examined(_wanted(given), seconds)
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
    """The port of the one board that is plugged in."""
    from companion.leds.flash import waiting_pico
    from companion.leds.link import patterns
    from companion.leds.ports import CannotOpen, to_try

    found = to_try(patterns(only), patterns(never))
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
    """How the LEDs are wired, seen by a camera or asked of a person, and written to the settings."""
    from companion.leds.survey import words_of
    from companion.leds.wiring import read_wiring
    from companion.settings import write_settings

    link, wanted = _found(given, language)
    if link is None:
        return 2
    try:
        layout = _surveyed(given, link, wanted, language) if given.camera else _asked(link, wanted, language)
        words = words_of(layout)
        read_wiring(words)
        write_settings({"leds_layout": words, "leds_size": ""})
    finally:
        link.close()
    print(say("FINDINGS", "leds.layout-found", {"words": words, "count": len(layout.wire())}, language))
    return 0


def _asked(link: Link, wanted: Wanted, language: str) -> Wiring:
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
        _wait_until_lit(link, questions.place)  # an answer is about this LED, not about the one before
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


def _surveyed(given: argparse.Namespace, link: Link, wanted: Wanted, language: str) -> Wiring:
    """By a camera that sees the markers while there is light, and the LEDs when it is dark."""
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
    from companion.leds.wiring import laid_out, wiring_for
    from web.drawing.leds import leds_svg

    scene = checked(given.record, lambda record: _scene(record, given, language))
    board = board_size(scene.position)
    layout = wiring_for(settings.leds_size, settings.leds_layout, board)
    lights = laid_out(scene, layout)
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

    played = must_be_legal(record)
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
    """A square, or a piece from beside the board by its name."""
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
    """The LEDs' settings under short names too: `--layout` is `--leds-layout`."""
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
