"""The table in words: what the pages and the API say of it, in the reader's language."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, cast

from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Visible
from companion.leds.legend import meanings
from companion.leds.lighting import pixels_of
from companion.leds.picture import board_size
from companion.leds.protocol import current
from companion.messages import (
    name_of,
    say,
    say_detail,
    say_keeping,
    say_question,
    say_reason,
    say_verdict,
    term,
)
from companion.referee import Wrong
from companion.sealing import Head
from companion.store import Keeping
from companion.summaries import players
from companion.table.state import TableState
from companion.terminal import result
from web import answers
from web.drawing import board_svg
from web.drawing.leds import as_seen

NO_PLANK = "."  # where none should lie
NOTHING_SEEN: answers.Verdict = {
    "kind": "same",
    "text": "",
    "detail": "",
    "rule": None,
    "reason": None,
    "moves": [],
    "squares": [],
}


def state_of(table: TableState, language: str) -> answers.TableState:
    """The whole state but for the reader's role."""
    state: answers.TableState = {
        "changes": table.changes,
        "event": table.event,
        "id": table.number,
        "game": None,
        "name": "",
        "options": {},
        "players": [],
        "seats": [],
        "sides": {},
        "names": {},
        "to_move": None,
        "turn_text": "",
        "moves": [],
        "scores": {},
        "over": False,
        "outcome": None,
        "verdict": NOTHING_SEEN,
        "questions": [],
        "camera": _camera(table, language),
        "keeping": _keeping(table.keeping, language),
        "head": head_of(table.head) if table.head else None,
        "paused": table.paused,
        "clock": table.clock,
        "leds": leds_of(table, language) if table.lights else None,
        "hint": table.hint,
        "hint_squares": [],
        "hints": {"on": table.hints.on, "locked": table.hints.locked},
        "analysis": cast(answers.Analysis | None, table.analysis and table.analysis._asdict()),
        "computer": dict(table.computer),
    }
    if table.game:
        _add_game(state, table, table.game, language)
    return state


def _add_game(state: answers.TableState, table: TableState, game: AnyGame, language: str) -> None:
    position, outcome = table.position, table.outcome
    turn_text = result(outcome, position, language)
    state["game"] = game.id
    state["name"] = name_of(game.id, language)
    state["options"] = table.record.get("options", {})
    state["players"] = players(table.record.get("about"), lambda: table.record)
    state["seats"] = list(position.seats)
    state["sides"] = {seat: position.side(seat) for seat in position.seats}
    state["names"] = _names(state["players"], position, language)
    state["to_move"] = None if outcome else position.to_move
    state["turn_text"] = turn_text
    state["moves"] = _moves(table, language)
    state["scores"] = outcome.scores if outcome else position.points()
    state["over"] = outcome is not None
    state["hint_squares"] = list(_hint_squares(game, position, table.hint)) if table.hint else []
    if outcome:
        state["outcome"] = {
            "winner": outcome.winner,
            "draw": outcome.draw,
            "why": outcome.why,
            "text": turn_text,
        }
    state["verdict"] = _verdict(table, game, language)
    state["questions"] = [
        {"id": asked.id, "code": asked.code, "text": say_question(asked, language), "choices": list(asked.choices)}
        for asked in table.questions
    ]


def _hint_squares(game: AnyGame, position: AnyPosition, hint: str) -> tuple[str, ...]:
    """Where the move of a hint is made; what is under a tile that lies face down is not told with it."""
    move = game.read(hint)
    if position.why_not(move) is not None:
        move = next((one for one in position.moves() if position.without_secret(one) == hint), None)
    return position.trace(move).touch if move is not None else ()


def _verdict(table: TableState, game: AnyGame, language: str) -> answers.Verdict:
    verdict, position = table.verdict, table.position
    return {
        "kind": cast(Any, verdict.kind),
        "text": say_verdict(verdict, language),
        "detail": say_detail(verdict, language),
        "rule": verdict.reason.rule if verdict.reason else None,
        "reason": say_reason(verdict.reason, language) if verdict.reason else None,
        "moves": list(verdict.moves),
        "squares": wrong_squares(game, position, position.visible(), table.seen, verdict.wrong, language),
    }


def wrong_squares(
    game: AnyGame,
    position: AnyPosition | None,
    should: Visible,
    seen: Visible | None,
    wrong: tuple[Wrong, ...],
    language: str,
) -> list[answers.WrongSquare]:
    """What is not as it should be, by its codes and in the drawing's own words."""
    should_be, is_now = {}, {}
    if wrong and "rows" in should:  # where planks lie is not known by a look alone
        should_be = words_of_squares(game, position, should, language)
        is_now = words_of_squares(game, None, seen, language) if seen else {}
    return [
        {
            "square": one.square,
            "should": one.should,
            "seen": one.seen,
            "should_text": should_be.get(one.square, one.should),
            "seen_text": is_now.get(one.square, one.seen),
            "take_away": should_be.get(one.square, one.should) in (NO_PLANK, term("seen.empty", language)),
        }
        for one in wrong
    ]


def words_of_squares(game: AnyGame, position: AnyPosition | None, visible: Visible, language: str) -> dict[str, str]:
    """What lies on each square, as the drawing tells those who do not see it."""
    drawn = board_svg(game, position, visible, language=language)
    labels = re.findall(r'data-square="([^"]+)"[^>]* aria-label="([^"]*)"', drawn)
    return {square: unescape(label).removeprefix(f"{square}, ") for square, label in labels}


def _names(given: list[str], position: AnyPosition, language: str) -> dict[str, str]:
    """What each seat is called."""
    words = {seat: term(seat, language) for seat in (*position.players, *position.seats)}
    return words | dict(zip(position.seats, filter(None, given), strict=False))


def _moves(table: TableState, language: str) -> list[answers.Ply]:
    told: list[answers.Ply] = []
    for ply, entry in enumerate(table.record["moves"]):
        player = table.positions[ply].to_move if ply < len(table.positions) else None
        if isinstance(entry, str):
            told.append({"ply": ply + 1, "text": entry, "player": player, "stood": False})
        else:
            text = entry.get("note") or term("stood", language)
            told.append({"ply": ply + 1, "text": text, "player": player, "stood": True})
    return told


def _camera(table: TableState, language: str) -> answers.CameraState:
    source, state, why, since, trouble = table.camera
    text = term(f"camera.{state or 'none'}", language)
    if why:
        text = say("BAD", why, {"source": source}, language)
    elif trouble:
        text = say("BAD", trouble.code, trouble.params, language)
    return {
        "source": source,
        "state": cast(Any, state or "none"),
        "text": text,
        "trouble": trouble.code if trouble else None,
        "since": round(since, 3) if state else None,
    }


def head_of(head: Head) -> answers.Head:
    return {"number": head.number, "at": head.at, "words": head.words(), "text": head.text()}


def _keeping(keeping: Keeping, language: str) -> answers.Keeping:
    return {
        "ok": keeping.ok,
        "waiting": keeping.waiting,
        "lost": keeping.lost,
        "trouble": keeping.trouble.code if keeping.trouble else None,
        "text": say_keeping(keeping, language),
    }


def leds_of(table: TableState, language: str) -> answers.Leds:
    """The LEDs: how their board fares, and what burns on which squares."""
    leds = table.lights
    assert leds is not None
    state, layout, wanted = leds.state, leds.layout, leds.wanted
    board = board_size(table.position) if table.game else layout.board
    pixels = pixels_of(leds.lights, layout, wanted.brightness, wanted.limit, state.mono)
    wide, high = layout.size
    return {
        "state": cast(Any, state.code.removeprefix("leds.")),
        "text": say("FINDINGS", state.code, state.params, language),
        "port": state.port,
        "kind": "mono" if state.mono else "color",
        "chosen": wanted.port,
        "lit": leds.lit,
        "walking": leds.walking,
        "columns": wide,
        "rows": high,
        "wire": [list(cell) for cell in layout.wire()],
        "brightness": round(100 * wanted.brightness, 1),
        "limit": wanted.limit,
        "mA": current(pixels) if not state.mono else None,
        "meanings": [
            {
                "kind": kind,
                "text": term(f"light.{kind}", language),
                "color": as_seen(light.color),
                "blink": light.blink,
                "squares": list(squares),
            }
            for kind, light, squares in meanings(leds.lights, layout, board)
        ],
        "pixels": [list(pixel) for pixel in pixels],
    }
