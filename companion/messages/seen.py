"""What lies on a square, in words: the codes of a camera as a player would tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.squares import DIRECTIONS
from companion.messages import say, term

if TYPE_CHECKING:
    from companion.games.game import AnyGame


def say_seen(game: AnyGame, code: str, language: str) -> str:
    """A code of the game's field; what is no code of it stays as it is."""
    match game.field:
        case "seven":
            return term(f"piece.{game.pieces[code]}", language) if code in game.pieces else code
        case "faces":
            return say_die(code, language)
        case "tiles":
            return say_tile(code, language)
    return say_plank_square(code, language)


def say_die(code: str, language: str) -> str:
    if code in ("", "."):
        return term("seen.empty", language)
    color = term(f"seen.{code[0]}", language)
    return say("TERMS", "seen.king" if code[1:] == "K" else "seen.die", {"color": color, "top": code[1:2]}, language)


def say_tile(code: str, language: str) -> str:
    name = code.removesuffix("~")
    ways = name.split("-")
    if ways[0] in DIRECTIONS:
        listed = ", ".join(term(f"way.{way}", language) for way in ways)
        words = say("TERMS", "seen.tile", {"ways": listed}, language)
    else:
        words = term(f"seen.tile.{name}" if name in ("down", "empty") else name, language)
    return f"{words}, {term('seen.tile.turned', language)}" if code.endswith("~") else words


def say_plank_square(code: str, language: str) -> str:
    """A plank's color, and the token on it: `R.`, `RA`, `RA:B`; or a whole plank by its colors."""
    if code in ("", "."):
        return term("seen.no-plank", language)
    if len(code) == 3 and {*code} == {*"RWB"}:
        return "-".join(term(f"color.{color}", language) for color in code)
    color, owner, own = code[0], *code[1:].partition(":")[::2]
    if f"color.{color}" == term(f"color.{color}", language):
        return code
    words = term(f"seen.plank.{color}", language)
    if owner in ("", "."):
        return words
    return f"{words}, {say('TERMS', 'seen.token', {'owner': owner, 'color': own or color}, language)}"
