"""The labels of a game for `vision`, which knows no games: the field, and what each code shows."""

from __future__ import annotations

from companion.games import games_on
from companion.games.game import AnyGame
from vision.codes import Labels
from vision.fields import FIELDS


def labels_of(played: AnyGame) -> Labels:
    return Labels(played.id, played.field, dict(played.pieces))


def labels_by_field() -> dict[str, Labels]:
    """The labels of the fields with only one game: there the field identifies the game."""
    games = {field.name: games_on(field.name) for field in FIELDS}
    return {field: labels_of(played[0]) for field, played in games.items() if len(played) == 1}
