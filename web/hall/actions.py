"""The endpoints that change something. Every change is written to the desk's log with the person's name."""

from __future__ import annotations

from typing import Any

from flask import current_app, request

from companion.hall.files import entries_in
from companion.hall.keys import FINGERPRINT_LENGTH, MIN_PIN, Key
from companion.hall.state import Role
from companion.table.clocks import Control
from web.certificate import own_addresses
from web.hall import answers, inputs
from web.hall.access import desk, people, role, who
from web.joining import code_svg
from web.safety import Refused
from web.safety import sign_in as enter_as

LOOPBACK, EVERYWHERE = ("127.0.0.1", "localhost", "[::1]", "::1"), ("0.0.0.0", "::", "")


def login(body: inputs.Login) -> answers.RoleHeld:
    enter_as(people().sign_in_by_pin(body.pin.strip(), request.remote_addr or ""))
    return {"role": role(), "name": who()}


def me() -> answers.RoleHeld:
    return {"role": role(), "name": who()}


def logout() -> answers.RoleHeld:
    people().sign_out(request.cookies.get(current_app.extensions["cookie"], ""))
    enter_as("")
    return {"role": role(), "name": who()}


# --- persons and tables


def add_person(body: inputs.NewPerson) -> answers.PinMade:
    if body.pin is not None and len(body.pin.strip()) < MIN_PIN:
        raise Refused(422, "hall-short-pin", "pin", fewest=MIN_PIN)
    return {"pin": desk().add_person(who(), body.name, Role(body.role), body.pin and body.pin.strip())}


def remove_person(body: inputs.OfPerson) -> answers.Done:
    return {"id": desk().do(who(), "person-gone", {"person": body.person})}


def add_table(body: inputs.Named) -> answers.KeyMade:
    return _shown(desk().add_table(who(), body.name))


def new_key(body: inputs.OfTable) -> answers.KeyMade:
    return _shown(desk().new_key(who(), body.table))


def revoke(body: inputs.OfTable) -> answers.Done:
    desk().revoke(who(), body.table)
    return {"id": body.table}


def _shown(key: Key) -> answers.KeyMade:
    """The key as a command line to paste, and the same as a QR code."""
    key = key._replace(fingerprint=str(current_app.extensions["fingerprint"])[:FINGERPRINT_LENGTH])
    line = f"companion run --hall {_address()} --key {key}"
    return {"table": key.place, "key": str(key), "line": line, "code": code_svg(line)}


def _address() -> str:
    """The hall's address for tables: the one this browser used, unless that is a loopback address."""
    name, bound = request.host.rpartition(":")[0] or request.host, current_app.extensions["bound"]
    if name not in LOOPBACK or bound in LOOPBACK:
        return request.host_url.rstrip("/")
    address = next(iter(own_addresses()), name) if bound in EVERYWHERE else bound
    return f"{request.scheme}://{address}:{request.host.rpartition(':')[2]}"


# --- tournaments


def add_tournament(body: inputs.NewTournament) -> answers.Done:
    data = body._asdict()
    data["clock"] = dict(body.clock._asdict()) if isinstance(body.clock, Control) else None
    return {"id": desk().do(who(), "tournament", data)}


def break_ties(body: inputs.BreakingTies) -> answers.Done:
    return {"id": desk().do(who(), "tie-breaks", body._asdict())}


def enter(body: inputs.Entering) -> answers.Done:
    return {"id": desk().enter(who(), body.tournament, body.names, body.club, body.rating, body.here)}


def import_players(body: inputs.PlayersFile) -> answers.Imported:
    """Import a whole file, or nothing if a line cannot be parsed."""
    found = entries_in(body.text, desk().state.tournament(body.tournament).rules.team)
    for one in found:
        desk().enter(who(), body.tournament, one.names, one.club, one.rating, True)
    return {"count": len(found)}


def check_in(body: inputs.Here) -> answers.Done:
    return {"id": desk().do(who(), "here", body._asdict())}


def withdraw(body: inputs.Withdrawing) -> answers.Done:
    return {"id": desk().do(who(), "withdraw", body._asdict())}


def forbid(body: inputs.Forbidding) -> answers.Done:
    return {"id": desk().do(who(), "forbid", body._asdict())}


def rename(body: inputs.Renaming) -> answers.Done:
    return {"id": desk().do(who(), "rename", body._asdict())}


def pair(body: inputs.Pairing) -> answers.Done:
    desk().pair(who(), body.tournament, body.boards)
    return {"id": body.tournament}


def unpair(body: inputs.OfTournament) -> answers.Done:
    return {"id": desk().do(who(), "unpair", body._asdict())}


def publish(body: inputs.OfTournament) -> answers.Done:
    desk().publish(who(), body.tournament)
    return {"id": body.tournament}


def seat(body: inputs.Seating) -> answers.Done:
    desk().seat(who(), body.pairing, body.table)
    return {"id": body.pairing}


def result(body: inputs.Result) -> answers.Done:
    data = {"pairing": body.pairing, "scores": body.scores, "points": None, "reason": body.reason}
    return {"id": desk().do(who(), "result", data)}


def close(body: inputs.OfTournament) -> answers.Done:
    return {"id": desk().do(who(), "close", body._asdict())}


# --- the tables' play


def delay(body: inputs.Delay) -> answers.Done:
    return {"id": desk().do(who(), "delay", body._asdict())}


def lock_hints(body: inputs.Locking) -> answers.Done:
    """For the whole hall, and for tables that join later."""
    desk().lock_hints(who(), body.locked)
    return {"id": 0}


def clock(body: inputs.ClockWanted) -> answers.Done:
    data: dict[str, Any] = {"do": body.do, "seat": body.seat, "seconds": body.seconds}
    data["clock"] = body.clock._asdict() if isinstance(body.clock, Control) else None
    return {"id": desk().command(who(), body.table, "clock", data)}


def begin_twin(body: inputs.TwinGame) -> answers.Done:
    clock = body.clock._asdict() if isinstance(body.clock, Control) else None
    return {"id": desk().begin_twin(who(), {**body._asdict(), "options": body.options or {}, "clock": clock})}


def answer_call(body: inputs.OfTable) -> answers.Done:
    return {"id": desk().command(who(), body.table, "answered", {})}


def decide(body: inputs.Deciding) -> answers.Done:
    """Record a decision. If it changes the game, the table gets a command."""
    desk().do(who(), "decision", {"table": body.table, "text": body.text, "do": body.do})
    match body.do:
        case "stand":
            return {"id": desk().command(who(), body.table, "stand", {"note": body.text})}
        case "back":
            return {"id": desk().command(who(), body.table, "back", {"count": body.count})}
        case "end":
            return {"id": desk().command(who(), body.table, "end", {"winner": body.winner})}
    return {"id": 0}
