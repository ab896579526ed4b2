"""The commands for pictures: read, dice, check, learn, calibrate. OpenCV is imported when one of them runs."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.checks import four_corners
from companion.commands import Argument, Command, setting_arguments
from companion.errors import BadInput
from companion.games import game, game_ids
from companion.learned import learned_games, learned_set, learned_sets, save_set
from companion.lens import lens_of
from companion.messages import say, say_bad
from companion.record_files import read_legal
from companion.settings import settings_for

if TYPE_CHECKING:
    from vision.pose import Image


def _read(given: argparse.Namespace, language: str) -> int:
    prepare()
    import numpy as np

    from companion.labels import labels_by_field, labels_of
    from vision.overlay import overlay
    from vision.reading import read_picture

    labels = labels_of(game(given.game)) if given.game else None
    by_field = {} if labels else labels_by_field()
    corners = _corners(given.corners, given.game)
    lens = lens_of(given.lens)
    settings = settings_for(given)
    learned = {name: learned_set(settings, name) for name in learned_games(settings)}

    def answer(file: str, image: Image) -> dict[str, Any]:
        board = None if corners is None else np.array(corners)
        reading = read_picture(image, labels, board, lens, on_field=by_field.get, learned=learned.get)
        if given.debug:
            _save(Path(given.debug) / f"{Path(file).stem}.png", overlay(image, reading))
        return reading.as_json()

    return _each(given.images, answer, language)


def _dice(given: argparse.Namespace, language: str) -> int:
    prepare()
    from vision.dice import read_dice

    def answer(file: str, image: Image) -> dict[str, Any]:
        began = time.perf_counter()
        dice = read_dice(image)
        ms = round(1000 * (time.perf_counter() - began), 1)
        found = [{"top": d.top, "color": d.color, "box": list(d.box), "confidence": d.confidence} for d in dice]
        return {"dice": found, "ms": ms}

    return _each(given.images, answer, language)


def _check(given: argparse.Namespace, language: str) -> int:
    prepare()
    from companion.labels import labels_of
    from companion.simulation.source import stage_of
    from vision.check import check
    from vision.errors import UnreadablePicture
    from vision.picture import picture_from

    try:
        settings = settings_for(given)
        labels = labels_of(game(given.game)) if given.game else None
        findings = check(picture_from(given.source, stage_of(given.source)), learned_sets(settings, given.game), labels)
    except UnreadablePicture as error:
        named = "source" in error.params  # by the sentence itself
        raise BadInput("" if named else given.source, error.code, **error.params) from None
    sections = ("BAD", "FINDINGS")  # codes without a dot are errors: no field was found
    told = [(f.good, f.code, say(sections["." in f.code], f.code, f.params, language)) for f in findings]
    if given.json:
        print(
            json.dumps([{"good": good, "code": code, "advice": text} for good, code, text in told], ensure_ascii=False)
        )
    else:
        for good, _, text in told:
            print(f"{'✓' if good else '✗'} {text}")
    return 0


def _learn(given: argparse.Namespace, language: str) -> int:
    """Learn this table's set of pieces from a picture of a known position."""
    settings = settings_for(given)
    if given.forget:
        forgotten = save_set(settings, given.game, None)
        if given.json:
            print(json.dumps({"game": given.game, "forgotten": forgotten}))
        else:
            code = "learn.forgotten" if forgotten else "learn.nothing"
            print(say("FINDINGS", code, {"game": game(given.game).words[language].name}, language))
        return 0
    prepare()
    from companion.labels import labels_of
    from companion.simulation.source import stage_of
    from companion.table.learning import asked_position, known_position, taught
    from companion.terminal import draw
    from vision.errors import UnreadablePicture
    from vision.picture import picture_from

    played = game(given.game)
    if given.record:
        visible = read_legal(given.record).position.visible()
    else:
        visible = asked_position(played) if given.shown else known_position(played)
    if given.source is None and given.shown:
        print(json.dumps(visible, ensure_ascii=False) if given.json else draw(played, visible))
        return 0
    if given.source is None:
        raise BadInput("IMAGE|CAMERA", "learn-source")
    try:
        lesson = taught(picture_from(given.source, stage_of(given.source)), labels_of(played), visible, settings)
    except UnreadablePicture as error:
        named = "source" in error.params  # by the sentence itself
        raise BadInput("" if named else given.source, error.code, **error.params) from None
    save_set(settings, given.game, lesson.learned)
    told = lesson.as_json()
    if given.json:
        print(json.dumps({"game": given.game, **told}, ensure_ascii=False))
    else:
        print(say("FINDINGS", lesson.code, {"game": played.words[language].name, **told}, language))
    return 0


def _calibrate(given: argparse.Namespace, language: str) -> int:
    prepare()
    from vision.calibrate import calibrate, save, sheet
    from vision.errors import UnreadablePicture
    from vision.picture import open_picture

    if given.sheet:
        _save(Path(given.sheet), sheet())
        print(say("FINDINGS", "sheet.written", {"file": given.sheet}, language))
        return 0
    if not given.images:
        raise BadInput("", "no-pictures")
    file = given.images[0]
    images = []
    try:
        for file in given.images:
            print(f"{file} …", file=sys.stderr)
            images.append(open_picture(Path(file)))
        file = ""  # later errors do not concern a single picture
        lens, error, used = calibrate(images)
    except UnreadablePicture as trouble:
        raise BadInput(file, trouble.code, **trouble.params) from None
    try:
        save(lens, Path(given.output))
    except OSError as failed:
        raise BadInput(given.output, "cannot-open", error=failed.strerror) from None
    params = {"file": given.output, "used": used, "all": len(images), "error": f"{error:.2f}"}
    print(say("FINDINGS", "lens.written", params, language))
    return 0


IMAGES = Argument("images", "images", {"metavar": "IMAGE", "nargs": "+"})
COMMANDS = {
    "read": Command(
        _read,
        (
            IMAGES,
            Argument("--game", "read-game", {"metavar": "ID", "choices": game_ids()}),
            Argument("--corners", "read-corners", {"metavar": "x,y,x,y,x,y,x,y"}),
            Argument("--lens", "read-lens", {"metavar": "FILE"}),
            Argument("--debug", "read-debug", {"metavar": "DIR"}),
            *setting_arguments("data", "table"),
            Argument("--json", "json", {"action": "store_true"}),
        ),
    ),
    "dice": Command(_dice, (IMAGES, Argument("--json", "json", {"action": "store_true"}))),
    "check": Command(
        _check,
        (
            Argument("source", "check-source", {"metavar": "IMAGE|CAMERA"}),
            Argument("--game", "check-game", {"metavar": "ID", "choices": game_ids()}),
            *setting_arguments("data", "table"),
            Argument("--json", "check-json", {"action": "store_true"}),
        ),
    ),
    "learn": Command(
        _learn,
        (
            Argument("source", "learn-source", {"metavar": "IMAGE|CAMERA", "nargs": "?"}),
            Argument("--game", "learn-game", {"metavar": "ID", "choices": game_ids(), "required": True}),
            Argument("--record", "learn-record", {"metavar": "FILE"}),
            Argument("--shown", "learn-shown", {"action": "store_true"}),
            Argument("--forget", "learn-forget", {"action": "store_true"}),
            *setting_arguments("data", "table", "corners", "surface", "lens"),
            Argument("--json", "learn-json", {"action": "store_true"}),
        ),
    ),
    "calibrate": Command(
        _calibrate,
        (
            Argument("images", "calibrate-images", {"metavar": "IMAGE", "nargs": "*"}),
            Argument("--sheet", "calibrate-sheet", {"metavar": "FILE.png"}),
            Argument("--output", "calibrate-output", {"metavar": "FILE", "default": "lens.json"}),
        ),
    ),
}


# --- what they share


def _each(files: list[str], answer: Callable[[str, Image], dict[str, Any]], language: str) -> int:
    """Print a JSON line for each picture. If one cannot be read, print the error and go on with the next."""
    from vision.errors import UnreadablePicture
    from vision.picture import open_picture

    status = 0
    for file in files:
        try:
            found = answer(file, open_picture(Path(file)))
        except UnreadablePicture as error:
            print(f"companion: {say_bad(BadInput(file, error.code, **error.params), language)}", file=sys.stderr)
            status = 2
        else:
            print(json.dumps({"file": file, **found}, ensure_ascii=False), flush=True)
    return status


def prepare() -> None:
    """Let OpenCV use one core, as a live table does, and print no messages of its own."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    import cv2

    cv2.setNumThreads(1)


def _corners(text: str | None, game: str | None) -> list[list[float]] | None:
    if text is None:
        return None
    if game is None:
        raise BadInput("--corners", "corners-need-game")
    return four_corners(text)


def _save(file: Path, image: Image) -> None:
    import cv2

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(cv2.imencode(".png", image)[1].tobytes())
    except OSError as error:
        raise BadInput(str(file), "cannot-open", error=error.strerror) from None
