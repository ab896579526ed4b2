"""Trains the networks that read what is printed on pieces of any colors: python -m vision.training.any_colors FIELD
PICTURES ROUNDS [EPOCHS]. They go on from the shipped networks of their field, and are asked where a table has learned
its own set.

Half of the pictures show sets each of whose pieces has colors of its own, so that no color means anything; what colors
tell is left to what the table has learned.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.codes import OUTPUTS
from vision.fields import usual_field
from vision.ink import black_on_white
from vision.patches import CUTS, SIDE
from vision.simulate import pieces
from vision.simulate.camera import random_pose
from vision.simulate.colors import printed, strange
from vision.simulate.render import random_hand, render
from vision.simulate.scene import bare_table
from vision.simulate.style import Rng, Style, random_lens, random_light, random_style
from vision.training.cells import (
    IGNORED,
    ROOM,
    SHOWN,
    TRIPLE,
    WIDTHS,
    Array,
    Cells,
    crossed,
    gather,
    other_mats,
    relit,
    varied,
)
from vision.training.lived_in import careless, worn
from vision.training.nets import CellNet, go_on, save, steadied
from vision.training.pictures import SIZES, write
from vision.training.positions import labels_of, random_layout
from vision.training.sample import Sample

FASTEST, BATCH = 2e-3, 192
EPOCHS, PICTURES = {"tiles": 14, "planks": 40}, 600
COINS = 8  # in every so many pictures of planks the tokens are coins, on which no letter is to be read
SETS = {"tiles": ("tiles, odd", "tiles"), "planks": ("planks, odd", "planks")}
# Outputs that colors alone could tell apart are judged together: of a token only that it is there, of a plain tile
# which way up it lies not at all, of a pawn its shape and not whose it is.
TOGETHER = {
    "kind": ((0,), (1,), (2,), (3,), (4,), (5, 6), (7,)),
    "token": ((0,), (1, 2, 3)),
    "pawn": ((0,), (1, 2), (3, 4)),
}


def any_sample(seed: int, name: str) -> Sample:
    """A position of a set in colors of its own, in a third of the pictures printed ones."""
    rng = np.random.default_rng(seed)
    colored = printed if rng.random() < 0.3 else strange

    def wear(rng: Rng, style: Style) -> Style:
        return replace(colored(rng, worn(rng, style) if lived_in else style), coins=seed % COINS == 0)

    lived_in = bool(rng.random() < 0.5)
    style = replace(wear(rng, random_style(rng)), wear=wear)
    field = usual_field(labels_of(name).field)
    pose = random_pose(rng, field, SIZES[seed % len(SIZES)])
    light = random_light(rng, (field.columns / 2, field.rows / 2))
    lens = careless(rng, random_lens(rng)) if lived_in else random_lens(rng)
    scene = bare_table(rng, field, style, float(np.clip(pose.cell_pixels * 1.1, 36, 72)))
    layout = random_layout(rng, name)
    pieces.lay(lambda _: rng, scene, layout, style)
    hand = bool(rng.random() < 0.3)
    balls = random_hand(rng, scene, style, pose.eye) if hand else []
    pieces.spots(rng, scene)
    picture = render(rng, scene, pose, light, style, lens, balls)
    return Sample(picture.image, pose, layout, hand, picture.blocked)


def draw(field: str, folder: Path, first: int, count: int) -> None:
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        write(folder, seed, any_sample(seed, SETS[field][seed % 4 == 0]))


def _gathered(field: str, paths: list[Path], rng: Rng) -> Cells:
    """The cells of all pictures; coins have no letters."""
    coins = [path for path in paths if field == "planks" and int(path.stem.split("-")[1]) % COINS == 0]
    parts = [gather(field, some, rng) for some in (coins, [path for path in paths if path not in coins]) if some]
    if coins:
        parts[0].labels["letter"][:] = IGNORED
    labels = {key: np.concatenate([cells.labels[key] for cells in parts]) for key in parts[0].labels}
    return Cells(np.concatenate([cells.patches for cells in parts]), labels)


def as_met(field: str, cells: Cells, picked: Array, rng: Rng) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Some of the cells with all that may befall them, as black on white."""
    batch, labels = varied(cells, picked, rng, mirror=field != "planks")
    batch = np.ascontiguousarray(batch)
    planes = len(CUTS[field].heights)
    labels = crossed(batch, labels, planes, rng)
    lit = other_mats(batch, labels["kind"], rng) if CUTS[field].mat else batch.astype(np.float32)
    met = relit(torch.from_numpy(lit) / 200, rng, 3 * planes if CUTS[field].mat else None)
    tensor = torch.from_numpy(black_on_white(field, met.numpy() * 200)) / 200
    known = {key: torch.from_numpy(np.ascontiguousarray(values)).long() for key, values in labels.items()}
    return tensor.contiguous(memory_format=torch.channels_last), known


def judged(
    field: str, logits: torch.Tensor, labels: dict[str, torch.Tensor]
) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
    """Per part of the output what it chooses between, and the truth."""
    found, start = {}, 0
    for part, size in OUTPUTS[field].items():
        piece, truth = logits[:, start : start + size], labels[part]
        start += size
        known = truth != IGNORED
        piece, truth = piece[known], truth[known]
        if part == "color" or not len(truth):
            continue
        if part == "hidden":
            piece = torch.cat([torch.zeros_like(piece), piece], dim=1)
        elif part == "arrows":
            piece, truth = piece @ SHOWN, TRIPLE[truth]
        elif part in TOGETHER:
            groups = TOGETHER[part]
            piece = torch.stack([piece[:, list(group)].logsumexp(1) for group in groups], dim=1)
            truth = torch.tensor([next(g for g, group in enumerate(groups) if int(t) in group) for t in truth])
        found[part] = piece, truth
    return found


def train(field: str, folder: Path, epochs: int, seed: int = 0) -> None:
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    began = time.time()
    paths = sorted(folder.glob(f"{field}-*.json"))
    aside, cells = _gathered(field, paths[::12], rng), _gathered(field, [p for n, p in enumerate(paths) if n % 12], rng)
    count = len(cells.patches)
    print(f"{field}: {count} cells cut in {time.time() - began:.0f} s", flush=True)
    net = CellNet(cells.patches.shape[1], sum(OUTPUTS[field].values()), WIDTHS[field])
    go_on(net, field, as_met(field, cells, rng.permutation(count)[:2048], rng)[0])
    checkpoint = folder / f"{field}.pt"
    if checkpoint.exists():
        net.load_state_dict(torch.load(checkpoint))
    net = net.to(memory_format=torch.channels_last)
    steady = steadied(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=FASTEST, weight_decay=1e-3)
    steps = max(1, epochs * (count // BATCH))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=FASTEST, total_steps=steps, pct_start=0.1)
    for epoch in range(epochs):
        net.train()
        shuffled, losses = rng.permutation(count), []
        for first in range(0, count - BATCH + 1, BATCH):
            tensor, truth = as_met(field, cells, shuffled[first : first + BATCH], rng)
            parts = judged(field, net(tensor)[:, :, 0, 0], truth)
            losses_of = (nn.functional.cross_entropy(*part, label_smoothing=0.01) for part in parts.values())
            loss = sum(losses_of, torch.zeros(()))
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            steady.update_parameters(net)
            losses.append(float(loss.detach()))
        said = report(field, steady.module, aside)
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}; wrong {said}; {time.time() - began:.0f} s", flush=True)
        torch.save(steady.module.state_dict(), checkpoint)
    save(steady.module, f"{field}-any", torch.zeros(1, cells.patches.shape[1], SIDE, SIDE))


def report(field: str, net: nn.Module, aside: Cells) -> str:
    """The share of wrong answers on pictures that were kept aside."""
    net.eval()
    half = ROOM // 2
    seen = black_on_white(field, aside.patches[:, :, half : half + SIDE, half : half + SIDE])
    with torch.no_grad():
        parts_of = np.array_split(seen, 1 + len(seen) // 512)
        logits = torch.cat([net(torch.from_numpy(some) / 200)[:, :, 0, 0] for some in parts_of])
    labels = {key: torch.from_numpy(values).long() for key, values in aside.labels.items()}
    wrong = {
        part: float((piece.argmax(1) != truth).float().mean())
        for part, (piece, truth) in judged(field, logits, labels).items()
    }
    return ", ".join(f"{part} {100 * share:.2f}%" for part, share in wrong.items())


if __name__ == "__main__":
    draw(sys.argv[1], Path(sys.argv[2]), 0, int(sys.argv[3]))
    train(sys.argv[1], Path(sys.argv[2]), int(sys.argv[4]) if len(sys.argv) > 4 else EPOCHS[sys.argv[1]])
