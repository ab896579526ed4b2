"""Game records, the counterpart of PGN in chess. `read_record` checks the form, `replay` the rules."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, NotRequired, TypedDict, cast

from companion.errors import BadInput, Reason, UnreadableMove
from companion.games import game, game_ids, is_game
from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Outcome, Seat, Visible

FIELDS = ("game", "options", "setup", "moves", "result", "about")  # `about` is free: names, place, date


class Ending(StrEnum):
    """How people end a game."""

    AGREED = "agreed"
    RESIGNED = "resigned"
    TIME = "time"
    FORFEIT = "forfeit"
    REFEREE = "referee"


ENDINGS = tuple(Ending)


class StoodEntry(TypedDict):
    """An illegal step that stood, as JSON in place of a move."""

    stood: Visible
    to_move: Seat
    note: NotRequired[str]


MoveEntry = str | StoodEntry  # of a record's moves


class Stood(NamedTuple):
    """An illegal step that stood: play goes on from what was seen."""

    seen: Visible
    to_move: Seat
    note: str = ""


class Result(NamedTuple):
    """How the players or a referee ended the game."""

    winner: Seat | None
    why: Ending


class Record(NamedTuple):
    game: AnyGame
    start: AnyPosition
    moves: tuple[str | Stood, ...]
    result: Result | None = None
    about: Any = None


class Illegal(NamedTuple):
    ply: int
    move: str
    reason: Reason


class Step(NamedTuple):
    """One entry of a record, played."""

    move: Any | None  # of the game's own kind; None: an illegal step that stood
    position: AnyPosition


class Replay(NamedTuple):
    """A record played through: the positions from the start on, and where it stopped."""

    positions: list[AnyPosition]
    outcome: Outcome | None
    illegal: Illegal | None

    @property
    def position(self) -> AnyPosition:
        return self.positions[-1]

    @property
    def plies(self) -> int:
        return len(self.positions) - 1


def read_record(text: str) -> Record:
    """Parse a record. BadInput names the field that is wrong."""
    try:
        data = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        at = f"{error.lineno}:{error.colno}" if isinstance(error, json.JSONDecodeError) else "1:1"
        raise BadInput("", "not-json", at=at) from None
    if not isinstance(data, dict):
        raise BadInput("", "not-an-object")
    _known(data, FIELDS, "", "unknown-field")
    if "game" not in data:
        raise BadInput("game", "missing")
    game_id = data["game"]
    if not is_game(game_id):
        raise BadInput("game", "not-one-of", value=game_id, choices=", ".join(game_ids()))
    played = game(game_id)
    setup = _object(data, "setup")
    _known(setup, played.setup, "setup.", "unknown-field")
    start = played.start(checked_options(played, _object(data, "options")), setup)
    moves = data.get("moves", [])
    if not isinstance(moves, list):
        raise BadInput("moves", "not-a-list")
    players = start.players
    return Record(
        played,
        start,
        tuple(read_entry(entry, f"moves[{n}]", start) for n, entry in enumerate(moves)),
        read_result(data["result"], players) if data.get("result") is not None else None,
        data.get("about"),
    )


def replay(record: Record) -> Replay:
    """Play a record as far as it is legal."""
    position = record.start
    positions, illegal = [position], None
    for ply, entry in enumerate(record.moves):
        step = play_entry(record.game, position, entry, ply)
        if isinstance(step, Illegal):
            illegal = step
            break
        position = step.position
        positions.append(position)
    result = record.result
    outcome = position.ended(result.winner, result.why) if result else position.outcome()
    return Replay(positions, outcome, illegal)


def play_entry(played: AnyGame, position: AnyPosition, entry: str | Stood, ply: int) -> Step | Illegal:
    """Play one entry. BadInput if the position of an illegal step that stood is not possible with the kit."""
    try:
        if not isinstance(entry, Stood):
            move = played.read(entry)
            reason = position.why_not(move)
            return Illegal(ply, entry, reason) if reason else Step(move, position.play(move))
        if position.outcome():
            return Illegal(ply, "stood", Reason("over", "over", {}))
        return Step(None, position.accept_as_seen(entry.seen, entry.to_move))
    except UnreadableMove as error:
        return Illegal(ply, entry if isinstance(entry, str) else "stood", error.reason)
    except BadInput as error:
        raise BadInput(f"moves[{ply}].{error.field}", error.code, **error.params) from None


def illegal_move(illegal: Illegal) -> BadInput:
    """The error for an illegal move in a place where only legal ones are allowed."""
    params = {"move": illegal.move, "rule": illegal.reason.rule, "reason": illegal.reason}
    return BadInput(f"moves[{illegal.ply}]", "illegal-move", **params)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object. BadInput if a key is there twice, since one value would be lost silently."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise BadInput(next(key for key in keys if keys.count(key) > 1), "key-twice")
    return found


def _known(data: Mapping[str, Any], names: tuple[str, ...], where: str, code: str) -> None:
    for name in data:
        if name not in names:
            raise BadInput(where + name, code, choices=", ".join(names) or "–")


def _object(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = data.get(name) if data.get(name) is not None else {}
    if not isinstance(value, dict):
        raise BadInput(name, "not-an-object")
    return value


def checked_options(played: AnyGame, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options with defaults filled in. BadInput if one is unknown or has a wrong value."""
    _known(given, tuple(played.options), "options.", "unknown-option")
    options = {name: option.default for name, option in played.options.items()}
    for name, value in given.items():
        choices = played.options[name].choices
        # 1 == True in Python, but not in a record
        if choices and not any(value == choice and type(value) is type(choice) for choice in choices):
            raise BadInput(
                f"options.{name}",
                "not-one-of",
                value=value,
                choices=", ".join(json.dumps(c).strip('"') for c in choices),
            )
        options[name] = value
    return options


def read_entry(entry: Any, field: str, start: AnyPosition) -> str | Stood:
    """Parse an entry of a record's moves and check its form."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        raise BadInput(field, "not-a-move")
    _known(entry, ("stood", "to_move", "note"), f"{field}.", "unknown-field")
    for name in ("stood", "to_move"):
        if name not in entry:
            raise BadInput(f"{field}.{name}", "missing")
    if not isinstance(entry["stood"], dict):
        raise BadInput(f"{field}.stood", "not-an-object")
    note = entry.get("note", "")
    if not isinstance(note, str):
        raise BadInput(f"{field}.note", "not-a-text")
    if entry["to_move"] not in start.seats:
        raise BadInput(f"{field}.to_move", "not-one-of", value=entry["to_move"], choices=", ".join(start.seats))
    return Stood(cast(Visible, entry["stood"]), entry["to_move"], note)


def read_result(value: Any, players: tuple[Seat, ...]) -> Result:
    """Parse and check the result that people agreed on."""
    if not isinstance(value, dict):
        raise BadInput("result", "not-an-object")
    _known(value, ("winner", "why"), "result.", "unknown-field")
    for name in ("winner", "why"):
        if name not in value:
            raise BadInput(f"result.{name}", "missing")
    if value["winner"] is not None and value["winner"] not in players:
        choices = ", ".join([*players, "null"])
        raise BadInput("result.winner", "not-one-of", value=value["winner"], choices=choices)
    if value["why"] not in ENDINGS:
        raise BadInput("result.why", "not-one-of", value=value["why"], choices=", ".join(ENDINGS))
    return Result(value["winner"], Ending(value["why"]))
