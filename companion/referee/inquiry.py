"""What a look asks for and takes long to find out: it is gone into as far as there is time, and gone on with beside the
looks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

# Positions looked at before an inquiry is given up.
MOST_NODES = 60_000


class Inquiry(ABC):
    """Something that is gone into position by position, as far as there is time for it, and gone on with later."""

    def __init__(self, most: int = MOST_NODES) -> None:
        """`most`: positions that are looked at before it is given up."""
        self.nodes, self.most = 0, most  # positions that were looked at
        self.is_through = False  # all has been looked at
        self._steps = self._run()

    @abstractmethod
    def _run(self) -> Iterator[None]:
        """One step for each position."""

    def go_on(self, nodes: int) -> None:
        """Look at so many more positions."""
        until = self.nodes + nodes
        while not self.is_through and self.nodes < until:
            if next(self._steps, True):
                self.is_through = True
            self.nodes += 1

    @property
    def gives_up(self) -> bool:
        return self.is_through or self.nodes >= self.most


class Work:
    """All that one look asks for: together it takes no longer than one look may. The rest is done beside the looks."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes  # positions that may still be looked at
        self.unfinished: list[Inquiry] = []

    def go_on(self, inquiry: Inquiry) -> None:
        before = inquiry.nodes
        inquiry.go_on(self.left)
        self.left -= inquiry.nodes - before
        if not inquiry.gives_up and inquiry not in self.unfinished:
            self.unfinished.append(inquiry)

    def think(self, nodes: int) -> bool:
        """Look at so many more positions for what is not finished yet, first for what was asked first; whether there
        was anything left to do."""
        self.unfinished = [inquiry for inquiry in self.unfinished if not inquiry.gives_up]
        if self.unfinished:
            self.unfinished[0].go_on(nodes)
        return bool(self.unfinished)
