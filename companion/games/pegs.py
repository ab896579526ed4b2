"""Pegs: punched cards over pegs, the topmost card owns the square. And its solitaire, pegs.7."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.errors import BadInput, MoreThanTheKit, Reason, UnreadableMove
from companion.games.game import Badge, Dealing, Game, Options, Setup, wrong_phase
from companion.games.material import Material
from companion.games.position import (
    Card,
    Counted,
    Lying,
    Outcome,
    Phrase,
    Piece,
    Position,
    Scores,
    Seat,
    Solitaire,
    Trace,
    Visible,
)
from companion.games.squares import SEVEN, SQUARE, bits
from companion.games.value import replace, value
from companion.games.words import pegs as words

if TYPE_CHECKING:
    from random import Random

PEGS = 41
FIRST_PEGS = 7
HAND = 3
SOLO_CARDS = 11


# --- cards: six digits, the north row first, long side east–west, Blue's face up; the smaller of the two ways round


def card_of(holes: str) -> str:
    """The name of the card with these holes: the smaller number of its two orientations."""
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
BLOCK_NAMES = {block: SEVEN.named(squares) for block, squares in BLOCK_SQUARES.items()}


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
    raise UnreadableMove(text=text)


def read_solo(text: str) -> SoloMove:
    move = read(text)
    if not isinstance(move, Peg | Cover):
        raise UnreadableMove(text=text)
    return move


def over(block: Cover) -> str:
    """A block as people name it, by two corners."""
    return f"{block.south_west}–{block.north_east}"


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
    return None if block in BLOCKS else Reason(rule, "not-a-block", {"block": over(block)})


def mismatch(block: Cover, pegs: int, cards: list[str], face: Seat, rule: str) -> Reason:
    """Why none of these cards fits: the mismatch of the best card, in its better orientation."""

    def wrong(holes: str) -> list[int]:
        return [n for n, hole in zip(BLOCKS[block], holes, strict=True) if (hole == "1") != bool(pegs >> n & 1)]

    faces = [(card, card if face == "blue" else turned_over(card)) for card in sorted(cards)]
    tries = [(card, wrong(way)) for card, holes in faces for way in (holes, holes[::-1])]
    card, squares = min(tries, key=lambda found: len(found[1]))
    code = "peg-without-hole" if pegs >> squares[0] & 1 else "hole-without-peg"
    return Reason(rule, code, {"card": card, "block": over(block), "square": SEVEN.names[squares[0]]})


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
        """Drop the cards that are certainly gone; None if a discard has no card that it can have taken."""
        left = gone = 0
        for n, card in enumerate(self.drawn):
            left += -1 if card == "-" else 1
            if left < 0:
                return None
            if left == 0:
                gone = n + 1
        return Hand(self.drawn[gone:])


# --- the game for two


class Phase(StrEnum):
    """What the player to move does now."""

    FIRST_PEGS = "first-pegs"
    DRAW = "draw"  # to have three cards, before his peg
    PEG = "peg"
    CARDS = "cards"  # he places cards, or ends his turn with a discard
    REDRAW = "redraw"  # to have three cards again, after a card was placed
    LAST = "last"  # the last cards: no more draws, no discard


_EXPECTED: dict[Phase, tuple[type, ...]] = {
    Phase.DRAW: (Draw,),
    Phase.REDRAW: (Draw,),
    Phase.PEG: (Peg,),
    Phase.CARDS: (Cover, Discard),
    Phase.LAST: (Cover, Done),
}
PUTTING = (Phase.FIRST_PEGS, Phase.PEG)
DRAWING = (Phase.DRAW, Phase.REDRAW)


@value
class Placed:
    block: Cover
    card: str  # `?` where it cannot be known
    owner: Seat


@value
class Pegs(Position[Move]):
    players = ("blue", "white")

    to_move: Seat | None = "blue"
    phase: Phase = Phase.FIRST_PEGS
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
        if self.phase is Phase.FIRST_PEGS:
            return 0 < self.pegs.bit_count() != FIRST_PEGS
        return self.phase in (Phase.CARDS, Phase.REDRAW, Phase.LAST)

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
        if self.phase in PUTTING:
            yield from (Peg(SEVEN.names[n]) for n in bits(self.free))
            if self.phase is Phase.FIRST_PEGS and self.to_move == "white":
                yield Done()
        elif self.phase in DRAWING:
            yield from (Draw(card) for card in sorted(self.unseen))
        else:
            shows, holds = SHOWS[self.to_move], set(self.hand.may_be(self.unseen))
            for block in BLOCKS:
                if shows[holes_needed(block, self.pegs)] in holds:
                    yield block
            if self.phase is Phase.LAST:
                yield Done()
            else:
                yield from (Discard(card) for card in sorted(holds))

    def why_not(self, move: Move) -> Reason | None:
        if self.to_move is None:
            return Reason("over", "over", {})
        if not isinstance(move, self._expected()):
            return wrong_phase(self.to_move, self.now())
        match move:
            case Peg(square):
                rule = "pegs.1" if self.phase is Phase.FIRST_PEGS else "pegs.3"
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
        if self.phase is Phase.FIRST_PEGS:
            return (Peg, Done) if self.to_move == "white" else (Peg,)
        return _EXPECTED[self.phase]

    def _why_not_cover(self, block: Cover) -> Reason | None:
        assert self.to_move is not None
        if reason := no_card_there(block, "pegs.4"):
            return reason
        card = SHOWS[self.to_move][holes_needed(block, self.pegs)]
        if self.hand.may_hold(card, self.unseen):
            return None
        cards = self.hand.may_be(self.unseen)
        if not cards:
            return Reason("pegs.3", "no-cards", {})
        return mismatch(block, self.pegs, cards, self.to_move, "pegs.4")

    def play(self, move: Move) -> Pegs:
        match move:
            case Peg(square):
                after = replace(self, pegs=self.pegs | SEVEN.bit[square])
                if self.phase is Phase.FIRST_PEGS:
                    count = after.pegs.bit_count()
                    if count == FIRST_PEGS:
                        return replace(after, to_move="white")
                    return after._begin("blue") if count == 2 * FIRST_PEGS else after
                return replace(after, phase=Phase.CARDS if after.free and after.pack else Phase.LAST)
            case Draw(card):
                return self._drawn(card)._draw(self.phase)
            case Cover():
                after = self._covered(move)
                return after if self.phase is Phase.LAST else after._draw(Phase.REDRAW)
            case Discard(card):
                return self._hold(self.hand.without(card, self.unseen), {card})._begin(self._other())
            case Done():
                return self._begin("blue") if self.phase is Phase.FIRST_PEGS else replace(self, to_move=None)

    def _other(self) -> Seat:
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

    def _begin(self, player: Seat) -> Pegs:
        """A turn begins, unless no peg can be put any more (pegs.5)."""
        after = replace(self, to_move=player)
        return after._draw(Phase.DRAW) if after.free else replace(after, to_move=None)

    def _draw(self, phase: Phase) -> Pegs:
        """Cards are drawn until the player has three: at once where the pack's order is known, else move by move."""
        after = self
        while after.hand.size < HAND and after.pack:
            if after.deck is None:
                return replace(after, phase=phase)
            after = replace(after._drawn(after.deck[0]), deck=after.deck[1:])
        if phase is Phase.DRAW:
            return replace(after, phase=Phase.PEG)  # who draws the last card first still puts his peg
        return replace(after, phase=Phase.CARDS if after.pack else Phase.LAST)

    def _drawn(self, card: str) -> Pegs:
        return replace(self._hold(self.hand.with_card(card), {card}), pack=self.pack - 1)

    def outcome(self) -> Outcome | None:
        if self.to_move is not None:
            return None
        blue, white = self.blue.bit_count(), self.white.bit_count()
        return self.ended(None if blue == white else "blue" if blue > white else "white", "most-squares")

    def points(self) -> Scores:
        return {"blue": self.blue.bit_count(), "white": self.white.bit_count()}

    def decided(self) -> tuple[Counted, ...]:
        """Squares side by side that show one color (pegs.6)."""
        return tuple(
            Counted(SEVEN.named(group), player, group.bit_count())
            for player, squares in (("blue", self.blue), ("white", self.white))
            for group in sorted(SEVEN.groups(squares), key=int.bit_count)
        )

    def final_scores(self, winner: Seat | None) -> Scores:
        return self.points()

    def trace(self, move: Move) -> Trace:
        match move:
            case Peg(square):
                return Trace(to=(square,), pieces=(Piece("peg"),))
            case Cover():
                return covering(move, self.pegs, self.to_move or "blue")
            case Draw(card) | Discard(card):
                return Trace(pieces=(card_piece(card, self.to_move),) if card != "?" else ())
        return Trace()

    def describe(self, move: Move) -> Phrase:
        match move:
            case Peg(square):
                return Phrase("pegs.peg", {"square": square})
            case Cover():
                params = {"player": self.to_move, "from": move.south_west, "to": move.north_east}
                return Phrase("pegs.cover", params)
            case Draw(card):
                params = {"player": self.to_move, "card": card}
                return Phrase("pegs.draw-unseen" if card == "?" else "pegs.draw", params)
            case Discard(card):
                params = {"player": self.to_move, "card": card}
                return Phrase("pegs.discard-unseen" if card == "?" else "pegs.discard", params)
        return Phrase("pegs.enough" if self.phase is Phase.FIRST_PEGS else "pegs.done", {"player": self.to_move})

    def now(self) -> Phrase:
        if self.phase is not Phase.FIRST_PEGS:
            return Phrase(f"pegs.{self.phase}")
        put = self.pegs.bit_count()
        if self.to_move == "white":
            return Phrase("pegs.first-white", {"left": 2 * FIRST_PEGS - put})
        return Phrase("pegs.first-pegs", {"left": FIRST_PEGS - put})

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[Move]:
        if self.phase in PUTTING:
            yield from map(Peg, squares[-1:])
        else:
            yield from blocks_over(squares)

    def is_chance(self, move: Move) -> bool:
        return isinstance(move, Draw)

    def as_unseen(self, move: Move) -> Move | None:
        match move:
            case Draw():
                return Draw("?")
            case Discard(card):  # where the pack's order is known, so is every hand
                return Discard("?") if self.deck is None or card == "?" else None
        return None

    def seen_as(self, move: Move, what: str) -> Move:
        return read(str(move)[0] + what)

    def lying(self) -> Lying:
        return cards_of(self.cards)

    def beside(self) -> dict[Seat, tuple[Piece, ...]]:
        """The pegs, and the open cards as far as somebody saw them drawn."""
        hands = zip(self.players, self.hands, strict=True)
        open_cards = {
            player: tuple([card_piece(card, player) for card in hand.drawn if card in CARDS]) for player, hand in hands
        }
        return {"": (Piece("peg"),) * (PEGS - self.pegs.bit_count()), **open_cards}

    def visible(self) -> Visible:
        return picture(self.pegs, self.blue, self.white)

    def until_next_peg(self) -> tuple[tuple[Move, ...], Pegs]:
        """The invisible moves before the next peg (the discard, the draws, the end of White's first pegs), and the
        position after them."""
        unseen: list[Move] = []
        after = self
        while after.to_move and after.phase is not Phase.PEG:
            move: Move = Draw("?") if after.phase in DRAWING else Discard("?")
            if after.phase in (Phase.FIRST_PEGS, Phase.LAST):
                move = Done()
            unseen.append(move)
            after = after.play(move)
        return tuple(unseen), after

    def is_seen(self, move: Move) -> bool:
        return isinstance(move, Peg | Cover)

    def future(self) -> Hashable:
        return replace(self, cards=()), frozenset([(card.block, card.owner) for card in self.cards])

    def stands(self) -> Hashable:
        return self.to_move, self.pegs, self.blue, self.white

    def explain_illegal(self, seen: Visible) -> Reason:
        pegs, blue, white = pegs_and_faces(seen)
        if gone := self.pegs & ~pegs:
            return Reason("pegs.3", "taken-away", {"square": SEVEN.named(gone)[0]})
        new = SEVEN.named(pegs & ~self.pegs)
        after = self if self.phase in (Phase.FIRST_PEGS, Phase.LAST) else self.until_next_peg()[1]
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
        while after.phase is Phase.REDRAW:
            after = after.play(Draw("?"))
        return after.why_not(block) or Reason("pegs.4", "unexplained", {})

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> Pegs:
        pegs, blue, white = pegs_and_faces(seen)
        after = replace(self, pegs=pegs, blue=blue, white=white)
        if self.phase is Phase.FIRST_PEGS:
            if blue | white:
                raise BadInput("stood", "cards-too-soon")
            if to_move == "blue" and pegs.bit_count() >= FIRST_PEGS:
                return after._begin("blue")
            return replace(after, to_move=to_move)
        if self.to_move is None:
            return after
        laid = (blue, white) != (self.blue, self.white)
        if laid:  # a card that does not fit, or one that was moved: they look the same
            cover = block_over(blue & ~self.blue | white & ~self.white, blue if self.to_move == "blue" else white)
            cards = (*self.cards, Placed(cover, "?", self.to_move)) if cover else self.cards
            after = replace(after, cards=cards)._without_a_card()
        if to_move == self.to_move:
            in_turn = self.phase is Phase.CARDS or laid or pegs != self.pegs
            return after._draw(Phase.REDRAW) if in_turn and self.phase is not Phase.LAST else after
        if self.phase is not Phase.LAST:
            after = after._with_full_hand()
        return after._without_a_card()._begin(to_move) if after.pack else replace(after, to_move=None)

    def _with_full_hand(self) -> Pegs:
        """The player has drawn to have three cards, seen or not."""
        after = self
        while after.hand.size < HAND and after.pack:
            card, deck = (after.deck[0], after.deck[1:]) if after.deck else ("?", None)
            after = replace(after._drawn(card), deck=deck)
        return after

    def _without_a_card(self) -> Pegs:
        """A card has left the hand, nobody knows which."""
        return self._hold(self.hand.without("?", self.unseen), set()) if self.hand.size else self


# --- the solitaire


@value
class PegsSolo(Solitaire[SoloMove]):
    pegs: int = 0
    covered: int = 0
    cards: tuple[Placed, ...] = ()  # from the lowest to the topmost

    @property
    def unused(self) -> frozenset[str]:
        return CARDS - {placed.card for placed in self.cards} if len(self.cards) < SOLO_CARDS else frozenset()

    @property
    def solved(self) -> bool:
        return self.pegs.bit_count() == PEGS and self.covered == SEVEN.all

    def moves(self) -> Iterator[SoloMove]:
        if self.solved:
            return
        if self.pegs.bit_count() < PEGS:
            yield from (Peg(SEVEN.names[n]) for n in bits(SEVEN.all & ~self.pegs & ~self.covered))
        if unused := self.unused:
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
        if not (unused := self.unused):
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

    def trace(self, move: SoloMove) -> Trace:
        if isinstance(move, Peg):
            return Trace(to=(move.square,), pieces=(Piece("peg"),))
        return covering(move, self.pegs, "blue")

    def describe(self, move: SoloMove) -> Phrase:
        if isinstance(move, Peg):
            return Phrase("pegs.peg", {"square": move.square})
        return Phrase("pegs.cover-alone", {"from": move.south_west, "to": move.north_east})

    def now(self) -> Phrase:
        return Phrase("pegs.solo", {"pegs": PEGS - self.pegs.bit_count(), "cards": SOLO_CARDS - len(self.cards)})

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[SoloMove]:
        yield from map(Peg, squares if len(squares) == 1 else ())
        yield from blocks_over(squares)

    def lying(self) -> Lying:
        return cards_of(self.cards)

    def beside(self) -> dict[Seat, tuple[Piece, ...]]:
        cards = [card_piece(card, "blue") for card in sorted(self.unused)]
        return {"solver": (*((Piece("peg"),) * (PEGS - self.pegs.bit_count())), *cards)}

    def visible(self) -> Visible:
        return picture(self.pegs, self.covered, 0)

    def future(self) -> Hashable:
        return self.pegs, self.covered, frozenset(self.cards)

    def stands(self) -> Hashable:
        return self.pegs, self.covered

    def explain_illegal(self, seen: Visible) -> Reason:
        pegs, blue, white = pegs_and_faces(seen)
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

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> PegsSolo:
        pegs, blue, white = pegs_and_faces(seen)
        covered = blue | white
        cards = tuple(placed for placed in self.cards if not BLOCK_SQUARES[placed.block] & ~covered)
        cover = block_over(covered & ~self.covered, covered)
        return PegsSolo(pegs, covered, (*cards, Placed(cover, "?", "solver")) if cover else cards)


def covering(block: Cover, pegs: int, face: Seat) -> Trace:
    """A card laid on a block: it covers six squares, and the pegs tell which card it is."""
    if block not in BLOCKS:
        return Trace(to=(block.south_west, block.north_east))
    card = SHOWS[face][holes_needed(block, pegs)]
    holes = SEVEN.named(BLOCK_SQUARES[block] & pegs)
    return Trace(to=BLOCK_NAMES[block], pieces=(card_piece(card, face),), holes=holes)


def card_piece(card: str, face: Seat | None) -> Piece:
    """A card as its owner sees it, with his own face up."""
    return Piece("card", card, face="w" if face == "white" else "b")


def blocks_over(squares: tuple[str, ...]) -> Iterator[Cover]:
    """Every block of 2×3 squares that these belong to."""
    inside = SEVEN.set_of(square for square in squares if square in SEVEN.bit)
    return (block for block, covered in BLOCK_SQUARES.items() if inside and not inside & ~covered)


def cards_of(cards: tuple[Placed, ...]) -> Lying:
    return Lying(
        cards=tuple([Card(BLOCK_NAMES[placed.block], "w" if placed.owner == "white" else "b") for placed in cards])
    )


def picture(pegs: int, blue: int, white: int) -> Visible:
    def cell(n: int) -> str:
        if blue >> n & 1:
            return "B" if pegs >> n & 1 else "b"
        if white >> n & 1:
            return "W" if pegs >> n & 1 else "w"
        return "o" if pegs >> n & 1 else "."

    return SEVEN.picture(cell)


def pegs_and_faces(seen: Visible) -> tuple[int, int, int]:
    """What a picture shows: the pegs, and the squares that Blue's and White's cards show on."""
    cells = SEVEN.seen(seen, {".", "o", "b", "w", "B", "W"}.__contains__)
    pegs, blue, white = (sum(1 << n for n, cell in enumerate(cells) if cell in codes) for codes in ("oBW", "bB", "wW"))
    if pegs.bit_count() > PEGS:
        raise MoreThanTheKit("stood", "too-many", what="pieces.peg", most=PEGS)
    return pegs, blue, white


def block_over(new: int, owned: int) -> Cover | None:
    """A block that a card newly seen may lie on: over all that is new, and nowhere but on its owner's squares."""
    if not new:
        return None
    return next((b for b, squares in BLOCK_SQUARES.items() if not new & ~squares and not squares & ~owned), None)


def start(options: Options, setup: Setup) -> Pegs:
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


def start_solo(options: Options, setup: Setup) -> PegsSolo:
    return PegsSolo()


def deal(chance: Random, options: Options, number: int) -> dict[str, Any]:
    return {"deck": chance.sample(sorted(CARDS), len(CARDS))}


KIT = {".": "bare", "o": "peg", "b": "card b", "w": "card w", "B": "card b+peg", "W": "card w+peg"}
MATERIAL = Material(cards=(*sorted(CARDS), BLANK), pieces={"peg": PEGS})
PEGS_GAME = Game(
    "pegs",
    "seven",
    ("blue", "white"),
    start,
    read,
    words.PEGS,
    pieces=KIT,
    material=MATERIAL,
    setup=("deck",),
    secret={"deck": ""},
    badges={"blue": Badge("#2462a8"), "white": Badge("#fffdf7")},
    dealing=Dealing.UNWATCHED,
    deal=deal,
    solitaire="pegs-solo",
    solver="companion.solvers.pegs",
    inference="companion.referee.pegs",
    sheets="companion.games.words.pegs_rules",
)
PEGS_SOLO = Game(
    "pegs-solo",
    "seven",
    ("solver",),
    start_solo,
    read_solo,
    words.PEGS_SOLO,
    pieces=KIT,
    material=MATERIAL,
    solver="companion.solvers.cover",
    inference="companion.referee.pegs",
    sheets="companion.games.words.pegs_rules",
)
