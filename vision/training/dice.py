"""Train the networks behind `vision.dice` on rendered pictures and write them as ONNX.

    python -m vision.training.dice [--minutes 40] [--seed 0] [--out vision]

Pictures are rendered as training goes on, on the same core: nothing is needed but time, and
`pip install torch onnx`, which the companion itself never does.
"""

from __future__ import annotations

import argparse
import copy
import io
import math
import pathlib
import time

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from vision.dice import CLOSE_UP, close_up, even, finds, look
from vision.training.dice_pictures import Label, Picture, Scene, render, spoil

CROP = 192
STRIDE = 4
# So many pictures are rendered before the first step, and this many are kept; later ones replace them.
FIRST = 400
KEPT = 4000
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


class Reader(nn.Module):
    """Says of a close-up: no die, or the value of its upper face."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            _block(3, 16),
            _block(16, 32, 2),
            _Residual(32),
            _block(32, 64, 2),
            _Residual(64),
            _block(64, 80, 2),
            nn.Conv2d(80, 7, CLOSE_UP // 8),
        )

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.layers(x)
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
    return spoil(rng, np.asarray(picture, np.uint8), min(sides) if sides else 36.0), labels


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
        pictures = torch.from_numpy(np.stack([even(picture).transpose(2, 0, 1) for picture, _ in made]))
        return pictures, torch.from_numpy(np.stack([targets(labels) for _, labels in made]))


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
    _write(final, torch.zeros(1, 3, 256, 320), {2: "h", 3: "w"}, path)


def _write(network: nn.Module, example: Tensor, free: dict[int, str], path: pathlib.Path) -> None:
    data = io.BytesIO()
    torch.onnx.export(
        network.eval(),
        (example,),
        data,
        input_names=["picture"],
        output_names=["faces"],
        dynamic_axes={"picture": free, "faces": {axis: f"{name}_out" for axis, name in free.items()}},
        opset_version=13,
        dynamo=False,
    )
    path.write_bytes(data.getvalue())


class Course:
    """Training by the clock: a rate that warms up and dies away, and the running mean of the weights."""

    def __init__(self, network: nn.Module, minutes: float, rate: float) -> None:
        self.network, self.seconds, self.rate = network, 60 * minutes, rate
        self.optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-4, fused=True)
        self.average = copy.deepcopy(network)
        self.begun = time.monotonic()
        self.step = 0
        self.sums: dict[str, float] = {}

    def done(self) -> float:
        return (time.monotonic() - self.begun) / self.seconds

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


def train_finder(minutes: float, seed: int, out: pathlib.Path) -> None:
    """Teach a network to find upper faces in pictures."""
    torch.manual_seed(seed)
    network = Network().to(memory_format=torch.channels_last)
    course = Course(network, minutes, 3e-3)
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


# A box in a picture (middle, width, height) and the value of the upper face there, 0 where there is none.
Box = tuple[float, float, float, float, int]


def _boxes(scene: Scene) -> list[Box]:
    boxes = []
    for label in scene.labels:
        (x0, y0), (x1, y1) = label.quad.min(0).tolist(), label.quad.max(0).tolist()
        x, y = label.quad.mean(0).tolist()
        boxes.append((x, y, max(x1 - x0, 4.0), max(y1 - y0, 4.0), label.value if label.shown >= SHOWN else -1))
    return boxes


def _judged(place: tuple[float, float, float, float], boxes: list[Box]) -> int:
    """What the reader should say of a place: a value, 0 for no die, −1 where either would do."""
    x, y, wide, tall = place
    for bx, by, bw, bh, value in boxes:
        off = max(abs(x - bx) / bw, abs(y - by) / bh)
        size = math.sqrt(wide * tall / (bw * bh))
        if off < 0.2 and 0.7 < size < 1.4:
            return value
        if (off < 0.3 and 0.5 < size < 2) or (value < 0 and off < 0.8):
            return -1
    return 0


class CloseUps:
    """Rendered pictures with the places in them that the reader learns from, the finder's own finds among them."""

    def __init__(self, seed: int, finder: pathlib.Path) -> None:
        self.rng, self.finder = np.random.default_rng([seed, 1]), finder
        self.scenes: list[tuple[Scene, list[Box], list[Box]]] = []
        for _ in range(FIRST):
            self.renew()

    def renew(self) -> None:
        scene = render(self.rng)
        boxes = _boxes(scene)
        seen = spoil(self.rng, scene.picture)
        found: list[Box] = []
        for face in finds(look(seen, max(seen.shape), self.finder), 0.04):
            place = (face.x, face.y, face.width, face.height)
            found.append((*place, _judged(place, boxes)))
        made = (scene, boxes, found)
        if len(self.scenes) < KEPT:
            self.scenes.append(made)
        else:
            self.scenes[self.rng.integers(KEPT)] = made

    def _place(self, scene: Scene, boxes: list[Box], found: list[Box]) -> Box:
        """A place to learn from: a die, beside a die, a pip taken for a face, a false find, or anywhere."""
        rng = self.rng
        kind = rng.choice(5, p=[0.55, 0.12, 0.06, 0.22, 0.05])
        if kind == 3 or (kind < 3 and not boxes):
            false = [box for box in found if box[4] == 0]
            if false:
                return false[rng.integers(len(false))]
            kind = 0
        if kind < 3 and boxes:
            which = int(rng.integers(len(boxes)))
            x, y, wide, tall, value = boxes[which]
            if kind == 0:
                return boxes[which]
            if kind == 2 and value > 0:
                px, py = scene.labels[which].pips[rng.integers(value)].tolist()
                small = rng.uniform(0.25, 0.45)
                return px, py, wide * small, tall * small, 0
            angle, off = rng.uniform(0, 2 * math.pi), rng.uniform(0.4, 1.4)
            place = (x + off * wide * math.cos(angle), y + off * tall * math.sin(angle), wide, tall)
            return (*place, _judged(place, boxes))
        size = scene.picture.shape[0]
        x, y = rng.uniform(0.05, 0.95, 2) * size
        wide = float(np.exp(rng.uniform(math.log(12), math.log(80))))
        place = (x, y, wide, wide * rng.uniform(0.5, 1.2))
        return (*place, _judged(place, boxes))

    def batch(self, count: int) -> tuple[Tensor, Tensor]:
        rng = self.rng
        views: list[NDArray[np.float32]] = []
        values: list[int] = []
        while len(views) < count:
            scene, boxes, found = self.scenes[rng.integers(len(self.scenes))]
            x, y, wide, tall, value = self._place(scene, boxes, found)
            if value < 0:
                continue
            x0, y0 = max(0, int(x - 1.3 * wide - 3)), max(0, int(y - 1.3 * tall - 3))
            part = scene.picture[y0 : int(y + 1.3 * tall) + 4, x0 : int(x + 1.3 * wide) + 4]
            if min(part.shape[:2]) < 8:
                continue
            part = spoil(rng, part, math.sqrt(wide * tall) / 1.3)
            x, y = x - x0 + rng.uniform(-0.1, 0.1) * wide, y - y0 + rng.uniform(-0.1, 0.1) * tall
            wide, tall = (np.array([wide, tall]) * np.exp(rng.normal(0, 0.09, 2))).tolist()
            view = even(close_up(part, x, y, wide, tall)).transpose(2, 0, 1)
            view = np.rot90(view, int(rng.integers(4)), (1, 2))
            views.append(view[:, :, ::-1] if rng.random() < 0.5 else view)
            values.append(value)
        return torch.from_numpy(np.stack(views)), torch.tensor(values)


def train_reader(minutes: float, seed: int, finder: pathlib.Path, out: pathlib.Path) -> None:
    """Teach a network to read close-ups of what the finder finds."""
    torch.manual_seed(seed)
    network = Reader().to(memory_format=torch.channels_last)
    course = Course(network, minutes, 3e-3)
    pictures = CloseUps(seed, finder)
    while course.done() < 1:
        pictures.renew()
        views, values = pictures.batch(64)
        with torch.autocast("cpu", torch.bfloat16):
            said = network(views.contiguous(memory_format=torch.channels_last))
        logits = said.float().flatten(1)
        total = fn.cross_entropy(logits, values)
        right = logits.argmax(1) == values
        parts = {"loss": total.item(), "right": float(right.float().mean())}
        parts["faces right"] = float(right[values > 0].float().mean())
        course.learn(total, parts)
    _write(course.average, torch.zeros(8, 3, CLOSE_UP, CLOSE_UP), {}, out)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the dice reader on rendered pictures.")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--seed", type=int, default=0)
    weights = pathlib.Path(__file__).parents[1] / "weights"
    parser.add_argument("--out", type=pathlib.Path, default=weights, help="a directory")
    parser.add_argument("--reader-only", action="store_true", help="the finder is there already")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    finder = options.out / "dice.onnx"
    if not options.reader_only:
        train_finder(0.7 * options.minutes, options.seed, finder)
    train_reader(0.3 * options.minutes, options.seed, finder, options.out / "dice_values.onnx")


if __name__ == "__main__":
    main()
