"""Trains the networks that read cells: python -m vision.training.cells FIELD PICTURES [EPOCHS] [further | PART].

`further` goes on from the weights that are shipped, which takes minutes and not hours. So does the name of a part of
the output, and writes a network by that name which tells nothing else: `arrows` of `tiles`.

Patches are cut as the reader cuts them, with the small errors of pose and light that a real picture brings,
then shifted, turned, mirrored and re-lit at random, so that no single picture's look can be learned.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from vision.codes import (
    COLORS,
    DIE_COLORS,
    DIE_FACES,
    DIRECTIONS,
    OUTPUTS,
    OWNERS,
    PAWN_OUTPUTS,
    SEVEN_STATES,
    TILE_KINDS,
    TRIPLES,
)
from vision.light import Lighting, measure
from vision.network import WEIGHTS
from vision.patches import CUTS, SIDE, Cut, against_mat, cut_at, cut_cells
from vision.pose import Image, Marker, Pose
from vision.training import prints
from vision.training.nets import CellNet, go_on, save, steadied
from vision.training.pictures import TRACED, load
from vision.training.positions import SETS

Array = npt.NDArray[Any]
ROOM = 4  # pixels to shift in
IGNORED = -1
TIMES = 3
KEEP = {"seven": 0.3, "tiles": 0.5, "faces": 0.4, "planks": 0.0}  # chosen on drawn pictures that were not trained on
# How fast shipped weights are changed: few pictures must not undo what many taught; new letters are much to learn.
FURTHER = {"seven": 8e-4, "tiles": 6e-4, "arrows": 1.5e-3, "faces": 6e-4, "planks": 1.5e-3, "row": 8e-4}
SHADED = 0.3  # of the patches lie partly in shadow
CURVED = 0.25  # of the arrows are bent more than they were printed
HIDES = 0.1  # a thin stick over the middle of a cell hides this share of it
TEMPERS = np.geomspace(0.5, 2.5, 33)
WIDTHS = {"seven": 16, "faces": 16, "tiles": 20, "planks": 20}


@dataclass
class Cells:
    """Patches (uint8, SIDE + ROOM wide) with one label array per part of the network's output."""

    patches: Array
    labels: dict[str, Array]


def shaken(rng: np.random.Generator, image: Image, pose: Pose) -> tuple[Pose, Lighting, float]:
    """A pose and a light as they might have been measured, and an error of height."""
    spread = 0.012 if rng.random() < 0.75 else 0.05
    dx, dy = rng.normal(0, spread, 2)
    turn = float(np.radians(rng.normal(0, 0.3)))
    c, s = np.cos(turn), np.sin(turn)
    middle = np.array([pose.field.columns / 2, pose.field.rows / 2, 0.0])
    spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    rotation = pose.rotation @ spin
    tvec = pose.tvec + pose.rotation @ (middle - spin @ middle + np.array([dx, dy, 0.0]))
    other = replace(pose, rvec=np.ravel(cv2.Rodrigues(rotation)[0]), tvec=tvec)
    seen = rng.permutation(4)[: int(rng.choice([2, 3, 4, 4, 4]))]
    light = measure(image, other, [Marker(pose.field.markers[int(k)], np.zeros((4, 2))) for k in seen])
    return other, light, float(rng.normal(1, 0.04))


def hidden_share(blocked: Image, pose: Pose, cut: Cut) -> Array:
    """How much of each cell's square is hidden on the first plane that the reader looks at."""
    if not blocked.any():
        return np.zeros(pose.field.columns * pose.field.rows, np.float32)
    gray = np.repeat(blocked[..., None], 3, axis=2)
    even = Lighting(np.log(np.full(3, 200.0)), np.zeros(3), np.zeros(3), 0.0)
    patches = cut_cells(gray, pose, even, cut)
    half = min(SIDE, cut.ppu * 0.9) / 2
    inner = slice(round(SIDE / 2 - half), round(SIDE / 2 + half))
    return np.asarray(patches[:, 0, inner, inner].mean(axis=(1, 2)) / 255, dtype=np.float32)


def as_far_as_seen(labels: dict[str, Array], share: Array) -> dict[str, Array]:
    """Labels of cells of which a share is hidden: what is mostly seen counts as both, what is not as hidden only."""
    known = {key: np.where(share > 0.2, IGNORED, values) for key, values in labels.items()}
    return {**known, "hidden": np.where(share > HIDES, 1, np.where(share > 0.02, IGNORED, 0))}


def _seven(label: dict[str, Any]) -> dict[str, list[int]]:
    return {"state": [SEVEN_STATES.index(label["pieces"][code]) for code in label["cells"]]}


def _faces(label: dict[str, Any]) -> dict[str, list[int]]:
    codes = label["cells"]
    faces = [DIE_FACES.index(code[1:]) if code != "." else IGNORED for code in codes]
    return {"color": [DIE_COLORS.index(code[0]) for code in codes], "face": faces}


def _tiles(label: dict[str, Any]) -> dict[str, list[int]]:
    kinds, arrows, dots, pawns = [], [], [], []
    places = label["visible"].get("pawns", {})
    standing = {square: 1 + PAWN_OUTPUTS.index(name.split()[0]) for name, square in places.items()}
    for n, code in enumerate(label["cells"]):
        name = code.rstrip("~")
        kind = name if name in TILE_KINDS else "arrows"
        kinds.append(TILE_KINDS.index(kind))
        shown = sum(1 << k for k, d in enumerate(DIRECTIONS) if d in name.split("-")) if kind == "arrows" else IGNORED
        arrows.append(shown)
        dots.append(0 if kind == "arrows" and code == name else IGNORED)  # turned ones may have it on any side
        pawns.append(standing.get(f"{'abcdefgh'[n % 8]}{n // 8 + 1}", 0))
    return {"kind": kinds, "arrows": arrows, "dot": dots, "pawn": pawns}


LABELS: dict[str, Callable[[dict[str, Any]], dict[str, list[int]]]] = {
    "seven": _seven,
    "faces": _faces,
    "tiles": _tiles,
}


def squares_of(places: Array) -> Array:
    """The middles of a row's squares, three per plank from west to east, with their turns."""
    turns = np.radians(places[:, 2])
    along = np.stack([np.cos(turns), np.sin(turns), np.zeros(len(places))], axis=1)
    return np.concatenate([[place + k * step for k in (-1, 0, 1)] for place, step in zip(places, along, strict=True)])


def _planks(path: Path, rng: np.random.Generator) -> tuple[Array, dict[str, Array]] | None:
    """The squares of the planks of one picture, cut where the row reader would have found them, about."""
    image, pose, label, blocked = load(path)
    planks = label["visible"]["planks"]
    if not planks:
        return None
    other, light, lift = shaken(rng, image, pose)
    squares = squares_of(np.array(label["visible"]["places"]))
    found = squares + np.repeat(rng.normal(0, [0.04, 0.04, 1.2], (len(planks), 3)), 3, axis=0)
    cut = CUTS["planks"]
    patches = cut_at(image, other, light, Cut(tuple(h * lift for h in cut.heights), cut.span), found, SIDE + ROOM)
    even = Lighting(np.log(np.full(3, 200.0)), np.zeros(3), np.zeros(3), 0.0)
    gray = np.repeat(blocked[..., None], 3, axis=2)
    share = cut_at(gray, pose, even, cut, squares)[:, 0, 2:-2, 2:-2].mean(axis=(1, 2)) / 255
    colors = [COLORS.index(c) for plank in planks for c in plank["colors"]]
    tokens, letters = [], []
    for plank in planks:
        for color, token in zip(plank["colors"], plank["tokens"], strict=True):
            tokens.append(0 if token == "." else 1 + COLORS.index(token[2:] or color))
            letters.append(IGNORED if token == "." else OWNERS.index(token[0]))
    labels = {"color": np.array(colors), "token": np.array(tokens), "letter": np.array(letters)}
    return patches, as_far_as_seen(labels, share)


def _grid(field: str, path: Path, rng: np.random.Generator) -> tuple[Array, dict[str, Array]]:
    """The cells of one picture of a field whose pieces stand on a grid."""
    image, pose, label, blocked = load(path)
    label["cells"] = [code for row in reversed(label["visible"]["rows"]) for code in row]
    other, light, lift = shaken(rng, image, pose)
    cut = CUTS[field]
    risen = replace(cut, heights=tuple(h * lift for h in cut.heights))
    patches = cut_cells(image, other, light, risen, SIDE + ROOM)
    found = {key: np.array(values) for key, values in LABELS[field](label).items()}
    share = hidden_share(blocked, pose, cut)
    found = as_far_as_seen(found, share)
    if field == "tiles":
        found |= _to_print_on(label, pose, other, risen, blocked)
    keep = np.ones(len(patches), bool)
    if field == "faces":  # most cells are bare, and need not all be seen
        keep = (found["color"] != 0) | (share > 0.02) | (rng.random(len(patches)) < 0.8)
    return patches[keep], {key: values[keep] for key, values in found.items()}


def _to_print_on(label: dict[str, Any], pose: Pose, other: Pose, risen: Cut, blocked: Image) -> dict[str, Array]:
    """Of each tile whether it is blank, where it lies in its patches, and what hides it there."""
    count, side, planes = len(label["cells"]), SIDE + ROOM, len(risen.heights)
    pawns = set(label["visible"].get("pawns", {}).values())
    plain = ("neutral", "down", "empty")
    blank = [
        bool(label.get("blank")) and code not in plain and f"{'abcdefgh'[n % 8]}{n // 8 + 1}" not in pawns
        for n, code in enumerate(label["cells"])
    ]
    covered = np.zeros((count, planes, side, side), np.uint8)
    if any(blank) and blocked.any():
        even = Lighting(np.log(np.full(3, 200.0)), np.zeros(3), np.zeros(3), 0.0)
        covered = cut_cells(np.repeat(blocked[..., None], 3, axis=2), other, even, risen, side)[:, : 3 * planes : 3]
    return {
        "blank": np.array(blank),
        "where": prints.places(pose.field, pose, other, risen, CUTS["tiles"], side),
        "pixels": np.full(count, pose.cell_pixels, np.float32),
        "covered": covered,
    }


def printed(cells: Cells, rng: np.random.Generator) -> Cells:
    """The same with one print on every blank tile."""
    patches = cells.patches.copy()
    return Cells(patches, prints.print_on(patches, cells.labels, rng))


def gather(field: str, paths: list[Path], rng: np.random.Generator) -> Cells:
    """The cells of all pictures. Of path-traced ones, which are dear, each is cut several times, always a bit amiss."""
    patches, labels = [], []
    for path in chain.from_iterable([path] * (TIMES if is_traced(path) else 1) for path in paths):
        cells = _planks(path, rng) if field == "planks" else _grid(field, path, rng)
        if cells is not None:
            patches.append(cells[0])
            labels.append(cells[1])
    return Cells(np.concatenate(patches), {key: np.concatenate([one[key] for one in labels]) for key in labels[0]})


def is_traced(path: Path) -> bool:
    return int(path.stem.split("-")[1]) >= TRACED


def pictures_of(field: str, folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{field}-*.json"))[:-1]  # the last one may still be being written


def _turned_codes(names: tuple[str, ...], step: Callable[[str], str]) -> list[int]:
    return [names.index(step(name)) for name in names]


_SWAP = {"ne": "nw", "nw": "ne", "ns": "ew", "ew": "ns"}


def _quarter(name: str) -> str:
    head, _, lie = name.partition(":")
    return f"{head}:{_SWAP[lie]}" if lie else head


def _mirror(name: str) -> str:
    head, _, lie = name.partition(":")
    return f"{head}:{_SWAP[lie]}" if lie in ("ne", "nw") else name


QUARTER = np.array(_turned_codes(DIE_FACES, _quarter))
MIRROR = np.array(_turned_codes(DIE_FACES, _mirror))


def turn(batch: Array, labels: dict[str, Array], quarters: int, mirror: bool) -> tuple[Array, dict[str, Array]]:
    """The same cells seen after quarter turns counter-clockwise and a mirror east–west, labels with them."""
    labels = dict(labels)
    batch = np.rot90(batch, quarters, axes=(2, 3))
    for _ in range(quarters):
        if "face" in labels:
            labels["face"] = np.where(labels["face"] >= 0, QUARTER[labels["face"]], IGNORED)
        if "arrows" in labels:  # north turns to west: bit 0 to bit 6
            bits = labels["arrows"]
            labels["arrows"] = np.where(bits >= 0, ((bits << 6) | (bits >> 2)) & 255, IGNORED)
    if "dot" in labels:  # what was south is east after one quarter turn
        labels["dot"] = np.where(labels["dot"] == 0, quarters, IGNORED)
    if mirror:
        batch = batch[..., ::-1]
        if "face" in labels:
            labels["face"] = np.where(labels["face"] >= 0, MIRROR[labels["face"]], IGNORED)
        if "arrows" in labels:
            bits = labels["arrows"]
            flipped = sum(((bits >> k) & 1) << ((8 - k) % 8) for k in range(8))
            labels["arrows"] = np.where(bits >= 0, flipped, IGNORED)
        if "dot" in labels:
            labels["dot"] = np.where(labels["dot"] == 1, 3, np.where(labels["dot"] == 3, 1, labels["dot"]))
    return batch, labels


def varied(cells: Cells, picked: Array, rng: np.random.Generator, mirror: bool) -> tuple[Array, dict[str, Array]]:
    """A batch whose eighths are each shifted, turned and mirrored in another way."""
    batches, labels = [], []
    for part in np.array_split(picked, 8):
        top, left = rng.integers(0, ROOM + 1, 2)
        batch = cells.patches[part][:, :, top : top + SIDE, left : left + SIDE]
        truth = {key: values[part] for key, values in cells.labels.items()}
        if "blank" in truth:
            whole = cells.patches[part]
            truth = prints.print_on(whole, truth, rng)
            batch = whole[:, :, top : top + SIDE, left : left + SIDE]
        if not mirror:
            batch = spun(batch, rng)
        batch, truth = turn(batch, truth, int(rng.integers(4)), mirror and bool(rng.random() < 0.5))
        batches.append(batch)
        labels.append(truth)
    return np.concatenate(batches), {key: np.concatenate([one[key] for one in labels]) for key in labels[0]}


def spun(batch: Array, rng: np.random.Generator) -> Array:
    """Each patch turned about its middle by any angle: tokens lie as they like."""
    out = np.empty_like(batch)
    middle = (SIDE - 1) / 2
    for n, patch in enumerate(batch):
        matrix = cv2.getRotationMatrix2D((middle, middle), float(rng.uniform(-50, 50)), float(rng.uniform(0.8, 1.08)))
        for half in (slice(0, 3), slice(3, 6)):
            picture = np.ascontiguousarray(patch[half].transpose(1, 2, 0))
            turned = cv2.warpAffine(picture, matrix, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
            out[n, half] = turned.transpose(2, 0, 1)
    return out


def curved(batch: Array, labels: dict[str, Array], rng: np.random.Generator) -> None:
    """Twists the faces of some tiles about their middles, so that straight arrows become bent ones: nobody knows how
    arrows are drawn that were not seen yet. Middle, tips and edges stay where they are, about."""
    x, y = np.meshgrid(np.arange(SIDE, dtype=np.float32), np.arange(SIDE, dtype=np.float32))
    middle = np.float32((SIDE - 1) / 2)
    away = np.hypot(x - middle, y - middle) / CUTS["tiles"].ppu
    alone = (labels["kind"] == TILE_KINDS.index("arrows")) & (labels["pawn"] == 0)
    for n in np.flatnonzero(alone & (rng.random(len(batch)) < CURVED)):
        share = np.clip(away / rng.uniform(0.36, 0.46), 0, 1) ** rng.uniform(0.7, 1.5)
        turn = rng.uniform(-0.65, 0.65) * np.sin(np.pi * share)
        c, s = np.cos(turn), np.sin(turn)
        from_x = (middle + c * (x - middle) - s * (y - middle)).astype(np.float32)
        from_y = (middle + s * (x - middle) + c * (y - middle)).astype(np.float32)
        for plane in (slice(0, 3), slice(3, 6)):
            face = np.ascontiguousarray(batch[n, plane].transpose(1, 2, 0))
            bent = cv2.remap(face, from_x, from_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            batch[n, plane] = bent.transpose(2, 0, 1)


def crossed(batch: Array, labels: dict[str, Array], planes: int, rng: np.random.Generator) -> dict[str, Array]:
    """Lays a stick across one patch in sixteen, on each plane as far aside as its height makes it; the labels
    that are left. Sticks, pens and fingertips come in more ways than whole pictures can be drawn."""
    share = np.zeros(len(batch), np.float32)
    for n in np.flatnonzero(rng.random(len(batch)) < 1 / 16):
        angle, aside = rng.uniform(0, np.pi), rng.uniform(-0.45, 0.45) * SIDE
        along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        ends = SIDE / 2 + across * aside + np.outer([-SIDE, SIDE if rng.random() < 0.7 else 0.3 * SIDE], along)
        thick = round(float(np.exp(rng.uniform(np.log(2), np.log(12)))))
        color = rng.uniform(10, 235, 3)
        apart = rng.normal(0, 3, 2)
        for plane in range(planes):
            view = np.ascontiguousarray(batch[n, 3 * plane : 3 * plane + 3].transpose(1, 2, 0))
            a, b = (tuple(int(v) for v in np.round(end + apart * plane)) for end in ends)
            cv2.line(view, a, b, (color * rng.uniform(0.5, 1)).tolist(), thick, cv2.LINE_AA)
            if thick > 3:
                cv2.line(view, a, b, color.tolist(), max(1, thick // 2), cv2.LINE_AA)
            if plane == 0:
                share[n] = np.mean(np.any(view != batch[n, :3].transpose(1, 2, 0), axis=2))
            batch[n, 3 * plane : 3 * plane + 3] = view.transpose(2, 0, 1)
    hidden = as_far_as_seen({key: values for key, values in labels.items() if key != "hidden"}, share)
    return {**hidden, "hidden": np.where(hidden["hidden"] == 0, labels["hidden"], hidden["hidden"])}


def other_mats(batch: Array, kind: Array, rng: np.random.Generator) -> Array:
    """The same cells on mats of other colors: what bare mat is can only be told by the mat itself. Some mats
    become nearly as the cell itself, the hardest to tell."""
    gain = np.exp(rng.normal(0, 0.5, (len(batch), 3)) * (rng.random((len(batch), 1)) < 0.6))
    bare = kind == TILE_KINDS.index("empty")
    near = ~bare & (rng.random(len(batch)) < 0.15)
    inner = slice(SIDE // 4, SIDE - SIDE // 4)
    own = batch[:, :3, inner, inner].mean(axis=(2, 3)) / np.maximum(batch[:, -3:, 0, 0], 1)
    away = np.concatenate([rng.normal(0, 0.04, (len(batch), 3)) + rng.normal(0, 0.15, (len(batch), 1))], axis=1)
    # Far enough to be seen: a tile that is as the mat to a hair teaches nothing.
    hue = np.abs(away - away.mean(axis=1, keepdims=True)).max(axis=1)
    near &= (hue > 0.03) | (np.abs(away.mean(axis=1)) > 0.12)
    gain = np.where(near[:, None], own * np.exp(away), gain).astype(np.float32)[:, :, None, None]
    wide = batch.astype(np.float32)
    wide[:, -3:] *= gain
    wide[bare, :3] *= gain[bare]
    wide[bare, 3:6] *= gain[bare]
    return np.clip(wide, 0, 255)


def veils(count: int, rows: int, columns: int, rng: np.random.Generator) -> torch.Tensor:
    """Glare over some of the patches: a lamp or a window mirrored by satin surfaces, stronger to one side, or as a
    spot with a soft rim."""
    strength = np.where(rng.random(count) < 0.35, rng.uniform(0, 0.75, count), 0.0)
    lean = rng.uniform(-1, 1, (count, 2))
    y, x = np.linspace(-0.5, 0.5, rows), np.linspace(-0.5, 0.5, columns)
    ramp = 0.7 + lean[:, :1, None] * x[None, None, :] + lean[:, 1:, None] * y[None, :, None]
    at, wide = rng.uniform(-0.6, 0.6, (count, 2)), np.exp(rng.uniform(np.log(0.08), np.log(0.6), count))
    away = np.hypot(x[None, None, :] - at[:, :1, None], y[None, :, None] - at[:, 1:, None])
    spot = 1.3 * np.exp(-((away / wide[:, None, None]) ** 2))
    veil = strength[:, None, None] * np.where((rng.random(count) < 0.4)[:, None, None], spot, np.clip(ramp, 0, 1.2))
    return torch.from_numpy(veil.astype(np.float32))[:, None]


def shadows(count: int, rows: int, columns: int, rng: np.random.Generator) -> torch.Tensor:
    """How much light is left where something beside a patch keeps the lamp from it: behind one edge, between two, or
    behind a corner; hard or soft. What lies in shadow is not hidden."""
    left = np.where(rng.random(count) < SHADED, rng.uniform(0.15, 0.7, count), 1.0)[:, None, None]
    y, x = np.linspace(-0.5, 0.5, rows), np.linspace(-0.5, 0.5, columns)
    soft = np.exp(rng.uniform(np.log(0.01), np.log(0.25), count))[:, None, None]

    def behind(angle: Array, at: Array) -> Array:
        over = np.cos(angle)[:, None, None] * x[None, None, :] + np.sin(angle)[:, None, None] * y[None, :, None]
        return np.clip(0.5 + (over - at[:, None, None]) / soft, 0, 1)

    angle, at = rng.uniform(0, 2 * np.pi, count), rng.uniform(-0.5, 0.4, count)
    other, kind = behind(angle + np.pi, -at - rng.uniform(0.1, 0.8, count)), rng.random(count)
    corner = behind(angle + np.pi / 2, rng.uniform(-0.5, 0.3, count))
    dark = behind(angle, at)
    dark = np.where((kind < 0.35)[:, None, None], dark * other, dark)
    dark = np.where((kind > 0.65)[:, None, None], dark * corner, dark)
    return torch.from_numpy((1 - dark * (1 - left)).astype(np.float32))[:, None]


def relit(
    batch: torch.Tensor, rng: np.random.Generator, veiled: int | None = None, shaded: bool = True
) -> torch.Tensor:
    """Random errors of the light's measurement, shadows, veils of glare, and a little more noise and blur. The pictures
    have such errors of their own, so these are small. Only the first `veiled` channels are places in the
    picture, the rest is the mat's color."""
    n, channels = batch.shape[:2]
    gain = np.exp(rng.normal(0, 0.1, (n, 1)) + np.tile(rng.normal(0, 0.035, (n, 3)), (1, channels // 3)))
    out = batch * torch.from_numpy(gain.astype(np.float32))[:, :, None, None]
    power = torch.from_numpy(np.exp(rng.normal(0, 0.07, (n, 1, 1, 1))).astype(np.float32))
    out = out.clamp(1e-3, 1.5) ** power
    if shaded:
        dim = shadows(n, batch.shape[2], batch.shape[3], rng)
        out = torch.cat([out[:, :veiled] * dim, out[:, veiled:]], dim=1) if veiled else out * dim
    veil = veils(n, batch.shape[2], batch.shape[3], rng)
    # What is mirrored is mostly a lamp or a window, sometimes a wall or a shelf.
    mirrored = rng.uniform(0.3, 1.05, (n, 1)) * np.exp(np.tile(rng.normal(0, 0.12, (n, 3)), (1, channels // 3)))
    mirrored = np.where(rng.random((n, 1)) < 0.5, 1.05, mirrored)
    shine = torch.from_numpy(mirrored.astype(np.float32))[:, :veiled, None, None]
    seen = out[:, :veiled] * (1 - veil) + shine * veil
    if rng.random() < 0.3:
        seen = torch.nn.functional.avg_pool2d(torch.nn.functional.pad(seen, (1, 1, 1, 1), mode="replicate"), 3, 1)
    if rng.random() < 0.5:
        seen = seen + torch.randn_like(seen) * float(rng.uniform(0, 0.05))
    whole = seen if veiled is None else torch.cat([seen, out[:, veiled:]], dim=1)
    return whole.clamp(0, 1.275)


def loss_of(field: str, logits: torch.Tensor, labels: dict[str, torch.Tensor]) -> torch.Tensor:
    total = torch.zeros(())
    start = 0
    for part, size in OUTPUTS[field].items():
        piece = logits[:, start : start + size]
        start += size
        truth = labels[part]
        known = truth >= 0
        if not bool(known.any()):
            continue
        if part == "hidden":
            total = total + 2 * nn.functional.binary_cross_entropy_with_logits(piece[known, 0], truth[known].float())
        elif part == "arrows":
            total = total + nn.functional.cross_entropy(piece[known] @ SHOWN, TRIPLE[truth[known]])
        elif part == "state":
            # Smoothed over the set's own states only: over the others it would lift what -30 rules out.
            rivals = _other_sets(truth[known])
            logs = torch.log_softmax(piece[known] + rivals, 1)
            own = (rivals == 0).float()
            even = (logs * own).sum(1) / own.sum(1)
            total = total - (0.998 * logs.gather(1, truth[known, None])[:, 0] + 0.002 * even).mean()
        else:
            weight = {"pawn": 3.0, "letter": 2.0}.get(part, 1.0)  # there are few, and small ones
            total = total + weight * nn.functional.cross_entropy(piece[known], truth[known], label_smoothing=0.002)
    return total


# A tile shows three arrows: the logits of three directions add up to that of their triple.
SHOWN = torch.tensor([[float(d in triple.split("-")) for triple in TRIPLES] for d in DIRECTIONS])
TRIPLE = torch.zeros(256, dtype=torch.long)
TRIPLE[(SHOWN.T @ (2.0 ** torch.arange(8))).long()] = torch.arange(len(TRIPLES))

_PARTNERS = torch.full((len(SEVEN_STATES), len(SEVEN_STATES)), -30.0)
for _labels in SETS.values():
    for _one in _labels.pieces.values():
        for _two in _labels.pieces.values():
            _PARTNERS[SEVEN_STATES.index(_one), SEVEN_STATES.index(_two)] = 0.0


def _other_sets(truth: torch.Tensor) -> torch.Tensor:
    """It is known which pieces are played with when a seven field is read, so only their states compete."""
    return _PARTNERS[truth]


def train(
    field: str,
    folder: Path,
    epochs: int,
    seed: int = 0,
    further: bool = False,
    traced: bool = True,
    into: Path = WEIGHTS,
    only: str = "",
) -> None:
    """From where it was left or, `further`, at first from the shipped weights; with path-traced pictures or without.
    `only` is the part of the output that is wanted: then it is written by its own name, and the rest is forgotten."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    began = time.time()
    paths = [path for path in pictures_of(field, folder) if traced or not is_traced(path)]
    aside, cells = gather(field, paths[::12], rng), gather(field, [p for n, p in enumerate(paths) if n % 12], rng)
    if field == "tiles":
        aside = printed(aside, rng)
    count = len(cells.patches)
    print(f"{field}: {count} cells cut in {time.time() - began:.0f} s", flush=True)
    net = CellNet(cells.patches.shape[1], sum(OUTPUTS[field].values()), WIDTHS[field])
    checkpoint = folder / f"{only or field}.pt"  # training goes on from where it was left
    fastest = 4e-3
    if further:
        go_on(net, field, as_met(field, cells, rng.permutation(count)[:2048], rng)[0])
        fastest = FURTHER[only or field]
    if checkpoint.exists():
        net.load_state_dict(torch.load(checkpoint))
        fastest = fastest / 2.5  # not so fast as to forget what was learned
    net = net.to(memory_format=torch.channels_last)  # a third faster on a processor
    batch_size = 256
    steps = epochs * (count // batch_size)
    steady = steadied(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=fastest, total_steps=max(steps, 1), pct_start=0.15)
    for epoch in range(epochs):
        net.train()
        shuffled = rng.permutation(count)
        losses = []
        for first in range(0, count - batch_size + 1, batch_size):
            tensor, truth = as_met(field, cells, shuffled[first : first + batch_size], rng)
            loss = loss_of(field, net(tensor)[:, :, 0, 0], truth)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            steady.update_parameters(net)
            losses.append(float(loss.detach()))
        print(
            f"epoch {epoch + 1}: loss {np.mean(losses):.4f}; wrong {report(field, steady.module, aside)}; "
            f"{time.time() - began:.0f} s",
            flush=True,
        )
        torch.save(steady.module.state_dict(), checkpoint)
    assert isinstance(steady.module, CellNet)
    print(f"tempered by {temper(field, steady.module, aside, rng, 1.0 if further else 0.0)}", flush=True)
    example = torch.zeros(1, *cells.patches.shape[1:2], SIDE, SIDE)
    if only:
        save(part_of(steady.module, field, only), only, example, into)
    else:
        save(steady.module, field, example, into, KEEP[field] if further else 0.0)


def part_of(net: CellNet, field: str, part: str) -> CellNet:
    """The network without what it says of other parts of the output."""
    start = 0
    for name, size in OUTPUTS[field].items():
        if name == part:
            break
        start += size
    alone = deepcopy(net)
    head = nn.Conv2d(net.head.in_channels, size, 1)
    assert net.head.bias is not None
    assert head.bias is not None
    with torch.no_grad():
        head.weight.copy_(net.head.weight[start : start + size])
        head.bias.copy_(net.head.bias[start : start + size])
    alone.head = head
    return alone


def as_met(
    field: str, cells: Cells, picked: Array, rng: np.random.Generator
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Some of the cells with all that may befall them."""
    batch, labels = varied(cells, picked, rng, mirror=field != "planks")
    batch = np.ascontiguousarray(batch)
    if field == "tiles":
        curved(batch, labels, rng)
    labels = crossed(batch, labels, len(CUTS[field].heights), rng)
    if CUTS[field].mat:
        lit = relit(torch.from_numpy(other_mats(batch, labels["kind"], rng)) / 200, rng, 3 * len(CUTS[field].heights))
        tensor = torch.from_numpy(against_mat(lit.numpy() * 200)) / 200
    else:
        tensor = relit(torch.from_numpy(batch).float() / 200, rng)
    tensor = tensor.contiguous(memory_format=torch.channels_last)
    return tensor, {key: torch.from_numpy(np.ascontiguousarray(values)).long() for key, values in labels.items()}


def odds(field: str, part: str, piece: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """The logits between which a part of the output chooses."""
    if part == "hidden":
        return torch.cat([torch.zeros_like(piece), piece], dim=1)
    if part == "arrows":
        return piece @ SHOWN
    return piece + _other_sets(truth) if part == "state" else piece


def answers(field: str, logits: torch.Tensor, labels: dict[str, torch.Tensor]) -> Iterator[tuple[str, slice, Any, Any]]:
    """Per part of the output: its name, where it lies, the logits of the cells whose truth is known, and that."""
    start = 0
    for part, size in OUTPUTS[field].items():
        where = slice(start, start + size)
        start += size
        truth = labels[part]
        known = truth >= 0
        choice = odds(field, part, logits[known, where], truth[known])
        yield part, where, choice, TRIPLE[truth[known]] if part == "arrows" else truth[known]


def temper(field: str, net: CellNet, aside: Cells, rng: np.random.Generator, least: float) -> str:
    """Divides each part's logits so that, on pictures kept aside, likelihoods are what they say they are. Few pictures
    hold too few errors to make anything surer by: then `least` is 1."""
    net.eval()
    order = np.arange(len(aside.patches))
    parts = [as_met(field, aside, some, rng) for some in np.array_split(order, max(1, len(order) // 256))]
    with torch.no_grad():
        logits = torch.cat([net(tensor)[:, :, 0, 0] for tensor, _ in parts])
        labels = {key: torch.cat([truth[key] for _, truth in parts]) for key in parts[0][1]}
        said = []
        tempers = TEMPERS[least <= TEMPERS]
        for part, where, choice, truth in answers(field, logits, labels):
            by = [float(nn.functional.cross_entropy(choice / t, truth)) for t in tempers]
            best = float(tempers[int(np.argmin(by))])
            net.head.weight[where] /= best
            assert net.head.bias is not None
            net.head.bias[where] /= best
            said.append(f"{part} {best:.2f}")
    return ", ".join(said)


def report(field: str, net: nn.Module, aside: Cells) -> str:
    """The share of wrong answers on pictures that were kept aside."""
    net.eval()
    half = ROOM // 2
    patches = aside.patches[:, :, half : half + SIDE, half : half + SIDE]
    logs = []
    with torch.no_grad():
        for some in np.array_split(patches, max(1, len(patches) // 512)):
            seen = against_mat(some) if CUTS[field].mat else some.astype(np.float32)
            logs.append(net(torch.from_numpy(seen) / 200)[:, :, 0, 0])
    logits = torch.cat(logs)
    labels = {key: torch.from_numpy(values).long() for key, values in aside.labels.items()}
    wrong = [
        f"{part} {100 * float((choice.argmax(1) != truth).float().mean()):.2f}%"
        for part, _, choice, truth in answers(field, logits, labels)
    ]
    return ", ".join(wrong)


if __name__ == "__main__":
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    how = sys.argv[4] if len(sys.argv) > 4 else ""
    train(sys.argv[1], Path(sys.argv[2]), rounds, further=bool(how), only="" if how == "further" else how)
