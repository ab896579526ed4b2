"""Train the network behind `vision.dice` on rendered pictures and write it as ONNX.

    python -m vision.training.dice [--minutes 44] [--seed 0] [--go-on WEIGHTS] [--out vision/weights/dice.onnx]

Pictures are rendered as training goes on, on the same core: nothing is needed but time, and
`pip install torch onnx`, which the companion itself never does.
"""

from __future__ import annotations

import argparse
import copy
import math
import pathlib
import time
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from vision.dice import even
from vision.training.dice_pictures import Label, Picture, Scene, render, spoil

CROP = 192
STRIDE = 4
# So many pictures are rendered before the first step, and this many are kept; later ones replace them.
FIRST = 400
KEPT = 4000
# A die less visible than this, or smaller in pixels, may be reported or not: it is neither rewarded nor punished.
SHOWN = 0.6
SMALL = 11.0
# The share of cut-outs in which the picture ends a little beyond a die, and how large that is, in pixels.
CLOSE_UPS, NEAR = 0.35, 28.0


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


def _counts(label: Label, frame: NDArray[Any]) -> bool:
    """Whether a network may be asked for this die: wholly in the cut-out, in view, and not too far away."""
    inside = bool(((label.pips > 2) & (label.pips < frame - 2)).all())
    return inside and label.shown >= SHOWN and cv2.contourArea(label.quad) > SMALL**2


def targets(labels: list[Label], frame: tuple[int, int]) -> NDArray[np.float32]:
    """What the network should say: face, log width, log height, value, pip, and the weight of each cell. `frame` is
    how wide and high the picture is; the rest of the cut-out is empty."""
    cells, limit = CROP // STRIDE, np.array(frame)
    out = np.zeros((6, cells, cells), np.float32)
    out[5] = 1
    for label in labels:
        low, high = label.quad.min(0), label.quad.max(0)
        if not _counts(label, limit):
            x0, y0 = np.floor(np.clip(low, 0, CROP) / STRIDE).astype(int)
            x1, y1 = np.ceil(np.clip(high, 0, CROP) / STRIDE).astype(int)
            out[5, y0:y1, x0:x1] = 0
    for label in labels:
        low, high = label.quad.min(0), label.quad.max(0)
        if not _counts(label, limit):
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
    room = size * scale - CROP
    left, top = rng.uniform(0, room + 1e-3, 2)
    if scene.labels and rng.random() < 0.6:
        # Mostly where there is a die to learn from.
        aim = scene.labels[rng.integers(len(scene.labels))].quad.mean(0) * scale
        left, top = np.clip(aim - rng.uniform(0.2, 0.8, 2) * CROP, 0, room)
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
    sides = [math.sqrt(cv2.contourArea(label.quad)) for label in labels]
    spoilt = spoil(rng, np.asarray(picture, np.uint8), min(sides) if sides else 36.0)
    near = [
        label for label in labels if _counts(label, np.array([CROP, CROP])) and np.ptp(label.quad, axis=0).max() > NEAR
    ]
    return _close_up(rng, spoilt, labels, near) if near and rng.random() < CLOSE_UPS else (spoilt, labels)


def _close_up(
    rng: np.random.Generator, picture: Picture, labels: list[Label], near: list[Label]
) -> tuple[Picture, list[Label]]:
    """What is left of a picture when one of the nearest dice fills much of it."""
    quad = near[rng.integers(len(near))].quad
    low, high = quad.min(0), quad.max(0)
    reach = float((high - low).max())
    before, after = rng.uniform(0.1, 1.5, 2) * reach, rng.uniform(0.1, 1.5, 2) * reach
    x0, y0 = np.clip(np.round(low - before), 0, CROP - 16).astype(int)
    x1, y1 = np.clip(np.round(high + after), (x0 + 16, y0 + 16), CROP).astype(int)
    away = np.array([x0, y0], np.float32)
    moved = [Label(a.value, a.quad - away, a.pips - away, a.shown) for a in labels]
    return np.ascontiguousarray(picture[y0:y1, x0:x1]), moved


class Pictures:
    """A growing store of rendered pictures, old ones replaced by new ones when it is full."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.scenes = [render(self.rng) for _ in range(FIRST)]

    def renew(self) -> None:
        if len(self.scenes) < KEPT:
            self.scenes.append(render(self.rng))
        else:
            self.scenes[self.rng.integers(KEPT)] = render(self.rng)

    def any(self) -> Scene:
        return self.scenes[self.rng.integers(len(self.scenes))]

    def batch(self, count: int) -> tuple[Tensor, Tensor]:
        """Cut-outs of the pictures, and what the network should say about them."""
        made = [_vary(self.rng, self.any()) for _ in range(count)]
        pictures = np.zeros((count, 3, CROP, CROP), np.float32)
        for n, (picture, _) in enumerate(made):
            pictures[n, :, : picture.shape[0], : picture.shape[1]] = even(picture).transpose(2, 0, 1)
        told = np.stack([targets(labels, picture.shape[1::-1]) for picture, labels in made])
        return torch.from_numpy(pictures), torch.from_numpy(told)


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
    torch.onnx.export(
        final,
        (torch.zeros(1, 3, 256, 320),),
        path,
        input_names=["picture"],
        output_names=["faces"],
        dynamic_axes={"picture": {2: "h", 3: "w"}, "faces": {2: "h4", 3: "w4"}},
        opset_version=13,
        dynamo=False,
    )


def go_on_from(network: Network, path: pathlib.Path) -> None:
    """Take over weights that were exported: their batch norms are folded, and stay so."""
    graph = onnx.load(str(path)).graph
    held = {tensor.name: torch.from_numpy(onnx.numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer}
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    own = [(name, part) for name, part in network.named_modules() if isinstance(part, nn.Conv2d)]
    parts = dict(network.named_modules())
    assert len(own) == len(convolutions)
    with torch.no_grad():
        for node, (name, part) in zip(convolutions, own, strict=True):
            weight, bias = (held[given] for given in node.input[1:3])
            part.weight[: len(weight)] = weight  # the pip channel was left out
            if part.bias is not None:
                part.bias[: len(bias)] = bias
                continue
            norm = parts[name.removesuffix("0") + "1"]
            assert isinstance(norm, nn.BatchNorm2d)
            assert norm.running_var is not None
            norm.weight.fill_(1.0)
            norm.bias.copy_(bias)
            norm.running_var.fill_(1.0 - norm.eps)
    for layer in network.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eval()


class Course:
    """Training by the time a core works: a rate that warms up and dies away, and the running mean of weights."""

    def __init__(self, network: Network, minutes: float, rate: float) -> None:
        self.network, self.seconds, self.rate = network, 60 * minutes, rate
        self.optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-4, fused=True)
        self.average = copy.deepcopy(network)
        self.begun = time.process_time()
        self.step = 0
        self.sums: dict[str, float] = {}

    def done(self) -> float:
        return (time.process_time() - self.begun) / self.seconds

    def learn(self, total: Tensor, parts: dict[str, float]) -> None:
        self.step += 1
        done = min(1.0, self.done())
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * min(1.0, self.step / 100) * (0.5 + 0.5 * math.cos(math.pi * done)) + 1e-6
        self.optimiser.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimiser.step()
        with torch.no_grad():
            keep = min(0.998, self.step / (self.step + 10))
            for a, b in zip(self.average.state_dict().values(), self.network.state_dict().values(), strict=True):
                if a.dtype.is_floating_point:
                    a.lerp_(b, 1 - keep)
                else:
                    a.copy_(b)
        for name, value in parts.items():
            self.sums[name] = self.sums.get(name, 0.0) + value / 100
        if self.step % 100 == 0:
            told = " ".join(f"{name} {value:.3f}" for name, value in self.sums.items())
            print(f"{self.step:6} {100 * done:3.0f}% {told}", flush=True)
            self.sums = {}


def train(minutes: float, seed: int, out: pathlib.Path, begun: pathlib.Path | None = None) -> None:
    """Teach a network to find upper faces in pictures, from nothing or from weights that were exported."""
    torch.manual_seed(seed)
    network = Network()
    if begun:
        go_on_from(network, begun)
    network = network.to(memory_format=torch.channels_last)
    course = Course(network, minutes, 1e-3 if begun else 3e-3)
    pictures = Pictures(seed)
    while course.done() < 1:
        if course.step % 3:
            pictures.renew()
        picture, target = pictures.batch(16)
        with torch.autocast("cpu", torch.bfloat16):
            said = network(picture.contiguous(memory_format=torch.channels_last))
        course.learn(*loss(said.float(), target))
        if course.step % 1000 == 0:
            export(course.average, out)
    export(course.average, out)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the dice reader on rendered pictures.")
    parser.add_argument("--minutes", type=float, default=44)
    parser.add_argument("--seed", type=int, default=0)
    weights = pathlib.Path(__file__).parents[1] / "weights" / "dice.onnx"
    parser.add_argument("--go-on", type=pathlib.Path, help="weights to begin with")
    parser.add_argument("--out", type=pathlib.Path, default=weights)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    train(options.minutes, options.seed, options.out, options.go_on)


if __name__ == "__main__":
    main()
