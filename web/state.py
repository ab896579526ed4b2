"""The table in words: what the pages and the API say of it, in the reader's language."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from companion.games.position import Position, Visible
from companion.host import Snapshot
from companion.leds.legend import meanings
from companion.leds.lighting import pixels_of
from companion.leds.picture import board_size
from companion.leds.protocol import current
from companion.messages import say, say_bad, say_question, say_reason, say_verdict, term
from companion.referee import Wrong
from companion.terminal import result
from companion.told import players


def state_of(snapshot: Snapshot, language: str) -> dict[str, Any]:
    """The whole state but for the reader's role."""
    told: dict[str, Any] = {
        "changes": snapshot.changes,
        "event": snapshot.event,
        "id": snapshot.game,
        "game": None,
        "name": "",
        "options": {},
        "players": [],
        "seats": [],
        "names": {},
        "to_move": None,
        "turn_text": "",
        "moves": [],
        "scores": {},
        "over": False,
        "outcome": None,
        "verdict": {"kind": "same", "text": "", "rule": None, "moves": [], "squares": []},
        "questions": [],
        "camera": _camera(snapshot, language),
        "store": {"trouble": say_bad(snapshot.trouble, language) if snapshot.trouble else None},
        "paused": snapshot.paused,
        "clock": snapshot.clock,
        "leds": leds_of(snapshot, language) if snapshot.leds else None,
        "hint": snapshot.hint,
        "analysis": snapshot.analysis and snapshot.analysis._asdict(),
        "computer": dict(snapshot.computer),
    }
    if snapshot.read is None:
        return told
    position, outcome, verdict = snapshot.position, snapshot.outcome, snapshot.verdict
    names = names_of(snapshot.record, position, language)
    told |= {
        "game": snapshot.read.game.id,
        "name": term(f"game.{snapshot.read.game.id}", language),
        "options": snapshot.record.get("options", {}),
        "players": players(snapshot.record.get("about"), lambda: snapshot.record),
        "seats": list(position.seats),
        "names": names,
        "to_move": None if outcome else position.to_move,
        "turn_text": result(outcome, position, language),
        "moves": moves_of(snapshot, language),
        "scores": outcome.scores if outcome else position.points(),
        "over": outcome is not None,
        "outcome": outcome
        and {
            "winner": outcome.winner,
            "draw": outcome.draw,
            "why": outcome.why,
            "text": result(outcome, position, language),
        },
        "verdict": {
            "kind": verdict.kind,
            "text": say_verdict(verdict, language),
            "rule": verdict.reason.rule if verdict.reason else None,
            "reason": say_reason(verdict.reason, language) if verdict.reason else None,
            "moves": list(verdict.moves),
            "squares": wrong_squares(snapshot.read.game.id, position, snapshot.seen, verdict.wrong, language),
        },
        "questions": [
            {
                "id": asked.id,
                "code": asked.code,
                "text": say_question(asked, language),
                "choices": list(asked.choices),
            }
            for asked in snapshot.questions
        ],
    }
    return told


def wrong_squares(
    game_id: str, position: Position[Any], seen: Visible | None, wrong: tuple[Wrong, ...], language: str
) -> list[dict[str, Any]]:
    """What is not as it should be, by its codes and in the drawing's own words."""
    should_be, is_now = {}, {}
    if wrong and game_id != "plank":  # where planks lie is not known by a look alone
        should_be = _words(game_id, position, position.visible(), language)
        is_now = _words(game_id, None, seen, language) if seen else {}
    return [
        {
            **one._asdict(),
            "should_text": should_be.get(one.square, one.should),
            "seen_text": is_now.get(one.square, one.seen),
        }
        for one in wrong
    ]


def _words(game_id: str, position: Position[Any] | None, visible: Visible, language: str) -> dict[str, str]:
    from web.drawing import board_svg

    drawn = board_svg(game_id, position, visible, language=language)
    labels = re.findall(r'data-square="([^"]+)"[^>]* aria-label="([^"]*)"', drawn)
    return {square: unescape(label).removeprefix(f"{square}, ") for square, label in labels}


def names_of(record: Any, position: Position[Any], language: str) -> dict[str, str]:
    """What each seat is called."""
    given = players(record.get("about"), lambda: record)
    words = {seat: term(seat, language) for seat in (*position.players, *position.seats)}
    return words | dict(zip(position.seats, filter(None, given), strict=False))


def moves_of(snapshot: Snapshot, language: str) -> list[dict[str, Any]]:
    told = []
    for ply, entry in enumerate(snapshot.record["moves"]):
        player = snapshot.positions[ply].to_move if ply < len(snapshot.positions) else None
        if isinstance(entry, str):
            told.append({"ply": ply + 1, "text": entry, "player": player, "stood": False})
        else:
            text = entry.get("note") or term("stood", language)
            told.append({"ply": ply + 1, "text": text, "player": player, "stood": True})
    return told


def _camera(snapshot: Snapshot, language: str) -> dict[str, Any]:
    source, state, why, since, trouble = snapshot.camera
    text = term(f"camera.{state or 'none'}", language)
    if why:
        text = say("BAD", why, {"source": source}, language)
    elif trouble:
        text = say("BAD", trouble.code, trouble.params, language)
    return {
        "source": source,
        "state": state or "none",
        "text": text,
        "trouble": trouble.code if trouble else None,
        "since": round(since, 3) if state else None,
    }


def leds_of(snapshot: Snapshot, language: str) -> dict[str, Any]:
    """The LEDs: how their board fares, and what burns on which squares."""
    from web.drawing.leds import as_seen

    leds = snapshot.leds
    assert leds is not None
    state, layout, wanted = leds.state, leds.layout, leds.wanted
    board = board_size(snapshot.position) if snapshot.read else layout.board
    pixels = pixels_of(leds.lights, layout, wanted.brightness, wanted.limit, state.mono)
    wide, high = layout.size
    return {
        "state": state.code.removeprefix("leds."),
        "text": say("FINDINGS", state.code, state.params, language),
        "port": state.port,
        "kind": "mono" if state.mono else "colour",
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
