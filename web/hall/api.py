"""The hall's API as one list of endpoints, as in `web.api`."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Any, cast

from flask import Response, jsonify

from web import catalogue
from web.answers import Catalogue
from web.api import EVENTS, HTML, JPEG, SVG, Endpoint, described
from web.hall import actions, answers, inputs, link, queries
from web.hall.access import Access, require_access
from web.inputs import Nothing
from web.schema import Schema


class HallEndpoint(Endpoint):
    """An endpoint whose `action` is who may use it."""

    @property
    def role(self) -> StrEnum:
        return self.action


def require_access_to(one: Endpoint) -> None:
    require_access(cast(Access, one.role))


def _get(
    path: str, view: Callable[..., Any] | None, summary: str, answer: Any, access: Access = Access.VIEWER, **more: Any
) -> HallEndpoint:
    return HallEndpoint("GET", path, view, summary, access, answer=answer, **more)


def _page(path: str, name: str, summary: str) -> HallEndpoint:
    return _get(path, queries.page(name), summary, HTML)


def _referee(
    path: str, view: Callable[..., Any], summary: str, body: Any, answer: Any = answers.Done, **more: Any
) -> HallEndpoint:
    refused = (404, 409, 503)
    return HallEndpoint(
        "POST", path, view, summary, **{"action": Access.REFEREE, "refused": refused, **more}, body=body, answer=answer
    )


def _arbiter(
    path: str, view: Callable[..., Any], summary: str, body: Any, answer: Any = answers.Done, **more: Any
) -> HallEndpoint:
    return _referee(path, view, summary, body, answer, action=Access.ARBITER, **more)


def _description() -> Response:
    return jsonify(openapi())


ENDPOINTS: tuple[Endpoint, ...] = (
    _page("/", "front", "Rounds, tables and standings for everybody"),
    _page("/wall", "wall", "The tables one after another, for a screen on the wall"),
    _page("/desk", "desk", "The desk: all tables, trouble first"),
    _page("/tournaments/{number}", "event", "A tournament for everybody: round, standings, crosstable"),
    _page("/tables/{number}", "watch", "A table for everybody"),
    _page("/desk/hall", "setup", "The hall's own: tables and keys, persons, what holds for all"),
    _page("/desk/log", "log", "What the desk has done"),
    _page("/desk/tables/{number}", "table", "A table at the desk"),
    _page("/desk/tournaments/{number}", "tournament", "A tournament at the desk"),
    _page("/check-in/{number}", "check-in", "Check-in on a tablet"),
    _page("/print/{number}", "print", "Pairings, standings and result slips on paper"),
    _get("/static/{filename}", None, "Scripts, styles and pictures of the pages", "*/*", refused=(404,)),
    _get("/api/openapi.json", _description, "This description", dict[str, Any]),
    _get("/api/catalogue", catalogue.catalogue, "Games, options, clocks and the pages' texts", Catalogue),
    # --- tables
    HallEndpoint(
        "POST",
        "/api/link/report",
        link.report,
        "A table reports what is new in its log, and asks what is wanted of it",
        Access.TABLE,
        body=link.Report,
        answer=answers.Reported,
        refused=(503,),
        most=link.MAX_REPORT,
    ),
    HallEndpoint(
        "POST",
        "/api/link/picture",
        link.picture,
        "The picture of an event; empty if it was forgotten",
        Access.TABLE,
        query=link.PictureQuery,
        body=JPEG,
        answer=answers.Done,
        refused=(503,),
    ),
    _get(
        "/api/link/wake",
        link.wake,
        "A wake-up whenever something is wanted of the table",
        EVENTS,
        Access.TABLE,
        refused=(429,),
    ),
    # --- queries
    _get("/api/hall", queries.hall, "The hall", answers.Hall, refused=(503,)),
    _get(
        "/api/hall/events",
        queries.events,
        "Tables as they change: `event: table`; `event: hall` for all else",
        EVENTS,
        Access.REFEREE,
        refused=(429,),
    ),
    _get(
        "/api/hall/deeds",
        queries.deeds,
        "What the desk has done, with name and time",
        list[answers.LogEntryTold],
        Access.REFEREE,
        refused=(503,),
    ),
    _get(
        "/api/hall/verify",
        queries.verify,
        "Whether all seals of all logs follow on one another",
        answers.Verified,
        Access.REFEREE,
        refused=(503,),
    ),
    _get(
        "/api/tables/{number}",
        queries.table,
        "A table, and what happened there",
        answers.TablePage,
        Access.REFEREE,
        refused=(404, 503),
    ),
    _get(
        "/api/tables/{number}/board.svg",
        queries.board,
        "Its board, drawn; for spectators as late as the desk wants",
        SVG,
        query=inputs.BoardQuery,
        refused=(404, 409),
    ),
    _get(
        "/api/tables/{number}/evidence",
        queries.evidence,
        "A verdict: pictures, reading, rule and seals",
        answers.Evidence,
        Access.REFEREE,
        query=inputs.PictureQuery,
        refused=(404, 409, 503),
    ),
    _get(
        "/api/tables/{number}/heads",
        queries.heads,
        "What the table has signed of its log, for `companion verify --head`",
        "text/plain",
        Access.REFEREE,
        refused=(404, 409, 503),
    ),
    _get(
        "/api/tables/{number}/picture.jpg",
        queries.picture,
        "The picture of an event",
        JPEG,
        Access.REFEREE,
        query=inputs.PictureQuery,
        refused=(404, 409, 503),
    ),
    _get(
        "/api/tournaments/{number}",
        queries.tournament,
        "A tournament: entries, rounds, standings",
        answers.TournamentTold,
        refused=(404,),
    ),
    _get(
        "/api/tournaments/{number}/export",
        queries.export,
        "As CSV, JSON or TRF",
        "*/*",
        query=inputs.ExportQuery,
        refused=(401, 404, 422),
    ),
    _get(
        "/api/tournaments/{number}/paper.pdf",
        queries.paper,
        "Pairings, standings, the crosstable or result slips on paper",
        "application/pdf",
        query=inputs.PaperQuery,
        refused=(404, 422),
    ),
    # --- who one is
    _get("/api/me", actions.me, "Who one is here", answers.RoleHeld),
    HallEndpoint(
        "POST",
        "/api/login",
        actions.login,
        "Show the PIN",
        Access.VIEWER,
        body=inputs.Login,
        answer=answers.RoleHeld,
        refused=(401, 429),
    ),
    HallEndpoint(
        "POST", "/api/logout", actions.logout, "Only look on", Access.VIEWER, body=Nothing, answer=answers.RoleHeld
    ),
    # --- the desk
    _arbiter(
        "/api/persons",
        actions.add_person,
        "Somebody for the desk; the PIN is shown this once",
        inputs.NewPerson,
        answers.PinMade,
    ),
    _arbiter("/api/persons/remove", actions.remove_person, "Take somebody off the desk", inputs.OfPerson),
    _arbiter("/api/tables", actions.add_table, "A table, and its key", inputs.Named, answers.KeyMade),
    _arbiter("/api/tables/key", actions.new_key, "Another key for a table", inputs.OfTable, answers.KeyMade),
    _arbiter("/api/tables/revoke", actions.revoke, "A table's key is worth nothing any more", inputs.OfTable),
    _arbiter("/api/tournaments", actions.add_tournament, "A tournament", inputs.NewTournament),
    _arbiter(
        "/api/tie-breaks",
        actions.break_ties,
        "Other tie-breaks, or in another order; with a reason once somebody plays",
        inputs.BreakingTies,
    ),
    _referee("/api/entries", actions.enter, "Somebody takes part", inputs.Entering),
    _referee(
        "/api/entries/import",
        actions.import_players,
        "All who are in a file",
        inputs.PlayersFile,
        answers.Imported,
        most=1 << 19,
    ),
    _referee("/api/entries/here", actions.check_in, "Check in, or undo it", inputs.Here),
    _referee(
        "/api/entries/withdraw", actions.withdraw, "Withdraw from the next round on, or come back", inputs.Withdrawing
    ),
    _referee("/api/players/rename", actions.rename, "A name was wrong", inputs.Renaming),
    _arbiter("/api/forbid", actions.forbid, "Two who must not meet", inputs.Forbidding),
    _arbiter("/api/pair", actions.pair, "Pair the next round, or as a person wants it", inputs.Pairing),
    _arbiter("/api/unpair", actions.unpair, "Throw the draft of a round away", inputs.OfTournament),
    _arbiter(
        "/api/publish",
        actions.publish,
        "Approve the draft: everybody sees it, and the tables begin",
        inputs.OfTournament,
    ),
    _arbiter("/api/seat", actions.seat, "Another table for a pairing", inputs.Seating),
    _referee("/api/result", actions.result, "A result by hand, or a correction, with its reason", inputs.Result),
    _arbiter("/api/close", actions.close, "The tournament is over: its ratings count", inputs.OfTournament),
    _arbiter("/api/twins", actions.begin_twin, "One game at two tables, each from its own place", inputs.TwinGame),
    _arbiter("/api/delay", actions.delay, "How late spectators see play", inputs.Delay),
    _arbiter("/api/hints", actions.lock_hints, "Lock the hints of all tables, or let them be", inputs.Locking),
    _referee("/api/clock", actions.clock, "A table's clock", inputs.ClockWanted),
    _referee("/api/answered", actions.answer_call, "The referee came to a table that called him", inputs.OfTable),
    _referee("/api/decide", actions.decide, "A decision at a table, with name and time", inputs.Deciding),
)


@cache
def openapi() -> Schema:
    cookie = {"type": "apiKey", "in": "cookie", "name": "hall_PORT"}
    schemes: dict[str, Schema] = {
        access: cookie | {"description": f"the session of a {access}, by POST /api/login"}
        for access in (Access.REFEREE, Access.ARBITER)
    }
    schemes[Access.TABLE] = {"type": "http", "scheme": "bearer", "description": "the key of a table"}
    about = "The hall's API. Looking is free; what changes something needs a person's PIN, reports need a table's key."
    return described(ENDPOINTS, "Board Companion: the hall", about, schemes)
