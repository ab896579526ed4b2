"""Cards of earlier looks at Pegs that turn out to have been others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Any

from companion.games.pegs import Draw, Move, Peg, Pegs, Phase
from companion.games.position import AnyPosition
from companion.games.value import replace
from companion.referee.evidence import LookEvidence
from companion.referee.explanations import LEGAL, Line
from companion.referee.pegs.sight import UNKNOWN
from companion.referee.pegs.turns import candidate_turns, several_turns
from companion.referee.search import PUT_ONLY


def mended_lines(line: Line, evidence: LookEvidence) -> Iterator[Line | None]:
    """The line with cards of an earlier look laid otherwise, where a look asks for cards that are taken by it.

    Which cards were laid is not always seen. Cards that lie there for sure are not to be had twice; of others it may
    turn out later that they were others, which show the same.
    """
    position = line.position
    if not isinstance(position, Pegs) or position.deck or not position.cards:
        return
    laid = frozenset([placed.card for placed in position.cards])
    loose = replace(position, unseen=position.unseen | laid)
    for moves in _explaining(loose, evidence):
        yield None
        taken = _cards_laid(loose, moves) & laid
        for n in range(len(line.evidence) - 1, -1, -1):
            made, then = line.looks[n : n + 2]
            if taken & _cards_laid(line.positions[made], line.moves[made:then]):
                yield from _laid_otherwise(line, n, taken, moves, evidence)


def _laid_otherwise(
    line: Line, look: int, taken: frozenset[str], moves: tuple[Move, ...], evidence: LookEvidence
) -> Iterator[Line | None]:
    """Without these cards at one look, and then as it went on."""
    begun = line.before(len(line.moves) - line.looks[look])
    assert isinstance(begun.position, Pegs)
    spared = replace(begun.position, unseen=begun.position.unseen - taken)
    later = [line.moves[made:then] for made, then in pairwise(line.looks[look + 1 :])]
    for otherwise in _explaining(spared, line.evidence[look]):
        yield None
        after: Line | None = begun
        for part, seen in zip((otherwise, *later, moves), (*line.evidence[look:], evidence), strict=True):
            after = after and _gone_on(after, part, seen)
        if after:
            yield after._replace(paces=line.paces)


def _explaining(position: Pegs, evidence: LookEvidence) -> Iterator[tuple[Move, ...]]:
    """Moves that lead to what is seen."""
    several = several_turns(position, evidence, PUT_ONLY, False)
    for moves in chain(candidate_turns(position, evidence), (found.moves for found in several if found)):
        after = position
        for move in moves or ():
            after = after.play(move)
        if moves and evidence.cost(after.visible()) - evidence.free <= LEGAL:
            yield moves


def _cards_laid(position: AnyPosition, moves: Iterable[Any]) -> frozenset[str]:
    """The cards that are laid with these moves."""
    assert isinstance(position, Pegs)
    after = position
    for move in moves:
        after = after.play(move)
    return frozenset([placed.card for placed in after.cards[len(position.cards) :]])


def _gone_on(line: Line, moves: Iterable[Any], evidence: LookEvidence) -> Line | None:
    """The line with what was seen of these moves, and draws and discards as they have to be; None if it is illegal."""
    for move in moves:
        position = line.position
        assert isinstance(position, Pegs)
        if not position.is_seen(move):
            continue
        unseen: tuple[Move, ...] = ()
        if isinstance(move, Peg):
            unseen, position = position.until_next_peg()
        while position.phase is Phase.REDRAW:
            unseen, position = (*unseen, Draw(UNKNOWN)), position.play(Draw(UNKNOWN))
        if position.why_not(move):
            return None
        line = line.then([*unseen, move])
    return line.seen_after(1, line.rarity, evidence)
