"""Which game is played: a new one, with what was agreed, dealt or seen, or one of the log that is unfinished."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from random import Random
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.events import By, MatchGame
from companion.games import game
from companion.games.game import Counting, Dealing
from companion.games.match import Match, match
from companion.games.position import Seat
from companion.matches import first_game, next_game, outcome_of
from companion.record import read_record
from companion.record_files import require_legal
from companion.simulation.source import PREFIX as SIMULATED
from companion.store import Store
from companion.summaries import players
from companion.table.camera import TableCamera
from companion.table.opening import StartCheck, check, new_record

SEEDS = 10_000


def begin(store: Store, record: Mapping[str, Any], by: str = By.PERSON, match: MatchGame | None = None) -> int:
    """Put a new game into the log; its number there. BadInput if it cannot be played: then nothing is written."""
    whole = {"options": {}, "setup": {}, "moves": [], **record}
    require_legal(read_record(json.dumps(whole)))
    return store.new_game(whole, by, match)


class Again(NamedTuple):
    """The game that follows one that was played."""

    record: dict[str, Any]
    match: MatchGame | None
    seats: Mapping[Seat, Seat]  # where each one sits now, by where he sat


def again(camera: TableCamera, store: Store, number: int, called: Sequence[str] = ()) -> Again:
    """The next game of a match, or a rematch: the same game with the sides swapped, or with the first turn passed on
    where seats stay. What was dealt is dealt anew; a solitaire's problem is the same. After a leg that decides nothing
    alone the rematch is the return leg, and both are a match; `called` names the players who have no names."""
    kept = store.game(number)
    record = {name: value for name, value in kept.record.items() if name != "result"}
    options, setup = record.get("options") or {}, record.get("setup") or {}
    start = read_record(json.dumps({**record, "moves": []}))
    played, seats = start.game, start.start.seats
    if played.is_solitaire:
        return Again({**record, "moves": record["moves"][: kept.given]}, None, {})
    of = kept.match
    names = players(record.get("about"), lambda: record)
    if of is None and played.match.counts is Counting.LEGS and outcome_of(kept.record):
        both = tuple(name or otherwise for name, otherwise in zip_longest(names, called, fillvalue=""))
        of = first_game(match(played, both)) if len({*both} - {""}) == len(seats) else None
    if of is None:
        had_first = setup.get(played.match.first_in)
        turn = 1 + (seats.index(had_first) if had_first in seats else 0)
        who = Match(played, tuple(names) if len(names) == len(seats) else seats, turn)
        named = bool(names)
    else:
        turn, who, named = of["number"] + 1, match(played, tuple(of["names"]), of["games"]), True
    about = {name: value for name, value in (record.get("about") or {}).items() if name not in (*seats, "players")}
    if named:
        about["players"] = list(who.seats(turn if of else 1).values())
    dealt = set(played.dealt(Random(0), options, len(seats)))
    agreed = {name: value for name, value in setup.items() if name not in dealt or name == "players"}
    deals = True if dealt & set(setup) else None
    made = record_for(camera, played.id, options, agreed | who.setup(turn), deals=deals, about=about)
    passed = 0 if played.match.seats_stay else 1
    return Again(
        made, next_game(of, number) if of else None, dict(zip(seats[passed:] + seats[:passed], seats, strict=True))
    )


def unfinished(
    store: Store, game_id: str | None, on_unplayable: Callable[[int, BadInput], None] = lambda number, why: None
) -> int | None:
    """The last game of this kind, or of any, if it has not ended. One that cannot be played stays in the log as it was
    written, and does not keep others from being played."""
    games = [summary for summary in store.games() if game_id in (None, summary.game)]
    if not games or games[-1].result is not None:
        return None
    number = games[-1].id
    try:
        require_legal(read_record(json.dumps(store.record(number))))
    except BadInput as why:
        on_unplayable(number, why)
        return None
    return number


def record_for(
    camera: TableCamera,
    game_id: str,
    options: Mapping[str, Any],
    setup: Mapping[str, Any] | None = None,
    *,
    from_camera: bool = False,
    deals: bool | None = None,
    about: Mapping[str, Any] | None = None,
    south: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The record of a game before its first move, as it is played before this camera. It may take its time, and may be
    called from any thread."""
    played = game(game_id)
    if from_camera:
        return new_record(played, options, setup, seen=camera.first_look(game_id), told=south, about=about)
    source, device = camera.connection
    if source.startswith(SIMULATED):
        return simulated_record(game_id, Random().randrange(SEEDS), options, setup, about)
    if deals is None:
        unwatched = played.dealing is Dealing.UNWATCHED and device is None
        deals = unwatched or played.dealing in (Dealing.NEEDED, Dealing.PROBLEM)
    return new_record(played, options, setup, deals=deals, about=about)


def check_start(
    camera: TableCamera, game_id: str, options: Mapping[str, Any], setup: Mapping[str, Any] | None
) -> StartCheck:
    """Whether a game could begin with what lies on the table now; may be called from any thread."""
    return check(game(game_id), options, setup, camera.first_look(game_id, glance=True))


def simulated_record(
    game_id: str,
    seed: int,
    options: Mapping[str, Any] = {},
    setup: Mapping[str, Any] | None = None,
    about: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A record to begin a simulated game with. Whatever can be dealt is, but for a pack whose order nobody sees."""
    played = game(game_id)
    deals = played.dealing is not Dealing.UNWATCHED
    return new_record(played, options, setup, deals=deals, chance=Random(seed), about=about)
