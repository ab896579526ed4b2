"""Trains the network that finds planks on their mat: python -m vision.training.row PICTURES [EPOCHS] [further]."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.light import Lighting
from vision.network import WEIGHTS
from vision.readers.row import MARGIN, STEP, sheet_of
from vision.training.cells import FURTHER, TIMES, Array, is_traced, pictures_of, relit, shaken
from vision.training.nets import RowNet, go_on, save, steadied
from vision.training.pictures import load


def targets(shape: tuple[int, int], places: Array, rows: int) -> Array:
    """Per grid cell: the heat of a plank's middle, the way to it in grid cells, and where that counts."""
    heat = np.zeros((4, *shape), np.float32)
    row, column = np.mgrid[: shape[0], : shape[1]]
    for x, y, _ in places:
        cx, cy = (x + MARGIN) / STEP - 0.5, (rows + MARGIN - y) / STEP - 0.5
        near = (column - cx) ** 2 + (row - cy) ** 2
        heat[0] = np.maximum(heat[0], np.exp(-near / (2 * 0.7**2)))
        close = near < 1.2
        heat[1][close], heat[2][close], heat[3][close] = (cx - column)[close], (cy - row)[close], 1
    return heat


def train(folder: Path, epochs: int, further: bool = False, traced: bool = True, into: Path = WEIGHTS) -> None:
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(1)
    sheets, truths, hidden = [], [], []
    began = time.time()
    paths = [path for path in pictures_of("planks", folder) if traced or not is_traced(path)]
    rng.shuffle(paths)  # type: ignore[arg-type]  # some of each source are kept aside
    for path in paths:
        image, pose, label, blocked = load(path)
        for _ in range(TIMES if is_traced(path) else 2):
            other, light, _ = shaken(rng, image, pose)
            sheet = sheet_of(image, other, light)
            shape = (sheet.shape[1] // 4, sheet.shape[2] // 4)
            gray = np.repeat(blocked[..., None], 3, axis=2)
            even = Lighting(np.log(np.full(3, 200.0)), np.zeros(3), np.zeros(3), 0.0)
            mask = cv2.resize(sheet_of(gray, pose, even)[0], shape[::-1], interpolation=cv2.INTER_AREA)
            sheets.append(sheet)
            truths.append(targets(shape, np.array(label["visible"].get("places", [])).reshape(-1, 3), pose.field.rows))
            hidden.append(mask.astype(np.float32) / 255)
    x, t, m = np.stack(sheets), np.stack(truths), np.stack(hidden)
    print(f"{len(x)} mats in {time.time() - began:.0f} s", flush=True)
    held = len(x) // 20
    net = RowNet()
    checkpoint = folder / "row.pt"  # training goes on from where it was left
    fastest = 4e-3
    if further:
        go_on(net, "row", relit(torch.from_numpy(x[:128]).float() / 200, rng, shaded=False))
        fastest = FURTHER["row"]
    elif checkpoint.exists():
        net.load_state_dict(torch.load(checkpoint))
        fastest = 1.5e-3  # not so fast as to forget what was learned
    batch_size = 16
    steps = epochs * ((len(x) - held) // batch_size)
    steady = steadied(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=fastest, total_steps=max(1, steps), pct_start=0.15)
    for epoch in range(epochs):
        net.train()
        order = held + rng.permutation(len(x) - held)
        losses = []
        for first in range(0, len(order) - batch_size + 1, batch_size):
            picked = order[first : first + batch_size]
            batch, truth, mask = x[picked], t[picked].copy(), m[picked]
            if rng.random() < 0.5:  # mirrored east–west
                batch, truth, mask = batch[..., ::-1], truth[..., ::-1].copy(), mask[..., ::-1]
                truth[:, 1] *= -1
            if rng.random() < 0.5:  # mirrored north–south
                batch, truth, mask = batch[..., ::-1, :], truth[..., ::-1, :].copy(), mask[..., ::-1, :]
                truth[:, 2] *= -1
            tensor = torch.from_numpy(np.ascontiguousarray(batch)).float() / 200
            tensor = relit(tensor, rng, shaded=False)  # how far it is from the mat's color would not follow
            goal = torch.from_numpy(np.ascontiguousarray(truth))
            loss = loss_of(net(tensor), goal, torch.from_numpy(np.ascontiguousarray(mask)))
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            steady.update_parameters(net)
            losses.append(float(loss.detach()))
        steady.eval()
        with torch.no_grad():
            out = steady(torch.from_numpy(x[:held]).float() / 200)
            test = float(loss_of(out, torch.from_numpy(t[:held]), torch.from_numpy(m[:held])))
        print(
            f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, aside {test:.4f}; {time.time() - began:.0f} s",
            flush=True,
        )
    torch.save(steady.module.state_dict(), checkpoint)
    save(steady.module, "row", torch.zeros(1, *x.shape[1:]), into)


def loss_of(out: torch.Tensor, goal: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    heat = out[:, 0]
    open_ = (mask < 0.3).float()  # what is hidden cannot be found
    weight = (1 + 8 * goal[:, 0]) * open_
    total = (nn.functional.binary_cross_entropy_with_logits(heat, goal[:, 0], reduction="none") * weight).mean() * 10
    counts = goal[:, 3] * open_
    way = ((out[:, 1:3] - goal[:, 1:3]).abs().sum(1) * counts).sum() / counts.sum().clamp(min=1)
    # A stick is narrower than a grid cell; of what only touches one nobody can tell.
    clear, thing = (mask < 0.02).float(), (mask > 0.12).float()
    seen = nn.functional.binary_cross_entropy_with_logits(out[:, 3], thing, reduction="none")
    return total + way + 2 * (seen * (clear + 3 * thing)).mean()


if __name__ == "__main__":
    train(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 12, sys.argv[3:] == ["further"])
