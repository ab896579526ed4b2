"""The desk's log in words. Names are those at the time of each entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from companion.hall.desk_log import LogEntry
from companion.hall.state import State
from companion.hall.tournament import Tournament
from companion.messages import name_of, say, term
from web.hall import answers, words

SECRETS = ("secret", "key")


def described(done: Iterable[LogEntry], language: str) -> Iterator[answers.LogEntryTold]:
    """Describe the entries in order, without secrets."""
    state = State()
    for entry in done:
        text = _BEFORE[entry.kind](state, entry.data, language) if entry.kind in _BEFORE else ""
        state.apply(entry)
        yield {
            "number": entry.number,
            "at": entry.at,
            "who": entry.who,
            "kind": entry.kind,
            "text": text or in_words(state, entry, language),
            "data": {name: value for name, value in entry.data.items() if name not in SECRETS},
            "seal": entry.hash,
        }


def in_words(state: State, entry: LogEntry, language: str) -> str:
    """Describe one entry. `state`: the hall after it."""
    data = entry.data
    params: dict[str, object] = {name: value for name, value in data.items() if name not in SECRETS}
    if "tournament" in data:
        tournament = state.tournament(data["tournament"])
        params |= {"tournament": tournament.rules.name, "names": _names(state, tournament, data)}
    if "table" in data:
        params["table"] = state.places[data["table"]].name if data["table"] else "–"
    if "pairing" in data and (found := state.pairing(data["pairing"])):
        tournament, pairing = found
        params |= {"tournament": tournament.rules.name, "names": words.pairing_name(state, tournament, pairing)}
        scores = data.get("scores")
        params["result"] = " : ".join(words.number(scores[str(n)]) for n in pairing.entries) if scores else "–"
    if entry.kind == "tournament":
        params |= {"game": name_of(data["game"], language), "system": term(f"hall.system.{data['system']}", language)}
    if entry.kind == "tie-breaks":
        params["names"] = ", ".join(term(f"hall.tie.{name}", language) for name in data["tie_breaks"])
    if entry.kind == "person":
        params["role"] = term(f"hall.role.{data['role']}", language)
    if entry.kind == "twin":
        params |= {"game": name_of(data["game"], language), "names": " – ".join(data["players"])}
        params["table"] = " – ".join(state.places[n].name for n in data["tables"])
    return say("DEEDS", _code(entry), params, language)


def _code(entry: LogEntry) -> str:
    """The message code of an entry. Entries that switch something have a second code for the other direction."""
    for name, way in (("here", True), ("gone", True), ("forbidden", True), ("locked", True), ("by_hand", False)):
        if name in entry.data and entry.kind in _TWO_WAY and bool(entry.data[name]) is not way:
            return f"{entry.kind}.other"
    if (entry.kind == "key" and entry.data["key"] is None) or (entry.kind == "result" and entry.data["scores"] is None):
        return f"{entry.kind}.other"
    return entry.kind


_TWO_WAY = ("here", "withdraw", "forbid", "hints", "pair")


def _names(state: State, tournament: Tournament, data: Mapping[str, Any]) -> str:
    if "entry" in data:
        return state.entry_name(tournament, data["entry"])
    if "players" in data:
        return " & ".join(state.players[n].name for n in data["players"])
    return " – ".join(state.entry_name(tournament, n) for n in data.get("entries", ()))


def _person_gone(state: State, data: Mapping[str, Any], language: str) -> str:
    return say("DEEDS", "person-gone", {"name": state.persons[data["person"]].name}, language)


def _renamed(state: State, data: Mapping[str, Any], language: str) -> str:
    params = {"before": state.players[data["player"]].name, "reason": "", **data}
    return say("DEEDS", "rename", params, language)


# Log entries that are described by the state before them.
_BEFORE: dict[str, Callable[[State, Mapping[str, Any], str], str]] = {"person-gone": _person_gone, "rename": _renamed}
