"""How many questions stand at one moment, by what a person at the table can do about them."""

from __future__ import annotations

from companion.errors import BadInput
from companion.events import EventKind
from companion.table.table import Table


class Standing:
    """Counts, look by look, the questions that the log says were asked and that still take an answer.

    What is published names one question at most, whatever happens; one that was asked before it and not withdrawn
    would still stand, so the log is what counts.
    """

    def __init__(self, table: Table) -> None:
        self._table, self._read = table, 0
        self.asked: list[str] = []
        self.most = 0  # at any moment

    def count(self) -> None:
        for event in self._table.store.events(self._table.number, self._read, (EventKind.QUESTION,)):
            self._read = event.number
            self.asked.append(event.data["id"])
        self.most = max(self.most, sum(map(self._stands, self.asked)))

    def _stands(self, id: str) -> bool:
        try:
            self._table.claim_to_answer(id, "yes")
        except BadInput:
            return False
        return True
