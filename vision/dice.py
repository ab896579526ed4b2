"""Read the upper faces of pip dice in any photograph: no board, no markers, any make of dice.

A small network (trained by `vision.training.dice` on rendered pictures only) marks the middle of every upper face,
its size and its value. It is asked at several sizes of the picture, because dice may be near or far, and what the
views say is joined.
"""

from __future__ import annotations

import functools
import math
import pathlib
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import sigmoid, softmax

Picture = NDArray[np.uint8]

_WEIGHTS = pathlib.Path(__file__).parent / "weights" / "dice.onnx"
# Longest side, in pixels, of the picture as the network sees it; it knows faces of about 14 to 70 pixels.
_LEVELS = (640, 453, 320, 226, 160)
# In a close-up a die fills the picture: these views are asked of such faces only, being coarse for all others.
_NEAR_LEVELS = (113, 80)
_NEAR_FACE = 40.0
# A closer look is worth its time only where small dice were found.
_FINE_LEVEL = 960
_SMALL_FACE = 20.0
_TAUGHT = (12.0, 76.0)
# Up to this size in pixels a closer view of a face tells more about its value.
_CLOSE = 60.0
_STRIDE = 4
# A place is looked at in all views when one gives it _HINT.
_HINT = 0.1
# There are dice in a picture when the best is _CLEAR; then each is reported that is _SURE, and at least _SHARE as sure
# as the best; weak ones must not be _UNLIKE it in size. Chosen on rendered pictures, a third without dice.
_CLEAR = 0.45
_SURE = 0.4
_SHARE = 0.6
_UNLIKE = 2.0


@dataclass(frozen=True)
class Die:
    """One die: the value of its upper face, its color's name, the face's box (x, y, width, height), 0–1."""

    top: int
    color: str
    box: tuple[int, int, int, int]
    confidence: float


@dataclass(frozen=True)
class View:
    """The network's answers for the picture at one size; `scale` takes the picture's pixels to the view's."""

    scale: float
    here: NDArray[np.float32]
    answers: NDArray[np.float32]
    least: float  # pixels, of the faces that it is asked of

    def suits(self, size: float) -> bool:
        """Whether a face of this size (in the picture) is one the network was taught at this scale."""
        return self.least <= size * self.scale <= _TAUGHT[1]

    def face(self, row: int, column: int) -> Face:
        """The face this view sees with its middle in a cell, sure or not."""
        width, height = (np.exp(np.clip(self.answers[1:3, row, column], 0, 7)) / self.scale).tolist()
        x, y = (column + 0.5) * _STRIDE / self.scale, (row + 0.5) * _STRIDE / self.scale
        return Face(x, y, width, height, float(self.here[row, column]), softmax(self.answers[3:9, row, column]))

    def again(self, face: Face) -> Face:
        """A face found in any view, as this view sees it."""
        cell = _STRIDE / self.scale
        reach_x, reach_y = 0.15 * face.width / cell + 0.5, 0.15 * face.height / cell + 0.5
        # Each view is filled up to a size of its own, so a face at the edge may lie just outside another.
        rows, columns = self.here.shape
        x, y = min(face.x / cell - 0.5, columns - 1), min(face.y / cell - 0.5, rows - 1)
        x0, y0 = max(0, math.ceil(x - reach_x)), max(0, math.ceil(y - reach_y))
        part = self.here[y0 : math.floor(y + reach_y) + 1, x0 : math.floor(x + reach_x) + 1]
        row, column = divmod(int(part.argmax()), part.shape[1])
        return self.face(y0 + row, x0 + column)


@dataclass(frozen=True)
class Face:
    x: float
    y: float
    width: float
    height: float
    score: float
    values: NDArray[Any]

    @property
    def sure(self) -> float:
        return self.score * float(self.values.max())

    @property
    def size(self) -> float:
        return math.sqrt(self.width * self.height)

    def same(self, other: Face) -> bool:
        """Whether both are one face: the middle of one lies well inside the other."""
        wide, tall = max(self.width, other.width), max(self.height, other.height)
        return abs(self.x - other.x) < 0.45 * wide and abs(self.y - other.y) < 0.45 * tall


@functools.cache
def _network() -> Any:
    return cv2.dnn.readNetFromONNX(str(_WEIGHTS))


def even(picture: NDArray[Any]) -> NDArray[np.float32]:
    """What the network is given: exposure and contrast evened out."""
    image = picture.astype(np.float32)
    return np.asarray((image - image.mean()) / (image.std() + 8), np.float32)


def look(picture: Picture, longest: int) -> View:
    """Ask the network with the picture brought to one size."""
    high, wide = picture.shape[:2]
    scale = min(longest / max(high, wide), 2.0)
    small_w, small_h = max(1, round(wide * scale)), max(1, round(high * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    image = even(cv2.resize(picture, (small_w, small_h), interpolation=how))
    # The frame is filled up to whole cells of the coarsest layer.
    image = np.pad(image, ((0, -small_h % 16), (0, -small_w % 16), (0, 0)))
    network = _network()
    network.setInput(np.ascontiguousarray(image.transpose(2, 0, 1)[None]))
    answers: NDArray[np.float32] = network.forward()[0]
    least = _NEAR_FACE if longest in _NEAR_LEVELS else _TAUGHT[0]
    return View(scale, sigmoid(answers[0]).astype(np.float32), answers, least)


def _finds(view: View) -> list[Face]:
    """The places where a view sees the middle of an upper face."""
    peaks = (view.here >= cv2.dilate(view.here, np.ones((3, 3), np.uint8))) & (view.here > _HINT)
    faces = [view.face(row, column) for row, column in np.argwhere(peaks).tolist()]
    return [face for face in faces if view.suits(face.size)]


def _join(seen: list[tuple[View, Face]]) -> Face:
    """One face as several views see it: the surer and the closer a view, the more its word counts."""
    score = np.array([face.score for _, face in seen])
    close = np.array([min(face.size * view.scale, _CLOSE) for view, face in seen])
    weights = score * close**2
    places = np.array([(f.x, f.y, math.log(f.width), math.log(f.height)) for _, f in seen])
    x, y, width, height = np.average(places, axis=0, weights=weights).tolist()
    values = np.average([face.values for _, face in seen], axis=0, weights=weights)
    return Face(x, y, math.exp(width), math.exp(height), float(score.mean()), values)


def _agree(views: list[View]) -> list[Face]:
    """One face for each place, as sure as all the views in which its size suits are together."""
    kept: list[Face] = []
    for face in sorted((face for view in views for face in _finds(view)), key=lambda f: -f.score):
        if not any(face.same(other) for other in kept):
            kept.append(face)
    return [_join([(view, view.again(face)) for view in views if view.suits(face.size)]) for face in kept]


def _alike(faces: list[Face]) -> list[Face]:
    """The faces to report: dice in one picture are about equally easy to see, and about of a size."""
    best = max((face.sure for face in faces), default=0.0)
    if best < _CLEAR:
        return []
    faces = [face for face in faces if face.sure > max(_SURE, _SHARE * best)]
    usual = float(np.median([face.size for face in faces if face.sure > 0.7 * best]))
    return [f for f in faces if f.sure > 0.8 * best or 1 / _UNLIKE < f.size / usual < _UNLIKE]


def _color_name(picture: Picture, box: tuple[int, int, int, int]) -> str:
    x, y, w, h = box
    patch = picture[y + h // 6 : y + h - h // 6, x + w // 6 : x + w - w // 6].reshape(-1, 3)
    if not len(patch):
        return "unknown"
    # Pips cover less than a third of a face, so the median is the body.
    body = np.median(patch, axis=0)
    gray = patch.mean(axis=1)
    pips_are_dark = gray.mean() < np.median(gray)
    hue, saturation, value = cv2.cvtColor(body.astype(np.uint8).reshape(1, 1, 3), cv2.COLOR_BGR2HSV)[0, 0].tolist()
    if value < 60:
        return "black"
    if saturation < (110 if pips_are_dark and value > 110 else 60):
        # Lamps tint white dice, and ivory is called white too; dark pips tell a white die in the shade.
        return "white" if value > 140 or (pips_are_dark and value > 80) else "gray"
    if value < 150 and 5 <= hue <= 22:
        return "brown"
    limits = (
        (8, "red"),
        (20, "orange"),
        (34, "yellow"),
        (85, "green"),
        (130, "blue"),
        (150, "purple"),
        (168, "pink"),
    )
    return next((name for limit, name in limits if hue < limit), "red")


def read_dice(picture: Picture) -> list[Die]:
    """Every die in a BGR picture, from left to right, by the value of its upper face."""
    views = [look(picture, level) for level in (*_LEVELS, *_NEAR_LEVELS)]
    faces = _alike(_agree(views))
    longest = max(picture.shape[:2])
    smallest = min((face.size for face in faces), default=math.inf) * _LEVELS[0] / longest
    if longest > _LEVELS[0] and smallest < _SMALL_FACE:
        faces = _alike(_agree([look(picture, _FINE_LEVEL), *views]))
    high, wide = picture.shape[:2]
    dice = []
    for face in sorted(faces, key=lambda f: f.x):
        left, top = max(0, round(face.x - face.width / 2)), max(0, round(face.y - face.height / 2))
        right, bottom = min(wide, round(face.x + face.width / 2)), min(high, round(face.y + face.height / 2))
        box = (left, top, max(1, right - left), max(1, bottom - top))
        dice.append(Die(int(face.values.argmax()) + 1, _color_name(picture, box), box, round(face.sure, 3)))
    return dice
