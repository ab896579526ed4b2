"""Signing in and out, sitting down, and what the referee minds: who is there, invitations, new PINs."""

from __future__ import annotations

import io
import time
from urllib.parse import urlsplit

import segno
from flask import current_app, request

from companion.errors import BadInput
from companion.messages import say_bad
from companion.rights import Action, Role, Who, claim
from web import answers, inputs
from web.access import allow, host, language, table_state
from web.certificate import own_addresses
from web.here import is_loopback
from web.people import Door
from web.safety import LOCAL, Refused, enter, here, people, person, who
from web.summaries import head_of

OUT = "out"  # in place of a word: this browser only looks on, also on the companion's own machine


def login(body: inputs.Login) -> answers.Me:
    """By a PIN, by an invitation's word, or, at the companion's own machine, by nothing."""
    address, agent = request.remote_addr or "", str(request.user_agent)
    if body.invitation is not None:
        enter(people().enter_by_invitation(body.invitation, address, agent))
    elif body.pin is None:
        if not here():
            raise Refused(401, "needs-pin")
        enter(people().enter_here(address, agent))
    else:
        door = Door.INSIDE if person() else Door.HERE if is_loopback(address) and here() else Door.OUTSIDE
        enter(people().enter_by_pin(body.pin, door, address, agent))
    return me()


def logout() -> answers.Me:
    enter(OUT)
    return me()


def me() -> answers.Me:
    now, mine = host().situation(), who()
    return {
        "role": mine.role,
        "seats": sorted(mine.seats),
        "free": [seat for seat in now.seats if seat in now.free],
        "camera": mine.camera,
        "here": here(),
    }


def sit(body: inputs.Sit) -> answers.Me:
    """At these seats of the game in play, and at no others."""
    allow(claim(Action.SIT))
    found, seats, there = person(), frozenset(body.seats), host().situation().seats
    if odd := sorted(seats - set(there)):
        raise BadInput("seats", "not-one-of", value=odd[0], choices=", ".join(there))
    assert found is not None
    people().sit(found, seats)
    return me()


# --- the referee's


def listed() -> list[answers.Person]:
    mine = person()
    return [
        {
            "number": one.number,
            "role": one.who.role,
            "seats": sorted(people().who(one).seats),
            "camera": one.who.camera,
            "address": one.address,
            "browser": one.agent,
            "since": one.since,
            "idle": round(max(0.0, time.monotonic() - one.seen), 1),
            "you": one is mine,
        }
        for one in people().listed()
    ]


def show_out(body: inputs.ShowOut) -> list[answers.Person]:
    people().show_out(body.number)
    return listed()


def change_pin(body: inputs.ChangePin) -> answers.Pins:
    """Whoever came in by the old PIN is out, but for the one who changes it."""
    people().change_pin(Role(body.role), but=person())
    return {"player": people().player, "referee": people().referee}


def invite(body: inputs.Invite) -> answers.Invitation:
    """A word that lets somebody in, as an address and as a QR code for a phone."""
    role = Role.VIEWER if body.role == "camera" else Role(body.role)
    invited = Who(role, frozenset(body.seats or ()), camera=body.role == "camera")
    seconds = 60.0 * body.minutes
    address = f"{_address()}join#{people().invite(invited, body.uses, seconds)}"
    return {
        "address": address,
        "code": code_svg(address),
        "uses": body.uses,
        "until": round(time.time() + seconds),
    }


def told(_: str | None = None, __: str = "") -> dict[str, object]:
    """For the pages that show codes: why nobody else can come in, where that is so."""
    alone = current_app.extensions["bound"][0] in LOCAL
    return {"alone": say_bad(BadInput("", "only-this-machine"), language()) if alone else ""}


def _address() -> str:
    """Where others reach this page: as the referee does, unless he sits at the machine itself."""
    bound, port = current_app.extensions["bound"]
    if bound in LOCAL:
        raise BadInput("", "only-this-machine")
    scheme = "https" if current_app.extensions["secure"] else "http"
    asked = urlsplit(f"//{request.host}").hostname or ""
    if asked not in LOCAL:
        return f"{scheme}://{request.host}/"
    name = bound if bound not in ("0.0.0.0", "::", "") else next(iter(own_addresses()), "")
    return f"{scheme}://{f'[{name}]' if ':' in name else name}:{port}/"


def head() -> answers.HeadCode:
    """What the log says now, signed, to be kept by whoever looks."""
    found = table_state().head
    if found is None:
        raise BadInput("", "no-head")
    return {**head_of(found), "code": code_svg(found.text())}


def code_svg(text: str) -> str:
    """A QR code, dark on light whatever the page's colors are, as phones want it."""
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, svgns=True, omitsize=True
    )
    return drawn.getvalue().decode()
