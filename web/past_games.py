"""The endpoints for stored games: the list, a game's moves, review, record and pictures, and files to share."""

from __future__ import annotations

import json
import threading
import time
from functools import partial
from typing import Any, cast

from flask import Response, current_app, render_template
from markupsafe import Markup

from companion.errors import BadInput
from companion.events import KeptGame
from companion.games import game, is_game
from companion.messages import name_of, say, term
from companion.record import read_record, replay
from companion.rights import Action, claim, may
from companion.sealing import with_head
from companion.shelf import keep_game, kept_game, name_game, remove_game
from companion.solvers.puzzles import LEVELS
from companion.store import Summary
from companion.summaries import players, scored_names
from companion.table.kept_looks import evidence_of
from companion.table.state import TableState
from web import answers, sharing
from web.access import execute, host, language, table_state
from web.catalogue import page_texts
from web.game_views import game_view, match_view, require_ended, result_view, review_view
from web.inputs import ShareQuery, Shelve
from web.joining import code_svg
from web.reviews import Reviews
from web.safety import Refused, who
from web.summaries import head_of


def games() -> list[answers.KeptGame]:
    """All games, the newest first."""
    tongue = language()
    return [_listed(summary, tongue) for summary in reversed(host().store.games())]


def _listed(summary: Summary, tongue: str) -> answers.KeptGame:
    record = partial(host().store.record, summary.id)
    about = summary.about if isinstance(summary.about, dict) else {}
    alone = is_game(summary.game) and game(summary.game).is_solitaire
    level, names = about.get("level"), scored_names(record()) if about and summary.result else {}
    return {
        "id": summary.id,
        "game": summary.game,
        "name": name_of(summary.game, tongue),
        "title": summary.name,
        "keep": summary.keep,
        "began": summary.began,
        "last": summary.last,
        "moves": summary.moves,
        "result": result_view(summary.result, tongue, names, (summary.seconds, summary.hints)),
        "about": summary.about,
        "players": players(summary.about, record),
        "match": match_view(summary.match, summary.id),
        "solitaire": alone,
        "seconds": summary.seconds,
        "hints": summary.hints,
        "level": term(f"level.{level}", tongue) if alone and level in LEVELS else None,
    }


def _kept(number: int) -> KeptGame:
    return kept_game(host().store, number)


def hidden_setup(kept: KeptGame) -> frozenset[str]:
    """The setup fields that the person who asks may not see, since the game may still be continued."""
    played = kept.record["game"]
    if kept.ended or not is_game(played) or may(who(), claim(Action.SEE_SECRETS), host().situation()):
        return frozenset()
    return game(played).secrets(kept.record)


def one_game(number: int) -> answers.Game:
    kept = _kept(number)
    told, secrets = game_view(number, kept, language()), hidden_setup(kept)
    if secrets:
        setup = {name: value for name, value in kept.record["setup"].items() if name not in secrets}
        told["record"] = cast(answers.Record, {**kept.record, "setup": setup})
    return told


def shelve(number: int, body: Shelve) -> answers.Game:
    """Name a game, or keep its pictures for ever."""
    mine, by = host(), who().role
    if body.name is not None:
        name = body.name
        execute(lambda: claim(Action.SHELVE), lambda: name_game(mine.store, number, name, by))
    if body.keep is not None:
        keep = body.keep
        execute(lambda: claim(Action.SHELVE), lambda: keep_game(mine.store, number, keep, by))
    return one_game(number)


def remove(number: int) -> list[answers.KeptGame]:
    """Hide a game. The log keeps its moves."""
    mine, by = host(), who().role
    if mine.state.number == number:
        raise BadInput("", "game-in-play")
    execute(lambda: claim(Action.REMOVE), lambda: remove_game(mine.store, number, by))
    return games()


# --- the review


def reviews() -> Reviews:
    return cast(Reviews, current_app.extensions["reviews"])


def review(number: int) -> answers.Review:
    """The review so far; the page polls it."""
    kept, tongue = _kept(number), language()
    require_ended(kept)
    told = game_view(number, kept, tongue)
    return review_view(kept.record, reviews().progress(kept.record), told, tongue)


# --- what is shared

_making = threading.BoundedSemaphore(3)  # each request for a file blocks a thread, so more than three get a 429


def _shared(number: int, what: sharing.What, query: ShareQuery, mimetype: str, ending: str) -> Response:
    kept, tongue = _kept(number), language()
    told = game_view(number, kept, tongue)
    found = reviews().progress(kept.record) if what == "html" and kept.ended else []
    reviewed = review_view(kept.record, found, told, tongue) if found else None
    wanted = sharing.Wanted(what, told, reviewed, tongue, query.flip, query.ply)
    if not _making.acquire(blocking=False):
        raise Refused(429, "busy", seconds=5)
    try:
        answer = Response(sharing.make_in_process(wanted), mimetype=mimetype)
    finally:
        _making.release()
    answer.headers["Content-Disposition"] = f'attachment; filename="{told["game"]}-{number}.{ending}"'
    return answer


def share_html(number: int, query: ShareQuery) -> Response:
    return _shared(number, "html", query, "text/html", "html")


def share_gif(number: int, query: ShareQuery) -> Response:
    return _shared(number, "gif", query, "image/gif", "gif")


def share_webp(number: int, query: ShareQuery) -> Response:
    return _shared(number, "webp", query, "image/webp", "webp")


def share_still(number: int, query: ShareQuery) -> Response:
    return _shared(number, "png", query, "image/png", "png")


def slip(number: int) -> str:
    """A result slip to print and sign, with the log's signed head as proof."""
    kept, tongue, head = _kept(number), language(), table_state().head
    require_ended(kept)
    told = game_view(number, kept, tongue)
    return render_template(
        "slip.html",
        lang=tongue,
        text=page_texts(tongue),
        game=told,
        about=say("FINDINGS", "slip.game", {"number": number, "moves": len(told["plies"])}, tongue),
        day=time.strftime("%Y-%m-%d", time.localtime(kept.last)),
        head=head_of(head) if head else None,
        code=Markup(code_svg(head.text())) if head else "",
    )


def _open_kept(number: int) -> KeptGame:
    """A stored game without secrets for the person who asks. Refused otherwise."""
    kept = _kept(number)
    if hidden_setup(kept):
        raise Refused(403, "secret-running")
    return kept


def record(number: int) -> Response:
    sealed = host().state.head
    found = with_head(_open_kept(number).record, [sealed] if sealed else [])
    answer = Response(json.dumps(found, indent=1) + "\n", mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{found["game"]}-{number}.json"'
    return answer


def evidence(number: int) -> Response:
    """The evidence of the last verdict as a file, for a bug report. It contains the record."""
    _open_kept(number)
    found = evidence_of(host().store, number)
    answer = Response(json.dumps(found) + "\n", mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="evidence-{number}-{found["event"]}.json"'
    return answer


def kept_picture(number: int) -> Response:
    found = host().store.picture(number)
    if found is None:
        raise Refused(404, "no-picture")
    answer = Response(found, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return answer


def past(number: int) -> TableState:
    """A game of the log as it stood at its end."""
    found: dict[str, Any] = _kept(number).record
    read = read_record(json.dumps(found))
    played = replay(read)
    return TableState(0, 0, number, read.game, found, tuple(played.positions), played.outcome)
