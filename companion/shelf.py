"""The games that were kept: named, kept for ever, removed.

The log is sealed and nothing in it is deleted. A game that is removed gets an event that says so: no list shows it any
more and nobody goes on with it, while its moves stay where they are, so that the chain of seals holds. Its pictures
lie beside the chain, and they are really gone.
"""

from __future__ import annotations

from companion.errors import BadInput
from companion.events import EventKind, Kept, KeptGame, Named, Removed
from companion.store import Store


def kept_game(store: Store, number: int) -> KeptGame:
    """A game of the log. BadInput if there is none, or if it was removed."""
    kept = store.game(number)
    if kept.shelf.removed:
        raise BadInput(str(number), "no-game")
    return kept


def name_game(store: Store, number: int, name: str, by: str) -> None:
    kept_game(store, number)
    store.append(number, EventKind.NAME, Named(name=" ".join(name.split()), by=by))


def keep_game(store: Store, number: int, keep: bool, by: str) -> None:
    """Its pictures are kept for ever, or as long as others."""
    kept_game(store, number)
    store.append(number, EventKind.KEEP, Kept(keep=keep, by=by))


def remove_game(store: Store, number: int, by: str) -> None:
    kept_game(store, number)
    store.append(number, EventKind.REMOVE, Removed(removed=True, by=by))
    store.forget_pictures_of(number)
