"""What is in the way: a hand goes away again, a cup stands where it was put, and a lamp's shine was always there."""

from __future__ import annotations

from vision.look import Look

NO_HAND = 5  # looks in a row at a board at rest after which what is in the way is no hand: about a second
FLICKERS = 1  # squares by which what stands there may seem to grow from one look to the next


class InTheWay:
    """Sees look after look at a board at rest."""

    def __init__(self) -> None:
        self._looks = 0  # in a row with something in the way
        self._known: frozenset[str] | None = None  # what hid these squares turned out to be no hand
        self._seen: frozenset[str] = frozenset()  # squares that were plainly seen at some time

    def see(self, look: Look) -> tuple[str, ...]:
        """The squares on which something was put that is no part of the game. What is there from the first look on is
        how this table looks: nobody is told of it."""
        self._seen |= look.plain
        if not look.hand:
            self._looks = 0
            if self._known is not None and self._known <= look.plain:
                self._known = None  # it was taken away
            return ()
        if self._known is not None and len(look.covered - self._known) <= FLICKERS:
            self._looks = NO_HAND
        elif self._looks >= NO_HAND:
            self._looks = 1  # more is hidden than before: somebody reaches in
        else:
            self._looks += 1
        if not self.is_no_hand:
            return ()
        self._known = look.covered
        put = look.covered & self._seen
        return tuple(s for s in look.squares if s in put) if 2 * len(put) > len(look.covered) else ()

    @property
    def is_no_hand(self) -> bool:
        """What is in the way has not moved for so long that it is no hand."""
        return self._looks >= NO_HAND

    @property
    def is_open(self) -> bool:
        """Whether another look would tell if it is a hand."""
        return 0 < self._looks < NO_HAND
