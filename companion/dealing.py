"""Chance at the table: shuffled packs, dealt planks, tiles laid at random, random problems."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.squares import SEVEN


def deal(game_id: str, chance: Random, options: dict[str, Any] | None = None, players: int = 2) -> dict[str, Any]:
    """A set-up as the players would deal it; `players` is for Plank."""
    options = options or {}
    if game_id == "hepta-solo":
        return {"blockers": sorted(chance.sample(SEVEN.names, 7))}
    if game_id == "tetrods":
        return {"mushrooms": sorted(chance.sample(SEVEN.names, 13))}
    if game_id == "pegs":
        from companion.games.pegs import CARDS

        return {"deck": chance.sample(sorted(CARDS), len(CARDS))}
    if game_id == "plank":
        from companion.games.plank import COLORS, DEALT, OF_A_MODEL

        planks = chance.sample(COLORS * OF_A_MODEL, len(COLORS) * OF_A_MODEL)
        hands = {"ABCD"[n]: planks[n * DEALT[players] : (n + 1) * DEALT[players]] for n in range(players)}
        counted = {player: {color: hand.count(color) for color in COLORS} for player, hand in hands.items()}
        return {"players": players, "hands": counted}
    if game_id == "trippples":
        from companion.games import game, trippples

        agreed = {name: option.default for name, option in game(game_id).options.items()} | options
        free = trippples.tile_squares(agreed)
        return {"tiles": dict(zip(free, chance.sample(list(trippples.TILES), len(free)), strict=True))}
    return {}
