"""Who may do what: one table, asked by every way in, be it the page, a question, a button, a camera or a hall.

What is to be done is a `Claim`: an action, and the seats for which it is done. Whoever asks is a `Who`: a viewer, a
player with the seats at which he sits, or the referee. A `Situation` is what rights depend on as the table stands.
`must` refuses what the table below does not give; nothing else decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from companion.errors import BadInput
from companion.games.position import Seat


class Role(StrEnum):
    """Each may do what those before him may."""

    VIEWER = "viewer"
    PLAYER = "player"
    REFEREE = "referee"

    def may(self, needed: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Who(NamedTuple):
    role: Role = Role.VIEWER
    seats: frozenset[Seat] = frozenset()  # at which he sits; a player without any acts for the seats that are free
    camera: bool = False  # the referee lets this device be the table's camera


VIEWER, REFEREE = Who(), Who(Role.REFEREE)


class Situation(NamedTuple):
    """The table, as far as rights depend on it."""

    seats: tuple[Seat, ...] = ()  # of the game in play; empty: there is none
    running: bool = False  # moves were made, and it is not over
    to_move: Seat | None = None
    clock: Seat | None = None  # whose clock runs
    flags: frozenset[Seat] = frozenset()  # who is out of time
    computer: Mapping[Seat, int] = {}  # the seats that the computer plays
    taken: frozenset[Seat] = frozenset()  # at which somebody sits
    locked: bool = False  # hints are the referee's

    @property
    def free(self) -> frozenset[Seat]:
        """At which neither a person sits nor the computer."""
        return frozenset(self.seats) - self.taken - self.computer.keys()


class Action(StrEnum):
    LOOK = "look"
    SEE_SECRETS = "see-secrets"  # what nobody at the table may know yet: a pack's order, tiles that lie face down
    PLAY = "play"
    TAKE_BACK = "take-back"
    TELL = "tell"  # which of several moves it was that a seat made
    DISMISS = "dismiss"  # a question, without anything being changed
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
    SHELVE = "shelve"  # name a game that was kept, or keep its pictures for ever
    REMOVE = "remove"  # show a game no more
    MIND_PEOPLE = "mind-people"  # who is signed in, invitations, PINs


class Need(StrEnum):
    """What whoever asks must be, the referee aside, who may do everything."""

    NOTHING = "nothing"
    PLAYER = "player"
    AT_TABLE = "at-table"  # a player who sits there, or might: not all seats are taken
    NOT_ON_CLOCK = "not-on-clock"  # the same, unless it is his own time that he would save, and somebody else's loss
    SEATS = "seats"  # the seats' own player; who has not sat down acts for those that are free
    OWN_SEATS = "own-seats"  # the same, and he has sat down
    ALL_SEATS = "all-seats"  # whoever sits at every seat that is not the computer's
    CAMERA = "camera"  # the device that the referee made the table's camera
    REFEREE = "referee"


class Rule(NamedTuple):
    need: Need
    running: Need | None = None  # while a game runs, where that is another
    locked: Need | None = None  # while hints are locked, where that is another


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
    Action.GIVE_COMPUTER: Rule(Need.SEATS, locked=Need.REFEREE),  # before a camera its moves are shown as hints are
    Action.SWITCH_LEDS: Rule(Need.AT_TABLE),
    Action.SET_UP: Rule(Need.REFEREE),
    Action.SEND_PICTURE: Rule(Need.CAMERA),
    Action.SIT: Rule(Need.PLAYER),
    Action.SHELVE: Rule(Need.PLAYER),
    Action.REMOVE: Rule(Need.REFEREE),
    Action.MIND_PEOPLE: Rule(Need.REFEREE),
}
IDLE = ("no", "put-back", "agreed")  # answers that decide nothing: all stays as it is, or is put back by hand
# What other answers decide, by the question's code. What is not listed is the referee's.
DECIDES = {
    "stood": Action.STAND,
    "stuck": Action.STAND,
    "taken-back": Action.TAKE_BACK,
    "otherwise": Action.TAKE_BACK,
    "which": Action.TELL,
    "route": Action.TELL,
    "unseen": Action.TELL,
}
LEAST = {Need.NOTHING: Role.VIEWER, Need.REFEREE: Role.REFEREE}  # for all other needs: a player


class Claim(NamedTuple):
    """What somebody wants to do, and for whom."""

    action: Action
    seats: frozenset[Seat] = frozenset()


def claim(action: Action, *seats: Seat | None) -> Claim:
    return Claim(action, frozenset(seat for seat in seats if seat is not None))


def least(action: Action) -> Role:
    """Who may do it at best, if everything else is right."""
    return LEAST.get(RULES[action].need, Role.PLAYER)


def could(who: Who, action: Action) -> bool:
    """Whether he might do it at all, whatever the table's situation and the seats are."""
    return who.role.may(least(action)) or (RULES[action].need is Need.CAMERA and who.camera)


def must(who: Who, wanted: Claim, now: Situation) -> None:
    """Refused (BadInput) unless he may do it as the table stands."""
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
        must(who, wanted, now)
    except BadInput:
        return False
    return True


def _lacking(need: Need, who: Who, wanted: Claim, now: Situation) -> frozenset[Seat]:
    """The seats at which he would have to sit."""
    there = frozenset(now.seats)
    own = who.seats & there
    wanted_seats = wanted.seats & there
    match need:
        case Need.AT_TABLE | Need.NOT_ON_CLOCK:
            return frozenset() if own or now.free or not there else there
        case Need.SEATS:
            open_to_all = now.computer.keys() if wanted.action is Action.GIVE_COMPUTER else frozenset()
            return wanted_seats - (own or now.free) - open_to_all - _left(wanted.action, now)
        case Need.OWN_SEATS:
            return wanted_seats - own
        case Need.ALL_SEATS:
            return there - own - now.computer.keys()
    return frozenset()


def _left(action: Action, now: Situation) -> frozenset[Seat]:
    """The computer's moves are taken back with one's own; otherwise its seat is nobody's."""
    return frozenset(now.computer) if action in (Action.TAKE_BACK, Action.PRESS_CLOCK) else frozenset()


def claim_of_answer(code: str, answer: str, movers: Iterable[Seat | None]) -> Claim:
    """What an answer decides. `movers` made the moves that it would take back, or that it is about."""
    return claim(Action.DISMISS) if answer in IDLE else claim(DECIDES.get(code, Action.STAND), *movers)
