"""What players and referees may do. Most of it answers with the table as it then stands."""

from __future__ import annotations

from datetime import date
from secrets import randbelow
from typing import Any, cast

from flask import Response, current_app, request, session

from companion.errors import BadInput
from companion.games import game
from companion.games.match import match
from companion.matches import first_game
from companion.messages import say_bad, term
from companion.solvers.puzzles import MAKERS, first_problem, problem_of_the_day
from companion.table.camera import BROWSER
from companion.table.starting import again, check_start, record_for
from companion.table.state import NO_CAMERA
from vision.browser_camera import BrowserCamera, decoded
from vision.cameras import list_cameras, without_password
from vision.picture import picture_from
from web import answers, inputs
from web.access import host, language, state
from web.drawing import Marks, board_svg
from web.pictures import as_jpeg
from web.safety import Pins, Refused, Role, must_be, role
from web.settings import use_camera, use_corners
from web.summaries import words_of_squares, wrong_squares

MOST_SEEDS = 2**32


def login(body: inputs.Login) -> answers.RoleHeld:
    pins = cast(Pins, current_app.extensions["pins"])
    session["role"] = pins.role(body.pin.strip(), request.remote_addr or "")
    return {"role": role()}


def logout() -> answers.RoleHeld:
    session.clear()
    return {"role": role()}


# --- the game


def play(body: inputs.Play) -> Response:
    mine, by = host(), role()
    mine.do(lambda: mine.game.play(body.moves, by))
    return state()


def back(body: inputs.TakeBack) -> Response:
    mine, by = host(), role()
    mine.do(lambda: mine.game.take_back(body.count, by))
    return state()


def answer(body: inputs.Answer) -> Response:
    mine, by = host(), role()
    mine.do(lambda: mine.game.answer(body.id, body.answer, by))
    return state()


def pause(body: inputs.Pause) -> Response:
    mine = host()
    mine.do(lambda: mine.game.pause(body.paused))
    return state()


def computer(body: inputs.Computer) -> Response:
    mine, by = host(), role()
    mine.do(lambda: mine.aids.set_computer(body.seats, by))
    return state()


def result(body: inputs.Result) -> Response:
    mine, by = host(), role()
    if body.why == "referee":
        must_be(Role.REFEREE)
    mine.do(lambda: mine.game.end(body.winner, body.why, by))
    return state()


def reopen() -> Response:
    mine, by = host(), role()
    mine.do(lambda: mine.game.open_again(by))
    return state()


def stand(body: inputs.Stand) -> Response:
    mine = host()
    mine.do(lambda: mine.game.accept_as_seen(body.note, body.to_move))
    return state()


def new(body: inputs.NewGame) -> Response:
    mine, of = host(), None
    setup = body.setup
    if body.games is not None:
        played = match(game(body.game), tuple(body.players or ()), body.games)
        of, setup = first_game(played), {**(setup or {}), **played.setup(0)}
    if body.problem:
        record = _problem(body.game, body.problem)
    else:
        record = record_for(
            mine.camera,
            body.game,
            body.options or {},
            setup,
            from_camera=body.from_camera,
            deals=body.deal,
            south=body.south,
        )
    if body.players:
        record["about"] = {**record.get("about", {}), "players": body.players}
    mine.do(lambda: mine.begin(record, body.clock, of))
    return state()


def _problem(game_id: str, asked: inputs.Problem) -> dict[str, Any]:
    if game_id not in MAKERS:
        raise BadInput("problem", "no-solitaire", game=game_id, choices=", ".join(MAKERS))
    if asked.day:
        return problem_of_the_day(game_id, asked.level, date.today())
    return first_problem(game_id, asked.level, randbelow(MOST_SEEDS))


def next_game() -> Response:
    """The next game of the match; else a rematch with the sides swapped, or a solitaire's problem again."""
    mine = host()
    found = mine.state
    if found.number is None:
        raise BadInput("", "no-table")
    if found.match and found.match.match.over:
        raise BadInput("", "match-over")
    if found.match and not found.outcome:
        raise BadInput("", "not-over")
    after = again(mine.camera, mine.store, found.number)
    mine.do(lambda: mine.begin_again(after))
    return state()


def solvable() -> Response:
    mine = host()
    mine.do(lambda: mine.aids.ask_solvable())
    return state()


def last_good() -> Response:
    mine, by = host(), role()
    mine.do(lambda: mine.aids.go_back(by))
    return state()


def check(body: inputs.Start) -> answers.Check:
    """Whether a game could begin with what lies on the table now, and if not, what is to be put right."""
    start, tongue = check_start(host().camera, body.game, body.options or {}, body.setup), language()
    missing, seen, should, wrong, lacking, hidden = start
    drawn = None
    if should:
        # all that is wrong, and what to put right first
        marks = Marks(wrong=tuple(one.square for one in wrong), hint=tuple(one.square for one in wrong[:1]))
        drawn = board_svg(game(body.game), None, should, marks=marks, language=tongue)
    words = words_of_squares(game(body.game), None, seen, tongue) if hidden else {}
    return {
        "ready": missing is None,
        "reason": say_bad(missing, tongue) if missing else None,
        "squares": wrong_squares(game(body.game), None, should, seen, wrong, tongue) if should else [],
        "lacking": {
            "code": lacking.code,
            "there": lacking.there,
            "needed": lacking.needed,
            "name": term(f"pieces.{game(body.game).pieces.get(lacking.code)}", tongue),
        }
        if lacking
        else None,
        "hidden": [
            {
                "square": die.square,
                "die": die.die,
                "text": words.get(die.square, die.die),
                "south": list(die.south),
                "usual": die.usual,
            }
            for die in hidden
        ],
        "drawing": drawn,
    }


def hints(body: inputs.Hints) -> Response:
    """The switch of the hints; when it is locked, it is the referee's alone."""
    mine, by = host(), role()
    if body.locked is not None:
        must_be(Role.REFEREE)
    if body.once:
        mine.do(lambda: mine.aids.hint_once())
    else:
        mine.do(lambda: mine.aids.set_hints(body.on, body.locked, by))
    return state()


def go_on(body: inputs.OpenGame) -> Response:
    """Go on with a game of the log."""
    mine = host()
    mine.do(lambda: mine.open(body.id))
    return state()


def clock(body: inputs.UseClock) -> Response:
    """Start, stop and press are the players'; another clock, and time given or taken, are the referee's."""
    mine = host()
    if body.do in ("add", "set"):
        must_be(Role.REFEREE)
    match body.do:
        case "set":
            mine.do(lambda: mine.clock.set(body.clock))
        case "add":
            mine.do(lambda: mine.clock.add(body.seat, body.seconds))
        case "start":
            mine.do(lambda: mine.clock.start(body.seat))
        case "stop":
            mine.do(lambda: mine.clock.stop())
        case "press":
            mine.do(lambda: mine.clock.press(body.seat))
    return state()


# --- the camera


def cameras() -> list[answers.Camera]:
    """The cameras that can be chosen, with a picture of each."""
    mine = host()
    found = [source for source in list_cameras() if source != mine.camera.source]
    listed = [mine.camera.source] if mine.camera.device and mine.camera.source != BROWSER else []
    listed += [*found, BROWSER, NO_CAMERA]
    return [
        {
            "source": without_password(source),
            "used": source == mine.camera.source,
            "picture": "/api/camera.jpg"
            if source == mine.camera.source and mine.camera.device
            else f"/api/cameras/{found.index(source)}.jpg"
            if source in found
            else None,
        }
        for source in listed
    ]


def camera_to_choose(place: int) -> Response:
    """What a camera that is not in use shows."""
    found = [source for source in list_cameras() if source != host().camera.source]
    if place >= len(found):
        raise Refused(404, "no-picture")
    return Response(as_jpeg(picture_from(found[place])), mimetype="image/jpeg")


def camera(body: inputs.UseCamera) -> Response:
    if body.source is not None:
        use_camera(body.source)
    corners = body.corners
    if body.turn is not None:
        corners = corners or host().camera.corners
        if corners is None:
            raise Refused(409, "no-corners")
        corners = corners[-body.turn :] + corners[: -body.turn]
    if corners is not None or body.no_corners:
        use_corners(corners)
    return state()


def frame(body: bytes) -> answers.Frame:
    """A picture of the browser's own camera."""
    mine = host()
    if not isinstance(mine.camera.device, BrowserCamera):
        decoded(body)  # what is no picture does not change the camera
        mine.do(lambda: mine.camera.use(BROWSER))
    if not isinstance(taker := mine.camera.device, BrowserCamera):
        raise Refused(409, "no-camera")
    return {"number": taker.hand(body)}
