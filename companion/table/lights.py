"""The lights in the board: the link to their LEDs, what they show of the game, and trying them out."""

from __future__ import annotations

from companion.errors import BadInput
from companion.leds.doctor import Checkup, Diagnosis, port_of
from companion.leds.flash import Flashing
from companion.leds.link import AUTO, VIRTUAL, VIRTUAL_MONO, WHITE, LedSettings, Link, State
from companion.leds.picture import Cell, Light, Size, board_size
from companion.leds.ports import candidate_ports
from companion.leds.protocol import Tones
from companion.leds.scenes import scene_of
from companion.leds.wiring import DEFAULT_SIZE, paint_matrix
from companion.leds.wled import PREFIX
from companion.table.state import LightsState, TableState
from companion.table.watching import Device
from companion.table.wiring_guide import AskedGuide, Guide, SeenGuide, guide, words_found

# What a piezo lets be heard.
ILLEGAL: Tones = ((220, 0.15), (0, 0.05), (165, 0.3))
CALLED: Tones = ((880, 0.12), (1175, 0.12), (880, 0.12), (1175, 0.12))


class Lights:
    """Everything here happens in the host's thread; the link has one of its own. `changes` counts up when there is
    something new to show."""

    def __init__(self, wanted: LedSettings) -> None:
        self.link = Link(LedSettings())
        self._wanted = wanted
        self._changes = 0
        self._lit = True
        self._walking: int | None = None
        self._shown: LightsState | None = None
        self._flashing: Flashing | None = None
        self._checkup: Checkup | None = None
        self._examined: Diagnosis | State | None = None  # what the last checkup found, or why there was none
        self._guide: Guide | None = None
        self._illegal = False  # what lies on the table, by the last state

    def start(self) -> None:
        self.link = Link(self._wanted)

    def close(self) -> None:
        self.link.close()

    @property
    def changes(self) -> object:
        """Another value whenever there is something new to show."""
        busy = self._flashing or self._checkup
        return self._changes, self.link.state, busy and busy.state, self._guide and self._guide.state

    # --- what persons want

    def use(self, wanted: LedSettings) -> None:
        """Other settings hold from now on. Only for another brightness the link stays as it is."""
        if wanted._replace(brightness=0) != self._wanted._replace(brightness=0):
            self._end_guide()
            self.link.close(timeout=0)
            self.link, self._walking, self._flashing = Link(wanted), None, None
            self._checkup = self._examined = None
        self._wanted = wanted
        self.link.dim(wanted.brightness)
        self._changes += 1

    def switch(self, lit: bool) -> None:
        self._lit = lit
        self._changes += 1

    def walk(self, place: int | None) -> None:
        """Light one LED of the wire alone; None: back to the game."""
        if self._shown is None:
            raise BadInput("", "leds-off")
        if place is not None and place >= (count := len(self._shown.layout.wire())):
            raise BadInput("place", "no-such-led", most=count - 1)
        self._end_guide()
        self._walking = place
        self.link.walk(place)
        self._changes += 1

    def begin_guide(self, size: Size, camera: Device | None, by_camera: bool) -> None:
        """Find out how the wire runs: by questions, or by this camera."""
        self._end_guide()
        self._walking = None
        self._guide = guide(self.link, size, (lambda: camera) if by_camera else None)
        self._changes += 1

    def answer(self, square: str) -> None:
        """The LED that burns is on this square."""
        if not isinstance(self._guide, AskedGuide):
            raise BadInput("", "nothing-asked")
        self._guide.answer(square)

    def go_on(self) -> None:
        """It is dark: the camera may look."""
        if not isinstance(self._guide, SeenGuide):
            raise BadInput("", "nothing-asked")
        self._guide.go_on()

    def words_found(self) -> str:
        """The layout that the guide has found, as it is written in the settings."""
        return words_found(self._guide)

    def _end_guide(self) -> None:
        if self._guide:
            self._guide.close()
            self._guide = None
            self._changes += 1

    def test(self) -> None:
        """All of them in one color after another, for a while."""
        if self._wanted.off:
            raise BadInput("", "leds-off")
        self._end_guide()
        self._walking = None
        self.link.test()
        self._changes += 1

    def flash(self) -> None:
        """Put the firmware on the board at the chosen port; the lights come back by themselves."""
        port = self._wanted.port
        if port.upper() == AUTO:
            found = candidate_ports(self._wanted.only, self._wanted.never)
            port = found[0] if len(found) == 1 else ""
        if not port or self._wanted.off or port in (VIRTUAL, VIRTUAL_MONO) or port.startswith(PREFIX):
            raise BadInput("port", "choose-board")
        if self._let_go():
            self._flashing = Flashing(port)

    def examine(self) -> None:
        """Listen for a while how the line to the board is; the lights come back by themselves."""
        port_of(self._wanted)
        if self._let_go():
            self._flashing, self._checkup = None, Checkup(self._wanted)

    def _let_go(self) -> bool:
        """Leave the board to somebody else, unless it is in such hands already."""
        if (self._flashing and not self._flashing.over) or self._checkup:
            return False
        self._end_guide()
        self.link.close()
        self.link, self._walking = Link(LedSettings()), None
        self._changes += 1
        return True

    def update(self) -> None:
        """A board that was flashed or examined is used again."""
        if self._checkup and self._checkup.over:
            self._examined, self._checkup = self._checkup.found or self._checkup.state, None
            self.link = Link(self._wanted)
            self._changes += 1
        if self._flashing and self._flashing.over and not self._flashing.failed:
            self._flashing = None
            self.link = Link(self._wanted)
            self._changes += 1

    def call(self) -> None:
        """Somebody calls the referee: that is heard."""
        self.link.play(CALLED)

    # --- the host's steps

    def show(self, state: TableState) -> TableState:
        """Light what is to be shown of the table now; its state with what is lit."""
        if state.verdict.kind == "illegal" and not self._illegal and self._lit:
            self.link.play(ILLEGAL)
        self._illegal = state.verdict.kind == "illegal"
        self._shown = self._lights_of(state)
        return state._replace(lights=self._shown)

    def _lights_of(self, state: TableState) -> LightsState | None:
        wanted = self._wanted
        if wanted.off:
            return None
        layout, lights = wanted.layout(DEFAULT_SIZE), dict[Cell, Light]()
        if self._guide:
            layout, walking = self._guide.layout, self._guide.state.place
            lights = {} if walking is None else {layout.wire()[walking]: WHITE}
            return LightsState(self.link.state, lights, layout, wanted, self._lit, walking, self._guide.state)
        if state.game:
            layout = wanted.layout(board_size(state.position))
            if self._lit and not state.paused:
                read = state.game.read
                moves = [read(entry) if isinstance(entry, str) else None for entry in state.record["moves"]]
                hint = read(state.hint) if state.hint else None
                scene = scene_of(
                    state.positions, moves, state.verdict, state.seen, state.outcome, hint, not state.keeping.ok
                )
                lights = paint_matrix(scene, layout)
        self.link.show(lights, layout)
        if self._walking is not None:
            lights = {layout.wire()[self._walking]: WHITE} if self._walking < len(layout.wire()) else {}
        busy = self._flashing or self._checkup
        told = busy.state if busy else self.link.state
        return LightsState(told, lights, layout, wanted, self._lit, self._walking, None, self._examined)
