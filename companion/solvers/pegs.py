"""Pegs: what to play. A tree of moves in the compiled core, walked each time with what nobody has seen shuffled anew.

Never looks at the pack, not even at one that the record's set-up tells. Exact only for the last turn, when nothing is
left to be drawn. A card to be drawn is no choice: the hint then is `+?`, with what the player can expect.
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
PUT, DRAWN, COVER, DISCARD, DONE = range(5)  # a move, as core/pegs.c has it
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
    hints = pure.think(hidden, budget, sample=None if known else lambda random: dealt(hidden, random))
    if hidden.phase in ("draw", "redraw"):
        hints = (Hint(TO_DRAW, hint.value, (TO_DRAW,), False) for hint in hints)
    yield from hints


def _search(position: Pegs, budget: Budget) -> Iterator[Hint]:
    for answer in deepen("pegs", state_of(position), budget):
        line = _sure(position, answer.line) or (TO_DRAW,)
        yield Hint(line[0], answer.score, line, bool(answer.exact))


def _sure(position: Pegs, moves: list[int]) -> tuple[str, ...]:
    """A line in the game's own words, as far as it does not depend on a card that is still to be drawn."""
    line: list[str] = []
    for move in moves:
        if position.phase in ("draw", "redraw"):
            break
        line.append(text_of(move))
        position = position.play(read(line[-1]))
    return tuple(line)


def dealt(position: Pegs, random: Random) -> Pegs:
    """The position with both hands and the pack filled in by chance, in a way that fits what was seen."""
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
    """The position as the core holds it; with the pack's order only where the position tells it."""
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
    """What was seen of a hand, in the order of play, if there are cards in it that nobody saw; else nothing."""
    if not {"?", "-"} & set(hand.drawn):
        return []
    return [UNKNOWN if card == "?" else GONE if card == "-" else int(card, 2) for card in hand.drawn]


def text_of(move: int) -> str:
    """A move of the core in the game's own words."""
    kind, what = divmod(move, 256)
    if kind == PUT:
        return f"o{SEVEN.names[what]}"
    if kind == COVER:
        square, reach = (what - STANDING, 1 + 2 * 7) if what >= STANDING else (what, 2 + 7)
        return SEVEN.names[square] + SEVEN.names[square + reach]
    return "." if kind == DONE else f"{'+' if kind == DRAWN else '-'}{what:06b}"


# --- how a simulated player likes to move


def sensible(position: Pegs | PegsSolo, chance: Random, tired: bool) -> Move:
    """By chance, but mostly a card that gains squares, or else a peg."""
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
