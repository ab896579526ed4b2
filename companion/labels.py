"""What the camera's side is told of a game: its field, and what its codes show. It knows no game by itself."""

from __future__ import annotations

from companion.games import games_on
from companion.games.game import AnyGame
from vision.codes import Labels
from vision.fields import FIELDS


def labels_of(played: AnyGame) -> Labels:
    return Labels(played.id, played.field, dict(played.pieces))


def labels_by_field() -> dict[str, Labels]:
    """The labels of the fields on which only one game is played: there a picture tells the game."""
    games = {field.name: games_on(field.name) for field in FIELDS}
    return {field: labels_of(played[0]) for field, played in games.items() if len(played) == 1}
