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
from vision.fields import Floats
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


def look_from_json(data: Mapping[str, Any], game_id: str) -> Look:
    """BadInput where this is no look at such a game."""
    try:
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
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadInput("looks", "not-a-look") from None


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
