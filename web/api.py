"""The API as one list of endpoints, from which routes, validation, the OpenAPI document and the table in the
documentation are made. `web.schema` says how types become validators and schemas, and why no library does it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin

from flask import Flask, Response, jsonify, request

from companion.errors import BadInput
from companion.games import game_ids
from companion.rights import Action, Role, could_ever, minimum_role
from web import (
    actions,
    answers,
    catalogue,
    inputs,
    joining,
    kit,
    learning,
    leds,
    moves,
    past_games,
    queries,
    rules,
    settings,
)
from web.access import table_state
from web.safety import MAX_JSON, MAX_PICTURE, json_body, picture_body, who
from web.schema import Schema, check_query, fields_of, schema_of

JPEG, SVG, HTML, PDF = "image/jpeg", "image/svg+xml", "text/html", "application/pdf"
PNG, GIF, WEBP = "image/png", "image/gif", "image/webp"
EVENTS, FILM = "text/event-stream", "multipart/x-mixed-replace"
STREAMS = (EVENTS, FILM)  # media types of responses without end
LANG = {"name": "lang", "in": "query", "required": False, "schema": {"type": "string"}}
TEXTS = ("filename", "game")
LOGGED = (Action.SHELVE, Action.REMOVE)  # actions that write to the log although they do not respond with the state
LANG |= {"description": "en or fr; otherwise as the browser prefers"}


class Endpoint(NamedTuple):
    method: Literal["GET", "POST"]
    path: str  # as in OpenAPI; parameters are whole numbers, except those in TEXTS
    view: Callable[..., Any] | None  # None: Flask's own view
    summary: str
    action: StrEnum = Action.LOOK  # the right that it always needs; a view may need more, depending on the body
    query: Any = None
    body: Any = None  # a type, or JPEG
    answer: Any = answers.State  # a type, or a media type other than JSON
    refused: tuple[int, ...] = ()  # error statuses besides those that follow from role, body and query
    example: Any = None  # of a body
    most: int = MAX_JSON  # bytes of a body
    quick: bool = False  # without a query it only serializes state in memory, and may run in the event loop

    @property
    def role(self) -> StrEnum:
        """The lowest role that can have the right."""
        return minimum_role(Action(self.action))

    @property
    def changes_log(self) -> bool:
        logged = isinstance(self.action, Action) and self.action in LOGGED
        return self.method == "POST" and (self.answer is answers.State or logged)


def _get(path: str, view: Callable[..., Any] | None, summary: str, answer: Any, **more: Any) -> Endpoint:
    return Endpoint("GET", path, view, summary, answer=answer, **more)


def _page(path: str, name: str, summary: str, told: Callable[..., dict[str, object]] | None = None) -> Endpoint:
    refused = (404,) if "{game}" in path else ()
    return _get(path, queries.page(name, told), summary, HTML, refused=refused, quick=not told)


def _post(
    path: str, view: Callable[..., Any], summary: str, action: Action, body: Any = inputs.Nothing, **more: Any
) -> Endpoint:
    return Endpoint("POST", path, view, summary, **{"refused": (409,), **more}, action=action, body=body)


def _description() -> Response:
    return jsonify(openapi())


ENDPOINTS = (
    _page("/", "table", "The table page"),
    _page("/games", "games", "The games that were kept"),
    _page("/new", "new", "Begin a game"),
    _page("/setup", "setup", "The first set-up, step by step", settings.setup_view),
    _page("/settings", "settings", "Settings"),
    _page("/invite", "invite", "A code for a phone to scan", joining.invite_view),
    _page("/wall", "wall", "The table for a screen on the wall: nothing to press"),
    _page("/overlay", "overlay", "The same on a clear ground, for streaming programs"),
    _page("/replay/{number}", "replay", "A game played again"),
    _get("/slip/{number}", past_games.slip, "A game's result to print and to sign", HTML, refused=(404, 409)),
    _page("/rules", "rules", "The games, to read their rules", rules.rules_view),
    _page("/rules/{game}", "rules", "The rules of a game, each under its number", rules.rules_view),
    _page("/join", "join", "Join by an invitation"),
    _get("/static/{filename}", None, "Scripts, styles and pictures of the pages", "*/*", refused=(404,)),
    _get("/api/openapi.json", _description, "This description", dict[str, Any]),
    # --- looking
    _get("/api/table", queries.table, "The table as it stands", answers.State, quick=True),
    _get(
        "/api/events",
        queries.events,
        "The same as server-sent events, whenever it changes: `event: table`, the log's last event as id, the newest "
        "state wins",
        EVENTS,
        refused=(429,),
    ),
    _get(
        "/api/board.svg",
        queries.board,
        "A position, drawn",
        SVG,
        query=inputs.BoardQuery,
        refused=(404, 409),
        quick=True,
    ),
    _get(
        "/api/example.svg",
        rules.example,
        "A board that a game's rules show",
        SVG,
        query=inputs.ExampleQuery,
        refused=(404,),
    ),
    _get("/api/piece.svg", queries.piece, "A piece of the kit, drawn", SVG, query=inputs.PieceQuery, refused=(404,)),
    _get(
        "/api/moves",
        moves.moves,
        "The legal moves: where each happens, what it takes, in words",
        answers.Moves,
        quick=True,
    ),
    _get(
        "/api/why",
        moves.why,
        "Whether a move is legal, and if not, why",
        answers.Why,
        query=inputs.WhyQuery,
        refused=(409,),
    ),
    _get(
        "/api/camera.jpg",
        queries.camera_picture,
        "The camera's newest picture, in its own pixels; with the reading at most 960 wide",
        JPEG,
        query=inputs.PictureQuery,
        refused=(404,),
    ),
    _get(
        "/api/camera.mjpg",
        queries.camera_stream,
        "The camera's pictures without end",
        FILM,
        query=inputs.PictureQuery,
        refused=(404, 429),
    ),
    _get(
        "/api/corners",
        queries.corners,
        "The playing surface's corners in the plain picture, NW NE SE SW: `set` by a person, as seen, or `found`",
        answers.Corners,
        query=inputs.CornersQuery,
    ),
    _get(
        "/api/light",
        queries.light,
        "Is the table good to read, and what to change",
        list[answers.Finding],
        refused=(404,),
    ),
    _get("/api/games", past_games.games, "The games that were kept, the newest first", list[answers.KeptGame]),
    _get(
        "/api/games/{number}",
        past_games.one_game,
        "A game with its moves, their times and pictures",
        answers.Game,
        refused=(404,),
    ),
    _get(
        "/api/games/{number}/record.json", past_games.record, "A game's record, to keep", answers.Record, refused=(404,)
    ),
    _get(
        "/api/games/{number}/review",
        past_games.review,
        "What every position of a game that has ended was worth, and its mistakes; it takes a while, ask again until "
        "`done` is `of`",
        answers.Review,
        refused=(404, 409, 422, 429),
    ),
    _get(
        "/api/games/{number}/shared.html",
        past_games.share_html,
        "A game as a page in one file, with its review as far as it has come",
        HTML,
        query=inputs.ShareQuery,
        refused=(404, 429),
    ),
    _get(
        "/api/games/{number}/shared.gif",
        past_games.share_gif,
        "A game as a moving picture",
        GIF,
        query=inputs.ShareQuery,
        refused=(404, 429),
    ),
    _get(
        "/api/games/{number}/shared.webp",
        past_games.share_webp,
        "The same, smaller",
        WEBP,
        query=inputs.ShareQuery,
        refused=(404, 429),
    ),
    _get(
        "/api/games/{number}/shared.png",
        past_games.share_still,
        "A position of a game as a picture",
        PNG,
        query=inputs.ShareQuery,
        refused=(404, 429),
    ),
    _post(
        "/api/games/{number}/shelf",
        past_games.shelve,
        "Name a game, or keep its pictures for ever",
        Action.SHELVE,
        inputs.Shelve,
        answer=answers.Game,
        refused=(404, 409),
        example={"name": "The final", "keep": True},
    ),
    _post(
        "/api/games/{number}/remove",
        past_games.remove,
        "Show a game no more and delete its pictures; the sealed log keeps its moves",
        Action.REMOVE,
        answer=list[answers.KeptGame],
        refused=(404, 409),
    ),
    _get(
        "/api/games/{number}/evidence.json",
        past_games.evidence,
        "The looks around the last verdict, with their likelihoods: what `companion follow` reads back",
        dict[str, Any],
        refused=(404,),
    ),
    _get("/api/pictures/{number}.jpg", past_games.kept_picture, "A kept picture, by its event", JPEG, refused=(404,)),
    _get(
        "/api/head",
        joining.head,
        "The newest signed head of the log, to be held against it later",
        answers.HeadCode,
        refused=(404,),
    ),
    _get("/api/catalogue", catalogue.catalogue, "Games, options, clocks and the pages' texts", answers.Catalogue),
    # --- who one is
    Endpoint(
        "POST",
        "/api/login",
        joining.login,
        "Sign in: by a PIN, by an invitation, or at the companion's own machine by neither",
        body=inputs.Login,
        answer=answers.Me,
        refused=(401, 429),
        example={"pin": "12345678"},
    ),
    Endpoint("POST", "/api/logout", joining.logout, "Only look on", body=inputs.Nothing, answer=answers.Me),
    _get("/api/me", joining.me, "Who you are, and which seats are free", answers.Me),
    _post(
        "/api/seat",
        joining.sit,
        "Sit down at these seats, and at no others; a player acts for his own",
        Action.SIT,
        inputs.Sit,
        answer=answers.Me,
        example={"seats": ["red"]},
    ),
    _get("/api/people", joining.listed, "Who is signed in", list[answers.Person], action=Action.MANAGE_PEOPLE),
    _post(
        "/api/people/out",
        joining.remove,
        "Show somebody out",
        Action.MANAGE_PEOPLE,
        inputs.ShowOut,
        answer=list[answers.Person],
        refused=(404,),
        example={"number": 2},
    ),
    _post(
        "/api/people/pin",
        joining.change_pin,
        "A new PIN; who came in by the old one is out",
        Action.MANAGE_PEOPLE,
        inputs.ChangePin,
        answer=answers.Pins,
        refused=(),
        example={"role": "player"},
    ),
    _post(
        "/api/invite",
        joining.invite,
        "An address and a QR code that let somebody in without a PIN, as a player, a referee or the table's camera",
        Action.MANAGE_PEOPLE,
        inputs.Invite,
        answer=answers.Invitation,
        example={"role": "player", "uses": 2},
    ),
    # --- the game
    _post("/api/play", actions.play, "Play moves", Action.PLAY, inputs.Play, example={"moves": ["b1-b2"]}),
    _post("/api/back", actions.back, "Take moves back", Action.TAKE_BACK, inputs.TakeBack, example={"count": 1}),
    _post(
        "/api/answer",
        actions.answer,
        "Answer a question",
        Action.DISMISS,
        inputs.Answer,
        example={"id": "stood-12", "answer": "yes"},
    ),
    _post(
        "/api/call",
        actions.call,
        "Call the hall's referee, or say that he is needed no more",
        Action.CALL_REFEREE,
        inputs.Call,
        example={"wanted": True},
    ),
    _post("/api/pause", actions.pause, "Pause, or go on", Action.PAUSE, inputs.Pause, example={"paused": True}),
    _post(
        "/api/hints",
        actions.hints,
        "Switch the hints; their lock is the referee's",
        Action.SWITCH_HINTS,
        inputs.Hints,
        example={"on": True},
    ),
    _post(
        "/api/computer",
        actions.computer,
        "Which seats the computer plays, each at a level from 1 to 5; before a camera its moves are pointed out and "
        "made by hand",
        Action.GIVE_COMPUTER,
        inputs.Computer,
        example={"seats": {"red": 3}},
    ),
    _post(
        "/api/result",
        actions.result,
        "End the game",
        Action.RESIGN,
        inputs.Result,
        example={"winner": "red", "why": "resigned"},
    ),
    _post("/api/reopen", actions.reopen, "Open an ended game again", Action.REOPEN, inputs.Nothing),
    _post(
        "/api/stand",
        actions.stand,
        "Accept what lies on the table, though no legal move led there",
        Action.STAND,
        inputs.Stand,
        example={"note": "agreed by both"},
    ),
    _post(
        "/api/new",
        actions.new,
        "Begin a game",
        Action.BEGIN,
        inputs.NewGame,
        refused=(404, 409),
        example={
            "game": game_ids()[0],
            "players": ["Ann", "Bob"],
            "clock": {"kind": "fischer", "main": 600, "more": 5},
        },
    ),
    _post(
        "/api/next",
        actions.next_game,
        "The next game of the match; else the same game again, with the sides swapped",
        Action.BEGIN,
        inputs.NextGame,
        example={"players": ["Ann", "Bob"]},
    ),
    _post(
        "/api/solvable",
        actions.solvable,
        "Can this still be solved? The state tells when it is known",
        Action.ASK_HINT,
    ),
    _post("/api/last-good", actions.last_good, "Take a solitaire back to its last good move", Action.TAKE_BACK),
    _post(
        "/api/check",
        actions.check,
        "Whether a game could begin with what lies on the table now, and if not, what is to be put right",
        Action.CHECK_START,
        inputs.Start,
        answer=answers.Check,
        refused=(404,),
        example={"game": game_ids()[0]},
    ),
    _post(
        "/api/open",
        actions.go_on,
        "Go on with a game that was kept",
        Action.BEGIN,
        inputs.OpenGame,
        refused=(404, 409),
        example={"id": 1},
    ),
    _post(
        "/api/clock",
        actions.clock,
        "The clock; `add` and `set` are for referees",
        Action.START_CLOCK,
        inputs.UseClock,
        example={"do": "press"},
    ),
    # --- setting up
    _get(
        "/api/cameras",
        actions.cameras,
        "The cameras that can be chosen",
        list[answers.Camera],
        action=Action.SET_UP,
    ),
    _get(
        "/api/cameras/{place}.jpg",
        actions.camera_to_choose,
        "What a camera in that list shows",
        JPEG,
        action=Action.SET_UP,
        refused=(404, 422),
    ),
    _post(
        "/api/camera",
        actions.camera,
        "Choose a camera, set the board's corners or turn them",
        Action.SET_UP,
        inputs.UseCamera,
        example={"source": "none"},
    ),
    _get(
        "/api/learn",
        learning.known,
        "Whether the set for a game was learned, and how to lay pieces for it",
        answers.KnownSet,
        query=inputs.LearnQuery,
        refused=(404, 409),
    ),
    _post(
        "/api/learn",
        learning.learn_set,
        "Learn the colors of this table's set from what lies before the camera",
        Action.SET_UP,
        inputs.Learn,
        answer=answers.Learned,
        refused=(404, 409),
        example={"game": game_ids()[0], "forget": True},
    ),
    _post(
        "/api/camera/frame",
        actions.frame,
        f"A picture of the browser's own camera, JPEG of at most {MAX_PICTURE >> 20} MB",
        Action.SEND_PICTURE,
        JPEG,
        answer=answers.Frame,
    ),
    _get(
        "/api/kit/markers.pdf",
        kit.markers,
        "Loose markers of all fields, to print for boards that one has",
        PDF,
        query=inputs.MarkersQuery,
        refused=(404,),
    ),
    _get(
        "/api/kit/mat.pdf",
        kit.mat,
        "A game's mat with its markers, to print",
        PDF,
        query=inputs.MatQuery,
        refused=(404,),
    ),
    _get("/api/leds.svg", leds.drawn, "The LEDs as they burn now", SVG, query=inputs.LedsQuery, refused=(404,)),
    _get(
        "/api/leds/ports",
        leds.ports,
        "Where LEDs may be plugged in",
        list[answers.LedPort],
        action=Action.SET_UP,
    ),
    _get(
        "/api/leds/log.json",
        leds.log,
        "What the last checkup of the LED board found, to send with a report",
        dict[str, Any],
        action=Action.SET_UP,
        refused=(404,),
    ),
    _get("/api/leds/colors", leds.colors, "The colors of the lights as everybody sees them", answers.LedColors),
    _post(
        "/api/leds",
        leds.use,
        "Switch the LEDs on or off (players); try them out, dim them, say where they are plugged in, put the firmware"
        " on their board, find out how they are wired (`ask`, `answer`; `look`, `dark`; `keep`) or how the line to"
        " them is (`examine`) (referee)",
        Action.SWITCH_LEDS,
        inputs.UseLeds,
        refused=(404, 409),
        example={"do": "dim", "brightness": 40},
    ),
    _get("/api/settings", settings.settings, "The settings", list[answers.Setting]),
    _post(
        "/api/settings",
        settings.set_settings,
        "Change settings",
        Action.SET_UP,
        inputs.SettingsChange,
        answer=list[answers.Setting],
        example={"still": 0.3},
    ),
)


# --- routes


def stream_paths(endpoints: Sequence[Endpoint] = ENDPOINTS) -> tuple[str, ...]:
    return tuple(one.path for one in endpoints if one.answer in STREAMS)


def _require_access(one: Endpoint) -> None:
    """Refused if the person who asks can never have the right, in any situation."""
    if not could_ever(who(), Action(one.action)):
        raise BadInput("", "needs-referee" if who().role is Role.PLAYER else "needs-pin")


def add_routes(
    app: Flask, endpoints: Sequence[Endpoint] = ENDPOINTS, require_access: Callable[[Endpoint], None] = _require_access
) -> None:
    """Register the endpoints with an app. `require_access` raises if a request is not allowed."""
    app.extensions["stream_paths"] = stream_paths(endpoints)
    app.extensions["quick_paths"] = tuple(one.path for one in endpoints if one.quick)
    for one in endpoints:
        if one.view:
            rule = re.sub(r"{(\w+)}", _placeholder, one.path)
            app.add_url_rule(
                rule, f"{one.method} {one.path}", _view(one, one.view, require_access), methods=[one.method]
            )


def _placeholder(found: re.Match[str]) -> str:
    """A part of an address that varies, as Flask writes it."""
    return f"<{found[1]}>" if found[1] in TEXTS else f"<int(max=999999999):{found[1]}>"


def _view(one: Endpoint, view: Callable[..., Any], require_access: Callable[[Endpoint], None]) -> Callable[..., Any]:
    has_body = one.body is not None and one.body is not inputs.Nothing

    def answer(**given: Any) -> Any:
        require_access(one)
        if one.query:
            given["query"] = check_query(one.query, request.args)
        if one.body is not None:
            body = picture_body() if one.body == JPEG else json_body(one.body, one.most)
            if has_body:
                given["body"] = body
        told = view(**given)
        answered = told if isinstance(told, Response | str) else jsonify(told)
        if one.changes_log and isinstance(answered, Response) and not table_state().keeping.ok:
            answered.status_code = 202  # done, but not on disk yet
        return answered

    return answer


# --- descriptions

STATUSES = {
    400: "not JSON",
    401: "the PIN is needed, or was wrong",
    403: "not for this role, this origin or this host",
    404: "there is none",
    409: "not as the game stands",
    413: "too large",
    415: "another content type is expected",
    422: "makes no sense",
    429: "too many",
    503: "the database does not answer now",
}


@cache
def openapi() -> Schema:
    """The OpenAPI document."""
    cookie = {"type": "apiKey", "in": "cookie", "name": "companion_PORT"}
    return described(
        ENDPOINTS,
        "Board Companion",
        "The table's API. Looking is free; what changes something needs a role, by POST /api/login "
        "with the PIN that the companion shows in its terminal. Errors are JSON with a code and a reason.",
        {
            role: cookie | {"description": f"the session of a {role}, by POST /api/login"}
            for role in (Role.PLAYER, Role.REFEREE)
        },
    )


def described(endpoints: Sequence[Endpoint], title: str, about: str, schemes: Mapping[str, Schema]) -> Schema:
    components: dict[str, Schema] = {}
    paths: dict[str, Schema] = {}
    for one in endpoints:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1", "description": about},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": dict(schemes)},
    }


def _operation(one: Endpoint, components: dict[str, Schema]) -> Schema:
    told: Schema = {"summary": one.summary, "parameters": _parameters(one, components)}
    if one.body is not None:
        is_picture = one.body == JPEG
        schema = {"type": "string", "format": "binary"} if is_picture else schema_of(one.body, components)
        content: Schema = {"schema": schema} | ({"example": one.example} if one.example is not None else {})
        told["requestBody"] = {
            "required": True,
            "content": {JPEG if is_picture else "application/json": content},
        }
    is_json = not isinstance(one.answer, str)
    kind = "application/json" if is_json else one.answer
    answered = {"schema": schema_of(one.answer, components) if is_json else {"type": "string"}}
    error = {"schema": schema_of(answers.Error, components)}
    told["responses"] = {"200": {"description": "the answer", "content": {kind: answered}}} | {
        str(status): {"description": STATUSES[status], "content": {"application/json": error}}
        for status in sorted(_refusals(one))
    }
    if one.changes_log:
        told["responses"]["202"] = {
            "description": "done, but not on disk yet: `keeping` says why",
            "content": {kind: answered},
        }
    if one.role != Role.VIEWER:
        told["security"] = [{one.role: []}]
    return told


def _refusals(one: Endpoint) -> set[int]:
    found = {403, *one.refused}
    if one.role != Role.VIEWER:
        found.add(401)
    if one.query:
        found.add(422)
    if one.body is not None:
        found |= {413, 415, 422} | (set() if one.body == JPEG else {400})
    return found


def _parameters(one: Endpoint, components: dict[str, Schema]) -> list[Schema]:
    told: list[Schema] = [LANG] if one.view else []
    for name in re.findall(r"{(\w+)}", one.path):
        schema = {"type": "string"} if name in TEXTS else {"type": "integer", "minimum": 0}
        told.append({"name": name, "in": "path", "required": True, "schema": schema})
    for name, field in fields_of(one.query).items() if one.query else ():
        found = schema_of(field.kind, components)
        schema = found["anyOf"][0] if "anyOf" in found else found
        about = {"description": schema.pop("description", "")}
        if schema.get("type") == "boolean":
            schema = {"type": "string"}
        told.append({"name": name, "in": "query", "required": field.is_required, "schema": schema} | about)
    if one.answer == EVENTS:
        told.append({"name": "Last-Event-ID", "in": "header", "required": False, "schema": {"type": "string"}})
    return told


def api_markdown(endpoints: Sequence[Endpoint] = ENDPOINTS) -> str:
    """The endpoints as a table for the documentation."""
    lines = ["| | who | sent | answered | |", "|---|---|---|---|---|"]
    for one in endpoints:
        if one.path.startswith("/api/"):
            cells = (f"`{one.method} {one.path}`", str(one.role), _sent(one), _name(one.answer), one.summary)
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _sent(one: Endpoint) -> str:
    if one.body == JPEG:
        return JPEG
    names: list[str] = []
    for kind in (one.query, one.body):
        if kind is inputs.SettingsChange:
            names += ["settings by name"]
        elif kind is not None:
            names += [f"`{name}`" if field.is_required else f"`{name}`?" for name, field in fields_of(kind).items()]
    return ", ".join(names)


def _name(answer: Any) -> str:
    if isinstance(answer, str):
        return answer
    inner = get_args(answer)
    name: str = inner[0].__name__ if get_origin(answer) is list else answer.__name__
    return f"list of {name}" if get_origin(answer) is list else name
