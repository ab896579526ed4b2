"""What was printed, cut out and laid on a table is read, for every game, from any side and in any light; and a whole
game of each kind is followed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games import game, game_ids
from companion.kit.mats import mat_field
from companion.kit.parts import PEG
from companion.kit.standins import PEG_WIDE, STAND_INS
from companion.labels import labels_of
from companion.record import read_record, replay
from companion.referee import Referee, line_of
from companion.simulation.laying import layout_of
from companion.solvers.cover import UNLIMITED, solve
from companion.solvers.puzzles import GENERATORS, puzzles
from tests.kit.printed import PrintedKit, Table
from tests.records import deal
from vision.reading import read_picture
from vision.simulate.camera import look_at, random_pose
from vision.simulate.still import friendly_room
from vision.simulate.style import random_lens, random_light, random_style

OWN = [id for id in game_ids() if game(id).start.__module__.startswith("companion.")]
MOST, LONGEST = 60, 160  # moves of a game that has no end in sight; of one that must come to its end
PAPER = 0.01  # in cells: card of 250 g, not glued onto anything
LAID = [id for id in OWN if game(id).material.plates or game(id).field in ("tiles", "planks")]  # flat pieces of wood
PRINTED = [
    *(pytest.param(id, None, id=f"{id}-wood") for id in OWN),
    *(pytest.param(id, PAPER, id=f"{id}-paper") for id in LAID),
]


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> PrintedKit:
    cv2.setNumThreads(1)
    return PrintedKit(tmp_path_factory.mktemp("printed"))


def a_game(game_id: str, seed: int, options: dict[str, Any] | None = None, deals: bool = True) -> list[Any]:
    """A game by chance: its positions, from the first to the last."""
    chance = Random(seed)
    setup = deal(game_id, chance, options) if deals else {}
    record = {"game": game_id, "options": options or {}, "setup": setup, "moves": []}
    positions = [read_record(json.dumps(record)).start]
    while positions[-1].outcome() is None and len(positions) < MOST:
        moves = list(positions[-1].moves())
        if not moves:
            break
        positions.append(positions[-1].play(chance.choice(moves)))
    return positions


def as_seen(one: Any) -> dict[str, Any]:
    """A look or a position as it is compared: while tiles are being placed nobody tells of pawns."""
    return {"pawns": {}, **one.visible()}


def seen_by_camera(kit: PrintedKit, game_id: str, positions: list[Any], seed: int, size: tuple[int, int]) -> None:
    """A printed table of any look is photographed from anywhere, and every cell is read as it is."""
    rng = np.random.default_rng(seed)
    played = game(game_id)
    field = mat_field(played.field)
    table = Table(kit, rng, played.field, random_style(rng), random_pose(rng, field, size))
    light = random_light(rng, (field.columns / 2, field.rows / 2))
    lens = replace(random_lens(rng), motion=0.0)
    for position in positions:
        image = table.photograph(layout_of(labels_of(played), position), light, lens)
        look = read_picture(image, labels_of(played)).look
        assert look is not None
        assert as_seen(look) == as_seen(position), (seed, size, table.pose.cell_pixels)


@pytest.mark.parametrize(("game_id", "thick"), PRINTED)
def test_a_printed_game_is_read(
    kit: PrintedKit, game_id: str, thick: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Glued onto board as thick as the wooden pieces are, and as it comes out of the printer."""
    monkeypatch.setattr(kit, "thick", thick)
    positions = a_game(game_id, 3)
    seen_by_camera(kit, game_id, positions[len(positions) // 2 :: 200], 1, (960, 540))


@pytest.mark.parametrize(("size", "low"), [(0.9, True), (1.1, False)], ids=["small", "large"])
@pytest.mark.parametrize("game_id", ["hepta", "t-for-two", "pegs", "trippples"])
def test_what_stands_in_is_taken_for_the_real_thing(
    kit: PrintedKit, game_id: str, size: float, low: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mushrooms, pegs and clear pawns as their page says: a tenth smaller and as low as it allows, beside bare card; or
    a tenth larger, and pegs as wide as it allows."""
    monkeypatch.setattr(kit, "thick", PAPER if low else None)
    monkeypatch.setattr(kit, "size", PEG_WIDE / (2 * PEG) if game_id == "pegs" and not low else size)
    for kind, one in STAND_INS.items():
        monkeypatch.setattr(kit, f"{kind}_high", (one.low if low else one.high * size) / 100)
    positions = a_game(game_id, 5)
    seen_by_camera(kit, game_id, [positions[len(positions) // 2]], 2, (960, 540))


@pytest.mark.soak
@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("game_id", OWN)
def test_printed_games_are_read_from_anywhere(kit: PrintedKit, game_id: str, size: tuple[int, int]) -> None:
    for seed in range(6):
        positions = a_game(game_id, seed)
        seen_by_camera(kit, game_id, [positions[0], positions[len(positions) // 2], positions[-1]], seed, size)


@pytest.mark.soak
@pytest.mark.parametrize(("game_id", "thick"), PRINTED)
def test_path_traced_prints_are_read(
    kit: PrintedKit, game_id: str, thick: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In light that behaves as light does, in a room that no reader was trained in."""
    pytest.importorskip("bpy", reason="Blender's module, only for training, is not installed")
    from vision.training.traced import HELD_OUT_ROOMS, traced

    monkeypatch.setattr(kit, "thick", thick)
    rng = np.random.default_rng(7 if thick is None else 8)
    played, size = game(game_id), (960, 540)
    field, labels = mat_field(played.field), labels_of(played)
    table = Table(kit, rng, played.field, random_style(rng), random_pose(rng, field, size))
    light = random_light(rng, (field.columns / 2, field.rows / 2))
    lens = replace(random_lens(rng), motion=0.0)
    positions = a_game(game_id, 3)
    position = positions[len(positions) // 2]
    scene = table.laid(layout_of(labels, position))
    image = traced(rng, scene, table.pose, light, table.style, lens, [], HELD_OUT_ROOMS[0]).image
    look = read_picture(image, labels).look
    assert look is not None
    assert as_seen(look) == as_seen(position)


def to_its_end(game_id: str, seed: int) -> tuple[dict[str, Any], list[Any]]:
    """A problem and its solution; or a game by chance in which who can end it does."""
    if game_id in GENERATORS:
        puzzle = next(filter(None, puzzles(game_id, "medium", seed)))
        record = {"game": game_id, "setup": puzzle.setup, "moves": list(puzzle.moves)}
        found = solve(replay(read_record(json.dumps(record))).position, UNLIMITED).solutions[0]
        return record, [game(game_id).read(text) for text in found]
    for n in range(40):
        chance = Random(1000 * seed + n)
        record = {"game": game_id, "setup": deal(game_id, chance), "moves": []}
        position, moves = read_record(json.dumps(record)).start, []
        while position.outcome() is None and len(moves) < LONGEST:
            possible = list(position.moves())
            if not possible:
                break
            chosen = chance.sample(possible, min(len(possible), 40))
            ending = [move for move in chosen if position.play(move).outcome() is not None]
            moves.append((ending or chosen)[0])
            position = position.play(moves[-1])
        if position.outcome() is not None:
            return record, moves
    raise AssertionError(f"no game of {game_id} came to its end in {LONGEST} moves")


def seen(texts: Sequence[str]) -> list[str]:
    """Without what leaves no trace on the board: draws, discards, a turn that ends without one."""
    return [text for text in texts if text[0] not in "+-."]


@pytest.mark.soak
@pytest.mark.parametrize(("game_id", "thick"), PRINTED)
def test_a_whole_printed_game_is_followed(
    kit: PrintedKit, game_id: str, thick: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a friendly room, from the first move to the last, with pieces on board as thick as the wooden ones and with
    bare card: every look is read exactly, no legal move is called illegal, what the referee tells is what was played,
    move by move without anybody's help, and in the end he knows the result."""
    monkeypatch.setattr(kit, "thick", thick)
    played = game(game_id)
    rng = np.random.default_rng(4)
    room = friendly_room(rng, mat_field(played.field), (1280, 720))
    table = Table(kit, rng, played.field, room.style, room.pose)
    record, moves = to_its_end(game_id, 6)
    read = read_record(json.dumps(record))
    referee = Referee(line_of(read, replay(read)))
    position, labels = referee.position, labels_of(played)
    texts = [str(move) for move in record["moves"]]
    unseen: list[Any] = []
    looks = told = 0
    for n, move in enumerate(moves):
        before, position = position, position.play(move)
        texts.append(str(move))
        unseen = [*unseen, move] if position.visible() == before.visible() else []
        if position.visible() == before.visible() and n + 1 < len(moves):
            continue
        for _ in range(1 if n + 1 < len(moves) else 5):  # at the end the board is at rest for longer
            look = read_picture(table.photograph(layout_of(labels, position), room.light, room.lens), labels).look
            assert look is not None
            assert as_seen(look) == as_seen(position), texts
            verdict = referee.see(look)
            assert verdict.kind in ("move", "same", "partial", "unsure"), (verdict, texts)
            if verdict.kind == "move":
                assert referee.position.visible() == position.visible(), (verdict, texts)
            looks, told = looks + 1, told + (verdict.kind == "move")
    assert referee.position.visible() == position.visible(), texts
    assert seen(referee.line.texts()) == seen(texts)
    if referee.position.outcome() is None:  # who ends it with what leaves no trace on the board says so
        referee.play(unseen)
    assert referee.position.outcome() == position.outcome(), (referee.line.texts(), texts)
    if game_id in GENERATORS:
        assert referee.position.solved, texts
    assert told >= 0.8 * (looks - 4), (told, looks)


def test_the_smallest_tilt_and_the_largest_are_read(kit: PrintedKit) -> None:
    """The dice mat from straight above and from as low as it may be."""
    played = game(OWN[OWN.index("six-faces")])
    rng = np.random.default_rng(2)
    field, labels = mat_field(played.field), labels_of(played)
    light, lens = random_light(rng, (4.5, 4)), replace(random_lens(rng), motion=0.0, exposure=0.9)
    position = a_game(played.id, 8)[25]
    for tilt in (0, 40):
        table = Table(kit, rng, played.field, random_style(rng), look_at(field, (1280, 720), 60, tilt, 0, 2, 0.9))
        look = read_picture(table.photograph(layout_of(labels, position), light, lens), labels).look
        assert look is not None
        assert look.visible() == position.visible()
