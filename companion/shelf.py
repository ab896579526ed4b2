"""Naming, keeping and removing stored games.

Events are never deleted from the log. Removing a game appends an event that hides it from lists; its moves stay, so
that the hash chain stays intact. Its pictures are not part of the chain and are deleted.
"""

from __future__ import annotations

from companion.errors import BadInput
from companion.events import EventKind, GameNamed, GameRemoved, KeptGame, PicturesKept
from companion.store import Store


def kept_game(store: Store, number: int) -> KeptGame:
    """A game in the log. BadInput if there is none, or it was removed."""
    kept = store.game(number)
    if kept.shelf.removed:
        raise BadInput(str(number), "no-game")
    return kept


def name_game(store: Store, number: int, name: str, by: str) -> None:
    kept_game(store, number)
    store.append(number, EventKind.NAME, GameNamed(name=" ".join(name.split()), by=by))


def keep_game(store: Store, number: int, keep: bool, by: str) -> None:
    """Keep the game's pictures for ever, or as long as others."""
    kept_game(store, number)
    store.append(number, EventKind.KEEP, PicturesKept(keep=keep, by=by))


def remove_game(store: Store, number: int, by: str) -> None:
    kept_game(store, number)
    store.append(number, EventKind.REMOVE, GameRemoved(removed=True, by=by))
    store.forget_pictures_of(number)
