"""Train the network behind `vision.dice` on rendered pictures and write it as ONNX.

    python -m vision.training.dice PICTURES_DIR [--pictures 9000] [--minutes 30] [--out vision/dice.onnx]

The first pictures are rendered into PICTURES_DIR once; others take their places as training goes on.
Needs `pip install torch onnx`, which the companion itself never does.
"""

from __future__ import annotations

import argparse
import copy
import io
import itertools
import math
import pathlib
import pickle
import time
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from vision.training.dice_pictures import Label, Picture, Scene, render, spoil

CROP = 256
STRIDE = 4
SHARD = 250
# A die less visible than this may be reported or not: it is neither rewarded nor punished.
SHOWN = 0.6


def _block(ins: int, outs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(ins, outs, 3, stride, 1, bias=False), nn.BatchNorm2d(outs), nn.ReLU(True))


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _block(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return fn.relu(x + self.second(self.first(x)))


class Network(nn.Module):
    """A small hourglass; per 4 × 4 pixels: upper face here, log of width and height, value, pip here."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _block(3, 16, 2)
        self.quarter = nn.Sequential(_block(16, 32, 2), _Residual(32))
        self.eighth = nn.Sequential(_block(32, 48, 2), _Residual(48))
        self.sixteenth = nn.Sequential(_block(48, 64, 2), _Residual(64))
        self.up_eighth = nn.Conv2d(64, 48, 1)
        self.join_eighth = _block(48, 48)
        self.up_quarter = nn.Conv2d(48, 32, 1)
        self.join_quarter = _block(32, 48)
        self.head = nn.Conv2d(48, 10, 1)
        with torch.no_grad():
            # Faces and pips are rare: start from there, or the first steps are lost on saying so.
            bias = self.head.bias
            assert bias is not None
            bias[0] = -4.0
            bias[9] = -3.0

    def forward(self, x: Tensor) -> Tensor:
        quarter = self.quarter(self.stem(x))
        eighth = self.eighth(quarter)
        low = self.up_eighth(self.sixteenth(eighth))
        eighth = self.join_eighth(eighth + fn.interpolate(low, scale_factor=2.0, mode="nearest"))
        low = self.up_quarter(eighth)
        quarter = self.join_quarter(quarter + fn.interpolate(low, scale_factor=2.0, mode="nearest"))
        out: Tensor = self.head(quarter)
        return out


def _bump(target: NDArray[np.float32], x: float, y: float, sigma: float) -> None:
    """Raise the target to a Gaussian around a place given in cells."""
    cells = target.shape[0]
    reach = math.ceil(3 * sigma)
    x0, x1 = max(0, int(x) - reach), min(cells, int(x) + reach + 1)
    y0, y1 = max(0, int(y) - reach), min(cells, int(y) + reach + 1)
    if x0 >= x1 or y0 >= y1:
        return
    yy, xx = np.mgrid[y0:y1, x0:x1]
    near = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * sigma**2))
    np.maximum(target[y0:y1, x0:x1], near, out=target[y0:y1, x0:x1])


def targets(labels: list[Label]) -> NDArray[np.float32]:
    """What the network should say: face, log width, log height, value, pip, and the weight of each cell."""
    cells = CROP // STRIDE
    out = np.zeros((6, cells, cells), np.float32)
    out[5] = 1
    for label in labels:
        low, high = label.quad.min(0), label.quad.max(0)
        inside = bool(((label.pips > 2) & (label.pips < CROP - 2)).all())
        if label.shown < SHOWN or not inside:
            x0, y0 = np.floor(np.clip(low, 0, CROP) / STRIDE).astype(int)
            x1, y1 = np.ceil(np.clip(high, 0, CROP) / STRIDE).astype(int)
            out[5, y0:y1, x0:x1] = 0
    for label in labels:
        low, high = label.quad.min(0), label.quad.max(0)
        inside = bool(((label.pips > 2) & (label.pips < CROP - 2)).all())
        if label.shown < SHOWN or not inside:
            continue
        wide, tall = np.maximum(high - low, 1)
        x, y = label.quad.mean(0) / STRIDE - 0.5
        _bump(out[0], x, y, 0.5 + 0.07 * math.sqrt(wide * tall) / STRIDE)
        # The peak cell must be exactly 1: the loss counts faces by it.
        cx, cy = min(max(round(float(x)), 0), cells - 1), min(max(round(float(y)), 0), cells - 1)
        out[0, cy, cx] = 1
        around = (slice(max(cy - 1, 0), cy + 2), slice(max(cx - 1, 0), cx + 2))
        out[1][around], out[2][around], out[3][around] = math.log(wide), math.log(tall), label.value
        out[5][around] = 1
        for px, py in label.pips / STRIDE - 0.5:
            _bump(out[4], px, py, 0.7)
    return out


def _vary(rng: np.random.Generator, scene: Scene) -> tuple[Picture, list[Label]]:
    """A random cut-out of a picture, mirrored or not and a little larger or smaller."""
    size = scene.picture.shape[0]
    scale = rng.uniform(CROP / size, 1.25)
    left, top = rng.uniform(0, size * scale - CROP + 1e-3, 2)
    flip = rng.random() < 0.5
    move = np.array([[scale, 0, -left], [0, scale, -top]], np.float64)
    if flip:
        move = np.array([[-1, 0, CROP], [0, 1, 0], [0, 0, 1]]) @ np.vstack([move, [0, 0, 1]])
        move = move[:2]
    how = cv2.INTER_LINEAR if scale > 0.9 else cv2.INTER_AREA
    # Labels count from the corner of the first pixel, warpAffine from its middle.
    shifted = move.copy()
    shifted[:, 2] += move[:, :2] @ (0.5, 0.5) - 0.5
    picture = cv2.warpAffine(scene.picture, shifted, (CROP, CROP), flags=how, borderMode=cv2.BORDER_REFLECT)

    def moved(points: NDArray[np.float32]) -> NDArray[np.float32]:
        there: NDArray[np.float32] = (points @ move[:, :2].T + move[:, 2]).astype(np.float32)
        return there

    labels = [Label(a.value, moved(a.quad), moved(a.pips), a.shown) for a in scene.labels]
    return spoil(rng, np.asarray(picture, np.uint8)), labels


def prepare(picture: NDArray[Any]) -> NDArray[np.float32]:
    """The same evening-out of exposure that `vision.dice` does before the network."""
    image = picture.astype(np.float32)
    even: NDArray[np.float32] = (image - image.mean()) / (image.std() + 8)
    return even.transpose(2, 0, 1)


class _Samples(torch.utils.data.IterableDataset[tuple[Tensor, Tensor]]):
    """Endless variations of the pictures, which are replaced one after the other by newly rendered ones."""

    def __init__(self, scenes: list[Scene], seed: int) -> None:
        self.scenes, self.seed = scenes, seed

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng(self.seed)
        for turn in itertools.count():
            if turn % 20 == 0:
                self.scenes[rng.integers(len(self.scenes))] = render(rng)
            picture, labels = _vary(rng, self.scenes[rng.integers(len(self.scenes))])
            yield torch.from_numpy(prepare(picture)), torch.from_numpy(targets(labels))


def loss(out: Tensor, target: Tensor) -> tuple[Tensor, dict[str, float]]:
    face, width, height, value, pip, weight = target.unbind(1)
    peak = (face >= 1).float()
    count = peak.sum().clamp(min=1)
    p = out[:, 0].sigmoid().clamp(1e-4, 1 - 1e-4)
    found = -(peak * (1 - p) ** 2 * p.log()).sum() / count
    quiet = -((1 - peak) * weight * (1 - face) ** 4 * p**2 * (1 - p).log()).sum() / count
    at = value > 0
    size = (out[:, 1] - width)[at].abs().mean() + (out[:, 2] - height)[at].abs().mean() if at.any() else out.sum() * 0
    logits = out[:, 3:9].permute(0, 2, 3, 1)[at]
    named = fn.cross_entropy(logits, value[at].long() - 1) if at.any() else out.sum() * 0
    pips = (fn.binary_cross_entropy_with_logits(out[:, 9], pip, reduction="none") * weight * (1 + 8 * pip)).mean()
    right = float((logits.argmax(1) + 1 == value[at]).float().mean()) if at.any() else 1.0
    parts = {"found": found, "quiet": quiet, "size": size, "value": named, "pips": pips}
    total = found + quiet + 0.3 * size + named + 5 * pips
    return total, {**{k: v.item() for k, v in parts.items()}, "right": right}


def pictures(folder: pathlib.Path, count: int) -> list[Scene]:
    """Rendered pictures from the folder; what is missing is rendered first."""
    folder.mkdir(parents=True, exist_ok=True)
    scenes: list[Scene] = []
    for shard in range(-(-count // SHARD)):
        path = folder / f"shard{shard:03d}.pkl"
        if not path.exists():
            path.write_bytes(pickle.dumps([render(np.random.default_rng([shard, k])) for k in range(SHARD)]))
        scenes += pickle.loads(path.read_bytes())
    return scenes


def export(network: Network, path: pathlib.Path) -> None:
    """Write the network as ONNX, batch norms folded, without the pip channel that only helps learning."""
    final = copy.deepcopy(network).eval()
    head = nn.Conv2d(48, 9, 1)
    with torch.no_grad():
        assert final.head.bias is not None
        assert head.bias is not None
        head.weight.copy_(final.head.weight[:9])
        head.bias.copy_(final.head.bias[:9])
    final.head = head
    data = io.BytesIO()
    torch.onnx.export(
        final,
        (torch.zeros(1, 3, 256, 320),),
        data,
        input_names=["picture"],
        output_names=["faces"],
        dynamic_axes={"picture": {2: "h", 3: "w"}, "faces": {2: "h4", 3: "w4"}},
        opset_version=13,
        dynamo=False,
    )
    path.write_bytes(data.getvalue())


def train(network: Network, scenes: list[Scene], minutes: float, out: pathlib.Path, rate: float, seed: int) -> None:
    loader = torch.utils.data.DataLoader(_Samples(scenes, seed), batch_size=16, num_workers=1, prefetch_factor=4)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-4)
    average = copy.deepcopy(network)
    begun = time.monotonic()
    sums: dict[str, float] = {}
    for step, (picture, target) in enumerate(loader, 1):
        done = (time.monotonic() - begun) / (60 * minutes)
        if done >= 1:
            break
        warm = min(1.0, step / 100)
        for group in optimiser.param_groups:
            group["lr"] = rate * warm * (0.5 + 0.5 * math.cos(math.pi * done)) + 1e-6
        network.train()
        with torch.autocast("cpu", torch.bfloat16):
            out_now = network(picture.contiguous(memory_format=torch.channels_last))
        total, parts = loss(out_now.float(), target)
        optimiser.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        with torch.no_grad():
            keep = min(0.998, step / (step + 10))
            for a, b in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
                if a.dtype.is_floating_point:
                    a.mul_(keep).add_(b, alpha=1 - keep)
                else:
                    a.copy_(b)
        for k, v in parts.items():
            sums[k] = sums.get(k, 0.0) + v / 100
        if step % 100 == 0:
            print(f"{step:6} {100 * done:3.0f}%", " ".join(f"{k} {v:.3f}" for k, v in sums.items()), flush=True)
            sums = {}
        if step % 500 == 0:
            export(average, out)
            torch.save(average.state_dict(), out.with_suffix(".pt"))
    export(average, out)
    torch.save(average.state_dict(), out.with_suffix(".pt"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the dice reader on rendered pictures.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pictures", type=int, default=9000)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=pathlib.Path, help="go on from these weights (.pt)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("dice.onnx"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    cv2.setNumThreads(1)
    network = Network().to(memory_format=torch.channels_last)
    if options.start:
        network.load_state_dict(torch.load(options.start))
    train(
        network,
        pictures(options.folder, options.pictures),
        options.minutes,
        options.out,
        options.rate,
        options.seed,
    )


if __name__ == "__main__":
    main()
