"""Looks as JSON, as the log keeps them with what was made of them, and the file by which a verdict can be looked into.

A look is kept with its likelihoods: what was seen, not what was made of it. `companion follow` reads the file back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from companion.errors import BadInput
from companion.events import Event, fold
from companion.games import game
from companion.labels import labels_of
from companion.store import Store
from vision.codes import PAWN_OUTPUTS
from vision.fields import Floats, usual_field
from vision.look import Look

LEAST, DIGITS = 1e-5, 6  # what is less likely is not kept; so many digits are
AROUND = 8  # so many events with looks before and after the one that is asked about


def look_as_json(look: Look) -> dict[str, Any]:
    names = (*look.squares, "")  # a pawn may also stand nowhere
    return {
        "codes": list(look.codes),
        "squares": {s: _shares(look.codes, row) for s, row in zip(look.squares, look.likelihood, strict=True)},
        "hidden": _shares(look.squares, look.hidden),
        "pawns": {name: _shares(names, share) for name, share in look.pawns.items()},
        "reading": look.reading,
        "hand": bool(look.hand),
        "doubtful": list(look.doubts),
        "askew": [[round(float(x), DIGITS) if np.isfinite(x) else None for x in row] for row in look.askew],
    }


def seen_as_json(look: Look, past_hands: bool, disturbed: float | None) -> dict[str, Any]:
    """A look as the referee is given it (`Referee.see`); `disturbed` since the look that was kept before."""
    return {
        **look_as_json(look),
        "past_hands": past_hands,
        "disturbed": None if disturbed is None else round(disturbed, DIGITS),
    }


def seen_from_json(data: Mapping[str, Any], game_id: str) -> tuple[Look, bool, float | None]:
    """A look, whether what was in the way is no hand, and for how long the board was disturbed, if that was kept."""
    past_hands, disturbed = data.get("past_hands", False), data.get("disturbed")
    is_number = isinstance(disturbed, int | float) and not isinstance(disturbed, bool)
    if not isinstance(past_hands, bool) or not (disturbed is None or (is_number and 0 <= disturbed < np.inf)):
        raise BadInput("looks", "not-a-look")
    return look_from_json(data, game_id), past_hands, disturbed


def look_from_json(data: Mapping[str, Any], game_id: str) -> Look:
    """BadInput where this is no look at such a game."""
    try:
        found = _look_from_json(data, game_id)
        whole = _is_whole(found)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
        whole = False
    if not whole:
        raise BadInput("looks", "not-a-look")
    return found


def _look_from_json(data: Mapping[str, Any], game_id: str) -> Look:
    squares, codes = tuple(data["squares"]), tuple(map(str, data["codes"]))
    askew = [[np.inf if x is None else float(x) for x in row] for row in data["askew"]]
    return Look(
        labels_of(game(game_id)),
        squares,
        codes,
        np.array([_row(codes, shares) for shares in data["squares"].values()]).reshape(len(squares), len(codes)),
        _row(squares, data["hidden"]),
        data["reading"],
        bool(data["hand"]),
        tuple(data["doubtful"]),
        {name: _row((*squares, ""), share) for name, share in data["pawns"].items()},
        askew=np.array(askew, dtype=float).reshape(len(askew), 5),
    )


def _is_whole(look: Look) -> bool:
    """Whether the readers could have made it: the file comes from anybody, and the referee trusts looks."""
    from vision.readers import codes_of, names_of

    shares = [look.likelihood.ravel(), look.hidden, *look.pawns.values()]
    spread = look.askew[:, 2]
    return (
        look.codes == codes_of(look.labels)
        and look.squares == names_of(look.labels, len(look.squares))
        and set(look.pawns) == set(PAWN_OUTPUTS if look.field == "tiles" else ())
        and all(bool(((share >= 0) & (share <= 1)).all()) for share in shares)
        and len(look.askew) == (len(look.squares) if look.labels.has_cards else 0)
        and bool(np.isfinite(np.delete(look.askew, 2, axis=1)).all() and (spread > 0).all())
        and _cells(look) == len(look.squares)
        and all(at in look.squares for at in look.reading.get("pawns", {}).values())
        and ("pawns" in look.reading) == (look.field == "tiles")
    )


def _cells(look: Look) -> int:
    """How many squares the free reading has; none where it has something else in it, or is of another form."""
    if look.field == "planks":
        planks = look.reading["planks"]
        cells = [c + t for p in planks for c, t in zip(p["colors"], p["tokens"], strict=True)]
        formed = all(len(p["colors"]) == 3 for p in planks)
    else:
        field, rows = usual_field(look.field), look.reading["rows"]
        cells = [code for row in rows for code in row]
        formed = [len(row) for row in rows] == [field.columns] * field.rows
    return len(cells) if formed and set(cells) <= set(look.codes) else -1


def evidence_of(store: Store, number: int, event: int | None = None) -> dict[str, Any]:
    """The looks around an event of a game (else around its last), with the record as it stood before them."""
    events = store.events(number)
    seen = [one for one in events if one.data.get("looks")]
    if event is not None and event not in [one.number for one in events]:
        raise BadInput(str(event), "no-event")
    if not seen:
        raise BadInput(str(number), "no-looks")
    about = event if event is not None else seen[-1].number
    before, after = ([one for one in seen if (one.number <= about) is early] for early in (True, False))
    around = [*before[-AROUND:], *after[:AROUND]]
    first = around[0].number
    return {
        "record": fold([one for one in events if one.number < first]).record,
        "event": about,
        "looks": [{"event": one.number, "told": _told(one), **look} for one in around for look in one.data["looks"]],
    }


def _told(event: Event) -> dict[str, Any]:
    """What was made of a look."""
    return {"kind": event.kind, **{name: data for name, data in event.data.items() if name not in ("looks", "picture")}}


def _shares(names: Sequence[str], shares: Floats) -> dict[str, float]:
    return {name: round(float(share), DIGITS) for name, share in zip(names, shares, strict=True) if share > LEAST}


def _row(names: Sequence[str], shares: Mapping[str, float]) -> Floats:
    return np.array([float(shares.get(name, 0.0)) for name in names])
