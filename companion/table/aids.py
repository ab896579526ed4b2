"""Help from the computer: hints for those who want them, and seats that it plays itself.

Both come from one thinker, a process of its own. What it says is kept together with the position it is said of, so that
nobody is ever shown a hint for a position that is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.events import By, ComputerSet, EventKind, HintsSet, fold
from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Seat
from companion.solvers.hint import Hint
from companion.solvers.levels import LEVELS
from companion.solvers.thinker import Thinker
from companion.store import Store
from companion.table.state import Hints, Reply, SolitaireState, Solvable
from companion.table.table import Table

SECONDS = 20.0  # for a position that nobody leaves
THOUGHT_ABOUT = ("game", "options", "setup", "moves")  # of a record


class Advice(NamedTuple):
    """What the thinker says of one position."""

    position: AnyPosition | None = None  # None: it thinks about nothing
    level: int | None = None  # at which the computer plays here, if it does
    hint: Hint | None = None  # the best so far
    choice: str | None = None  # the computer's move, when it has made up its mind


class Far(NamedTuple):
    """What happened at the other table of a game that two tables play: this move comes after so many, or the end."""

    ply: int
    move: str | None
    result: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Far:
        return cls(int(told["ply"]), told["move"], told.get("result"))


class Search(NamedTuple):
    """A search for the last position of a solitaire that can be solved: halving what lies between a good move and a
    bad one. Whatever follows a position that cannot be solved cannot be solved either."""

    moves: int  # when it began
    good: int  # after so many moves it can be solved; one less than the least: not found yet
    bad: int  # and after so many it cannot
    by: str

    @property
    def at(self) -> int:
        return (self.good + self.bad) // 2

    @property
    def found(self) -> bool:
        return self.bad - self.good <= 1


class Aids:
    """Everything here happens in the host's thread. `changes` counts up when there is something new to show."""

    def __init__(self, store: Store) -> None:
        kept = fold(store.events(kinds=(EventKind.HINTS,))).hints  # who locks them locks them for the next games too
        self.hints = Hints(kept["on"], kept["locked"]) if kept else Hints()
        self.seats: Mapping[Seat, int] = {}  # those that the computer plays, with its level
        self.far: frozenset[Seat] = frozenset()  # those that are played at another table
        self._came: Far | None = None  # the newest from there
        self.changes = 0
        self.reply: Reply | None = None  # the computer's last move, and why
        self._table: Table | None = None
        self._once: AnyPosition | None = None  # for which one hint was asked, though hints are off
        self._advice = Advice()
        self._judged: tuple[AnyPosition, Solvable] | None = None  # whether this position can be solved
        self._search: Search | None = None  # for the last good move
        self._thinker = Thinker()
        self._chance = Random()

    def turn_to(self, table: Table) -> None:
        """Another game is played from now on."""
        self._table, self._once, self.reply = table, None, None
        self._judged, self._search = None, None
        self.seats = table.store.game(table.number).computer
        self.far = far_seats(table.record)
        self._came = None
        if self.far:  # what came before it was opened
            told = (event.data.get("far") for event in table.store.events(kinds=(EventKind.COMMAND,)))
            news = [far for far in told if far and far["twin"] == twin_of(table.record)]
            if news:
                self.hear_from_afar(Far.of(news[-1]))
        self.changes += 1

    def close(self) -> None:
        self._thinker.close()

    def hear_from_afar(self, came: Far) -> None:
        """The other table's word counts for its own seats: what was made here in their name and is not theirs is taken
        back, and its next move is to be made here."""
        table = self._playing()
        if came.result:
            if not table.outcome:
                table.end(came.result["winner"], came.result["why"], By.FAR)
            return
        there = table.moves[came.ply] if len(table.moves) > came.ply else None
        if there is not None and there != came.move:
            table.take_back(len(table.moves) - came.ply, By.FAR)
        self._came = came
        self.changes += 1

    # --- what persons want

    def set_hints(self, on: bool | None, locked: bool | None, by: str) -> None:
        """Switch hints on or off, lock the switch or unlock it; what is None stays as it is."""
        table, held = self._playing(), self.hints
        self.hints = Hints(held.on if on is None else on, held.locked if locked is None else locked)
        data = HintsSet(on=self.hints.on, locked=self.hints.locked, by=by)
        table.store.append(table.number, EventKind.HINTS, data)
        self.changes += 1

    def hint_once(self) -> None:
        """A hint for this move only."""
        if self._table:
            self._once = self._table.position
            self.changes += 1

    def ask_solvable(self) -> None:
        """Whether the position of a solitaire can still be solved."""
        table = self._solving()
        self._judged = table.position, Solvable.ASKED
        if table.outcome:
            self._judge(table.position, table.outcome.winner is not None)
        self.changes += 1

    def go_back(self, by: str) -> None:
        """Take a solitaire back to its last move after which it can be solved; it takes a while."""
        table = self._solving()
        if table.outcome and table.outcome.winner:  # it is solved
            return
        count = len(table.moves)
        self._search = Search(count, table.given - 1, count + 1 if not table.outcome else count, by)
        self.changes += 1

    def solitaire(self, table: Table) -> SolitaireState:
        judged = self._judged[1] if self._judged and self._judged[0] == table.position else None
        return SolitaireState(table.time, table.hinted, table.given, judged, self._search is not None)

    def _solving(self) -> Table:
        table = self._playing()
        if not table.game.is_solitaire:
            raise BadInput("", "no-solver", game=table.game.id)
        return table

    def _judge(self, position: AnyPosition, solvable: bool) -> None:
        self._judged = position, Solvable.YES if solvable else Solvable.NO
        self.changes += 1

    def set_computer(self, seats: Mapping[Seat, int], by: str = By.PERSON) -> None:
        """Which seats the computer plays, each at a level. Before a camera its moves are lit, and made by hand."""
        table = self._playing()
        check_computer(seats, table.position.seats)
        self.seats = dict(seats)
        table.store.append(table.number, EventKind.COMPUTER, ComputerSet(seats=dict(seats), by=by))
        self.changes += 1

    def since_last_person(self) -> int:
        """How many moves to take back to stand before the last one that a person made: the computer answers at once,
        and to take back its answer alone would only have it answer again."""
        table = self._playing()
        for count, position in enumerate(reversed(table.positions[:-1]), 1):
            if position.to_move not in self.seats:
                return count
        return 1

    def _playing(self) -> Table:
        if self._table is None:
            raise BadInput("", "no-table")
        return self._table

    # --- the host's steps

    def update(self, is_watched: bool) -> None:
        """Have the newest position thought about, if somebody wants to know; the computer's own moves are made here
        where no camera watches."""
        table = self._table
        if table is None:
            return
        if self._search:
            self._search_on(table, self._search)
            return
        position = None if table.paused or table.outcome else table.position
        if position and position.to_move in self.far:
            self._wait_for_afar(table, position, is_watched)
            return
        level = self.seats.get(position.to_move or "") if position else None
        if position is None or not (level or self._is_wanted(position)):
            self._ask(Advice())
        elif (position, level) != self._advice[:2]:
            self._ask(Advice(position, level), table.record)
        else:
            self._listen(table.game, position, level)
        if choice := self._advice.choice:
            self.reply = Reply(len(table.moves) + 1, choice, self._advice.hint)
            if not is_watched:
                table.play([choice], by=By.COMPUTER)

    def _wait_for_afar(self, table: Table, position: AnyPosition, is_watched: bool) -> None:
        """The other table's move is pointed out until it is made by hand; where no camera watches it is played."""
        came = self._came
        choice = came.move if came and came.ply == len(table.moves) else None
        self._ask(Advice(position, choice=choice))
        if choice and not is_watched:
            table.play([choice], by=By.FAR)

    def told(self, game: AnyGame, position: AnyPosition) -> tuple[str | None, Hint | None]:
        """For this position: the move to be pointed out, as the computer would play here or as a hint that is wanted;
        and what is thought of the position, if somebody wants to know."""
        advice = self._advice
        if advice.position != position:
            return None, None
        wanted = self.hints.on or self._once is position
        hint = without_secrets(advice.hint, game, position) if advice.hint and wanted else None
        if hint and game.is_solitaire and _is_lost(hint):
            return None, hint  # no move is better than another
        if advice.choice:
            return position.without_secret(game.read(advice.choice)), hint
        return hint.move if hint else None, hint

    def _is_wanted(self, position: AnyPosition) -> bool:
        asked = self._judged is not None and self._judged == (position, Solvable.ASKED)
        return self.hints.on or self._once is position or asked

    def _ask(self, advice: Advice, record: Mapping[str, Any] | None = None) -> None:
        """Think about another position, or about none; what was thought of the former one is forgotten."""
        if advice == self._advice:
            return
        self._advice = advice
        self.changes += 1
        if record is None:
            self._thinker.stop()
        else:
            seconds = LEVELS[advice.level].seconds if advice.level else SECONDS
            self._thinker.submit({name: record[name] for name in THOUGHT_ABOUT if name in record}, seconds)

    def _listen(self, game: AnyGame, position: AnyPosition, level: int | None) -> None:
        hint, choice = self._thinker.newest(), self._advice.choice
        if level and choice is None and self._thinker.done:
            choice = self._chosen(game, position, level, hint)
        if (hint, choice) != self._advice[2:]:
            first = self._advice.hint is None
            self._advice = self._advice._replace(hint=hint, choice=choice)
            self.changes += 1
            if game.is_solitaire and hint and first and (self.hints.on or self._once is position):
                self._note(hint)
        if game.is_solitaire and self._judged == (position, Solvable.ASKED) and hint:
            if hint.exact:
                self._judge(position, not _is_lost(hint))
            elif self._thinker.done:
                self._judged = position, Solvable.UNKNOWN
                self.changes += 1

    def _note(self, hint: Hint) -> None:
        """A hint that helps is counted."""
        if self._table and not _is_lost(hint):
            self._table.note_hint(hint.move)

    def _search_on(self, table: Table, search: Search) -> None:
        """One step of the search for the last good move; what came of it when it is done."""
        if len(table.moves) != search.moves:  # somebody plays on: nobody wants to know any more
            self._end_search()
        elif search.found:
            self._end_search()
            back = search.moves - search.good
            if search.good < table.given:
                self._judge(table.position, False)  # the problem itself has no solution
                return
            if back:
                table.take_back(back, search.by)
            self._judge(table.position, True)
        elif (hint := self._thought_of(table, search.at)) is not None:
            good = hint.exact and not _is_lost(hint)  # what cannot be found out in time is not called good
            self._search = search._replace(good=search.at) if good else search._replace(bad=search.at)

    def _thought_of(self, table: Table, ply: int) -> Hint | None:
        """What the thinker says of an earlier position, when it is sure or has no more time; it is asked first."""
        position = table.positions[ply]
        if self._advice.position is not position:
            record = {**table.record, "moves": table.moves[:ply]}
            self._ask(Advice(position), {name: value for name, value in record.items() if name != "result"})
            return None
        hint = self._thinker.newest()
        if hint is None or not hint.exact:
            return (hint or Hint("", 0.5, (), False)) if self._thinker.done else None
        return hint

    def _end_search(self) -> None:
        self._search = None
        self._ask(Advice())
        self.changes += 1

    def _chosen(self, game: AnyGame, position: AnyPosition, level: int, hint: Hint | None) -> str | None:
        """The computer's move; now and then it slips. What chance decides is nobody's choice."""
        move = game.read(hint.move) if hint else None
        if move is None or self._chance.random() < LEVELS[level].error_rate:
            moves = list(position.moves())
            move = self._chance.choice(moves) if moves else None
        return None if move is None or position.is_chance(move) else str(move)


def far_seats(record: Mapping[str, Any]) -> frozenset[Seat]:
    """The seats of a game that are played at another table."""
    far = _of_hall(record).get("far")
    return frozenset(map(str, far)) if isinstance(far, list) else frozenset()


def twin_of(record: Mapping[str, Any]) -> int | None:
    """Which of the hall's games at two tables it is, if it is one."""
    twin = _of_hall(record).get("twin")
    return twin if type(twin) is int else None


def _of_hall(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the hall wrote into a record that it had begun."""
    about = record.get("about")
    hall = about.get("hall") if isinstance(about, dict) else None
    return hall if isinstance(hall, dict) else {}


def _is_lost(hint: Hint) -> bool:
    """Proved: there is nothing to be won any more."""
    return hint.exact and hint.value == 0


def check_computer(seats: Mapping[Seat, int], there: tuple[Seat, ...]) -> None:
    """BadInput where the computer cannot play so."""
    for seat, level in seats.items():
        if seat not in there:
            raise BadInput("computer", "not-one-of", value=seat, choices=", ".join(there))
        if level not in LEVELS:
            raise BadInput(f"computer.{seat}", "not-one-of", value=level, choices=", ".join(map(str, LEVELS)))


def without_secrets(hint: Hint, game: AnyGame, position: AnyPosition) -> Hint:
    """A hint as the players may see it."""

    def told(text: str) -> str:
        return position.without_secret(game.read(text))

    return hint._replace(move=told(hint.move), line=tuple(map(told, hint.line)))
