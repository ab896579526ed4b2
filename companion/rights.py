"""Authorization: one table of rules for the page, answers to questions, buttons, cameras and the hall.

A `Claim` is an action and the seats for which it is done. `Who` is the person: a viewer, a player with his seats, or
the referee. A `Situation` is the state of the table, as far as rights depend on it. `require` applies `RULES`; nothing
else decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from companion.errors import BadInput
from companion.games.position import Seat


class Role(StrEnum):
    """From least to most: each role includes those before it."""

    VIEWER = "viewer"
    PLAYER = "player"
    REFEREE = "referee"

    def may(self, needed: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Who(NamedTuple):
    role: Role = Role.VIEWER
    seats: frozenset[Seat] = frozenset()  # his seats; a player without a seat acts for the free ones
    camera: bool = False  # the referee made this device the table's camera


VIEWER, REFEREE = Who(), Who(Role.REFEREE)


class Situation(NamedTuple):
    """The state of the table, as far as rights depend on it."""

    seats: tuple[Seat, ...] = ()  # of the game in play; empty: no game
    running: bool = False  # moves were made, and the game is not over
    to_move: Seat | None = None
    clock: Seat | None = None  # the seat whose clock runs
    flags: frozenset[Seat] = frozenset()  # the seats that are out of time
    computer: Mapping[Seat, int] = {}  # the seats that the computer plays
    taken: frozenset[Seat] = frozenset()  # the seats at which somebody sits
    locked: bool = False  # only the referee may switch hints

    @property
    def free(self) -> frozenset[Seat]:
        """The seats that neither a person nor the computer has."""
        return frozenset(self.seats) - self.taken - self.computer.keys()


class Action(StrEnum):
    LOOK = "look"
    SEE_SECRETS = "see-secrets"  # what nobody at the table may know yet: the order of a deck, tiles face down
    PLAY = "play"
    TAKE_BACK = "take-back"
    TELL = "tell"  # say which of several possible moves a seat made
    DISMISS = "dismiss"  # answer a question so that nothing changes
    PAUSE = "pause"
    RESIGN = "resign"
    AGREE = "agree"
    CALL_TIME = "call-time"
    END = "end"
    REOPEN = "reopen"
    STAND = "stand"
    BEGIN = "begin"
    BEGIN_HELPED = "begin-helped"  # a game in which the computer has a seat
    CHECK_START = "check-start"
    START_CLOCK = "start-clock"
    STOP_CLOCK = "stop-clock"
    PRESS_CLOCK = "press-clock"
    SET_CLOCK = "set-clock"
    CALL_REFEREE = "call-referee"
    SWITCH_HINTS = "switch-hints"
    LOCK_HINTS = "lock-hints"
    ASK_HINT = "ask-hint"
    GIVE_COMPUTER = "give-computer"
    SWITCH_LEDS = "switch-leds"
    SET_UP = "set-up"  # cameras, LEDs, settings
    SEND_PICTURE = "send-picture"
    SIT = "sit"
    SHELVE = "shelve"  # name a stored game, or keep its pictures for ever
    REMOVE = "remove"  # hide a stored game
    MANAGE_PEOPLE = "manage-people"  # who is signed in, invitations, PINs


class Need(StrEnum):
    """What a person must be to do something. The referee may do everything."""

    NOTHING = "nothing"
    PLAYER = "player"
    AT_TABLE = "at-table"  # a player who has a seat, or could take a free one
    NOT_ON_CLOCK = "not-on-clock"  # the same, but not while his own clock runs against somebody else
    SEATS = "seats"  # the player of these seats; a player without a seat for the free ones
    OWN_SEATS = "own-seats"  # the player who has taken these seats
    ALL_SEATS = "all-seats"  # the player who has all seats except the computer's
    CAMERA = "camera"  # the device that the referee made the table's camera
    REFEREE = "referee"


class Rule(NamedTuple):
    need: Need
    running: Need | None = None  # instead, while a game runs
    locked: Need | None = None  # instead, while hints are locked


RULES = {
    Action.LOOK: Rule(Need.NOTHING),
    Action.SEE_SECRETS: Rule(Need.REFEREE),
    Action.PLAY: Rule(Need.SEATS),
    Action.TAKE_BACK: Rule(Need.SEATS),
    Action.TELL: Rule(Need.SEATS),
    Action.DISMISS: Rule(Need.AT_TABLE),
    Action.PAUSE: Rule(Need.NOT_ON_CLOCK),
    Action.RESIGN: Rule(Need.OWN_SEATS),
    Action.AGREE: Rule(Need.ALL_SEATS),
    Action.CALL_TIME: Rule(Need.AT_TABLE),  # if the clock says so
    Action.END: Rule(Need.REFEREE),
    Action.REOPEN: Rule(Need.REFEREE),
    Action.STAND: Rule(Need.REFEREE),
    Action.BEGIN: Rule(Need.PLAYER, running=Need.ALL_SEATS),
    Action.BEGIN_HELPED: Rule(Need.PLAYER, running=Need.ALL_SEATS, locked=Need.REFEREE),
    Action.CHECK_START: Rule(Need.PLAYER),
    Action.START_CLOCK: Rule(Need.AT_TABLE),
    Action.STOP_CLOCK: Rule(Need.NOT_ON_CLOCK),
    Action.PRESS_CLOCK: Rule(Need.SEATS),
    Action.SET_CLOCK: Rule(Need.REFEREE),
    Action.CALL_REFEREE: Rule(Need.AT_TABLE),
    Action.SWITCH_HINTS: Rule(Need.AT_TABLE, locked=Need.REFEREE),
    Action.LOCK_HINTS: Rule(Need.REFEREE),
    Action.ASK_HINT: Rule(Need.AT_TABLE, locked=Need.REFEREE),
    Action.GIVE_COMPUTER: Rule(Need.SEATS, locked=Need.REFEREE),  # with a camera its moves are shown like hints
    Action.SWITCH_LEDS: Rule(Need.AT_TABLE),
    Action.SET_UP: Rule(Need.REFEREE),
    Action.SEND_PICTURE: Rule(Need.CAMERA),
    Action.SIT: Rule(Need.PLAYER),
    Action.SHELVE: Rule(Need.PLAYER),
    Action.REMOVE: Rule(Need.REFEREE),
    Action.MANAGE_PEOPLE: Rule(Need.REFEREE),
}
NO_DECISION = ("no", "put-back", "agreed")  # answers that change nothing: the position stays, or is restored by hand
# The action that other answers take, by the question's code. For codes that are not listed it is the referee's.
DECIDES = {
    "stood": Action.STAND,
    "stuck": Action.STAND,
    "taken-back": Action.TAKE_BACK,
    "otherwise": Action.TAKE_BACK,
    "which": Action.TELL,
    "route": Action.TELL,
    "unseen": Action.TELL,
}
MINIMUM_ROLES = {Need.NOTHING: Role.VIEWER, Need.REFEREE: Role.REFEREE}  # for all other needs: PLAYER


class Claim(NamedTuple):
    """An action, and the seats for which it is done."""

    action: Action
    seats: frozenset[Seat] = frozenset()


def claim(action: Action, *seats: Seat | None) -> Claim:
    return Claim(action, frozenset(seat for seat in seats if seat is not None))


def minimum_role(action: Action) -> Role:
    """The lowest role that can have this right."""
    return MINIMUM_ROLES.get(RULES[action].need, Role.PLAYER)


def could_ever(who: Who, action: Action) -> bool:
    """Whether this person could do it in some situation, for some seats."""
    return who.role.may(minimum_role(action)) or (RULES[action].need is Need.CAMERA and who.camera)


def require(who: Who, wanted: Claim, now: Situation) -> None:
    """BadInput unless this person may do it now."""
    if who.role is Role.REFEREE:
        return
    rule = RULES[wanted.action]
    need = rule.need
    if now.running and rule.running:
        need = rule.running
    if now.locked and rule.locked:
        raise BadInput("", "hints-locked") if who.role is Role.PLAYER else BadInput("", "needs-pin")
    if need is Need.NOTHING or (need is Need.CAMERA and who.camera):
        return
    if who.role is Role.VIEWER:
        raise BadInput("", "needs-pin")
    if need in (Need.REFEREE, Need.CAMERA):
        raise BadInput("", "needs-referee")
    if wanted.action is Action.CALL_TIME and not wanted.seats <= now.flags:
        raise BadInput("", "needs-referee")
    own = who.seats & frozenset(now.seats) or now.free
    if need is Need.NOT_ON_CLOCK and wanted.seats & own and now.taken - own:
        raise BadInput("", "own-clock")
    lacking = _lacking(need, who, wanted, now)
    if lacking:
        names = sorted(lacking, key=now.seats.index)
        raise BadInput("", "needs-seat", seat=names[0], seats=names)


def may(who: Who, wanted: Claim, now: Situation) -> bool:
    try:
        require(who, wanted, now)
    except BadInput:
        return False
    return True


def _lacking(need: Need, who: Who, wanted: Claim, now: Situation) -> frozenset[Seat]:
    """The seats that this person would need and does not have."""
    there = frozenset(now.seats)
    own = who.seats & there
    wanted_seats = wanted.seats & there
    match need:
        case Need.AT_TABLE | Need.NOT_ON_CLOCK:
            return frozenset() if own or now.free or not there else there
        case Need.SEATS:
            open_to_all = now.computer.keys() if wanted.action is Action.GIVE_COMPUTER else frozenset()
            return wanted_seats - (own or now.free) - open_to_all - _computers_seats(wanted.action, now)
        case Need.OWN_SEATS:
            return wanted_seats - own
        case Need.ALL_SEATS:
            return there - own - now.computer.keys()
    return frozenset()


def _computers_seats(action: Action, now: Situation) -> frozenset[Seat]:
    """The computer's seats, for which any player may take back moves and press the clock."""
    return frozenset(now.computer) if action in (Action.TAKE_BACK, Action.PRESS_CLOCK) else frozenset()


def claim_of_answer(code: str, answer: str, movers: Iterable[Seat | None]) -> Claim:
    """The claim that an answer makes. `movers`: the seats whose moves it takes back, or that it is about."""
    return claim(Action.DISMISS) if answer in NO_DECISION else claim(DECIDES.get(code, Action.STAND), *movers)
