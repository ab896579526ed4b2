"""Trains the networks that read cells: python -m vision.training.cells FIELD PICTURES [EPOCHS].

Patches are cut as the reader cuts them, with the small errors of pose and light that a real picture brings,
then shifted, turned, mirrored and re-lit at random, so that no single picture's look can be learned.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from vision.codes import (
    COLOURS,
    DIE_COLOURS,
    DIE_FACES,
    DIRECTIONS,
    OUTPUTS,
    OWNERS,
    PAWNS,
    SEVEN_CODES,
    SEVEN_STATES,
    TILE_KINDS,
)
from vision.fields import GAMES_OF_FIELD
from vision.light import Light, measure
from vision.patches import CUTS, SIDE, Cut, against_mat, cut_at, cut_cells
from vision.pose import Image, Marker, Pose
from vision.training.nets import CellNet, save
from vision.training.pictures import load

Array = npt.NDArray[Any]
ROOM = 4  # pixels to shift in
IGNORED = -1
WIDTHS = {"seven": 16, "faces": 16, "tiles": 16, "planks": 20}


@dataclass
class Cells:
    """Patches (uint8, SIDE + ROOM wide) with one label array per part of the network's output."""

    patches: Array
    labels: dict[str, Array]


def shaken(rng: np.random.Generator, image: Image, pose: Pose) -> tuple[Pose, Light, float]:
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
    grey = np.repeat(blocked[..., None], 3, axis=2)
    even = Light(np.log(np.full(3, 200.0)), np.zeros(3), np.zeros(3), 0.0)
    patches = cut_cells(grey, pose, even, cut)
    half = min(SIDE, cut.ppu * 0.9) / 2
    inner = slice(round(SIDE / 2 - half), round(SIDE / 2 + half))
    return np.asarray(patches[:, 0, inner, inner].mean(axis=(1, 2)) / 255, dtype=np.float32)


def _seven(label: dict[str, Any]) -> dict[str, list[int]]:
    table = SEVEN_CODES[label["game"]]
    return {"state": [SEVEN_STATES.index(table[code]) for code in label["cells"]]}


def _faces(label: dict[str, Any]) -> dict[str, list[int]]:
    codes = label["cells"]
    faces = [DIE_FACES.index(code[1:]) if code != "." else IGNORED for code in codes]
    return {"colour": [DIE_COLOURS.index(code[0]) for code in codes], "face": faces}


def _tiles(label: dict[str, Any]) -> dict[str, list[int]]:
    kinds, arrows, dots, pawns = [], [], [], []
    standing = {square: 1 + PAWNS.index(name.split()[0]) for name, square in label["visible"].get("pawns", {}).items()}
    for n, code in enumerate(label["cells"]):
        name = code.rstrip("~")
        kind = name if name in TILE_KINDS else "arrows"
        kinds.append(TILE_KINDS.index(kind))
        shown = sum(1 << k for k, d in enumerate(DIRECTIONS) if d in name.split("-")) if kind == "arrows" else IGNORED
        arrows.append(shown)
        dots.append(IGNORED if kind != "arrows" else (1 if code.endswith("~") else 0))
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
    even = Light(np.log(np.full(3, 200.0)), np.zeros(3), np.zeros(3), 0.0)
    grey = np.repeat(blocked[..., None], 3, axis=2)
    share = cut_at(grey, pose, even, cut, squares)[:, 0, 2:-2, 2:-2].mean(axis=(1, 2)) / 255
    colours = [COLOURS.index(c) for plank in planks for c in plank["colors"]]
    tokens, letters = [], []
    for plank in planks:
        for colour, token in zip(plank["colors"], plank["tokens"], strict=True):
            tokens.append(0 if token == "." else 1 + COLOURS.index(token[2:] or colour))
            letters.append(IGNORED if token == "." else OWNERS.index(token[0]))
    labels = {"colour": np.array(colours), "token": np.array(tokens), "letter": np.array(letters)}
    labels = {key: np.where(share > 0.2, IGNORED, values) for key, values in labels.items()}
    labels["hidden"] = np.where(share > 0.2, 1, np.where(share > 0.02, IGNORED, 0))
    return patches, labels


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
    found = {key: np.where(share > 0.2, IGNORED, values) for key, values in found.items()}
    found["hidden"] = np.where(share > 0.2, 1, np.where(share > 0.02, IGNORED, 0))
    keep = np.ones(len(patches), bool)
    if field == "faces":  # most cells are bare: a third of them is enough
        keep = (found["colour"] != 0) | (share > 0.02) | (rng.random(len(patches)) < 0.35)
    return patches[keep], {key: values[keep] for key, values in found.items()}


def gather(field: str, folder: Path, rng: np.random.Generator, limit: int) -> Cells:
    games = GAMES_OF_FIELD[field]
    paths = [p for p in sorted(folder.glob("*.json")) if p.name.rsplit("-", 1)[0] in games]
    paths = paths[:-1]  # the last one may still be being written
    patches, labels = [], []
    for path in [paths[int(i)] for i in rng.permutation(len(paths))[:limit]]:
        cells = _planks(path, rng) if field == "planks" else _grid(field, path, rng)
        if cells is not None:
            patches.append(cells[0])
            labels.append(cells[1])
    return Cells(np.concatenate(patches), {key: np.concatenate([one[key] for one in labels]) for key in labels[0]})


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
    if "dot" in labels and quarters:  # what was south is east after one quarter turn; others are not known apart
        labels["dot"] = np.where(labels["dot"] == 0, (0, 1, 2, 3)[quarters], IGNORED)
    elif "dot" in labels:
        labels["dot"] = np.where(labels["dot"] == 0, 0, IGNORED)
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


def other_mats(batch: Array, kind: Array, rng: np.random.Generator) -> Array:
    """The same cells on mats of other colours: what bare mat is can only be told by the mat itself."""
    gain = np.exp(rng.normal(0, 0.5, (len(batch), 3))).astype(np.float32)[:, :, None, None]
    wide = batch.astype(np.float32)
    wide[:, -3:] *= gain
    bare = kind == TILE_KINDS.index("empty")
    wide[bare, :3] *= gain[bare]
    wide[bare, 3:6] *= gain[bare]
    return against_mat(np.clip(wide, 0, 255).astype(np.uint8))


def veils(count: int, rows: int, columns: int, rng: np.random.Generator) -> torch.Tensor:
    """Glare over some of the patches: a lamp mirrored by satin surfaces, stronger to one side."""
    strength = np.where(rng.random(count) < 0.35, rng.uniform(0, 0.65, count), 0.0)
    lean = rng.uniform(-1, 1, (count, 2))
    y, x = np.linspace(-0.5, 0.5, rows), np.linspace(-0.5, 0.5, columns)
    ramp = 0.7 + lean[:, :1, None] * x[None, None, :] + lean[:, 1:, None] * y[None, :, None]
    veil = strength[:, None, None] * np.clip(ramp, 0, 1.2)
    return torch.from_numpy(veil.astype(np.float32))[:, None]


def relit(batch: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Random errors of the light's measurement, veils of glare, and a little more noise and blur."""
    n, channels = batch.shape[:2]
    gain = np.exp(rng.normal(0, 0.14, (n, 1)) + np.tile(rng.normal(0, 0.05, (n, 3)), (1, channels // 3)))
    out = batch * torch.from_numpy(gain.astype(np.float32))[:, :, None, None]
    power = torch.from_numpy(np.exp(rng.normal(0, 0.1, (n, 1, 1, 1))).astype(np.float32))
    out = out.clamp(1e-3, 1.5) ** power
    veil = veils(n, batch.shape[2], batch.shape[3], rng)
    out = out * (1 - veil) + 1.05 * veil
    if rng.random() < 0.3:
        out = torch.nn.functional.avg_pool2d(torch.nn.functional.pad(out, (1, 1, 1, 1), mode="replicate"), 3, 1)
    if rng.random() < 0.5:
        out = out + torch.randn_like(out) * float(rng.uniform(0, 0.05))
    return out.clamp(0, 1.275)


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
            bits = (truth[known, None] >> torch.arange(8)) & 1
            total = total + 4 * nn.functional.binary_cross_entropy_with_logits(piece[known], bits.float())
        elif part == "state":
            # Smoothed over the game's own states only: over the others it would lift what -30 rules out.
            rivals = _other_games(truth[known])
            logs = torch.log_softmax(piece[known] + rivals, 1)
            own = (rivals == 0).float()
            even = (logs * own).sum(1) / own.sum(1)
            total = total - (0.998 * logs.gather(1, truth[known, None])[:, 0] + 0.002 * even).mean()
        else:
            weight = 3.0 if part == "pawn" else 1.0  # there are few
            total = total + weight * nn.functional.cross_entropy(piece[known], truth[known], label_smoothing=0.002)
    return total


_PARTNERS = torch.full((len(SEVEN_STATES), len(SEVEN_STATES)), -30.0)
for _table in (SEVEN_CODES["hepta"], SEVEN_CODES["tetrods"], SEVEN_CODES["pegs"]):
    for _one in _table.values():
        for _two in _table.values():
            _PARTNERS[SEVEN_STATES.index(_one), SEVEN_STATES.index(_two)] = 0.0


def _other_games(truth: torch.Tensor) -> torch.Tensor:
    """The game is known when a seven field is read, so only its own states compete."""
    return _PARTNERS[truth]


def train(field: str, folder: Path, epochs: int, limit: int = 100000, seed: int = 0) -> None:
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    began = time.time()
    cells = gather(field, folder, rng, limit)
    count = len(cells.patches)
    print(f"{field}: {count} cells cut in {time.time() - began:.0f} s", flush=True)
    order = rng.permutation(count)
    held, used = order[: count // 25], order[count // 25 :]
    net = CellNet(cells.patches.shape[1], sum(OUTPUTS[field].values()), WIDTHS[field])
    checkpoint = folder / f"{field}.pt"  # training goes on from where it was left
    fastest = 4e-3
    if checkpoint.exists():
        net.load_state_dict(torch.load(checkpoint))
        fastest = 1.5e-3  # not so fast as to forget what was learned
    batch_size = 256
    steps = epochs * (len(used) // batch_size)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=fastest, total_steps=max(steps, 1), pct_start=0.15)
    for epoch in range(epochs):
        net.train()
        shuffled = rng.permutation(used)
        losses = []
        for first in range(0, len(shuffled) - batch_size + 1, batch_size):
            picked = shuffled[first : first + batch_size]
            batch, labels = varied(cells, picked, rng, mirror=field != "planks")
            if field == "tiles":
                batch = other_mats(batch, labels["kind"], rng)
            tensor = relit(torch.from_numpy(np.ascontiguousarray(batch)).float() / 200, rng)
            truth = {key: torch.from_numpy(np.ascontiguousarray(values)).long() for key, values in labels.items()}
            loss = loss_of(field, net(tensor)[:, :, 0, 0], truth)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            losses.append(float(loss))
        print(
            f"epoch {epoch + 1}: loss {np.mean(losses):.4f}; {report(field, net, cells, held)}; "
            f"{time.time() - began:.0f} s",
            flush=True,
        )
        torch.save(net.state_dict(), checkpoint)
        save(net, field, torch.zeros(1, *cells.patches.shape[1:2], SIDE, SIDE))


def report(field: str, net: CellNet, cells: Cells, held: Array) -> str:
    """The share of wrong answers on cells that were kept aside."""
    net.eval()
    wrong = []
    half = ROOM // 2
    parts = []
    with torch.no_grad():
        for k in range(0, len(held), 512):
            patches = cells.patches[held[k : k + 512], :, half : half + SIDE, half : half + SIDE]
            if CUTS[field].mat:
                patches = against_mat(patches)
            parts.append(net(torch.from_numpy(np.ascontiguousarray(patches)).float() / 200)[:, :, 0, 0])
    logits = torch.cat(parts)
    start = 0
    for part, size in OUTPUTS[field].items():
        piece = logits[:, start : start + size]
        start += size
        truth = torch.from_numpy(cells.labels[part][held]).long()
        known = truth >= 0
        piece, truth = piece[known], truth[known]
        if part == "hidden":
            bad = (piece[:, 0] > 0) != (truth > 0)
        elif part == "arrows":
            bad = ((piece > 0).long() != ((truth[:, None] >> torch.arange(8)) & 1)).any(1)
        elif part == "state":
            bad = (piece + _other_games(truth)).argmax(1) != truth
        else:
            bad = piece.argmax(1) != truth
        wrong.append(f"{part} {100 * float(bad.float().mean()):.2f}%")
    return "wrong " + ", ".join(wrong)


if __name__ == "__main__":
    train(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 10)
