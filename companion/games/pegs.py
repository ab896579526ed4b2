"""Pegs: punched cards over pegs, the topmost card owns the square. And its solitaire, pegs.7."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from heapq import heappop, heappush
from itertools import permutations
from math import inf
from operator import or_
from typing import Any

from companion.games.position import (
    BadInput,
    CannotBeRead,
    Clues,
    Game,
    Outcome,
    Player,
    Position,
    Reason,
    Scores,
    Solitaire,
    Visible,
)
from companion.games.squares import SEVEN, SQUARE, bits
from companion.games.value import replace, value

PEGS = 41
FIRST_PEGS = 7
HAND = 3
SOLO_CARDS = 11
# What a look shows of a peg, and of a player's cards.
PEGGED = frozenset("oBW")
FACES = {"blue": frozenset("bB"), "white": frozenset("wW")}
# Looking for the cards of a turn: how many at most, how many ways to explain them, how far the search goes.
MOST_SEEN, TOO_MANY, TRIES, FAR = 8, 24, 3000, 8.0
BROKEN = 5.0  # how much worse than its parts a card that lies as one piece does not lie, as a logarithm
ANOTHER_CARD = 5.0  # what each card more costs, as a logarithm


# --- cards: six digits, the north row first, long side east–west, Blue's face up; the smaller of the two ways round


def card_of(holes: str) -> str:
    """The name of the card with these holes, however it is turned."""
    return min(holes, holes[::-1])


def turned_over(holes: str) -> str:
    return holes[2::-1] + holes[:2:-1]


BLANK = "000000"  # the spare; it is not played
CARDS = frozenset(card_of(f"{n:06b}") for n in range(1, 64))
# The card that shows a pattern of holes (as a number), by whose face is up.
SHOWS = {
    "blue": tuple(card_of(f"{n:06b}") for n in range(64)),
    "white": tuple(card_of(turned_over(f"{n:06b}")) for n in range(64)),
}


# --- moves


@value
class Peg:
    square: str

    def __str__(self) -> str:
        return f"o{self.square}"


@value
class Draw:
    card: str  # `?` where nobody saw it

    def __str__(self) -> str:
        return f"+{self.card}"


@value
class Cover:
    """A card on the block from its south-west to its north-east square. The pegs tell which card it is."""

    south_west: str
    north_east: str

    def __str__(self) -> str:
        return self.south_west + self.north_east


@value
class Discard:
    card: str

    def __str__(self) -> str:
        return f"-{self.card}"


@value
class Done:
    def __str__(self) -> str:
        return "."


Move = Peg | Draw | Cover | Discard | Done
SoloMove = Peg | Cover


def _all_blocks() -> dict[Cover, tuple[int, ...]]:
    """Every block a card can lie on, with its squares in the order of a card's digits."""
    blocks = {}
    lying = [(0, 1), (1, 1), (2, 1), (0, 0), (1, 0), (2, 0)]
    standing = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]  # a quarter turn brings the west column north
    for order in (lying, standing):
        for n in range(SEVEN.size):
            x, y = n % 7, n // 7
            squares = [s for dx, dy in order if (s := SEVEN.at(x + dx, y + dy)) is not None]
            if len(squares) == 6:
                blocks[Cover(SEVEN.names[n], SEVEN.names[max(squares)])] = tuple(squares)
    return blocks


BLOCKS = _all_blocks()
BLOCK_SQUARES = {block: sum(1 << n for n in squares) for block, squares in BLOCKS.items()}


def holes_needed(block: Cover, pegs: int) -> int:
    """The pattern of holes that fits the pegs under a block, as a number."""
    pattern = 0
    for n in BLOCKS[block]:
        pattern = pattern << 1 | pegs >> n & 1
    return pattern


def read(text: str) -> Move:
    if found := re.fullmatch(f"o({SQUARE})", text):
        return Peg(found[1])
    if found := re.fullmatch(r"([+-])([01]{6}|\?)", text):
        card = card_of(found[2])  # either way round it is the same card
        return Draw(card) if found[1] == "+" else Discard(card)
    if found := re.fullmatch(f"({SQUARE})({SQUARE})", text):
        return Cover(found[1], found[2])
    if text == ".":
        return Done()
    raise CannotBeRead(text=text)


def read_solo(text: str) -> SoloMove:
    move = read(text)
    if not isinstance(move, Peg | Cover):
        raise CannotBeRead(text=text)
    return move


def no_peg_there(square: str, pegs: int, covered: int, rule: str) -> Reason | None:
    if SEVEN.outside([square]):
        return Reason(rule, "outside", {"square": square})
    if pegs & SEVEN.bit[square]:
        return Reason(rule, "square-taken", {"square": square})
    if covered & SEVEN.bit[square]:
        return Reason(rule, "covered", {"square": square})
    return None


def no_card_there(block: Cover, rule: str) -> Reason | None:
    if outside := SEVEN.outside([block.south_west, block.north_east]):
        return Reason(rule, "outside", {"square": outside})
    return None if block in BLOCKS else Reason(rule, "not-a-block", {"block": str(block)})


def mismatch(block: Cover, pegs: int, cards: list[str], face: Player, rule: str) -> Reason:
    """Which square keeps the card from fitting that comes nearest to it, whichever way round."""

    def wrong(holes: str) -> list[int]:
        return [n for n, hole in zip(BLOCKS[block], holes, strict=True) if (hole == "1") != bool(pegs >> n & 1)]

    faces = [(card, card if face == "blue" else turned_over(card)) for card in sorted(cards)]
    tries = [(card, wrong(way)) for card, holes in faces for way in (holes, holes[::-1])]
    card, squares = min(tries, key=lambda found: len(found[1]))
    code = "peg-without-hole" if pegs >> squares[0] & 1 else "hole-without-peg"
    return Reason(rule, code, {"card": card, "block": str(block), "square": SEVEN.names[squares[0]]})


# --- hands


@value
class Hand:
    """A player's open cards in the order in which they were drawn, as far as they were seen.

    A `?` is a card that nobody saw drawn, a `-` a discard that nobody saw: it took one of the cards before it.
    """

    drawn: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return len(self.drawn) - 2 * self.drawn.count("-")

    def with_card(self, card: str) -> Hand:
        return Hand((*self.drawn, card))

    def may_hold(self, card: str, unseen: frozenset[str]) -> bool:
        return self.without(card, unseen) is not None

    def may_be(self, unseen: frozenset[str]) -> list[str]:
        """All cards that this hand may hold, in order."""
        cards = {card for card in self.drawn if card not in "?-"} | (unseen if "?" in self.drawn else frozenset())
        return sorted(card for card in cards if self.may_hold(card, unseen))

    def without(self, card: str, unseen: frozenset[str]) -> Hand | None:
        """The hand after this card has left it, or None if it cannot have been there."""
        drawn = list(self.drawn)
        if card == "?":
            return Hand((*drawn, "-"))._settled() if self.size else None
        if card in drawn:
            drawn.remove(card)
        elif card in unseen and "?" in drawn:
            # the latest one: an earlier one can stand for any discard that the latest can stand for
            del drawn[len(drawn) - 1 - drawn[::-1].index("?")]
        else:
            return None
        return Hand(tuple(drawn))._settled()

    def _settled(self) -> Hand | None:
        """Forget what is certainly gone; None if a discard has no card before it that it can have taken."""
        left = gone = 0
        for n, card in enumerate(self.drawn):
            left += -1 if card == "-" else 1
            if left < 0:
                return None
            if left == 0:
                gone = n + 1
        return Hand(self.drawn[gone:])


# --- the game for two


@value
class Placed:
    block: Cover
    card: str  # `?` where it cannot be known
    owner: Player


@value
class Pegs(Position[Move]):
    players = ("blue", "white")

    to_move: Player | None = "blue"
    phase: str = "first-pegs"  # then draw, peg, cards and redraw; last: no more draws, no discard
    pegs: int = 0
    blue: int = 0  # the squares whose topmost card is Blue's
    white: int = 0
    cards: tuple[Placed, ...] = ()  # from the lowest to the topmost
    hands: tuple[Hand, Hand] = (Hand(), Hand())
    unseen: frozenset[str] = CARDS  # neither known to be drawn nor seen in play
    pack: int = len(CARDS)
    deck: tuple[str, ...] | None = None  # the pack's order, where it is known

    @property
    def mid_turn(self) -> bool:
        if self.phase == "first-pegs":
            return 0 < self.pegs.bit_count() != FIRST_PEGS
        return self.phase in ("cards", "redraw", "last")

    @property
    def covered(self) -> int:
        return self.blue | self.white

    @property
    def free(self) -> int:
        """Where a peg can be put."""
        return SEVEN.all & ~self.pegs & ~self.covered if self.pegs.bit_count() < PEGS else 0

    @property
    def hand(self) -> Hand:
        return self.hands[self.to_move == "white"]

    def moves(self) -> Iterator[Move]:
        if self.to_move is None:
            return
        if self.phase in ("first-pegs", "peg"):
            yield from (Peg(SEVEN.names[n]) for n in bits(self.free))
            if self.phase == "first-pegs" and self.to_move == "white":
                yield Done()
        elif self.phase in ("draw", "redraw"):
            yield from (Draw(card) for card in sorted(self.unseen))
        else:
            shows, holds = SHOWS[self.to_move], set(self.hand.may_be(self.unseen))
            for block in BLOCKS:
                if shows[holes_needed(block, self.pegs)] in holds:
                    yield block
            if self.phase == "last":
                yield Done()
            else:
                yield from (Discard(card) for card in sorted(holds))

    def why_not(self, move: Move) -> Reason | None:
        if self.to_move is None:
            return Reason("over", "over", {})
        if not isinstance(move, self._expected()):
            now = "pegs.first-white" if self.phase == "first-pegs" and self.to_move == "white" else f"pegs.{self.phase}"
            return Reason("turn", "wrong-phase", {"player": self.to_move, "now": now})
        match move:
            case Peg(square):
                rule = "pegs.1" if self.phase == "first-pegs" else "pegs.3"
                return no_peg_there(square, self.pegs, self.covered, rule)
            case Draw(card):
                if card == BLANK:
                    return Reason("pegs.2", "blank-card", {})
                if card != "?" and card not in self.unseen:
                    return Reason("pegs.2", "card-is-out", {"card": card})
            case Discard(card):
                if card != "?" and not self.hand.may_hold(card, self.unseen):
                    return Reason("pegs.3", "not-in-hand", {"card": card})
            case Cover():
                return self._why_not_cover(move)
        return None

    def _expected(self) -> tuple[type, ...]:
        if self.phase == "first-pegs":
            return (Peg, Done) if self.to_move == "white" else (Peg,)
        return {
            "draw": (Draw,),
            "redraw": (Draw,),
            "peg": (Peg,),
            "cards": (Cover, Discard),
            "last": (Cover, Done),
        }[self.phase]

    def _why_not_cover(self, block: Cover) -> Reason | None:
        assert self.to_move is not None
        if reason := no_card_there(block, "pegs.4"):
            return reason
        card = SHOWS[self.to_move][holes_needed(block, self.pegs)]
        cards = self.hand.may_be(self.unseen)
        if card in cards:
            return None
        if not cards:
            return Reason("pegs.3", "no-cards", {})
        return mismatch(block, self.pegs, cards, self.to_move, "pegs.4")

    def play(self, move: Move) -> Pegs:
        match move:
            case Peg(square):
                after = replace(self, pegs=self.pegs | SEVEN.bit[square])
                if self.phase == "first-pegs":
                    count = after.pegs.bit_count()
                    if count == FIRST_PEGS:
                        return replace(after, to_move="white")
                    return after._begin("blue") if count == 2 * FIRST_PEGS else after
                return replace(after, phase="cards" if after.free and after.pack else "last")
            case Draw(card):
                return self._drawn(card)._draw(self.phase)
            case Cover():
                after = self._covered(move)
                return after if self.phase == "last" else after._draw("redraw")
            case Discard(card):
                return self._hold(self.hand.without(card, self.unseen), {card})._begin(self._other())
            case Done():
                return self._begin("blue") if self.phase == "first-pegs" else replace(self, to_move=None)

    def _other(self) -> Player:
        return "white" if self.to_move == "blue" else "blue"

    def _hold(self, hand: Hand | None, seen: set[str]) -> Pegs:
        assert hand is not None  # asked before
        hands = (hand, self.hands[1]) if self.to_move == "blue" else (self.hands[0], hand)
        return replace(self, hands=hands, unseen=self.unseen - seen)

    def _covered(self, block: Cover) -> Pegs:
        assert self.to_move is not None
        card, squares = SHOWS[self.to_move][holes_needed(block, self.pegs)], BLOCK_SQUARES[block]
        after = self._hold(self.hand.without(card, self.unseen), {card})
        blue, white = (self.blue | squares, self.white & ~squares)
        if self.to_move == "white":
            blue, white = (self.blue & ~squares, self.white | squares)
        return replace(after, blue=blue, white=white, cards=(*self.cards, Placed(block, card, self.to_move)))

    def _begin(self, player: Player) -> Pegs:
        """A turn begins, unless no peg can be put any more (pegs.5)."""
        after = replace(self, to_move=player)
        return after._draw("draw") if after.free else replace(after, to_move=None)

    def _draw(self, phase: str) -> Pegs:
        """Draw to be three, by itself where the pack's order is known."""
        after = self
        while after.hand.size < HAND and after.pack:
            if after.deck is None:
                return replace(after, phase=phase)
            after = replace(after._drawn(after.deck[0]), deck=after.deck[1:])
        if phase == "draw":
            return replace(after, phase="peg")  # who draws the last card first still puts his peg
        return replace(after, phase="cards" if after.pack else "last")

    def _drawn(self, card: str) -> Pegs:
        return replace(self._hold(self.hand.with_card(card), {card}), pack=self.pack - 1)

    def outcome(self) -> Outcome | None:
        if self.to_move is not None:
            return None
        blue, white = self.blue.bit_count(), self.white.bit_count()
        return self.ended(None if blue == white else "blue" if blue > white else "white", "most-squares")

    def points(self) -> Scores:
        return {"blue": self.blue.bit_count(), "white": self.white.bit_count()}

    def final_scores(self, winner: Player | None) -> Scores:
        return self.points()

    def visible(self) -> Visible:
        return picture(self.pegs, self.blue, self.white)

    def plays(self, clues: Clues) -> Iterator[tuple[Move, ...]]:
        """Cards by the one whose turn it is, or the other's peg and cards; draws and discards go unseen."""
        if self.phase == "first-pegs":
            yield from self._first_pegs(clues)
            if self.pegs.bit_count() < FIRST_PEGS:
                return
        if self.to_move is None:
            return
        if self.phase in ("cards", "redraw", "last"):
            yield from (cards for cards in self._cards_seen(clues) if cards)
        ended, after = self._next_turn()
        if after.to_move:
            for square in SEVEN.named(after.free):
                if clues.may[square] & PEGGED:
                    peg = Peg(square)
                    yield from ((*ended, peg, *cards) for cards in after.play(peg)._cards_seen(clues))

    def _first_pegs(self, clues: Clues) -> Iterator[tuple[Move, ...]]:
        """Several at a time; pegs have no owner, so it makes no difference which were Blue's."""
        may, room = clues.may, 2 * FIRST_PEGS - self.pegs.bit_count()
        free = [square for square in SEVEN.named(self.free) if may[square] & PEGGED]
        sure = tuple(Peg(square) for square in free if may[square] <= PEGGED)
        if 0 < len(sure) <= room:
            yield sure
        yield from ((*sure, Peg(square)) for square in free if not may[square] <= PEGGED and len(sure) < room)

    def _next_turn(self) -> tuple[tuple[Move, ...], Pegs]:
        """What nobody sees before the next peg is put: the discard, the draws, the end of White's first pegs."""
        unseen: list[Move] = []
        after = self
        while after.to_move and after.phase != "peg":
            move: Move = Draw("?") if after.phase in ("draw", "redraw") else Discard("?")
            if after.phase in ("first-pegs", "last"):
                move = Done()
            unseen.append(move)
            after = after.play(move)
        return tuple(unseen), after

    def _cards_seen(self, clues: Clues) -> Iterator[tuple[Move, ...]]:
        """The cards that the player may have placed by what is seen, with the draws between them; or none."""
        assert self.to_move is not None
        under = [(BLOCK_SQUARES[placed.block], placed.owner) for placed in self.cards]
        own = self.blue if self.to_move == "blue" else self.white
        mine = [squares & own for squares, owner in under if owner == self.to_move]
        for blocks in arrangements(clues, FACES[self.to_move], own, mine):
            if (played := self._in_order(blocks)) is not None:
                yield played

    def _in_order(self, blocks: tuple[Cover, ...]) -> tuple[Move, ...] | None:
        """The cards on these blocks, the lowest first, placed in an order in which the player can have had them."""
        for order in permutations(blocks) if self.deck else [blocks]:
            if self.deck and _upper_first(order, blocks):
                continue
            played: list[Move] = []
            now = self
            for block in order:
                while now.phase == "redraw":
                    played.append(Draw("?"))
                    now = now.play(Draw("?"))
                if now.why_not(block):
                    break
                played.append(block)
                now = now.play(block)
            else:
                return tuple(played)
        return None

    def wholes(self) -> list[tuple[str, ...]]:
        return shown_of(self.cards)

    def is_seen(self, move: Move) -> bool:
        return isinstance(move, Peg | Cover)

    def blame(self, seen: Visible) -> Reason:
        pegs, blue, white = stood(seen)
        if gone := self.pegs & ~pegs:
            return Reason("pegs.3", "taken-away", {"square": SEVEN.named(gone)[0]})
        new = SEVEN.named(pegs & ~self.pegs)
        after = self if self.phase == "first-pegs" else self._next_turn()[1]
        if len(new) > 1:
            return Reason("pegs.3", "one-peg", {})
        if new:
            if reason := after.why_not(Peg(new[0])):
                return reason
            after = after.play(Peg(new[0]))
        else:
            after = self
        mine, theirs = (blue, white) if after.to_move == "blue" else (white, blue)
        had, lost = (self.blue, self.white) if after.to_move == "blue" else (self.white, self.blue)
        if wrong := theirs & ~lost:
            return Reason("turn", "not-your-face", {"square": SEVEN.named(wrong)[0], "player": after.to_move})
        if missing := (self.blue | self.white) & ~(blue | white):
            return Reason("pegs.4", "taken-away", {"square": SEVEN.named(missing)[0]})
        block = block_over(mine & ~had, mine)
        if block is None:
            return Reason("pegs.4", "not-a-card", {})
        while after.phase == "redraw":
            after = after.play(Draw("?"))
        return after.why_not(block) or Reason("pegs.4", "unexplained", {})

    def stand(self, seen: Visible, to_move: Player) -> Pegs:
        pegs, blue, white = stood(seen)
        after = replace(self, pegs=pegs, blue=blue, white=white)
        if self.phase == "first-pegs":
            if blue | white:
                raise BadInput("stood", "cards-too-soon")
            if to_move == "blue" and pegs.bit_count() >= FIRST_PEGS:
                return after._begin("blue")
            return replace(after, to_move=to_move)
        if self.to_move is None:
            return after
        laid = (blue, white) != (self.blue, self.white)
        if laid:  # a card that does not fit, or one that was moved: which, only the players know
            cover = block_over(blue & ~self.blue | white & ~self.white, blue if self.to_move == "blue" else white)
            cards = (*self.cards, Placed(cover, "?", self.to_move)) if cover else self.cards
            after = replace(after, cards=cards)._less_one()
        if to_move == self.to_move:
            in_turn = self.phase == "cards" or laid or pegs != self.pegs
            return after._draw("redraw") if in_turn and self.phase != "last" else after
        if self.phase != "last":
            after = after._three()
        return after._less_one()._begin(to_move) if after.pack else replace(after, to_move=None)

    def _three(self) -> Pegs:
        """He has drawn to be three, seen or not."""
        after = self
        while after.hand.size < HAND and after.pack:
            card, deck = (after.deck[0], after.deck[1:]) if after.deck else ("?", None)
            after = replace(after._drawn(card), deck=deck)
        return after

    def _less_one(self) -> Pegs:
        """A card has left the hand, nobody knows which."""
        return self._hold(self.hand.without("?", self.unseen), set()) if self.hand.size else self


# --- the solitaire


@value
class PegsSolo(Solitaire[SoloMove]):
    pegs: int = 0
    covered: int = 0
    cards: tuple[Placed, ...] = ()  # from the lowest to the topmost

    @property
    def _unused(self) -> frozenset[str]:
        return CARDS - {placed.card for placed in self.cards} if len(self.cards) < SOLO_CARDS else frozenset()

    @property
    def solved(self) -> bool:
        return self.pegs.bit_count() == PEGS and self.covered == SEVEN.all

    def moves(self) -> Iterator[SoloMove]:
        if self.solved:
            return
        if self.pegs.bit_count() < PEGS:
            yield from (Peg(SEVEN.names[n]) for n in bits(SEVEN.all & ~self.pegs & ~self.covered))
        if unused := self._unused:
            yield from (block for block in BLOCKS if SHOWS["blue"][holes_needed(block, self.pegs)] in unused)

    def why_not(self, move: SoloMove) -> Reason | None:
        if self.outcome():
            return Reason("over", "over", {})
        if isinstance(move, Peg):
            if reason := no_peg_there(move.square, self.pegs, self.covered, "pegs.7"):
                return reason
            return Reason("pegs.7", "used-up", {"piece": "peg"}) if self.pegs.bit_count() == PEGS else None
        if reason := no_card_there(move, "pegs.7"):
            return reason
        if not (unused := self._unused):
            return Reason("pegs.7", "too-many-cards", {"most": SOLO_CARDS})
        card = SHOWS["blue"][holes_needed(move, self.pegs)]
        if card == BLANK:
            return Reason("pegs.7", "blank-card", {})
        return None if card in unused else Reason("pegs.7", "used-up", {"piece": card})

    def play(self, move: SoloMove) -> PegsSolo:
        if isinstance(move, Peg):
            return replace(self, pegs=self.pegs | SEVEN.bit[move.square])
        placed = Placed(move, SHOWS["blue"][holes_needed(move, self.pegs)], "solver")
        return PegsSolo(self.pegs, self.covered | BLOCK_SQUARES[move], (*self.cards, placed))

    def visible(self) -> Visible:
        return picture(self.pegs, self.covered, 0)

    def wholes(self) -> list[tuple[str, ...]]:
        return shown_of(self.cards)

    def plays(self, clues: Clues) -> Iterator[tuple[SoloMove, ...]]:
        """Pegs and cards as they come; pegs that stand under new cards were put before them."""
        may = clues.may
        free = [square for square in SEVEN.named(SEVEN.all & ~self.pegs & ~self.covered) if may[square] & PEGGED]
        sure = tuple(Peg(square) for square in free if may[square] <= PEGGED)
        for pegs in (sure, *((*sure, Peg(square)) for square in free if not may[square] <= PEGGED)):
            after = self
            for peg in pegs:
                after = after.play(peg)
            for blocks in arrangements(
                clues, FACES["blue"], self.covered, [BLOCK_SQUARES[placed.block] for placed in self.cards]
            ):
                cards = {SHOWS["blue"][holes_needed(block, after.pegs)] for block in blocks}
                if (pegs or blocks) and len(cards) == len(blocks) and cards <= after._unused:
                    yield (*pegs, *blocks)

    def blame(self, seen: Visible) -> Reason:
        pegs, blue, white = stood(seen)
        if white:
            return Reason("pegs.7", "not-your-face", {"square": SEVEN.named(white)[0], "player": "blue"})
        if gone := self.pegs & ~pegs | self.covered & ~blue:
            return Reason("pegs.7", "taken-away", {"square": SEVEN.named(gone)[0]})
        after = self
        for square in SEVEN.named(pegs & ~self.pegs):
            if reason := after.why_not(Peg(square)):
                return reason
            after = after.play(Peg(square))
        block = block_over(blue & ~self.covered, blue)
        return (after.why_not(block) if block else None) or Reason("pegs.7", "not-a-card", {})

    def stand(self, seen: Visible, to_move: Player) -> PegsSolo:
        pegs, blue, white = stood(seen)
        covered = blue | white
        cards = tuple(placed for placed in self.cards if not BLOCK_SQUARES[placed.block] & ~covered)
        cover = block_over(covered & ~self.covered, covered)
        return PegsSolo(pegs, covered, (*cards, Placed(cover, "?", "solver")) if cover else cards)


def picture(pegs: int, blue: int, white: int) -> Visible:
    def cell(n: int) -> str:
        if blue >> n & 1:
            return "B" if pegs >> n & 1 else "b"
        if white >> n & 1:
            return "W" if pegs >> n & 1 else "w"
        return "o" if pegs >> n & 1 else "."

    return SEVEN.picture(cell)


def stood(seen: Visible) -> tuple[int, int, int]:
    """What a picture shows: the pegs, and the squares that Blue and White own."""
    cells = SEVEN.seen(seen, {".", "o", "b", "w", "B", "W"}.__contains__)
    pegs, blue, white = (sum(1 << n for n, cell in enumerate(cells) if cell in codes) for codes in ("oBW", "bB", "wW"))
    if pegs.bit_count() > PEGS:
        raise BadInput("stood", "too-many", what="pegs", most=PEGS)
    return pegs, blue, white


def sum_of(sets: Iterable[int]) -> int:
    """All squares of several sets."""
    return reduce(or_, sets, 0)


def shown_of(cards: tuple[Placed, ...]) -> list[tuple[str, ...]]:
    """Per card, the topmost first, the squares on which it shows."""
    found, above = [], 0
    for placed in reversed(cards):
        squares = BLOCK_SQUARES[placed.block]
        if shown := squares & ~above:
            found.append(SEVEN.named(shown))
        above |= squares
    return found


def arrangements(clues: Clues, face: frozenset[str], own: int, old: list[int]) -> list[tuple[Cover, ...]]:
    """The cards that one player may have laid, each time the lowest first, so that his face shows where it is seen.

    `old` are his cards that lay there before, the lowest first, on the squares that he owned. Likelier arrangements
    are gone into first: what shows of a card must lie as one piece. A card wholly on its owner's squares is told by
    that alone, where it breaks the pieces that showed there before.
    """
    may = SEVEN.set_of(square for square, codes in clues.may.items() if codes & face)
    must = SEVEN.set_of(square for square, codes in clues.may.items() if codes <= face) & ~own
    whole = cache(lambda squares: clues.whole(SEVEN.named(squares)))

    def shown(cards: list[int]) -> Iterator[int]:
        above = 0
        for squares in reversed(cards):
            if squares & ~above:
                yield squares & ~above
            above |= squares

    changed = must
    for piece in shown(old):
        if whole(piece) > sum(whole(1 << n) for n in bits(piece)) + BROKEN:
            changed |= piece
    blocks = [block for block, squares in BLOCK_SQUARES.items() if squares & changed and not squares & ~may]

    def cost(laid: tuple[Cover, ...]) -> float:
        cards = old + [BLOCK_SQUARES[block] for block in laid]
        left = must & ~sum_of(cards)
        return sum(map(whole, shown(cards))) + ANOTHER_CARD * (len(laid) + (left.bit_count() + 5) // 6)

    found: list[tuple[Cover, ...]] = []
    waiting: list[tuple[float, int, tuple[Cover, ...]]] = [(cost(()), 0, ())]
    met: set[tuple[Cover, ...]] = {()}
    best = inf
    while waiting and len(met) < TRIES and len(found) < TOO_MANY:
        total, _, laid = heappop(waiting)
        if total > best + FAR:
            break
        if not must & ~sum_of(BLOCK_SQUARES[block] for block in laid):
            found.append(laid)
            best = min(best, total)
        if len(laid) == MOST_SEEN:
            continue
        for block in blocks:
            # below a card that it does not touch it lies as above it
            places = [n for n, other in enumerate(laid) if BLOCK_SQUARES[other] & BLOCK_SQUARES[block]]
            for at in (*places, len(laid)) if block not in laid else ():
                longer = (*laid[:at], block, *laid[at:])
                if longer not in met:
                    met.add(longer)
                    heappush(waiting, (cost(longer), len(met), longer))
    # the plainest ways, however they seem to lie: marks may be seen badly, and the rules rule out much
    plainest: list[tuple[Cover, ...]] = [(block,) for block in blocks if not must & ~BLOCK_SQUARES[block]]
    if must and not plainest:
        pairs = permutations(blocks, 2)
        plainest = [pair for pair in pairs if not must & ~BLOCK_SQUARES[pair[0]] & ~BLOCK_SQUARES[pair[1]]]
    return found + [laid for laid in plainest[:TOO_MANY] if must and laid not in found]


def _upper_first(order: tuple[Cover, ...], blocks: tuple[Cover, ...]) -> bool:
    """Whether an order lays a card before another that it lies on."""
    return any(
        order.index(upper) < order.index(lower) and BLOCK_SQUARES[upper] & BLOCK_SQUARES[lower]
        for n, lower in enumerate(blocks)
        for upper in blocks[n + 1 :]
    )


def block_over(new: int, owned: int) -> Cover | None:
    """A block that a card newly seen may lie on: over all that is new, and nowhere but on its owner's squares."""
    if not new:
        return None
    return next((b for b, squares in BLOCK_SQUARES.items() if not new & ~squares and not squares & ~owned), None)


def start(options: Mapping[str, Any], setup: Mapping[str, Any]) -> Pegs:
    if "deck" not in setup:
        return Pegs()
    deck, field = setup["deck"], "setup.deck"
    if not isinstance(deck, list):
        raise BadInput(field, "not-a-list")
    seen: set[str] = set()
    for card in deck:
        if not isinstance(card, str) or not re.fullmatch("[01]{6}", card):
            raise BadInput(field, "no-such-card", card=card)
        if card == BLANK:
            raise BadInput(field, "no-such-card", card=card)
        if card_of(card) in seen:
            raise BadInput(field, "card-twice", card=card)
        seen.add(card_of(card))
    if len(deck) != len(CARDS):
        raise BadInput(field, "wrong-count", count=len(CARDS), got=len(deck))
    return Pegs(deck=tuple(card_of(card) for card in deck))


def start_solo(options: Mapping[str, Any], setup: Mapping[str, Any]) -> PegsSolo:
    return PegsSolo()


PEGS_GAME = Game("pegs", "seven", ("blue", "white"), start, read, setup=("deck",), adds_up="games")
PEGS_SOLO = Game("pegs-solo", "seven", ("solver",), start_solo, read_solo)
