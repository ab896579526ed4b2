"""What players and referees may do. Each answers with the table as it then stands."""

from __future__ import annotations

from typing import Any, cast

from flask import Blueprint, Response, current_app, jsonify, request, session

from companion.clocks import control_of
from companion.games import GAME_IDS
from companion.games.position import BadInput
from companion.host import BROWSER, NO_CAMERA
from companion.messages import say_bad
from companion.record import ENDINGS
from companion.settings import write_settings
from companion.simulated import Simulation
from companion.solvers.levels import LEVELS
from vision.cameras import ADDRESSES, list_cameras, without_password
from vision.handed import HandedCamera, decoded
from vision.picture import picture_from
from web.live import as_jpeg
from web.looking import host, language, state
from web.safety import (
    Pins,
    Refused,
    flag,
    json_body,
    mapping,
    maybe,
    must_be,
    number,
    one_of,
    picture_body,
    role,
    text,
    texts,
    whole,
)
from web.settings import CHANGEABLE, change_settings, plain, shown_settings
from web.state import wrong_squares

routes = Blueprint("doing", __name__)
MOST_MOVES = 200  # at once


@routes.post("/api/login")
def login() -> Response:
    given = json_body(pin=text(20))
    pins = cast(Pins, current_app.extensions["pins"])
    session["role"] = pins.role(given["pin"].strip(), request.remote_addr or "")
    return jsonify({"role": role()})


@routes.post("/api/logout")
def logout() -> Response:
    json_body()
    session.clear()
    return jsonify({"role": role()})


# --- the game


@routes.post("/api/play")
def play() -> Response:
    must_be("player")
    moves, by = json_body(moves=texts(MOST_MOVES))["moves"], role()
    host().at_table(lambda table: table.play(moves, by))
    return state()


@routes.post("/api/back")
def back() -> Response:
    must_be("player")
    count, by = json_body(count=maybe(whole(1, 100_000), 1))["count"], role()
    host().at_table(lambda table: table.take_back(count, by))
    return state()


@routes.post("/api/answer")
def answer() -> Response:
    must_be("player")
    given, by = json_body(id=text(60), answer=text()), role()
    host().at_table(lambda table: table.answer(given["id"], given["answer"], by))
    return state()


@routes.post("/api/pause")
def pause() -> Response:
    must_be("player")
    paused, mine = json_body(paused=flag)["paused"], host()
    mine.do(lambda: mine.pause(paused))
    return state()


@routes.post("/api/computer")
def computer() -> Response:
    """Which seats the computer plays."""
    must_be("player")
    seats, mine, by = json_body(seats=_levels)["seats"], host(), role()
    mine.do(lambda: mine.set_computer(seats, by))
    return state()


def _levels(value: Any) -> dict[str, int]:
    return {seat: whole(1, max(LEVELS))(level) for seat, level in mapping(value).items()}


@routes.post("/api/result")
def result() -> Response:
    must_be("player")
    given, by = json_body(winner=maybe(text(40)), why=one_of(*ENDINGS)), role()
    if given["why"] == "referee":
        must_be("referee")
    host().at_table(lambda table: table.end(given["winner"], given["why"], by))
    return state()


@routes.post("/api/reopen")
def reopen() -> Response:
    must_be("referee")
    json_body()
    by = role()
    host().at_table(lambda table: table.open_again(by))
    return state()


@routes.post("/api/stand")
def stand() -> Response:
    must_be("referee")
    given, mine = json_body(note=maybe(text(500), ""), to_move=maybe(text(40))), host()
    mine.do(lambda: mine.stand(given["note"], given["to_move"]))
    return state()


@routes.post("/api/new")
def new() -> Response:
    must_be("player")
    mine = host()
    given = json_body(
        game=one_of(*GAME_IDS),
        options=maybe(mapping, {}),
        setup=maybe(mapping),
        players=maybe(texts(8, 60)),
        clock=maybe(control_of),
        from_camera=maybe(flag, False),
        deal=maybe(flag),
        south=maybe(mapping),
    )
    record = mine.record_for(
        given["game"],
        given["options"],
        given["setup"],
        from_camera=given["from_camera"],
        deals=given["deal"],
        about={"players": given["players"]} if given["players"] else None,
        south=given["south"],
    )
    mine.do(lambda: mine.begin(record, given["clock"]))
    return state()


@routes.post("/api/check")
def check() -> Response:
    """Whether a game could begin with what lies on the table now, and if not, what is wrong."""
    must_be("player")
    given = json_body(game=one_of(*GAME_IDS), options=maybe(mapping, {}), setup=maybe(mapping))
    missing, should, seen, wrong = host().check_start(given["game"], given["options"], given["setup"])
    told = {
        "ready": missing is None,
        "reason": say_bad(missing, language()) if missing else None,
        "squares": wrong_squares(given["game"], should, seen, wrong, language()) if should else [],
    }
    return jsonify(told)


@routes.post("/api/open")
def go_on() -> Response:
    """Go on with a game of the log."""
    must_be("player")
    mine, chosen = host(), json_body(id=whole(1, 2**53))["id"]
    mine.do(lambda: mine.open(chosen))
    return state()


@routes.post("/api/clock")
def clock() -> Response:
    """Start, stop and press are the players'; another clock, and time given or taken, are the referee's."""
    must_be("player")
    mine = host()
    given = json_body(
        do=one_of("start", "stop", "press", "add", "set"),
        seat=maybe(text(40)),
        seconds=maybe(number(-86_400, 86_400), 0.0),
        clock=maybe(control_of),
    )
    if given["do"] in ("add", "set"):
        must_be("referee")
    if given["do"] == "set":
        mine.do(lambda: mine.set_clock(given["clock"]))
    else:
        mine.do(lambda: mine.use_clock(given["do"], given["seat"], given["seconds"]))
    return state()


# --- the camera


@routes.get("/api/cameras")
def cameras() -> Response:
    """The cameras that can be chosen, with a picture of each."""
    must_be("referee")
    mine = host()
    found = [source for source in list_cameras() if source != mine.source]
    listed = [mine.source] if mine.camera and mine.source != BROWSER else []
    listed += [*found, BROWSER, NO_CAMERA]
    return jsonify(
        [
            {
                "source": without_password(source),
                "used": source == mine.source,
                "picture": "/api/camera.jpg"
                if source == mine.source and mine.camera
                else f"/api/cameras/{found.index(source)}.jpg"
                if source in found
                else None,
            }
            for source in listed
        ]
    )


@routes.get("/api/cameras/<int(max=99):place>.jpg")
def camera_to_choose(place: int) -> Response:
    """What a camera that is not in use shows."""
    must_be("referee")
    found = [source for source in list_cameras() if source != host().source]
    if place >= len(found):
        raise Refused(404, "no-picture")
    return Response(as_jpeg(picture_from(found[place])), mimetype="image/jpeg")


@routes.post("/api/camera")
def camera() -> Response:
    must_be("referee")
    mine = host()
    given = json_body(source=maybe(text(300)), corners=maybe(_corners), no_corners=maybe(flag), turn=maybe(whole(1, 3)))
    if given["source"] is not None:
        source = _allowed(given["source"], mine.source)
        mine.do(lambda: mine.use_camera(source))
    corners = given["corners"]
    if given["turn"] is not None:
        corners = corners or mine.corners()
        if corners is None:
            raise Refused(409, "no-corners")
        corners = corners[-given["turn"] :] + corners[: -given["turn"]]
    if corners is not None or given["no_corners"]:
        if mine.keeps_settings:
            write_settings({"corners": ",".join(f"{part:g}" for point in corners or () for part in point)})
        mine.do(lambda: mine.use(mine.settings._replace(corners=corners)))
    return state()


def _allowed(source: str, present: str) -> str:
    """A camera by its number, address or device, or a simulated one. Files of this machine are not for the page."""
    plain = source in (BROWSER, NO_CAMERA, present) or (source.isascii() and source.isdecimal() and len(source) < 3)
    address = source.partition("://")[0].lower() in ADDRESSES and "://" in source
    if plain or address or source.startswith("sim:") or source in list_cameras():
        if source.startswith("sim:") and Simulation.parse(source).record:
            raise Refused(422, "camera-source", "source", source=source)
        return source
    raise Refused(422, "camera-source", "source", source=source)


def _corners(value: Any) -> list[list[float]]:
    """Four points NW, NE, SE, SW in pixels."""
    if not isinstance(value, list) or len(value) != 4:
        raise BadInput("", "not-corners", text="…")
    found = []
    for point in value:
        if not isinstance(point, list) or len(point) != 2:
            raise BadInput("", "not-corners", text="…")
        found.append([number(-10_000, 10_000)(part) for part in point])
    return found


@routes.post("/api/camera/frame")
def frame() -> Response:
    """A picture of the browser's own camera."""
    must_be("player")
    jpeg, mine = picture_body(), host()
    if not isinstance(mine.camera, HandedCamera):
        decoded(jpeg)  # what is no picture does not change the camera
        mine.do(lambda: mine.use_camera(BROWSER))
    if not isinstance(taker := mine.camera, HandedCamera):
        raise Refused(409, "no-camera")
    return jsonify({"number": taker.hand(jpeg)})


# --- the settings


@routes.get("/api/settings")
def settings() -> Response:
    return jsonify(shown_settings(host(), language()))


@routes.post("/api/settings")
def set_settings() -> Response:
    must_be("referee")
    change_settings(host(), json_body(**{name: maybe(plain) for name in CHANGEABLE}))
    return jsonify(shown_settings(host(), language()))
