"""Who may do what: every action, by everybody, in every state of a table."""

from __future__ import annotations

from itertools import product

import pytest

from companion.rights import (
    DECIDES,
    RULES,
    Action,
    Claim,
    Role,
    Situation,
    Who,
    claim,
    claim_of_answer,
    could_ever,
    may,
)
from companion.table.table import QuestionCode
from web.api import ENDPOINTS

SEATS = ("white", "black")
# Whoever may ask: by which name, and what he is.
ASKING = {
    "viewer": Who(),
    "camera": Who(camera=True),
    "unseated": Who(Role.PLAYER),
    "white": Who(Role.PLAYER, frozenset({"white"})),
    "black": Who(Role.PLAYER, frozenset({"black"})),
    "both": Who(Role.PLAYER, frozenset(SEATS)),
    "referee": Who(Role.REFEREE),
}
ALL, PLAYERS = frozenset(ASKING), frozenset(ASKING) - {"viewer", "camera"}
STATES = [
    Situation(
        seats if there else (), running and there, to_move if there else None, to_move, taken=taken, locked=locked
    )
    for seats, there, running, to_move, taken, locked in product(
        [SEATS],
        [False, True],
        [False, True],
        SEATS,
        [frozenset(), frozenset({"white"}), frozenset({"black"}), frozenset(SEATS)],
        [False, True],
    )
]


def expected(wanted: Claim, now: Situation) -> frozenset[str]:
    """The same table, read plainly and written anew."""
    there = bool(now.seats)
    free = {seat for seat in now.seats if seat not in now.taken}
    at_table = {"white", "black", "both", "referee"} | ({"unseated"} if free or not there else set())
    if not there:
        at_table |= PLAYERS
    own = {"referee", "both"} | ({next(iter(wanted.seats))} if len(wanted.seats) == 1 else set())
    if not wanted.seats & set(now.seats):
        own = set(PLAYERS)
    for_seats = own | ({"unseated"} if wanted.seats & set(now.seats) <= free else set())
    match wanted.action:
        case Action.LOOK:
            return ALL
        case Action.PLAY | Action.TAKE_BACK | Action.TELL | Action.PRESS_CLOCK:
            return frozenset(for_seats)
        case Action.GIVE_COMPUTER:
            return frozenset({"referee"} if now.locked else for_seats)
        case Action.RESIGN:
            return frozenset(own)
        case Action.AGREE:
            return frozenset({"both", "referee"} if there else PLAYERS)
        case Action.BEGIN:
            return frozenset({"both", "referee"}) if now.running else PLAYERS
        case Action.BEGIN_HELPED if not now.locked:
            return frozenset({"both", "referee"}) if now.running else PLAYERS
        case Action.CHECK_START | Action.SIT | Action.SHELVE:
            return PLAYERS
        case Action.SWITCH_HINTS | Action.ASK_HINT:
            return frozenset({"referee"} if now.locked else at_table)
        case Action.PAUSE | Action.STOP_CLOCK:  # nobody saves his own time at somebody else's cost
            acting = {"white": {"white"}, "black": {"black"}, "unseated": free}
            saving = {name for name, own in acting.items() if there and wanted.seats & own and now.taken - own}
            return frozenset(at_table - saving)
        case Action.DISMISS | Action.START_CLOCK | Action.SWITCH_LEDS:
            return frozenset(at_table)
        case Action.CALL_REFEREE:
            return frozenset(at_table)
        case Action.CALL_TIME:  # no flag has fallen, unless it is about nobody
            return frozenset({"referee"} if wanted.seats else at_table)
        case Action.SEND_PICTURE:
            return frozenset({"camera", "referee"})
    return frozenset({"referee"})


@pytest.mark.parametrize("action", Action)
def test_every_action_by_everybody_in_every_state(action: Action) -> None:
    for now, seats in product(STATES, [(), ("white",), ("black",), SEATS]):
        wanted = claim(action, *seats)
        found = {name for name, who in ASKING.items() if may(who, wanted, now)}
        assert found == expected(wanted, now), (wanted, now)
        assert all(could_ever(ASKING[name], action) for name in found)


def test_every_action_has_its_rule() -> None:
    assert set(RULES) == set(Action)


def test_time_is_called_when_the_flag_has_fallen() -> None:
    now = Situation(SEATS, True, "white", "white", flags=frozenset({"black"}), taken=frozenset(SEATS))
    assert may(ASKING["white"], claim(Action.CALL_TIME, "black"), now)
    assert not may(ASKING["white"], claim(Action.CALL_TIME, "white"), now)
    assert not may(ASKING["unseated"], claim(Action.CALL_TIME, "black"), now)


def test_the_computers_seat_is_nobodys() -> None:
    now = Situation(SEATS, True, "black", computer={"black": 3}, taken=frozenset({"white"}))
    for name in ("unseated", "white"):
        assert not may(ASKING[name], claim(Action.PLAY, "black"), now)
    assert may(ASKING["white"], claim(Action.TAKE_BACK, "white", "black"), now)  # its answer goes with one's own move
    assert may(ASKING["white"], claim(Action.BEGIN), now)  # nobody else plays
    assert may(ASKING["white"], claim(Action.GIVE_COMPUTER, "black"), now)
    assert not may(ASKING["white"], claim(Action.GIVE_COMPUTER, "black"), now._replace(locked=True))


def test_an_answer_needs_the_right_of_what_it_decides() -> None:
    assert set(DECIDES) >= {str(code) for code in QuestionCode}
    assert claim_of_answer("stood", "yes", ["white"]).action is Action.STAND
    assert claim_of_answer("stuck", "stands", ["white"]).action is Action.STAND
    assert claim_of_answer("never heard of", "yes", ["white"]).action is Action.STAND
    assert claim_of_answer("unseen", "b3", ["black"]) == claim(Action.TELL, "black")
    assert claim_of_answer("taken-back", "yes", ["white"]) == claim(Action.TAKE_BACK, "white")
    for code, answer in (("stood", "no"), ("stuck", "put-back"), ("stuck", "agreed")):
        assert claim_of_answer(code, answer, ["white"]) == claim(Action.DISMISS)


def test_every_way_in_names_its_action() -> None:
    for one in ENDPOINTS:
        if one.method == "POST" and one.path not in ("/api/login", "/api/logout"):
            assert one.action is not Action.LOOK, one.path
