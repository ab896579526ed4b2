"""What was printed, cut out and laid on a table is read, for every game, from any side and in any light; and a whole
game of each kind is followed."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games import game, game_ids
from companion.kit.mats import mat_field
from companion.labels import labels_of
from companion.record import read_record, replay
from companion.referee import Referee, line_of
from companion.simulation.laying import layout_of
from tests.kit.printed import PrintedKit, Table
from tests.records import deal
from vision.reading import read_picture
from vision.simulate.camera import look_at, random_pose
from vision.simulate.still import friendly_room
from vision.simulate.style import random_lens, random_light, random_style

OWN = [id for id in game_ids() if game(id).start.__module__.startswith("companion.")]
MOST = 60  # moves of a game that has no end in sight


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
        seen, there = look.visible(), position.visible()
        assert {"pawns": {}, **seen} == {"pawns": {}, **there}, (seed, size, table.pose.cell_pixels)


@pytest.mark.parametrize("game_id", OWN)
def test_a_printed_game_is_read(kit: PrintedKit, game_id: str) -> None:
    positions = a_game(game_id, 3)
    seen_by_camera(kit, game_id, positions[len(positions) // 2 :: 200], 1, (960, 540))


@pytest.mark.soak
@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("game_id", OWN)
def test_printed_games_are_read_from_anywhere(kit: PrintedKit, game_id: str, size: tuple[int, int]) -> None:
    for seed in range(6):
        positions = a_game(game_id, seed)
        seen_by_camera(kit, game_id, [positions[0], positions[len(positions) // 2], positions[-1]], seed, size)


@pytest.mark.soak
@pytest.mark.parametrize("game_id", OWN)
def test_a_whole_printed_game_is_followed(kit: PrintedKit, game_id: str) -> None:
    """In a friendly room: the referee finds every move that can be seen."""
    played = game(game_id)
    rng = np.random.default_rng(4)
    field = mat_field(played.field)
    room = friendly_room(rng, field, (1280, 720))
    table = Table(kit, rng, played.field, room.style, room.pose)
    chance = Random(6)
    record = {"game": game_id, "setup": deal(game_id, chance), "moves": []}
    read = read_record(json.dumps(record))
    referee = Referee(line_of(read, replay(read)))
    position, labels = read.start, labels_of(played)
    unseen: list[Any] = []
    for _ in range(MOST):
        moves = list(position.moves())
        if position.outcome() is not None or not moves:
            break
        before, move = position.visible(), chance.choice(moves)
        position = position.play(move)
        unseen.append(move)
        if position.visible() == before:
            continue
        look = read_picture(table.photograph(layout_of(labels, position), room.light, room.lens), labels).look
        assert look is not None
        verdict = referee.see(look)
        assert verdict.kind in ("move", "partial", "half", "unsure"), (verdict, unseen)
        assert referee.line.position.visible() == position.visible() or verdict.kind != "move"


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
