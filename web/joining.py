"""The endpoints for sessions: signing in and out, seats, and for the referee people, invitations and PINs."""

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
from web.access import check_right, host, language, table_state
from web.certificate import own_addresses
from web.local_user import is_loopback
from web.people import LoginSource
from web.safety import LOCAL, Refused, is_local, people, person, sign_in, who
from web.summaries import head_of

SIGNED_OUT = "out"  # a token without a session, so that this machine's own user stays signed out too


def login(body: inputs.Login) -> answers.Me:
    """By a PIN, by an invitation's word, or, at the companion's own machine, by nothing."""
    address, agent = request.remote_addr or "", str(request.user_agent)
    if body.invitation is not None:
        sign_in(people().sign_in_by_invitation(body.invitation, address, agent))
    elif body.pin is None:
        if not is_local():
            raise Refused(401, "needs-pin")
        sign_in(people().sign_in_local_user(address, agent))
    else:
        source = (
            LoginSource.SIGNED_IN
            if person()
            else LoginSource.LOCAL_USER
            if is_loopback(address) and is_local()
            else LoginSource.REMOTE
        )
        sign_in(people().sign_in_by_pin(body.pin, source, address, agent))
    return me()


def logout() -> answers.Me:
    sign_in(SIGNED_OUT)
    return me()


def me() -> answers.Me:
    now, mine = host().situation(), who()
    return {
        "role": mine.role,
        "seats": sorted(mine.seats),
        "free": [seat for seat in now.seats if seat in now.free],
        "camera": mine.camera,
        "here": is_local(),
    }


def sit(body: inputs.Sit) -> answers.Me:
    """Take exactly these seats of the game in play."""
    check_right(claim(Action.SIT))
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
        for one in people().all_people()
    ]


def remove(body: inputs.ShowOut) -> list[answers.Person]:
    people().remove(body.number)
    return listed()


def change_pin(body: inputs.ChangePin) -> answers.Pins:
    """Change a PIN. Sessions started with the old one end, except the referee's own."""
    people().change_pin(Role(body.role), but=person())
    return {"player": people().player, "referee": people().referee}


def invite(body: inputs.Invite) -> answers.Invitation:
    """Create an invitation, as an address and as a QR code for a phone."""
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


def invite_view(_: str | None = None, __: str = "") -> dict[str, object]:
    """The variables of pages with invitation codes: why nobody else can join, if that is so."""
    alone = current_app.extensions["bound"][0] in LOCAL
    return {"alone": say_bad(BadInput("", "only-this-machine"), language()) if alone else ""}


def _address() -> str:
    """The page's address for others: the one the referee used, unless it is a loopback address."""
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
    """The newest signed head of the log."""
    found = table_state().head
    if found is None:
        raise BadInput("", "no-head")
    return {**head_of(found), "code": code_svg(found.text())}


def code_svg(text: str) -> str:
    """A QR code, dark on light in every theme, as phones need it."""
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, svgns=True, omitsize=True
    )
    return drawn.getvalue().decode()
