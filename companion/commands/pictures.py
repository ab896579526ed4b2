"""The commands that look at pictures: read, dice, check, calibrate. OpenCV is loaded when one of them runs."""

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
from companion.commands import Argument, Command
from companion.errors import BadInput
from companion.games import game, game_ids
from companion.lens import lens_of
from companion.messages import say, say_bad

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

    def answer(file: str, image: Image) -> dict[str, Any]:
        board = None if corners is None else np.array(corners)
        reading = read_picture(image, labels, board, lens, on_field=by_field.get)
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
    from companion.simulation.source import stage_of
    from vision.check import check
    from vision.errors import UnreadablePicture
    from vision.picture import picture_from

    try:
        findings = check(picture_from(given.source, stage_of(given.source)))
    except UnreadablePicture as error:
        named = "source" in error.params  # by the sentence itself
        raise BadInput("" if named else given.source, error.code, **error.params) from None
    sections = ("BAD", "FINDINGS")  # what keeps a field from being found has no dot in its code
    told = [(f.good, f.code, say(sections["." in f.code], f.code, f.params, language)) for f in findings]
    if given.json:
        print(
            json.dumps([{"good": good, "code": code, "advice": text} for good, code, text in told], ensure_ascii=False)
        )
    else:
        for good, _, text in told:
            print(f"{'✓' if good else '✗'} {text}")
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
        file = ""  # what is wrong from here on is not one picture's fault
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
            Argument("--json", "json", {"action": "store_true"}),
        ),
    ),
    "dice": Command(_dice, (IMAGES, Argument("--json", "json", {"action": "store_true"}))),
    "check": Command(
        _check,
        (
            Argument("source", "check-source", {"metavar": "IMAGE|CAMERA"}),
            Argument("--json", "check-json", {"action": "store_true"}),
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
    """A JSON line for each picture. One that cannot be read is said, and the next one is read all the same."""
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
    """OpenCV on one core, as a live table reads, and silent: what goes wrong is said by us, once."""
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
