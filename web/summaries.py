"""The table's state as the API returns it, in the reader's language."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any, cast

from companion.games import game as game_of
from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Visible
from companion.leds.doctor import Diagnosis
from companion.leds.legend import meanings
from companion.leds.lighting import current_draw, max_current_draw, pixels_of
from companion.leds.link import State as LinkState
from companion.leds.picture import EMPTY, board_size, is_square
from companion.leds.scenes import on_planks
from companion.leds.survey import format_wiring
from companion.messages import (
    name_of,
    say,
    say_bad,
    say_detail,
    say_keeping,
    say_move,
    say_now,
    say_question,
    say_reason,
    say_verdict,
    term,
)
from companion.messages.seen import say_seen
from companion.referee import Wrong
from companion.sealing import Head
from companion.solvers.puzzles import LEVELS
from companion.store import Keeping
from companion.summaries import players, seat_names, standing
from companion.table.state import SolitaireState, TableState
from companion.table.table import NOT_SEEN, Question, QuestionCode
from companion.table.wiring_guide import GuideState
from companion.terminal import result, solving_of
from web import answers
from web.drawing.leds import as_seen
from web.move_views import (
    beside_of,
    choices_of,
    describe_line,
    describe_move,
    found,
    pieces_of,
    question_moves,
    sentence,
)

NOTHING_SEEN: answers.Verdict = {
    "kind": "same",
    "text": "",
    "detail": "",
    "rule": None,
    "reason": None,
    "moves": [],
    "told": [],
    "squares": [],
}


def state_of(table: TableState, language: str) -> answers.TableState:
    """The whole state, except for the reader's role."""
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
        "now": "",
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
        "hint_told": None,
        "hint_line": [],
        "last": None,
        "beside": {},
        "reply": None,
        "hints": {"on": table.hints.on, "locked": table.hints.locked},
        "analysis": cast(answers.Analysis | None, table.analysis and table.analysis._asdict()),
        "computer": dict(table.computer),
        "hall": cast(answers.HallState | None, table.hall and table.hall._asdict()),
        "decided": [],
        "match": _match(table, language),
        "solitaire": None,
    }
    if table.game:
        _add_game(state, table, table.game, language)
    return state


def _add_game(state: answers.TableState, table: TableState, game: AnyGame, language: str) -> None:
    position, outcome = table.position, table.outcome
    names = seat_names(table.record, position)
    turn_text = sentence(result(outcome, position, language, names, solving_of(table)))
    state["game"] = game.id
    state["name"] = name_of(game.id, language)
    state["options"] = table.record.get("options", {})
    state["players"] = players(table.record.get("about"), lambda: table.record)
    state["seats"] = list(position.seats)
    state["sides"] = {seat: position.side(seat) for seat in position.seats}
    state["names"] = _names(state["players"], position, language)
    state["to_move"] = None if outcome else position.to_move
    now = None if outcome else position.now()
    state["now"] = say_now(now, language) if now else ""
    state["turn_text"] = turn_text
    state["moves"] = _moves(table, game, language)
    state["last"] = _last(table, game, language)
    state["scores"] = outcome.scores if outcome else position.points()
    state["over"] = outcome is not None
    _add_hint(state, table, game, language)
    state["beside"] = beside_of(position, language)
    state["reply"] = _reply(table, game, language)
    if outcome:
        state["outcome"] = {
            "winner": outcome.winner,
            "draw": outcome.draw,
            "why": outcome.why,
            "because": say("ENDINGS", outcome.why, {}, language),
            "text": turn_text,
        }
        state["decided"] = decided_by(position)
    if table.solitaire:
        state["solitaire"] = _solitaire(table, table.solitaire, language)
    state["verdict"] = _verdict(table, game, language)
    state["questions"] = [_question(table, game, table.question, language)] if table.question else []


def decided_by(position: AnyPosition) -> list[answers.Counted]:
    """The parts that decided a game that the rules ended."""
    parts = position.decided() if position.outcome() else ()
    return [{"squares": list(part.squares), "side": part.side, "points": part.points} for part in parts]


def _match(table: TableState, language: str) -> answers.MatchState | None:
    if table.match is None:
        return None
    played, number = table.match
    totals = played.totals()
    goes_on = table.outcome is not None and not played.over
    return {
        "number": number + 1,
        "games": played.games,
        "counts": played.game.match.counts,
        "fewest": played.fewest_wins,
        "names": list(played.names),
        "totals": [totals[name] for name in played.names],
        "over": played.over,
        "winners": list(played.winners()),
        "text": standing(played, language),
        "next": played.first(number + 1) if goes_on else None,
    }


def _solitaire(table: TableState, solver: SolitaireState, language: str) -> answers.Solitaire:
    about, now = table.record.get("about"), time.time()
    about = about if isinstance(about, dict) else {}
    level, day = about.get("level"), about.get("day")
    return {
        "seconds": round(solver.time.until(now), 1),
        "at": round(now, 3),
        "running": solver.time.since is not None,
        "hints": solver.hints,
        "given": solver.given,
        "level": level if level in LEVELS else None,
        "level_text": term(f"level.{level}", language) if level in LEVELS else None,
        "day": day if isinstance(day, str) else None,
        "solvable": solver.solvable,
        "goes_back": solver.goes_back,
    }


def _add_hint(state: answers.TableState, table: TableState, game: AnyGame, language: str) -> None:
    """Add the hint. A tile that lies face down is not revealed."""
    if not table.hint:
        return
    position = table.position
    move = found(game, position, table.hint)
    if move is not None:
        state["hint_squares"] = list(position.trace(move).touch)
        state["hint_told"] = describe_move(position, move, language)
    if table.analysis:
        state["hint_line"] = describe_line(game, position, table.analysis.line, language)


def _question(table: TableState, game: AnyGame, asked: Question, language: str) -> answers.Question:
    told = question_moves(game, table.positions, asked, language)
    if asked.code is QuestionCode.UNSEEN:
        text = say("QUESTIONS", "unseen-told", {"move": told[0] if told else ""}, language)
    else:
        text = say_question(asked, language, told)
    return {
        "id": asked.id,
        "code": asked.code,
        "text": text,
        "choices": list(asked.choices),
        "told": list(choices_of(game, table.positions, asked, language)),
    }


def _reply(table: TableState, game: AnyGame, language: str) -> answers.Reply | None:
    """The computer's evaluation of its last move, unless that was taken back."""
    reply, moves = table.reply, table.record["moves"]
    if reply is None or not 0 < reply.ply <= len(moves) or moves[reply.ply - 1] != reply.move:
        return None
    before = table.positions[reply.ply - 1]
    line = reply.hint.line if reply.hint and reply.hint.move == reply.move else (reply.move,)
    return {
        "ply": reply.ply,
        "value": reply.hint.value if reply.hint else 0.5,
        "exact": bool(reply.hint and reply.hint.exact),
        "slipped": reply.hint is None or reply.hint.move != reply.move,
        "line": describe_line(game, before, line, language),
    }


def _verdict(table: TableState, game: AnyGame, language: str) -> answers.Verdict:
    verdict, position = table.verdict, table.position
    told: list[answers.Told] = []
    if verdict.moves:
        since = len(verdict.moves) if verdict.kind == "move" else verdict.back
        told = describe_line(game, table.positions[max(0, len(table.positions) - 1 - since)], verdict.moves, language)
    return {
        "kind": cast(Any, verdict.kind),
        "text": say_verdict(verdict, language, game),
        "detail": say_detail(verdict, language, [one["words"] for one in told] if told else None),
        "rule": verdict.reason.rule if verdict.reason else None,
        "reason": say_reason(verdict.reason, language) if verdict.reason else None,
        "moves": list(verdict.moves),
        "told": told,
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
    """The wrong squares by code and in words, and the misplaced pawns."""
    if position and seen and "planks" in seen:
        wrong = on_planks(position, seen)
    return [_wrong_square(game, position, one, language) for one in wrong]


def _wrong_square(game: AnyGame, position: AnyPosition | None, one: Wrong, language: str) -> answers.WrongSquare:
    told: answers.WrongSquare = {
        "square": one.square,
        "should": one.should,
        "seen": one.seen,
        "should_text": say_seen(game, one.should, language),
        "seen_text": say_seen(game, one.seen, language),
        "name": one.square,
        "take_away": one.should in EMPTY,
    }
    if not is_square(one.square):  # a pawn
        told["square"] = one.seen or one.should
        told["name"] = sentence(term(_seat_of(position, one.square), language))
        told["should_text"], told["seen_text"] = one.should, one.seen or term("seen.nowhere", language)
    elif one.seen == "–":  # a pawn that is to be put there
        told["seen_text"] = term("seen.nowhere", language)
    return told


def _seat_of(position: AnyPosition | None, pawn: str) -> str:
    """The seat of a pawn, without its number if each player has only one pawn."""
    pawns = list(position.visible().get("pawns", {})) if position else []
    return position.seats[pawns.index(pawn)] if position and pawn in pawns else pawn


def _names(given: list[str], position: AnyPosition, language: str) -> dict[str, str]:
    """The names of the seats and sides."""
    words = {seat: term(seat, language) for seat in (*position.players, *position.seats)}
    return words | dict(zip(position.seats, filter(None, given), strict=False))


def _moves(table: TableState, game: AnyGame, language: str) -> list[answers.Ply]:
    """The moves so far. `positions` has one more item than there are moves."""
    told = [
        ply_view(game, table.positions[ply] if ply < len(table.positions) else None, ply, entry, language)
        for ply, entry in enumerate(table.record["moves"])
    ]
    for asked in table.unsaid:
        told[asked.params["at"]]["unsaid"] = _question(table, game, asked, language)
    return told


def ply_view(game: AnyGame, position: AnyPosition | None, ply: int, entry: Any, language: str) -> answers.Ply:
    """One entry of a record in words: a move of this position, or what was accepted as it stood."""
    player = position.to_move if position else None
    if not isinstance(entry, str):
        note = entry.get("note") or term("stood", language)
        text = term("stood.not-seen", language) if note == NOT_SEEN else note
        return {
            "ply": ply + 1,
            "text": text,
            "words": text,
            "pieces": [],
            "player": player,
            "stood": True,
            "unsaid": None,
        }
    words, pieces = _move_told(game.id, position, entry, language) if position else (entry, [])
    told: answers.Ply = {
        "ply": ply + 1,
        "text": entry,
        "words": words,
        "pieces": pieces,
        "player": player,
        "stood": False,
        "unsaid": None,
    }
    return told


@lru_cache(maxsize=2048)
def _move_told(game_id: str, position: AnyPosition, entry: str, language: str) -> tuple[str, list[answers.Piece]]:
    """A move in words, with its pieces. Cached, since each state contains all moves of the game."""
    move = game_of(game_id).read(entry)
    return sentence(say_move(position.describe(move), language)), pieces_of(position.trace(move), language)


def _last(table: TableState, game: AnyGame, language: str) -> answers.Told | None:
    moves = table.record["moves"]
    if not moves or not isinstance(moves[-1], str) or len(table.positions) < 2:
        return None
    return describe_move(table.positions[-2], game.read(moves[-1]), language)


def _camera(table: TableState, language: str) -> answers.CameraState:
    source, state, why, since, trouble, mirrored, by_lines = table.camera
    text = term(f"camera.{state or 'none'}", language)
    if why:
        text = say("BAD", why, {"source": source}, language)
    elif trouble:
        text = say("BAD", trouble.code, trouble.params, language)
    elif mirrored and state == "live":
        text = term("camera.mirrored", language)
    elif by_lines and state == "live":
        text = term("camera.by-lines", language)
    return {
        "source": source,
        "state": cast(Any, state or "none"),
        "text": text,
        "trouble": trouble.code if trouble else None,
        "mirrored": mirrored,
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


def _guide_of(guide: GuideState, language: str) -> answers.LedGuide:
    columns, rows = guide.size
    words = format_wiring(guide.wiring) if guide.wiring else None
    about = {
        "place": guide.place,
        "words": words,
        "done": guide.done,
        "seen": guide.seen,
        "count": columns * rows,
        "last": f"{chr(96 + columns)}{rows}" if columns <= 26 else "",
    }
    told = (
        say_bad(guide.trouble, language) if guide.trouble else say("FINDINGS", f"guide.{guide.step}", about, language)
    )
    return {
        "step": guide.step,
        "text": told,
        "columns": columns,
        "rows": rows,
        "done": guide.done,
        "count": columns * rows,
        "words": words,
    }


def _checkup_of(examined: Diagnosis | LinkState, language: str) -> answers.LedCheckup:
    if isinstance(examined, LinkState):
        return {"text": [say("FINDINGS", examined.code, examined.params, language)], "well": False, "log": False}
    return {
        "text": [say("FINDINGS", code, words, language) for code, words in examined.findings()],
        "well": examined.report.findings == ["doctor.well"],
        "log": True,
    }


def leds_of(table: TableState, language: str) -> answers.Leds:
    """The LEDs: the state of their board, and which lights are on which squares."""
    leds = table.lights
    assert leds is not None
    state, layout, wanted = leds.state, leds.layout, leds.wanted
    board = board_size(table.position) if table.game else layout.board
    pixels = pixels_of(leds.lights, layout, wanted.brightness, wanted.limit, state.mono)
    wide, high = layout.size
    return {
        "state": cast(Any, state.code.removeprefix("leds.")),
        "text": say("FINDINGS", state.code, state.params, language),
        "percent": cast(int | None, state.params.get("percent")),
        "guide": _guide_of(leds.guide, language) if leds.guide else None,
        "checkup": _checkup_of(leds.examined, language) if leds.examined else None,
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
        "mA": current_draw(pixels, state.mono),
        "most_mA": max_current_draw(len(pixels), wanted.brightness, state.mono),
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
