"""The endpoints for players and referees. Most respond with the table's new state."""

from __future__ import annotations

from datetime import date
from secrets import randbelow
from typing import Any

from flask import Response

from companion.errors import BadInput
from companion.games import game
from companion.games.match import match
from companion.matches import first_game
from companion.messages import say_bad, term
from companion.messages.seen import say_seen
from companion.rights import Action, Claim, claim
from companion.solvers.puzzles import GENERATORS, first_problem, problem_of_the_day
from companion.table.camera import BROWSER
from companion.table.starting import again, check_start, record_for
from companion.table.state import NO_CAMERA
from vision.browser_camera import BrowserCamera
from vision.cameras import list_cameras, without_secrets
from vision.picture import picture_from
from web import answers, inputs
from web.access import check_right, execute, host, language, state
from web.drawing import Marks, board_svg
from web.pictures import as_jpeg
from web.safety import Refused, who
from web.settings import set_camera, set_corners
from web.summaries import wrong_squares

MOST_SEEDS = 2**32


# --- the game


def play(body: inputs.Play) -> Response:
    mine, by = host(), who().role
    return execute(lambda: mine.game.claim_to_play(body.moves), lambda: mine.game.play(body.moves, by))


def back(body: inputs.TakeBack) -> Response:
    mine, by = host(), who().role

    def count() -> int:
        return body.count or mine.aids.since_last_person()

    return execute(lambda: mine.game.claim_to_take_back(count()), lambda: mine.game.take_back(count(), by))


def answer(body: inputs.Answer) -> Response:
    mine, by = host(), who().role
    return execute(
        lambda: mine.game.claim_to_answer(body.id, body.answer), lambda: mine.game.answer(body.id, body.answer, by)
    )


def pause(body: inputs.Pause) -> Response:
    mine = host()
    return execute(
        lambda: claim(Action.PAUSE, mine.clock.running if body.paused else None), lambda: mine.game.pause(body.paused)
    )


def call(body: inputs.Call) -> Response:
    """Call the hall's referee, or cancel the call."""
    mine, by = host(), who().role
    return execute(lambda: claim(Action.CALL_REFEREE), lambda: mine.call_referee(body.wanted, by))


def computer(body: inputs.Computer) -> Response:
    """Give seats to the computer, or take them from it."""
    mine, by = host(), who().role

    def wanted() -> Claim:
        before = mine.aids.seats
        return claim(Action.GIVE_COMPUTER, *(s for s in {*before, *body.seats} if before.get(s) != body.seats.get(s)))

    return execute(wanted, lambda: mine.aids.set_computer(body.seats, by))


def result(body: inputs.Result) -> Response:
    mine, by = host(), who().role
    return execute(
        lambda: mine.game.claim_to_end(body.winner, body.why), lambda: mine.game.end(body.winner, body.why, by)
    )


def reopen() -> Response:
    mine, by = host(), who().role
    return execute(lambda: claim(Action.REOPEN), lambda: mine.game.open_again(by))


def stand(body: inputs.Stand) -> Response:
    mine = host()
    return execute(lambda: claim(Action.STAND), lambda: mine.game.accept_as_seen(body.note, body.to_move))


def new(body: inputs.NewGame) -> Response:
    mine, of = host(), None
    check_right(claim(Action.BEGIN))  # before the camera is read, which is slow
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
    action = Action.BEGIN_HELPED if body.computer else Action.BEGIN
    return execute(lambda: claim(action), lambda: mine.begin(record, body.clock, body.computer, of))


def _problem(game_id: str, asked: inputs.Problem) -> dict[str, Any]:
    if game_id not in GENERATORS:
        raise BadInput("problem", "no-solitaire", game=game_id, choices=", ".join(GENERATORS))
    if asked.day:
        return problem_of_the_day(game_id, asked.level, date.today())
    return first_problem(game_id, asked.level, randbelow(MOST_SEEDS))


def next_game(body: inputs.NextGame) -> Response:
    """The next game of the match; else a rematch with the sides swapped, or a solitaire's problem again."""
    mine = host()
    found = mine.state
    if found.number is None:
        raise BadInput("", "no-table")
    if found.match and found.match.match.over:
        raise BadInput("", "match-over")
    if found.match and not found.outcome:
        raise BadInput("", "not-over")
    check_right(claim(Action.BEGIN))
    after = again(mine.camera, mine.store, found.number, body.players or ())
    return execute(lambda: claim(Action.BEGIN), lambda: mine.begin_again(after))


def solvable() -> Response:
    mine = host()
    return execute(lambda: claim(Action.ASK_HINT), lambda: mine.aids.ask_solvable())


def last_good() -> Response:
    """Take a solitaire back to its last solvable position; this needs the rights for a hint and for taking back."""
    mine, by = host(), who().role
    check_right(claim(Action.ASK_HINT))
    return execute(lambda: claim(Action.TAKE_BACK, *mine.state.position.seats), lambda: mine.aids.go_back(by))


def check(body: inputs.Start) -> answers.Check:
    """Whether a game can begin with what lies on the table now, and if not, what to correct."""
    start, tongue = check_start(host().camera, body.game, body.options or {}, body.setup), language()
    missing, seen, should, wrong, lacking, hidden = start
    drawn = None
    if should:
        # mark everything that is wrong, and point out what to correct first
        marks = Marks(wrong=tuple(one.square for one in wrong), hint=tuple(one.square for one in wrong[:1]))
        drawn = board_svg(game(body.game), None, should, marks=marks, language=tongue)
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
                "text": say_seen(game(body.game), die.die, tongue),
                "south": list(die.south),
                "usual": die.usual,
            }
            for die in hidden
        ],
        "drawing": drawn,
    }


def hints(body: inputs.Hints) -> Response:
    """Switch or lock the hints, or ask for one hint."""
    mine, by = host(), who().role
    if body.once:
        return execute(lambda: claim(Action.ASK_HINT), lambda: mine.aids.hint_once())
    action = Action.SWITCH_HINTS if body.locked is None else Action.LOCK_HINTS
    return execute(lambda: claim(action), lambda: mine.aids.set_hints(body.on, body.locked, by))


def go_on(body: inputs.OpenGame) -> Response:
    """Continue a stored game."""
    mine = host()

    def wanted() -> Claim:
        return claim(Action.BEGIN_HELPED if mine.store.game(body.id).computer else Action.BEGIN)

    return execute(wanted, lambda: mine.open(body.id))


def clock(body: inputs.UseClock) -> Response:
    mine = host()
    match body.do:
        case "set":
            return execute(lambda: claim(Action.SET_CLOCK), lambda: mine.clock.set(body.clock))
        case "add":
            return execute(lambda: claim(Action.SET_CLOCK), lambda: mine.clock.add(body.seat, body.seconds))
        case "stop":
            return execute(lambda: claim(Action.STOP_CLOCK, mine.clock.running), lambda: mine.clock.stop())
        case "press":
            return execute(
                lambda: claim(Action.PRESS_CLOCK, mine.situation().clock), lambda: mine.clock.press(body.seat)
            )

    def to_start() -> Claim:  # starting the clock of a seat that is not to move counts as setting it
        own_turn = body.seat in (None, mine.game.position.to_move)
        return claim(Action.START_CLOCK if own_turn else Action.SET_CLOCK)

    return execute(to_start, lambda: mine.clock.start(body.seat))


# --- the camera


def cameras() -> list[answers.Camera]:
    """The cameras that can be chosen, with a picture of each."""
    mine = host()
    found = [source for source in list_cameras() if source != mine.camera.source]
    listed = [mine.camera.source] if mine.camera.device and mine.camera.source != BROWSER else []
    listed += [*found, BROWSER, NO_CAMERA]
    return [
        {
            "source": without_secrets(source),
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
        set_camera(body.source)
    corners = body.corners
    if body.turn is not None:
        corners = corners or host().camera.corners
        if corners is None:
            raise Refused(409, "no-corners")
        corners = corners[-body.turn :] + corners[: -body.turn]
    if corners is not None or body.no_corners:
        set_corners(corners)
    return state()


def frame(body: bytes) -> answers.Frame:
    """A picture of the browser's own camera."""
    mine = host()
    check_right(claim(Action.SEND_PICTURE))
    if not isinstance(mine.camera.device, BrowserCamera):
        with BrowserCamera() as trial:  # check the picture before the camera is changed
            trial.hand(body)
        mine.do(lambda: mine.camera.use(BROWSER))
    if not isinstance(taker := mine.camera.device, BrowserCamera):
        raise Refused(409, "no-camera")
    return {"number": taker.hand(body)}
