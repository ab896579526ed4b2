"""What anybody may look at."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache, partial
from importlib import import_module
from importlib.resources import files
from random import Random
from typing import Any, cast

from flask import Blueprint, Response, current_app, jsonify, request

from companion.clocks import KINDS
from companion.dealing import deal
from companion.games import GAME_IDS, game
from companion.games.position import BadInput, CannotBeRead, Position, Visible
from companion.games.trippples import DIRECTIONS
from companion.host import Host, Snapshot
from companion.messages import LANGUAGES, say, say_reason, term
from companion.record import read_record, replay
from companion.simulation.choosing import sensible
from companion.store import fold
from companion.told import ending, players
from web.drawing import Marks, board_svg, move_squares, touched_squares
from web.live import Made, Newest, Pictures, Seats, patient_no_longer_than
from web.safety import Refused, role
from web.viewers import Viewers

routes = Blueprint("looking", __name__)
MOST_PLIES = 60  # of a game that only shows what it looks like
MOST_MARKS = 200  # squares that a drawing may point out


def host() -> Host:
    return cast(Host, current_app.extensions["host"])


def newest() -> Newest:
    return cast(Newest, current_app.extensions["newest"])


def pictures() -> Pictures:
    return cast(Pictures, current_app.extensions["pictures"])


def made_once(make: Callable[[], str], mimetype: str) -> Response:
    """An answer that is the same for all who ask this of the table as it stands now, whoever they are."""
    made = cast(Made, current_app.extensions["made"])
    return Response(made.of((host().snapshot.changes, request.full_path, language()), make), mimetype=mimetype)


def language() -> str:
    """As the address says, else as this browser was told, else what it prefers."""
    for wanted in (request.args.get("lang"), request.cookies.get("lang")):
        if wanted in LANGUAGES:
            return wanted
    preferred = (wanted.partition("-")[0].lower() for wanted, _ in request.accept_languages)
    return next((wanted for wanted in preferred if wanted in LANGUAGES), host().settings.lang or "en")


def state(status: int = 200) -> Response:
    """The table as it stands, for who asks."""
    return Response(newest().json(host().snapshot, language(), role()), status, mimetype="application/json")


@routes.get("/api/table")
def table() -> Response:
    return state()


@routes.get("/api/openapi.json")
def description() -> Response:
    return Response(files("web").joinpath("openapi.json").read_text("utf-8"), mimetype="application/json")


@routes.get("/api/events")
def events() -> Response:
    kind, asked = "text/event-stream; charset=utf-8", (request.headers.get("Last-Event-ID"), language(), role())
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        return _stream(newest().stream(*asked), kind)
    viewers = cast(Viewers, current_app.extensions["viewers"])
    if viewers.full:
        raise Refused(429, "too-many-viewers", seconds=10)
    chunked = request.environ["SERVER_PROTOCOL"] != "HTTP/1.0"
    return Response(viewers.greet(connection, chunked, *asked), content_type=kind, headers={"X-Accel-Buffering": "no"})


@routes.get("/api/camera.mjpg")
def camera_stream() -> Response:
    pictures().newest(False)  # refused where there is no camera
    return _stream(
        pictures().stream("reading" in request.args, newest()), "multipart/x-mixed-replace; boundary=picture"
    )


def _stream(parts: Any, kind: str) -> Response:
    seats = cast(Seats, current_app.extensions["seats"])
    if not seats.take():
        raise Refused(429, "too-many-viewers", seconds=10)
    patient_no_longer_than(request.environ)
    response = Response(parts, content_type=kind)
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(seats.give_back)  # however it ends
    return response


@routes.get("/api/camera.jpg")
def camera_picture() -> Response:
    return Response(pictures().newest("reading" in request.args), mimetype="image/jpeg")


@routes.get("/api/corners")
def corners() -> Response:
    """Where the playing surface's corners lie in the plain picture: as they were set, else as they were last seen."""
    return jsonify({"corners": host().corners(), "set": host().settings.corners is not None})


# --- the board


class Shown:
    """A position that is to be drawn or asked about: of the game that is played, or of one that was."""

    def __init__(self, snapshot: Snapshot, ply: int | None) -> None:
        assert snapshot.read is not None
        self.game = snapshot.read.game
        entries, positions = snapshot.record["moves"], snapshot.positions
        self.ply = len(positions) - 1 if ply is None else ply
        if not 0 <= self.ply < len(positions):
            raise BadInput("ply", "not-a-whole-number", value=ply, least=0, most=len(positions) - 1)
        self.position: Position[Any] = positions[self.ply]
        self.is_newest = self.ply == len(positions) - 1
        last = entries[self.ply - 1] if 0 < self.ply <= len(entries) else None
        self.last = last if isinstance(last, str) else ""


def _shown() -> tuple[Shown, Snapshot]:
    ply, number = _whole("ply"), _whole("game")
    start = request.args.get("start")
    if start is not None:
        if start not in GAME_IDS:
            raise BadInput("start", "not-one-of", value=start[:40], choices=", ".join(GAME_IDS))
        return Shown(snapshot := _some_game(start, min(ply or 0, MOST_PLIES)), None), snapshot
    snapshot = host().snapshot
    if number is not None and number != snapshot.game:
        snapshot = past(number)
    if snapshot.read is None:
        raise BadInput("", "no-table")
    return Shown(snapshot, ply), snapshot


def past(number: int) -> Snapshot:
    """A game of the log as it stood at its end."""
    record = host().store.record(number)
    read = read_record(json.dumps(record))
    played = replay(read)
    return Snapshot(0, 0, number, record, read, tuple(played.positions), played.outcome)


@lru_cache(maxsize=128)
def _some_game(game_id: str, plies: int) -> Snapshot:
    """A game as it might stand after so many moves, always the same."""
    chance = Random(7)
    record: dict[str, Any] = {"game": game_id, "setup": deal(game_id, chance), "moves": []}
    read = read_record(json.dumps(record))
    positions = [read.start]
    while len(positions) <= plies and not positions[-1].outcome():
        move = sensible(game_id, positions[-1], chance, tired=True)
        record["moves"].append(str(move))
        positions.append(positions[-1].play(move))
    return Snapshot(0, 0, None, record, read, tuple(positions))


@routes.get("/api/board.svg")
def board() -> Response:
    return made_once(_drawn, "image/svg+xml")


def _drawn() -> str:
    shown, snapshot = _shown()
    labels = dict(part.split(":", 1) for part in _squares("labels") if ":" in part)
    last, wrong = _squares("last"), _squares("wrong")
    if not last and shown.last:
        last = touched_squares(shown.game.id, shown.last)
    if not wrong and shown.is_newest and snapshot.verdict.kind == "illegal":
        wrong = tuple(w.square for w in snapshot.verdict.wrong)
    marks = Marks(last, _squares("can"), wrong, _squares("hint"), labels)
    visible: Visible = shown.position.visible()
    flipped = request.args.get("flip") in ("1", "true", "yes")
    return board_svg(shown.game.id, shown.position, visible, marks=marks, language=language(), flipped=flipped)


def _squares(name: str) -> tuple[str, ...]:
    found = tuple(part for part in request.args.get(name, "").split(",") if part)
    if len(found) > MOST_MARKS or any(len(part) > 12 for part in found):
        raise BadInput(name, "no-such-square", square=request.args[name][:40])
    return found


def _whole(name: str) -> int | None:
    given = request.args.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise BadInput(name, "not-a-whole-number", value=given[:40], least=0, most=999_999_999)
    return int(given)


@routes.get("/api/moves")
def moves() -> Response:
    return made_once(lambda: json.dumps(_moves(host().snapshot, language())), "application/json")


def _moves(snapshot: Snapshot, tongue: str) -> dict[str, Any]:
    """The legal moves; where any of the tiles that are left will do, `?` stands for the tile."""
    if snapshot.read is None or snapshot.outcome:
        return {"moves": [], "tiles": []}
    position, played = snapshot.position, snapshot.read.game.id
    told: list[dict[str, Any]] = []
    tiles: dict[str, list[str]] = {}
    for text, move in offered(position):
        pattern, tile = _without_tile(text) if played == "trippples" else (text, "")
        if tile:
            tiles.setdefault(pattern, []).append(text)
            continue
        entry = {"move": text, "squares": list(move_squares(played, text)), "label": _label(text, tongue)}
        if played == "six-faces":
            entry["top"] = _top(position, move)
        told.append(entry)
    for pattern, texts in tiles.items():
        squares = list(move_squares(played, pattern))
        # of a face-down tile that only one move can turn up, the page does not tell before what it is
        told.append({"move": pattern if len(texts) > 1 else texts[0], "squares": squares, "label": squares[0]})
    left = next((texts for texts in tiles.values() if len(texts) > 1), ())
    return {"moves": told, "tiles": [_without_tile(text)[1] for text in left]}


def _without_tile(text: str) -> tuple[str, str]:
    """A move of Trippples with `?` for its tile, and the tile."""
    tile, placed, square = text.partition("@")
    if placed:
        return f"?@{square}", tile
    square, shown, tile = text.partition("=")
    return (f"{square}=?", tile) if shown and tile != "neutral" else (text, "")


def offered(position: Position[Any]) -> list[tuple[str, Any]]:
    """The legal moves that a page offers. Of the cards that nobody sees, it need not be said which they were."""
    legal = {str(move): move for move in position.moves()}
    unseen = {text[0] for text, move in legal.items() if not position.is_seen(move) and text[0] in "+-"}
    told = [(text, move) for text, move in legal.items() if not (text[0] in unseen and not position.is_seen(move))]
    told += [(f"{sign}?", None) for sign in sorted(unseen)]
    told += [(text, move) for text, move in legal.items() if text[0] in unseen and not position.is_seen(move)]
    return told


def _label(text: str, tongue: str) -> str:
    words = {"+?": "move.draw", "-?": "move.discard", ".": "move.done", "=I": "move.I", "=L": "move.L"}
    square, shown, _ = text.partition("=neutral")
    return square if shown else term(words[text], tongue) if text in words else text


def _top(position: Position[Any], move: Any) -> str:
    """What the die that is moved would show on top."""
    square = str(move).rsplit("-", 1)[-1]
    rows = position.play(move).visible()["rows"]
    return rows[len(rows) - int(square[1:])]["abcdefghi".index(square[0])][1:2]


@routes.get("/api/why")
def why() -> Response:
    given = request.args.get("move", "")
    if not 0 < len(given) <= 100:
        raise BadInput("move", "not-a-short-text", most=100)
    snapshot = host().snapshot
    if snapshot.read is None:
        raise BadInput("", "no-table")
    reason = None
    try:
        reason = snapshot.position.why_not(snapshot.read.game.read(given))
    except CannotBeRead as error:
        reason = error.reason
    if snapshot.outcome and not reason:
        return jsonify({"legal": False, "rule": "over", "reason": say("REASONS", "over", {}, language())})
    said = say_reason(reason, language()) if reason else None
    return jsonify({"legal": reason is None, "rule": reason.rule if reason else None, "reason": said})


# --- games that were


@routes.get("/api/games")
def games() -> Response:
    store, tongue = host().store, language()
    told = []
    for summary in store.games():
        ended = summary.result
        told.append(
            {
                **summary._asdict(),
                "name": term(f"game.{summary.game}", tongue),
                "result": ended and {**ended, "text": ending(ended, tongue)},
                "players": players(summary.about, partial(store.record, summary.id)),
            }
        )
    return jsonify(told[::-1])


@routes.get("/api/games/<int(max=999999999):number>")
def one_game(number: int) -> Response:
    store, tongue = host().store, language()
    events = store.events(number)
    if not events or events[0].kind != "new":
        raise BadInput(str(number), "no-game")
    record, ended = fold(events)
    plies: list[dict[str, Any]] = [_ply(entry, events[0], None) for entry in _given(events[0].data)]
    for event in events:
        match event.kind:
            case "move":
                plies += [_ply(text, event, event.data.get("by")) for text in event.data["moves"]]
            case "stood":
                plies.append(_ply(event.data["entry"], event, event.data.get("by")))
            case "settle":
                plies[event.data["at"]] |= {"move": event.data["move"]}
            case "back":
                del plies[max(0, len(plies) - event.data["count"]) :]
    return jsonify(
        {
            "id": number,
            "game": record["game"],
            "name": term(f"game.{record['game']}", tongue),
            "players": players(record.get("about"), lambda: record),
            "record": record,
            "result": ended and {**ended, "text": ending(ended, tongue)},
            "began": events[0].at,
            "last": events[-1].at,
            "plies": [{"ply": n, **ply} for n, ply in enumerate(plies, 1)],
        }
    )


def _given(data: dict[str, Any]) -> list[Any]:
    moves: list[Any] = data["record"].get("moves") or []
    return moves


def _ply(entry: Any, event: Any, by: str | None) -> dict[str, Any]:
    url = f"/api/pictures/{event.number}.jpg" if "picture" in event.data else None
    return {"move": entry, "time": event.at, "by": by, "picture": url}


@routes.get("/api/games/<int(max=999999999):number>/record.json")
def record(number: int) -> Response:
    found = host().store.record(number)
    answer = Response(json.dumps(found, indent=1) + "\n", mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{found["game"]}-{number}.json"'
    return answer


@routes.get("/api/pictures/<int(max=999999999):number>.jpg")
def kept_picture(number: int) -> Response:
    found = host().store.picture(number)
    if found is None:
        raise Refused(404, "no-picture")
    answer = Response(found, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return answer


# --- what there is to choose from


def page_texts(tongue: str) -> dict[str, str]:
    found: dict[str, str] = import_module(f"companion.messages.{tongue}").PAGE
    return found


@routes.get("/api/catalogue")
def catalogue() -> Response:
    tongue = language()
    return jsonify(
        {
            "language": tongue,
            "languages": list(LANGUAGES),
            "texts": {**page_texts(tongue), **{f"way.{way}": term(f"way.{way}", tongue) for way in DIRECTIONS}},
            "games": [_game(game_id, tongue) for game_id in GAME_IDS],
            "clocks": [_clock(kind, tongue) for kind in KINDS],
            "endings": [
                {"why": why, "label": say("ENDINGS", why, {}, tongue)}
                for why in ("agreed", "resigned", "time", "forfeit", "referee")
            ],
        }
    )


PLAYERS = {"plank": [2, 3, 4], "trippples": [2, 4]}


def _game(game_id: str, tongue: str) -> dict[str, Any]:
    found = game(game_id)
    usual = [1] if found.roles == ("solver",) else [2]
    return {
        "id": game_id,
        "name": term(f"game.{game_id}", tongue),
        "field": found.field,
        "roles": list(found.roles),
        "players": PLAYERS.get(game_id, usual),
        "setup": list(found.setup),
        "options": [
            {
                "name": name,
                "label": term(f"option.{name}", tongue),
                "default": option.default,
                "choices": [{"value": value, "label": _choice(value, tongue)} for value in option.choices],
            }
            for name, option in found.options.items()
        ],
    }


def _choice(value: object, tongue: str) -> str:
    if isinstance(value, bool):
        return term("yes" if value else "no", tongue)
    return term(f"choice.{value}", tongue) if isinstance(value, str) else str(value)


CLOCK_FIELDS = {
    "move": {"more": 60},
    "fischer": {"main": 600, "more": 5},
    "byo-yomi": {"main": 600, "more": 30, "periods": 3},
}


def _clock(kind: str, tongue: str) -> dict[str, Any]:
    fields = [
        {"name": name, "label": term(f"clock.{name}", tongue), "default": default}
        for name, default in CLOCK_FIELDS[kind].items()
    ]
    return {"kind": kind, "label": term(f"clock.{kind}", tongue), "fields": fields}
