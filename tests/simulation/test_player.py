"""Who plays at the simulated table: what he does can be read, what he says is true, and his cheating is cheating."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.errors import BadInput, UnreadableMove
from companion.games.position import Position
from companion.messages import say_bad
from companion.record import Stood, read_record
from companion.simulation.cheating import illegal_layouts, key_of
from companion.simulation.player import MAX_MOVES, LoggedAction, SimulatedPlayer
from companion.simulation.source import TROUBLES, Simulation, stage_of
from tests.records import VARIANTS, names, new_record, played
from vision.reading import read_picture
from vision.simulate.layout import Layout
from vision.simulate.stage import Stage, reaching

GAMES = [variant for n, variant in enumerate(VARIANTS) if variant[0] not in [v[0] for v in VARIANTS[:n]]]
Variant = tuple[str, dict[str, Any], dict[str, Any]]


class Told:
    """A stage that only remembers what it was told."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __call__(self, name: str, *arguments: Any) -> None:
        self.calls.append((name, *arguments))


def player(variant: Variant, seed: int = 0, trouble: tuple[str, ...] = (), **how: Any) -> tuple[SimulatedPlayer, Told]:
    told = Told()
    simulation = Simulation(variant[0], seed, trouble=trouble, pace=how.pop("pace", 1.0))
    made = SimulatedPlayer(told, read_record(json.dumps(new_record(variant, seed))), simulation, **how)
    made.begin()
    return made, told


def whole_game(variant: Variant, seed: int) -> SimulatedPlayer:
    made, _ = player(variant, seed, TROUBLES)
    while not made.over:
        made.act()
    return made


# --- what he does can be read


@pytest.mark.parametrize("variant", GAMES, ids=names)
def test_what_is_played_can_be_read(variant: Variant) -> None:
    """After everything that he does the picture shows just what he says it shows."""
    how = Simulation(variant[0], 1, size=(640, 480))
    stage = Stage(how.plan())
    made = SimulatedPlayer(
        lambda name, *arguments: getattr(stage, name)(*arguments),
        read_record(json.dumps(new_record(variant, 1))),
        how,
    )
    made.begin()
    at = 0.0
    for do in (made.move, made.move, made.cheat, made.put_back, made.move):
        do()
        stage.frame(at)
        while stage.busy:
            at += 0.4
            image = stage.frame(at)
        image = stage.frame(at)
        assert image is not None
        look = read_picture(image, how.plan().labels).look
        assert look is not None
        assert not look.hand
        assert key_of(look.visible()) == key_of(made.log[-1].visible)
    assert [entry.kind for entry in made.log] == ["start", "move", "move", "illegal", "back", "move"]


# --- what he says is true


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_the_log_is_a_game_that_ends(variant: Variant) -> None:
    for seed in (11,):
        made = whole_game(variant, seed)
        moves = [move for entry in made.log for move in entry.moves]
        again = played({**new_record(variant, seed), "moves": moves})
        assert again.illegal is None
        assert again.position == made.position
        assert made.position.outcome() or len(moves) >= MAX_MOVES
        seen = [entry for entry in made.log if entry.kind in ("start", "move", "back")]
        at = 0
        for entry in seen:
            at += len(entry.moves)
            assert entry.visible == again.positions[at].visible()


def one_turn(position: Position[Any]) -> set[str]:
    """What can be seen in one legal turn: after a move, and while it is made."""
    found = {key_of(position.visible())}
    for move in position.moves():
        after = position.play(move)
        found.update(map(key_of, (after.visible(), *position.steps(move))))
        if not position.is_seen(move):  # what comes next counts too
            found.update(key_of(after.play(then).visible()) for then in after.moves())
    return found


@pytest.mark.parametrize(
    "variant", [*GAMES, ("trippples", {"wild": True}, {}), ("plank", {}, {"players": 4})], ids=names
)
def test_cheating_is_never_legal(variant: Variant) -> None:
    """Nothing that he does wrong is what a legal turn, a part of one or an earlier position shows."""
    kinds = set()
    for seed in range(3):
        chance = Random(seed)
        made, _ = player(variant, seed)
        for _ in range(10):
            made.move()
            if made.position.outcome():
                break
            if chance.random() < 0.6:
                continue
            before = {key_of(entry.visible) for entry in made.log}
            legal = one_turn(made.position)
            for kind, wrong in illegal_layouts(made.position, made.layout, chance, before):
                kinds.add(kind)
                assert key_of(wrong.visible) not in legal
                assert key_of(wrong.visible) not in before
    assert len(kinds) >= 2, kinds


def test_pegs_and_mushrooms_do_not_vanish_in_legal_play() -> None:
    """Why taking one away is always against the rules."""
    for variant in (("pegs", {}, {}), ("t-for-two", {}, {})):
        for seed in range(3):
            made, _ = player(variant, seed)
            count = 0
            while not made.over:
                made.move()
                now = sum(code in "oBW@" for row in made.log[-1].visible["rows"] for code in row)
                assert now >= count
                count = now


# --- how he can be told what to do


def test_a_record_is_played_move_by_move() -> None:
    record = new_record(("six-faces", {}, {}), 0)
    moves = ["b1-b2", "b8-b7", "e1-e2"]
    made, told = player(("six-faces", {}, {}), script=moves)
    while not made.over:
        made.act()
    assert [entry.moves for entry in made.log] == [(), *((move,) for move in moves)]
    assert made.position == played({**record, "moves": moves}).position
    assert [call[0] for call in told.calls] == ["show", "move", "move", "move"]


def test_a_record_file_is_played_as_the_source_says(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"game": "hepta", "moves": ["#d4", "#a1"]}))
    how = Simulation.parse(f"sim:hepta,record={file}")
    made = SimulatedPlayer(Told(), read_record('{"game": "hepta"}'), how, how.script())
    made.begin()
    while not made.over:
        made.act()
    assert [entry.moves for entry in made.log] == [(), ("#d4",), ("#a1",)]
    assert Simulation.parse("sim:hepta").script() == ()
    for source, word in ((f"sim:pegs,record={file}", "pegs"), ("sim:hepta,record=nowhere.json", "nowhere.json")):
        with pytest.raises(BadInput) as refused:
            Simulation.parse(source).script()
        assert word in say_bad(refused.value, "en")


def test_an_illegal_step_that_stood_is_shown_too() -> None:
    start = played(new_record(("six-faces", {}, {}), 0)).position
    seen = start.visible()
    seen["rows"][7][0] = "."
    made, told = player(("six-faces", {}, {}), script=["b1-b2", Stood(seen, "white", "fell off"), "e1-e2"])
    while not made.over:
        made.act()
    assert [(entry.kind, entry.what) for entry in made.log] == [
        ("start", ""),
        ("move", ""),
        ("stood", "fell off"),
        ("move", ""),
    ]
    assert told.calls[2][1].visible["rows"][7][0] == "."


def test_moves_on_command() -> None:
    made, told = player(("hepta", {}, {}))
    assert made.play("#d4") == reaching(1)
    assert told.calls[-1][0] == "move"
    assert told.calls[-1][1].visible == made.position.visible()
    with pytest.raises(BadInput) as refused:
        made.play("#d4")
    assert "d4" in say_bad(refused.value, "en")
    with pytest.raises(UnreadableMove):
        made.play("nonsense")
    assert len(made.log) == 2


def test_unseen_moves_need_no_hand() -> None:
    made, told = player(
        ("pegs", {}, {"deal": False}),
        script=["oa1", "ob1", "oc1", "od1", "oe1", "of1", "og1", ".", "+?", "+?", "+?", "oa3"],
    )
    while not made.over:
        made.act()
    assert made.log[-1].moves == (".", "+?", "+?", "+?", "oa3")
    assert len(told.calls) == 1 + 8


def test_pieces_keep_their_places_while_the_row_grows_south() -> None:
    record = {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}
    told = Told()
    start = read_record(json.dumps({"game": "plank", "setup": {"players": 2, "hands": record}}))
    made = SimulatedPlayer(told, start)
    made.begin()
    made.play("RBW^ B@b0")
    made.play("WRBv W@a-1")
    made.play("R@a0")
    assert [[layout.south for layout in call[1:]] for call in told.calls] == [[0], [0, 0], [-1, -1], [-1]]
    plank, token = told.calls[2][1:]  # a plank is laid before its token is put
    assert [p["tokens"] for p in plank.visible["planks"]] == [[".", ".", "."], [".", "A", "."]]
    assert [p["tokens"] for p in token.visible["planks"]] == [["B", ".", "."], [".", "A", "."]]


def test_cards_lie_in_the_order_in_which_they_came() -> None:
    made, told = player(("pegs-solo", {}, {}), 3)
    layouts: list[Layout] = [told.calls[0][1]]
    while not made.over:
        made.act()
    layouts += [call[1] for call in told.calls[1:]]
    for before, after in pairwise(layouts):
        assert after.cards[: len(before.cards)] == before.cards
    assert len(layouts[-1].cards) > 2


def test_a_game_that_is_gone_on_with_lies_as_it_lay() -> None:
    """Cards of a solitaire lie on one another: those that came last are on top, also for who comes back later."""
    made, _ = player(("pegs-solo", {}, {}), 3)
    while not made.over:
        made.act()
    assert len(made.layout.cards) > 2
    assert made.layout.cards != tuple(sorted(made.layout.cards, key=str))
    again, told = player(("pegs-solo", {}, {}), 3, position=made.position)
    assert again.layout.cards == made.layout.cards
    assert told.calls == [("show", made.layout)]


# --- trouble


def entries(trouble: str, variant: Variant = ("six-faces", {}, {}), count: int = 40) -> tuple[list[LoggedAction], Told]:
    made, told = player(variant, 5, (trouble,))
    for _ in range(count):
        if not made.over:
            made.act()
    return made.log, told


@pytest.mark.parametrize(
    ("trouble", "call", "kind"),
    [
        ("reach", "reach", "reach"),
        ("bump", "bump", "bump"),
        ("light", "light", "light"),
        ("cover", "cover", "cover"),
        ("lost", "lose", "lost"),
    ],
)
def test_trouble_is_made_and_said(trouble: str, call: str, kind: str) -> None:
    log, told = entries(trouble)
    assert any(entry.kind == kind for entry in log)
    assert any(found[0] == call for found in told.calls)
    assert {found[0] for found in told.calls} == {"show", "move", call}


def test_what_is_covered_is_freed_again() -> None:
    _, told = entries("cover")
    covers = [call[1] for call in told.calls if call[0] == "cover"]
    assert covers[0] in range(4)
    assert covers[1] is None


def test_an_illegal_step_is_put_back() -> None:
    log, _ = entries("illegal")
    wrong = [n for n, entry in enumerate(log) if entry.kind == "illegal"]
    assert wrong
    for n in wrong:
        assert log[n].what
        if n + 1 < len(log):
            assert log[n + 1].kind == "back"
            assert log[n + 1].visible == log[n - 1].visible


def test_a_half_made_turn_is_finished_after_a_pause() -> None:
    log, _ = entries("half")
    halves = [n for n, entry in enumerate(log) if entry.kind == "half"]
    assert halves
    for n in halves:
        assert log[n].visible != log[n - 1].visible
        if n + 1 < len(log):
            assert log[n + 1].kind == "move"


def test_a_slid_piece_is_one_move_of_one_hand() -> None:
    log, told = entries("slide")
    slid = [entry for entry in log if entry.what == "slide"]
    assert slid
    assert any(call[0] == "move" and len(call) == 3 for call in told.calls)
    assert all(entry.kind in ("start", "move") for entry in log)


def test_he_acts_when_it_is_time() -> None:
    made, told = player(("hepta", {}, {}), pace=2.0)
    assert told.calls == [("show", made.layout)]
    for n in range(200):
        made.tick(n * 0.1)
    acts = len(made.log) - 1
    assert 20 / (reaching(1) / 2 + 1.3) - 1 <= acts <= 20 / (reaching(1) / 2 + 0.5)
    assert not made.over


# --- sources


def test_the_table_is_built_as_the_source_says() -> None:
    plan = stage_of("sim:hepta,seed=3,family=attic,pace=2", (640, 480))
    assert plan is not None
    assert (plan.labels.game, plan.labels.field, plan.seats) == ("hepta", "seven", 2)
    assert (plan.seed, plan.family, plan.size, plan.pace) == (3, "attic", (640, 480), 2.0)
    assert stage_of("sim:hepta,size=320x240", (640, 480)).size == (320, 240)  # type: ignore[union-attr]
    assert [Simulation(game).plan().seats for game in ("tetrods", "plank", "trippples")] == [1, 2, 2]
    assert Simulation("plank").plan(seats=4).seats == 4
    assert stage_of("0") is None


def test_a_source_says_it_all() -> None:
    assert Simulation.parse("sim:hepta") == Simulation("hepta")
    text = "sim:plank,seed=3,family=attic,size=640x480,trouble=illegal+bump,record=a/b.json,pace=2.5"
    expected = Simulation("plank", 3, "attic", (640, 480), ("illegal", "bump"), Path("a/b.json"), 2.5)
    assert Simulation.parse(text) == expected


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("sim:chess", "chess"),
        ("sim:", "hepta"),
        ("hepta", "hepta"),
        ("sim:hepta,seed=x", "seed"),
        ("sim:hepta,seed=-1", "seed"),
        ("sim:hepta,seed", "seed"),
        ("sim:hepta,seed=1,seed=2", "seed"),
        ("sim:hepta,speed=2", "pace"),
        ("sim:hepta,size=10x10", "1280x720"),
        ("sim:hepta,family=castle", "kitchen"),
        ("sim:hepta,trouble=illegal+rain", "rain"),
        ("sim:hepta,pace=0", "pace"),
        ("sim:hepta,", "seed"),
    ],
)
def test_bad_sources_are_told_in_one_line(source: str, word: str) -> None:
    with pytest.raises(BadInput) as refused:
        Simulation.parse(source)
    for language in ("en", "fr"):
        line = say_bad(refused.value, language)
        assert word in line
        assert "\n" not in line
