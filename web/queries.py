"""The endpoints and pages that only read: the table and its stream, boards, the camera's pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache, partial
from random import Random
from typing import Any

from flask import Response, current_app, render_template, request
from markupsafe import Markup

from companion.errors import BadInput
from companion.games import game
from companion.games.position import Piece, Trace
from companion.messages import name_of, say
from companion.record import read_record
from companion.solvers.playing import sensible_move
from companion.table.state import TableState
from companion.terminal import result
from web import access, answers
from web.access import broadcast, cached, can_stream, host, language, pictures, stream
from web.catalogue import page_texts
from web.drawing import Arrow, Marks, board_svg, piece_svg
from web.inputs import BoardQuery, CornersQuery, PictureQuery, PieceQuery
from web.misplaced import misplaced
from web.move_views import piece_words
from web.past_games import past
from web.safety import Refused, is_local, people, sign_in, who

POLL = 15  # seconds after which the plain page reloads
MOST_PLIES = 60  # of a sample game


def page(name: str, told: Callable[[str | None, str], dict[str, object]] | None = None) -> Callable[..., str]:
    """The view of a page. `told`: more variables for its template, by the game in the path and the language."""

    def show(number: int | None = None, game: str | None = None) -> str:
        tongue = language()
        if current_app.extensions["cookie"] not in request.cookies and is_local():
            sign_in(people().sign_in_local_user(request.remote_addr or "", str(request.user_agent)))
        if name == "table" and not can_stream():  # too many viewers: this one gets a page that polls
            return plain(tongue)
        more = told(game, tongue) if told else {}
        return render_template(f"{name}.html", lang=tongue, text=page_texts(tongue), number=number, **more)

    return show


def plain(tongue: str) -> str:
    """The board and whose turn it is, as a page without scripts that reloads itself; for viewers without a stream."""
    now = access.table_state()
    board = turn = title = ""
    if now.game:
        board = board_svg(now.game, now.position, now.position.visible(), language=tongue)
        turn, title = result(now.outcome, now.position, tongue), name_of(now.game.id, tongue)
    return render_template(
        "plain.html", lang=tongue, text=page_texts(tongue), again=POLL, board=Markup(board), turn=turn, title=title
    )


def table() -> Response:
    return access.state()


def events() -> Response:
    seen = request.headers.get("Last-Event-ID")
    follow = partial(broadcast().follow, last_event=seen, language=language(), role=who().role)
    return stream(follow, "text/event-stream; charset=utf-8")


def camera_stream(query: PictureQuery) -> Response:
    pictures().newest(False)  # BadInput without a camera
    follow = partial(pictures().follow, with_reading=query.reading)
    return stream(follow, "multipart/x-mixed-replace; boundary=picture")


def camera_picture(query: PictureQuery) -> Response:
    return Response(pictures().newest(query.reading), mimetype="image/jpeg")


def light() -> list[answers.Finding]:
    """Whether the table can be read well, and what to change. Codes without a dot are errors: no field was found."""
    tongue = language()
    return [
        {
            "good": one.good,
            "code": one.code,
            "advice": say("FINDINGS" if "." in one.code else "BAD", one.code, one.params, tongue),
        }
        for one in pictures().findings()
    ]


def corners(query: CornersQuery) -> answers.Corners:
    """The playing surface's corners in the plain picture: as set, else as last seen, else found now for this game."""
    found, how = pictures().corners(query.game)
    return {"corners": found, "set": host().settings.corners is not None, "found": how}


# --- the board


def board(query: BoardQuery) -> Response:
    return cached(lambda: _drawn(query), "image/svg+xml")


def _drawn(query: BoardQuery) -> str:
    shown = _game_shown(query)
    assert shown.game is not None
    ply = None if query.start else query.ply
    positions = shown.positions
    at = len(positions) - 1 if ply is None else ply
    if at >= len(positions):
        raise BadInput("ply", "not-a-whole-number", value=ply, least=0, most=len(positions) - 1)
    position, last, arrows, found = positions[at], query.last, query.arrows, Marks(wrong=query.wrong)
    if not last and not query.won:
        trace = _trace_before(shown, at)
        last = trace.shown
        if trace.start and trace.to:
            arrows = (Arrow("last", (*trace.start, *trace.turns, trace.to[-1])), *arrows)
    if not query.wrong and ply is None and shown.verdict.kind == "illegal":
        found = misplaced(shown.game, position, shown.seen, shown.verdict.wrong)
    labels = dict(part.split(":", 1) for part in query.labels if ":" in part)
    arrows = (*arrows, *found.arrows)
    marks = Marks(last, query.can, found.wrong, query.hint, query.won, labels, arrows, found.ghosts, query.ways)
    return board_svg(shown.game, position, position.visible(), marks=marks, language=language(), flipped=query.flip)


def _game_shown(query: BoardQuery) -> TableState:
    """The game in play, a stored one, or a sample game."""
    if query.start:
        return _some_game(query.start, min(query.ply or 0, MOST_PLIES))
    shown = access.table_state()
    if query.game is not None and query.game != shown.number:
        shown = past(query.game)
    if shown.game is None:
        raise BadInput("", "no-table")
    return shown


def _trace_before(shown: TableState, at: int) -> Trace:
    """The trace of the move that led to a position; empty after an illegal step that stood."""
    entries = shown.record["moves"]
    text = entries[at - 1] if 0 < at <= len(entries) else None
    if shown.game is None or not isinstance(text, str):
        return Trace()
    return shown.positions[at - 1].trace(shown.game.read(text))


def piece(query: PieceQuery) -> Response:
    """A piece of the kit, as it looks beside the board."""
    found = Piece(query.kind, query.name, face=query.face)
    drawn = piece_svg(found, piece_words(found, language()))
    if drawn is None:
        raise Refused(404, "no-picture")
    return Response(drawn, mimetype="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


@lru_cache(maxsize=128)
def _some_game(game_id: str, plies: int) -> TableState:
    """A sample game after so many moves, always the same."""
    chance = Random(7)
    record: dict[str, Any] = {"game": game_id, "setup": game(game_id).dealt(chance, {}), "moves": []}
    read = read_record(json.dumps(record))
    positions = [read.start]
    while len(positions) <= plies and not positions[-1].outcome():
        move = sensible_move(read.game, positions[-1], chance, tired=True)
        record["moves"].append(str(move))
        positions.append(positions[-1].play(move))
    return TableState(0, 0, None, read.game, record, tuple(positions))
