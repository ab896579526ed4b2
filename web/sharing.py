"""Files for sharing a game: a page in one file, an animation, a still picture. Used by the page and by `export`.

Drawing takes seconds and would block other requests, so the server does it in a process of its own
(`make_in_process`).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np
from jinja2 import Template
from numpy.typing import NDArray

from companion.errors import BadInput
from companion.messages import say_bad
from companion.record import Record, Replay, Stood, read_record, replay
from web import answers
from web.catalogue import page_texts
from web.drawing import Marks, board_svg
from web.move_views import sentence

What = Literal["html", "gif", "webp", "png"]
WIDTH, STILL_WIDTH = 480, 900  # pixels
TALLEST = 1.5  # the largest height, in widths; a longer row of planks makes the picture narrower
GROUND = "#f5efe4"  # the background
MOMENT, FIRST, LAST = 800, 1200, 4000  # milliseconds for a position: usually, the first, the last
GIF_FINEST, GIF_PLAIN = 8, 3  # OpenCV's settings for the most colors and the least visible dithering
WEBP_GOOD = 80
NICE, PATIENCE = 10, 600  # games in play have priority; seconds that a file may take on a slow machine
Image = NDArray[np.uint8]


class Wanted(NamedTuple):
    what: What
    told: answers.Game
    review: answers.Review | None
    language: str
    flip: bool = False
    ply: int | None = None  # of a still; None: the last position


def make(wanted: Wanted) -> bytes:
    """The file's content."""
    record = read_record(json.dumps(wanted.told["record"]))
    played = replay(record)
    match wanted.what:
        case "html":
            return _page(wanted, record, played).encode()
        case "png":
            at = played.plies if wanted.ply is None else wanted.ply
            if at > played.plies:
                raise BadInput("ply", "not-a-whole-number", value=at, least=0, most=played.plies)
            drawn = _drawn(wanted, record, played, at)
            return _png(drawn, _wide([drawn], STILL_WIDTH))
        case _:
            return _film(wanted, record, played)


def _drawn(wanted: Wanted, record: Record, played: Replay, ply: int) -> str:
    """A position as SVG with the last move marked; at the end what decided the game."""
    position = played.positions[ply]
    entry = record.moves[ply - 1] if ply else None
    last: tuple[str, ...] = ()
    if entry is not None and not isinstance(entry, Stood):
        last = played.positions[ply - 1].trace(record.game.read(entry)).shown
    marks = Marks(last=last)
    if ply == played.plies and (won := won_squares(wanted.told)):
        marks = Marks(won=won)
    return board_svg(
        record.game, position, position.visible(), marks=marks, language=wanted.language, flipped=wanted.flip
    )


def won_squares(told: answers.Game) -> tuple[str, ...]:
    """The squares to mark at the end: those that counted for the winner, or if nobody won, all that counted."""
    winner = told["result"]["winner"] if told["result"] else None
    parts = [part for part in told["decided"] if winner is None or part["side"] == winner]
    return tuple(square for part in parts for square in part["squares"])


# --- pictures


def _png(svg: str, width: int) -> bytes:
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, width=width, background=GROUND, skip_system_fonts=True))


def _wide(drawings: list[str], most: int) -> int:
    """The largest width at which no drawing is too tall."""
    boxes = [re.search(r'viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"', drawing) for drawing in drawings]
    tallest = max(float(box[2]) / float(box[1]) for box in boxes if box)
    return round(most * min(1, TALLEST / tallest))


def _film(wanted: Wanted, record: Record, played: Replay) -> bytes:
    frames: list[Image] = []
    drawings = [_drawn(wanted, record, played, ply) for ply in range(len(played.positions))]
    wide = _wide(drawings, WIDTH)
    for drawing in drawings:
        png = _png(drawing, wide)
        frames.append(np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), np.uint8))
    frames = _as_large(frames)
    shown = [FIRST, *[MOMENT] * (len(frames) - 1)]
    shown[-1] = LAST
    film = cv2.Animation()
    film.durations, film.loop_count = shown, 0
    if wanted.what == "webp":
        film.frames = [cv2.cvtColor(frame, cv2.COLOR_BGR2BGRA) for frame in frames]
        return _encoded(".webp", film, [cv2.IMWRITE_WEBP_QUALITY, WEBP_GOOD])
    film.frames = list(_changes(frames))
    return _with_frames_kept(
        _encoded(".gif", film, [cv2.IMWRITE_GIF_QUALITY, GIF_FINEST, cv2.IMWRITE_GIF_DITHER, GIF_PLAIN])
    )


def _as_large(frames: list[Image]) -> list[Image]:
    """Pad all frames to the same size: a row of planks grows during the game."""
    high, wide = (max(frame.shape[n] for frame in frames) for n in (0, 1))
    ground = tuple(int(GROUND[n : n + 2], 16) for n in (5, 3, 1))
    grown = []
    for frame in frames:
        canvas = np.full((high, wide, 3), ground, np.uint8)
        top, left = (high - frame.shape[0]) // 2, (wide - frame.shape[1]) // 2
        canvas[top : top + frame.shape[0], left : left + frame.shape[1]] = frame
        grown.append(canvas)
    return grown


def _changes(frames: list[Image]) -> Iterator[Image]:
    """The first frame, and the changed pixels of each later one on a transparent background."""
    before: Image | None = None
    for frame in frames:
        shown = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2BGRA), np.uint8)
        if before is not None:
            shown[(frame == before).all(axis=2)] = 0
        yield shown
        before = frame


def _encoded(ending: str, film: Any, how: list[int]) -> bytes:
    done, data = cv2.imencodeanimation(ending, film, how)
    if not done:
        raise BadInput("", "cannot-write", error=ending)
    return bytes(np.asarray(data, np.uint8).tobytes())


def _with_frames_kept(gif: bytes) -> bytes:
    """Set the disposal method of all frames to "keep": OpenCV writes "restore to background", but our frames hold only
    changes."""
    data = bytearray(gif)
    at = 13 + _palette(data[10])
    while data[at] != 0x3B:  # the trailer
        if data[at] == 0x21:  # an extension
            if data[at + 1] == 0xF9:  # how a frame is shown
                data[at + 3] = data[at + 3] & 0b11100011 | 0b00000100
            at += 2
        else:  # a frame
            at += 11 + _palette(data[at + 9])
        while data[at]:  # blocks, each after its length
            at += data[at] + 1
        at += 1
    return bytes(data)


def _palette(flags: int) -> int:
    """The size of a color table in bytes; 0 if there is none."""
    return 3 << ((flags & 0b111) + 1) if flags & 0b10000000 else 0


# --- the page


def _page(wanted: Wanted, record: Record, played: Replay) -> str:
    """The page in one file: boards, moves, review, style and script, without external resources."""
    parts, boards = _shared_parts([_drawn(wanted, record, played, ply) for ply in range(len(played.positions))])
    told, review, text = wanted.told, wanted.review, page_texts(wanted.language)
    game = {
        "parts": parts,
        "boards": boards,
        "mistakes": {mistake["ply"]: sentence(mistake["text"]) for mistake in review["mistakes"]} if review else {},
        "texts": {code: text[code] for code in ("replay.play", "replay.stop")},
    }
    room = files("web") / "keepsake"
    page: str = Template((room / "page.html").read_text("utf-8"), autoescape=True).render(
        lang=wanted.language,
        text=text,
        told=told,
        sentence=sentence,
        title=told["title"] or " – ".join(filter(None, told["players"])),
        review=review,
        first=boards[-1] and "".join(parts[n] for n in boards[-1]),
        style=(room / "page.css").read_text("utf-8"),
        script=(room / "page.js").read_text("utf-8"),
        game=json.dumps(game, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/"),
    )
    return page


def _shared_parts(drawings: list[str]) -> tuple[list[str], list[list[int]]]:
    """Deduplicate drawings of one board: all distinct parts, and for each drawing the numbers of its parts."""
    numbers: dict[str, int] = {}
    boards = []
    for drawing in drawings:
        prefix = re.search(r'id="(b[0-9a-f]{8}-)', drawing)
        plain = drawing.replace(prefix[1], "b-") if prefix else drawing
        plain = plain.replace(' tabindex="0" role="button"', ' role="img"')
        cut = re.split(r'(?=<g class="(?:square|mark)[" ])', plain)
        boards.append([numbers.setdefault(part, len(numbers)) for part in cut])
    return list(numbers), boards


# --- in a process of its own

_one_at_a_time = threading.Lock()


def make_in_process(wanted: Wanted) -> bytes:
    """Run `make` in a process of its own. BadInput if it fails."""
    with _one_at_a_time:
        try:
            done = subprocess.run(
                [sys.executable, "-m", "web.sharing"],
                input=json.dumps(wanted).encode(),
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise BadInput("", "cannot-share", error=f"> {PATIENCE} s") from None
    if done.returncode:
        raise BadInput("", "cannot-share", error=done.stderr.decode("utf-8", "replace").strip()[-200:])
    return done.stdout


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(NICE)
    wanted = Wanted(*json.loads(sys.stdin.buffer.read()))
    try:
        sys.stdout.buffer.write(make(wanted))
    except BadInput as bad:
        sys.exit(say_bad(bad, wanted.language))


if __name__ == "__main__":
    main()
