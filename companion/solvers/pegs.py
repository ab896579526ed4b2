"""Hints for Pegs: UCT in the compiled core, with the hidden cards sampled anew for each playout.

It never uses the order of the deck, even if the record's setup has it. It is exact only for the last turn, when no
cards are left to draw. Drawing a card is not a choice: the hint is then `+?`, with the expected result.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.games.pegs import Cover, Hand, Move, Peg, Pegs, PegsSolo, read
from companion.games.squares import SEVEN, bits
from companion.games.value import replace
from companion.solvers import compiled, pure
from companion.solvers.deepening import deepen
from companion.solvers.hint import Budget, Hint
from companion.solvers.structs import PegsState

PHASES = ["first-pegs", "draw", "peg", "cards", "redraw", "last"]
OVER = len(PHASES)
PUT, DRAWN, COVER, DISCARD, DONE = range(5)  # the encoding of moves in core/pegs.c
STANDING, UNKNOWN, GONE = 64, 64, 65
SIDES = ("blue", "white")
TO_DRAW = "+?"


def think(position: Pegs, budget: Budget) -> Iterator[Hint]:
    if position.outcome():
        return
    hidden = replace(position, deck=None)
    if compiled.core is not None:
        yield from _search(hidden, budget)
        return
    known = hidden.phase == "last" and not _history(hidden.hand)
    hints = pure.think(hidden, budget, sample=None if known else lambda random: deal_hidden(hidden, random))
    if hidden.phase in ("draw", "redraw"):
        hints = (Hint(TO_DRAW, hint.value, (TO_DRAW,), False) for hint in hints)
    yield from hints


def _search(position: Pegs, budget: Budget) -> Iterator[Hint]:
    for answer in deepen("pegs", state_of(position), budget):
        line = _known_line(position, answer.line) or (TO_DRAW,)
        yield Hint(line[0], answer.score, line, bool(answer.exact))


def _known_line(position: Pegs, moves: list[int]) -> tuple[str, ...]:
    """The notation of a line, up to the first card that is drawn."""
    line: list[str] = []
    for move in moves:
        if position.phase in ("draw", "redraw"):
            break
        line.append(text_of(move))
        position = position.play(read(line[-1]))
    return tuple(line)


def deal_hidden(position: Pegs, random: Random) -> Pegs:
    """The position with hands and deck filled in at random, consistently with what was seen."""
    unseen = sorted(position.unseen)
    random.shuffle(unseen)
    hands = []
    for hand in position.hands:
        held: list[str] = []
        for card in hand.drawn:
            if card == "-":
                held.pop(random.randrange(len(held)))
            else:
                held.append(unseen.pop() if card == "?" and unseen else card)
        hands.append(Hand(tuple(held)))
    deck = tuple(unseen[: position.pack])
    after = replace(position, hands=(hands[0], hands[1]), unseen=frozenset(deck), deck=deck, pack=len(deck))
    return after._draw(after.phase) if after.phase in ("draw", "redraw") else after


def state_of(position: Pegs) -> PegsState:
    """The position as a state of the core; with the order of the deck only if the position has it."""
    state = PegsState(
        pegs=position.pegs, pack=position.pack, side=position.to_move == "white", own=(position.blue, position.white)
    )
    state.turned = sum(1 << n % 7 * 7 + n // 7 for n in bits(position.pegs))
    state.phase = PHASES.index(position.phase) if position.to_move else OVER
    state.unseen = sum(1 << int(card, 2) for card in position.unseen)
    for side, hand in enumerate(position.hands):
        history = _history(hand)
        state.length[side] = len(history)
        state.history[side][: len(history)] = history
        state.hand[side] = 0 if history else sum(1 << int(card, 2) for card in hand.drawn)
    if position.deck is not None:
        state.known = True
        for n, card in enumerate(reversed(position.deck)):
            state.deck[n] = int(card, 2)
    return state


def _history(hand: Hand) -> list[int]:
    """The history of a hand that has cards which nobody saw; empty if all its cards are known."""
    if not {"?", "-"} & set(hand.drawn):
        return []
    return [UNKNOWN if card == "?" else GONE if card == "-" else int(card, 2) for card in hand.drawn]


def text_of(move: int) -> str:
    """The notation of a move of the core."""
    kind, what = divmod(move, 256)
    if kind == PUT:
        return f"o{SEVEN.names[what]}"
    if kind == COVER:
        square, reach = (what - STANDING, 1 + 2 * 7) if what >= STANDING else (what, 2 + 7)
        return SEVEN.names[square] + SEVEN.names[square + reach]
    return "." if kind == DONE else f"{'+' if kind == DRAWN else '-'}{what:06b}"


# --- moves for simulated players


def sensible(position: Pegs | PegsSolo, chance: Random, tired: bool) -> Move:
    """A random move, mostly a card that gains squares, else mostly a peg."""
    shown = position.visible()
    moves: list[Move] = [
        move for move in position.moves() if not isinstance(move, Cover) or position.play(move).visible() != shown
    ]
    covers = [move for move in moves if isinstance(move, Cover)]
    pegs = [move for move in moves if isinstance(move, Peg)]
    if covers and chance.random() < (0.75 if isinstance(position, Pegs) else 0.25):
        return chance.choice(covers)
    if pegs and chance.random() < 0.9:
        return chance.choice(pegs)
    return chance.choice(moves or list(position.moves()))
