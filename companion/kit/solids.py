"""Pieces for 3D printers, as binary STL in millimetres: pegs, mushrooms, pawns, dice. Solids are put together by
manifold3d, which keeps them watertight."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from manifold3d import CrossSection, Manifold, Mesh

from companion.games.game import AnyGame
from companion.kit.parts import NET, PIP, SIDE, STEP, pips_of
from web.drawing.sheet import U

ROUND = 64  # sides of a circle
STEM, STEM_LONG = 8.0, 28.0  # what goes through the board's holes of radius 9, in hundredths of a cell
EDGE = 5.0  # how round a die's edges are
SUNK = 2.4  # how deep pips are


def solids(games: Sequence[AnyGame]) -> Iterator[tuple[str, Manifold]]:
    """The solids that these games need, in hundredths of a cell, standing on z = 0."""
    needed = {code for game in games for code in game.material.pieces}
    if "peg" in needed:
        yield "peg", _turned([(0, 0), (STEM, 0), (STEM, STEM_LONG), (12, STEM_LONG), (12, 78), (10.5, 79.5), (0, 79.5)])
    if "mushroom" in needed:
        cap = [(20 * np.cos(a), STEM_LONG + 20 + 15 * np.sin(a)) for a in np.linspace(0, np.pi / 2, 12)]
        yield "mushroom", _turned([(0, 0), (STEM, 0), (STEM, STEM_LONG + 20), *cap])
    if "square1" in needed:
        yield "pawn-square", CrossSection.square((60, 60), True).offset(-3).offset(3).extrude(30)
    if "round1" in needed:
        yield "pawn-round", Manifold.cylinder(30, 33, 33, ROUND)
    if "w" in needed:
        yield "die", _die(is_king=False)
        yield "king", _die(is_king=True)


def _turned(outline: Sequence[tuple[float, float]]) -> Manifold:
    return CrossSection([np.array(outline)]).revolve(ROUND)


def _die(is_king: bool) -> Manifold:
    """A cube with rounded edges, its pips sunk where the paper die has them printed."""
    half = SIDE / 2
    ball, reach = Manifold.sphere(EDGE, 24), half - EDGE
    body = Manifold.batch_hull([ball.translate(corner) for corner in product((-reach, reach), repeat=3)])
    sunk = []
    for place, (normal, right, up) in NET.items():
        turn = np.array([right, up, normal], dtype=float).T
        for i, j in ((0, 0),) if is_king else pips_of(place):
            at = turn @ np.array([i * STEP, j * STEP, half])
            sunk.append(Manifold.sphere(PIP, 32).translate(tuple(at + turn @ np.array([0, 0, PIP - SUNK]))))
        if is_king:
            ring = Manifold.cylinder(2 * SUNK, 0.225 * SIDE + 2.2, circular_segments=ROUND, center=True)
            ring -= Manifold.cylinder(4 * SUNK, 0.225 * SIDE - 2.2, circular_segments=ROUND, center=True)
            matrix = np.column_stack([turn, turn @ np.array([0, 0, half])])
            sunk.append(ring.transform(matrix))
    for one in sunk:
        body -= one
    return body.translate((0, 0, half))


def stl(solid: Manifold, unit: float) -> bytes:
    """Triangles with their normals, as every slicer reads them."""
    mesh: Mesh = solid.to_mesh()
    corners = np.asarray(mesh.vert_properties, np.float32)[:, :3][np.asarray(mesh.tri_verts)] * np.float32(unit)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    rows = np.zeros(len(corners), dtype=[("numbers", "<f4", 12), ("more", "<u2")])
    rows["numbers"] = np.concatenate([normals[:, None], corners], axis=1).reshape(-1, 12)
    return b"Board Companion".ljust(80, b" ") + struct.pack("<I", len(rows)) + rows.tobytes()


def write(folder: Path, games: Sequence[AnyGame], cell: float) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for name, solid in solids(games):
        (folder / f"{name}.stl").write_bytes(stl(solid, cell / U))
        names.append(f"{name}.stl")
    return names
