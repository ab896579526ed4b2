"""Five in a Row: mushrooms against blockers, on the kit's 7×7 board.

five.1  The mushroom player begins. In turn each puts one of his pieces on a free square: six mushrooms, seven blockers.
five.2  Whoever has put all of his takes one of them up instead and puts it on another free square.
five.3  Five of one's own side by side, along a row, a column or a diagonal, win.
five.4  When fifty turns have been played and nobody has won, it is a draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.errors import Reason, UnreadableMove
from companion.games.game import Badge, Game, Options, Setup, Words
from companion.games.position import Outcome, Phrase, Piece, Position, Seat, Trace, Visible
from companion.games.squares import SEVEN, SQUARE, bits
from companion.games.value import value

PLAYERS = ("mushrooms", "blockers")
STOCK = (6, 7)  # pieces of each: all thirteen mushrooms of the kit, since seven of them hold the blockers
CODES = {".": "bare", "o": "mushroom", "#": "blocker"}  # what a square shows, by the kit's names
PIECES = ("mushroom", "blocker")
TURNS = 50


@value
class Move:
    """A piece put on a square: from beside the board (`c3`), or from another square (`c3-d5`)."""

    to: str
    start: str = ""

    def __str__(self) -> str:
        return f"{self.start}-{self.to}" if self.start else self.to


def read(text: str) -> Move:
    if found := re.fullmatch(f"(?:({SQUARE})-)?({SQUARE})", text):
        return Move(found[2], found[1] or "")
    raise UnreadableMove(text=text)


WAYS = [[(k * dx, k * dy) for k in range(5)] for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))]
FIVES = [squares for n in range(SEVEN.size) for _, squares in SEVEN.laid(WAYS, n)]  # every row of five, as a set


@value
class Five(Position[Move]):
    players = PLAYERS

    pieces: tuple[int, int] = (0, 0)  # the squares of the mushrooms and of the blockers, as sets
    turns: int = 0  # that have been played

    @property
    def turn(self) -> int:
        """Whose turn it is, or would be: 0 or 1."""
        return self.turns % 2

    @property
    def to_move(self) -> Seat | None:
        return None if self.outcome() else PLAYERS[self.turn]

    @property
    def own(self) -> int:
        return self.pieces[self.turn]

    @property
    def free(self) -> int:
        return SEVEN.all & ~self.pieces[0] & ~self.pieces[1]

    @property
    def all_put(self) -> bool:
        return self.own.bit_count() >= STOCK[self.turn]

    def outcome(self) -> Outcome | None:
        for player, squares in zip(PLAYERS, self.pieces, strict=True):
            if any(squares & five == five for five in FIVES):
                return self.ended(player, "five.row")
        return self.ended(None, "five.turns") if self.turns >= TURNS else None

    def moves(self) -> Iterator[Move]:
        if self.outcome() is None:
            starts = SEVEN.named(self.own) if self.all_put else ("",)
            yield from (Move(SEVEN.names[to], start) for start in starts for to in bits(self.free))

    def why_not(self, move: Move) -> Reason | None:
        if self.outcome():
            return Reason("over", "over", {})
        if outside := SEVEN.outside(filter(None, (move.start, move.to))):
            return Reason("five.1", "outside", {"square": outside})
        if bool(move.start) != self.all_put:
            now = "five.now-move" if self.all_put else "five.now-put"
            return Reason("five.2", "wrong-phase", {"player": self.to_move, "now": now})
        if move.start and not SEVEN.bit[move.start] & self.own:
            return Reason("five.2", "five.not-yours", {"square": move.start})
        if not SEVEN.bit[move.to] & self.free:
            return Reason("five.1", "square-taken", {"square": move.to})
        return None

    def play(self, move: Move) -> Five:
        own = self.own & ~SEVEN.bit.get(move.start, 0) | SEVEN.bit[move.to]
        mushrooms, blockers = self.pieces
        return Five((mushrooms, own) if self.turn else (own, blockers), self.turns + 1)

    # --- where a move happens, and how it is told

    def trace(self, move: Move) -> Trace:
        if move.start:
            return Trace(start=(move.start,), to=(move.to,))
        return Trace(to=(move.to,), pieces=(Piece(PIECES[self.turn]),))

    def describe(self, move: Move) -> Phrase:
        params = {"piece": f"piece.{PIECES[self.turn]}", "from": move.start, "to": move.to}
        return Phrase("five.move" if move.start else "five.put", params)

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[Move]:
        if not self.all_put:
            yield Move(squares[-1])
        elif len(squares) > 1:
            yield Move(squares[-1], squares[0])
        else:
            yield Move(SEVEN.names[next(bits(self.free))], squares[0])

    # --- what a camera sees

    def visible(self) -> Visible:
        return SEVEN.picture(lambda n: ".o#"[(self.pieces[0] >> n & 1) + 2 * (self.pieces[1] >> n & 1)])

    def steps(self, move: Move) -> list[Visible]:
        """On its way from one square to another a piece is in the hand."""
        left = ~SEVEN.bit.get(move.start, 0)
        return [Five((self.pieces[0] & left, self.pieces[1] & left)).visible()] if move.start else []

    def explain_illegal(self, seen: Visible) -> Reason:
        now, other = seen_pieces(seen), 1 - self.turn
        if changed := now[other] ^ self.pieces[other]:
            return Reason("five.1", "five.others-stay", {"square": SEVEN.named(changed)[0]})
        gone, new = SEVEN.named(self.own & ~now[self.turn]), SEVEN.named(now[self.turn] & ~self.own)
        if len(new) != 1 or len(gone) > 1:
            return Reason("five.1", "five.one-piece", {})
        return self.why_not(Move(new[0], *gone)) or Reason("five.1", "unexplained", {})

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> Five:
        turns = self.turns + 1
        return Five(seen_pieces(seen), turns if PLAYERS[turns % 2] == to_move else turns + 1)


def seen_pieces(seen: Visible) -> tuple[int, int]:
    """The mushrooms and the blockers that a picture shows."""
    cells = SEVEN.seen(seen, CODES.__contains__)
    mushrooms, blockers = (sum(1 << n for n, cell in enumerate(cells) if cell == code) for code in "o#")
    return mushrooms, blockers


def start(options: Options, setup: Setup) -> Five:
    return Five()


ENGLISH = Words(
    name="Five in a Row",
    about="Two players: mushrooms against blockers",
    seats={"mushrooms": "the mushroom player", "blockers": "the blocker player"},
    labels={"mushrooms": "Mushrooms", "blockers": "Blockers"},
    now={"five.now-put": "put a piece on a free square, as in c3", "five.now-move": "move a piece, as in c3-d5"},
    moves={"five.put": "a {piece!t} on {to}", "five.move": "the {piece!t} from {from} to {to}"},
    reasons={
        "five.not-yours": "no piece of yours stands on {square}",
        "five.others-stay": "the other's pieces stay where they are: look at {square}",
        "five.one-piece": "a turn puts or moves one piece",
    },
    endings={"five.row": "five in a row", "five.turns": "fifty turns, and nobody has five in a row"},
)
FRENCH = Words(
    name="Cinq de suite",
    about="À deux\xa0: champignons contre bloqueurs",
    seats={"mushrooms": "le joueur des champignons", "blockers": "le joueur des bloqueurs"},
    labels={"mushrooms": "Champignons", "blockers": "Bloqueurs"},
    now={"five.now-put": "poser une pièce, comme c3", "five.now-move": "déplacer une pièce, comme c3-d5"},
    moves={"five.put": "un {piece!t} en {to}", "five.move": "le {piece!t} de {from} en {to}"},
    reasons={
        "five.not-yours": "aucune de vos pièces n'est en {square}",
        "five.others-stay": "les pièces de l'autre restent en place : voyez {square}",
        "five.one-piece": "un tour pose ou déplace une seule pièce",
    },
    endings={"five.row": "cinq de suite", "five.turns": "cinquante tours, et personne n'a cinq pièces de suite"},
)
FIVE = Game(
    "five",
    "seven",
    PLAYERS,
    start,
    read,
    {"en": ENGLISH, "fr": FRENCH},
    pieces=CODES,
    badges={"mushrooms": Badge("#241f1b"), "blockers": Badge("#2462a8", "square")},
)
