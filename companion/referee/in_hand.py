"""A turn that is half made after turns that went unseen: one piece is in somebody's hand.

The board does not show it, so it is taken to stand where it stood, or where it can have gone to with the turn before,
and a pawn anywhere; what legal play leads there, and lets it be moved next, explains the look. Nothing is told of it:
the look after it shows where the piece is put down.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.position import AnyPosition
from companion.referee.evidence import LookEvidence
from companion.referee.explanations import LEGAL, PRIOR, Explanation, Kind, Line, Unseen, rarity_of
from companion.referee.goal import shown
from companion.referee.search import turns_search
from companion.referee.turns import turn_finder

MOST_TURNS = 3  # before the one that is half made
PATIENCE = 1000  # positions that are looked at for each piece that may be in a hand


def half_made(line: Line, evidence: LookEvidence, unseen: Unseen) -> Iterator[Explanation]:
    """Turns that went unseen, as many as there was time for, and a piece that was taken up after them."""
    for piece, told in _lifted(line.position, evidence):
        for turns in range(1, min(MOST_TURNS, unseen.turns) + 1):
            if any(_can_move(end, piece) for end in _reached(line, told, turns)):
                prior = PRIOR[Kind.PARTIAL] + line.rarity + rarity_of(turns, line.paces, unseen)
                picture = line.position.visible()
                yield Explanation(Kind.PARTIAL, prior + evidence.free, picture, prior=prior, turns=turns)
                break


def _lifted(position: AnyPosition, evidence: LookEvidence) -> Iterator[tuple[str, LookEvidence]]:
    """The pieces that are seen nowhere any more, pawns by their names and others by their squares, each with the look
    as it would be if it stood there."""
    pawns = position.visible().get("pawns", {})
    for name in pawns:
        if evidence.is_nowhere(name):
            yield name, evidence.with_pawn_anywhere(name)
    if pawns or evidence.look.field == "planks":
        return
    shows, bare = shown(position), frozenset([evidence.look.labels.empty])
    left = {square for square, code in shows.items() if code not in bare and evidence.possible.get(square) == bare}
    yield from [(square, evidence.with_code(square, shows[square])) for square in sorted(left)]
    gone = {
        (trace.to[0], shown(position.play(move))[trace.to[0]])
        for move in position.moves()
        if (trace := position.trace(move)).start and trace.start[0] in left and evidence.possible[trace.to[0]] == bare
    }
    yield from [(square, evidence.with_code(square, code)) for square, code in sorted(gone)]


def _reached(line: Line, evidence: LookEvidence, turns: int) -> Iterator[AnyPosition]:
    """The positions after so many turns that show what is seen."""
    if turns == 1:
        made = turn_finder(line.game.inference)(line.position, evidence)
        ends = [line.then(turn).position for turn in made]
        yield from [end for end in ends if evidence.cost(end.visible()) - evidence.free <= LEGAL]
        return
    search = turns_search(line.game.inference)(line.position, evidence, turns, False)
    for _, found in zip(range(PATIENCE), search, strict=False):
        if found:
            yield found.position


def _can_move(position: AnyPosition, piece: str) -> bool:
    """Whether this pawn, or what stands on this square, is what the next turn may move."""
    square = position.visible().get("pawns", {}).get(piece, piece)
    return any(position.trace(move).start == (square,) for move in position.moves())
