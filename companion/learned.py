"""The learned colors of a table's own sets of pieces: one JSON file for each table, by game."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import BadInput
from companion.games import game, is_game
from companion.settings import Settings

if TYPE_CHECKING:
    from vision.translation import Translation

MAX_SIZE = 1 << 20  # bytes


def file_of(settings: Settings) -> Path:
    return Path(settings.data) / f"{settings.table}.sets.json"


def learned_set(settings: Settings, game_id: str) -> Translation | None:
    """The learned set for a game; None if nothing was learned. NumPy is loaded only if it is needed."""
    kept = _read(file_of(settings))
    if game_id not in kept:
        return None
    from vision.translation import Translation

    try:
        return Translation.from_json(kept[game_id])
    except (KeyError, TypeError, ValueError):
        raise BadInput(str(file_of(settings)), "not-sets") from None


def learned_games(settings: Settings) -> list[str]:
    return [name for name in _read(file_of(settings)) if is_game(name)]


def learned_sets(settings: Settings, only: str | None = None) -> list[tuple[str, Translation]]:
    """All learned sets, or that of one game, each with its field."""
    games = [name for name in learned_games(settings) if only in (None, name)]
    found = [(game(name).field, learned_set(settings, name)) for name in games]
    return [(field, learned) for field, learned in found if learned]


def save_set(settings: Settings, game_id: str, learned: Translation | None) -> bool:
    """Save what was learned for a game, or delete it (None). Returns whether anything changed."""
    file = file_of(settings)
    kept = _read(file)
    before = dict(kept)
    kept.pop(game_id, None)
    if learned:
        kept[game_id] = learned.as_json()
    if kept == before:
        return False
    aside = file.with_suffix(".new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        os.replace(aside, file)
    except OSError as error:
        raise BadInput(str(file), "cannot-open", error=error.strerror) from None
    return True


def _read(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > MAX_SIZE:
            raise ValueError
        kept = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(kept, dict):
            raise ValueError
    except (FileNotFoundError, NotADirectoryError):  # a wrong data folder is reported by the store
        return {}
    except OSError as error:
        raise BadInput(str(file), "cannot-open", error=error.strerror) from None
    except (ValueError, RecursionError):
        raise BadInput(str(file), "not-sets") from None
    return kept
