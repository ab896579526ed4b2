"""What the desk has done, in words: each deed as it was when it was done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from companion.hall.deeds import Deed
from companion.hall.state import State
from companion.hall.tournament import Tournament
from companion.messages import name_of, say, term
from web.hall import answers, words

SECRETS = ("secret", "key")


def told(done: Iterable[Deed], language: str) -> Iterator[answers.DeedTold]:
    """In the order in which they were done; secrets left out."""
    state = State()
    for deed in done:
        text = _GONE[deed.kind](state, deed.data, language) if deed.kind in _GONE else ""
        state.apply(deed)
        yield {
            "number": deed.number,
            "at": deed.at,
            "who": deed.who,
            "kind": deed.kind,
            "text": text or in_words(state, deed, language),
            "data": {name: value for name, value in deed.data.items() if name not in SECRETS},
            "seal": deed.hash,
        }


def in_words(state: State, deed: Deed, language: str) -> str:
    """`state`: as it is since."""
    data = deed.data
    params: dict[str, object] = {name: value for name, value in data.items() if name not in SECRETS}
    if "tournament" in data:
        held = state.tournament(data["tournament"])
        params |= {"tournament": held.rules.name, "names": _names(state, held, data)}
    if "table" in data:
        params["table"] = state.places[data["table"]].name if data["table"] else "–"
    if "pairing" in data and (found := state.pairing(data["pairing"])):
        held, pairing = found
        params |= {"tournament": held.rules.name, "names": words.pairing_name(state, held, pairing)}
        scores = data.get("scores")
        params["result"] = " : ".join(words.number(scores[str(n)]) for n in pairing.entries) if scores else "–"
    if deed.kind == "tournament":
        params |= {"game": name_of(data["game"], language), "system": term(f"hall.system.{data['system']}", language)}
    if deed.kind == "tie-breaks":
        params["names"] = ", ".join(term(f"hall.tie.{name}", language) for name in data["tie_breaks"])
    if deed.kind == "person":
        params["role"] = term(f"hall.role.{data['role']}", language)
    if deed.kind == "twin":
        params |= {"game": name_of(data["game"], language), "names": " – ".join(data["players"])}
        params["table"] = " – ".join(state.places[n].name for n in data["tables"])
    return say("DEEDS", _code(deed), params, language)


def _code(deed: Deed) -> str:
    """Deeds that can go two ways have two sentences."""
    for name, way in (("here", True), ("gone", True), ("forbidden", True), ("locked", True), ("by_hand", False)):
        if name in deed.data and deed.kind in _WAYS and bool(deed.data[name]) is not way:
            return f"{deed.kind}.other"
    if (deed.kind == "key" and deed.data["key"] is None) or (deed.kind == "result" and deed.data["scores"] is None):
        return f"{deed.kind}.other"
    return deed.kind


_WAYS = ("here", "withdraw", "forbid", "hints", "pair")


def _names(state: State, held: Tournament, data: Mapping[str, Any]) -> str:
    if "entry" in data:
        return state.entry_name(held, data["entry"])
    if "players" in data:
        return " & ".join(state.players[n].name for n in data["players"])
    return " – ".join(state.entry_name(held, n) for n in data.get("entries", ()))


def _person_gone(state: State, data: Mapping[str, Any], language: str) -> str:
    return say("DEEDS", "person-gone", {"name": state.persons[data["person"]].name}, language)


def _renamed(state: State, data: Mapping[str, Any], language: str) -> str:
    params = {"before": state.players[data["player"]].name, "reason": "", **data}
    return say("DEEDS", "rename", params, language)


# Deeds that are told by what was there before.
_GONE: dict[str, Callable[[State, Mapping[str, Any], str], str]] = {"person-gone": _person_gone, "rename": _renamed}
