"""Legal games of which the referee sees only every n-th turn, and cheats among them: looks made without pictures."""

from __future__ import annotations

import json
import time
from collections import Counter
from random import Random
from typing import Any, NamedTuple

import numpy as np

from companion.games import game as game_of
from companion.games.pegs import Pegs
from companion.games.position import Position
from companion.labels import labels_of
from companion.record import read_record, replay
from companion.referee import Line, Referee, Verdict, line_of
from companion.simulation.cheating import illegal_layouts, key_of
from companion.simulation.laying import layout_of
from tests.records import new_record
from tests.referee.looks import discs_of, look_of
from vision.look import Look

Variant = tuple[str, dict[str, Any], dict[str, Any]]
DOUBT = 0.004  # what a look gives to other codes than the true one
MOVES_A_TURN = 40
SECONDS = 20.0  # for which is thought about one look, at most
ENOUGH, HARDLY_ENOUGH = 0.4, 0.1  # how often a player of Pegs is content with the cards that he has laid


class Turn(NamedTuple):
    moves: tuple[str, ...]
    after: Line


def random_game(variant: Variant, chance: Random, most: int, enough: float = ENOUGH) -> tuple[Line, list[Turn]]:
    """A game that the rules allow, turn by turn. A turn ends when the player has nothing more to do in it."""
    record = new_record(variant, chance.randrange(10**6))
    if variant[0] == "pegs":  # nobody sees what is drawn
        record["setup"] = {}
    begun = read_record(json.dumps(record))
    line = start = line_of(begun, replay(begun))
    turns: list[Turn] = []
    while not line.position.outcome() and len(turns) < most:
        before, moves = line, []
        while not line.position.outcome() and len(moves) < MOVES_A_TURN:
            move = chosen(line.position, chance, enough)
            moves.append(str(move))
            line = line.then([move])
            if not line.position.mid_turn and line.position.visible() != before.position.visible():
                break
        turns.append(Turn(tuple(moves), line))
    return start, turns


def chosen(here: Position[Any], chance: Random, enough: float = ENOUGH) -> Any:
    """A move by chance. Cards are laid often, but none where nobody could see it."""
    moves = list(here.moves())
    if here.lying().cards or any(here.is_chance(move) for move in moves):
        unseen = [here.as_unseen(move) for move in moves if here.as_unseen(move)]
        seen = [move for move in moves if here.is_seen(move) and here.play(move).visible() != here.visible()]
        if unseen and (not seen or chance.random() < enough):
            return unseen[0]
        return chance.choice(seen or moves)
    return chance.choice(moves)


def look_at(variant: Variant, line: Line, rng: np.random.Generator) -> Any:
    game = variant[0]
    askew = None
    if game.startswith("pegs"):
        askew = discs_of([text for text in line.texts() if len(text) == 4], rng)
    return look_of(game, line.position.visible(), rng, DOUBT, askew=askew)  # type: ignore[arg-type]


def is_right(told: Position[Any], true: Position[Any]) -> bool:
    """Whether the game stands as it does: what lies there, and who goes on with what."""
    if isinstance(told, Pegs) and isinstance(true, Pegs):  # cards that others cover cannot be known, nor who holds what
        # Nor how many there were, and with that whether the pack is used up.
        is_over_unseen = true.to_move is None and true.pack < told.pack
        told, true = told.until_next_peg()[1], true.until_next_peg()[1]
        return told.visible() == true.visible() and (told.to_move == true.to_move or is_over_unseen)
    return told.future() == true.future()


class Followed(NamedTuple):
    """Looks by what came of them: right, open (told otherwise, but kept in mind), unsure, wrong, alarm."""

    counted: Counter[str]
    ms: list[float]
    odd: list[str]  # what was wrong
    told: list[str]  # all moves, as the referee tells them in the end


def followed(
    variant: Variant, seed: int, step: int, most: int = 24, watches: bool = False, enough: float = ENOUGH
) -> Followed:
    """A legal game, of which every so manieth turn is seen."""
    chance, rng = Random(seed), np.random.default_rng(seed)
    start, turns = random_game(variant, chance, most, enough)
    judge, counted, ms, odd = Referee(start, watches=watches), Counter[str](), list[float](), list[str]()
    judge.see(look_at(variant, start, rng))
    since: list[str] = []
    for n, turn in enumerate(turns, 1):
        since += turn.moves
        if n % step:
            continue
        look = look_at(variant, turn.after, rng)
        verdict = timed(judge, look, ms)
        if judge.is_searching:  # as at a table: it is gone on with beside the looks, and the next look has it
            judge.think(SECONDS)
            verdict = timed(judge, look, ms)
        kind = kind_of(verdict, judge, turn.after)
        counted[kind] += 1
        counted["looks"] += 1
        if kind != "right":
            odd.append(f"{seed} {n}: {kind} {verdict.code} {verdict.moves} for {since} {verdict.reason or ''}")
        if kind == "right":
            counted["as made"] += judge.line.seen() == turn.after.seen()
            since = []
    return Followed(counted, ms, odd, list(judge.line.texts()))


def timed(judge: Referee, look: Look, ms: list[float]) -> Verdict:
    """What is said of a look, and in `ms` how long it took."""
    began = time.process_time()
    verdict = judge.see(look)
    ms.append(1000 * (time.process_time() - began))
    return verdict


def kind_of(verdict: Verdict, judge: Referee, true: Line) -> str:
    right = [is_right(line.position, true.position) for line in judge.lines]
    if verdict.kind in ("move", "same"):
        return "right" if right[0] else "open" if any(right) else "wrong"
    if verdict.code == "several":
        return "open" if any(right) else "wrong"
    return "alarm" if verdict.kind == "illegal" else "unsure"


class Cheat(NamedTuple):
    what: str
    verdict: str
    moves: str  # that the referee took it for
    reached: bool  # legal play leads from what was seen before to this very board: those moves are the proof


def cheated(variant: Variant, seed: int, step: int, most: int = 16) -> Cheat | None:
    """A game that is followed, and then something illegal in the last of `step` turns. None where the game gives no
    occasion."""
    chance, rng = Random(seed), np.random.default_rng(seed)
    start, turns = random_game(variant, chance, most)
    labels = labels_of(game_of(variant[0]))
    last = chance.randrange(step, max(step + 1, len(turns)), step)
    if last + step > len(turns):
        return None
    judge = Referee(start, watches=False)
    judge.see(look_at(variant, start, rng))
    for n in range(step, last + 1, step):
        judge.see(look_at(variant, turns[n - 1].after, rng))
    before = turns[last + step - 2].after
    layout = layout_of(labels, before.position)
    known = {key_of(position.visible()) for position in before.positions}
    found = next(illegal_layouts(before.position, layout, chance, known), None)
    if found is None or not is_right(judge.position, turns[last - 1].after.position):
        return None
    what, wrong = found
    askew = discs_of([text for text in before.texts() if len(text) == 4], rng) if labels.has_cards else None
    verdict = judge.see(look_of(variant[0], wrong.visible, rng, DOUBT, askew=askew))
    shown = [turns[n - 1].after.position.visible() for n in range(step, last + 1, step)]
    return Cheat(what, verdict.kind, " ".join(verdict.moves), is_legal_play(start, judge.line, [*shown, wrong.visible]))


def is_legal_play(start: Line, line: Line, shown: list[Any]) -> bool:
    """Whether a line is a game that the rules allow, move by move, and shows what was shown, one after the other."""
    position, left = start.position, [key_of(picture) for picture in shown]
    for move in line.moves[len(start.moves) :]:
        if position.why_not(move):
            return False
        position = position.play(move)
        while left and key_of(position.visible()) == left[0]:
            left.pop(0)
    return not left
