"""Calibrates a camera from pictures of a ChArUco sheet, so that the lens need not be guessed any more."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from vision.errors import UnreadablePicture
from vision.pose import Image, Lens

SQUARES = (9, 6)
# Another dictionary than the mats', so that a sheet on the table is never taken for a field.
_BOARD = cv2.aruco.CharucoBoard(SQUARES, 1.0, 0.7, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
LEAST_CORNERS, LEAST_PICTURES = 12, 3


def sheet(square: int = 120) -> Image:
    """The sheet to print, `square` pixels to a square, with a white edge."""
    size = (SQUARES[0] * square, SQUARES[1] * square)
    edge = square // 2
    board = cv2.copyMakeBorder(_BOARD.generateImage(size), edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=255)
    return np.asarray(board, dtype=np.uint8)


def calibrate(images: Iterable[Image]) -> tuple[Lens, float, int]:
    """The lens, its error in pixels, and how many pictures were of use."""
    detector = cv2.aruco.CharucoDetector(_BOARD)
    world, pixels = [], []
    size: tuple[int, int] | None = None
    for image in images:
        if size is not None and size != (image.shape[1], image.shape[0]):
            raise UnreadablePicture("sizes-differ")
        size = (image.shape[1], image.shape[0])
        corners, ids, _, _ = detector.detectBoard(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
        if ids is not None and len(ids) >= LEAST_CORNERS:
            world.append(np.asarray(_BOARD.getChessboardCorners(), np.float32)[np.ravel(ids)])
            pixels.append(np.asarray(corners, np.float32).reshape(-1, 2))
    if size is None or len(world) < LEAST_PICTURES:
        raise UnreadablePicture("sheet-unseen", seen=len(world), least=LEAST_PICTURES)
    # k3 and tangential terms only fit noise on the few pictures that people take.
    flags = cv2.CALIB_FIX_K3 | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_ASPECT_RATIO
    guess = np.array([[0.9 * size[0], 0, size[0] / 2], [0, 0.9 * size[0], size[1] / 2], [0, 0, 1]])
    error, matrix, distortion, _, _ = cv2.calibrateCamera(
        world, pixels, size, guess, np.zeros(5), flags=flags | cv2.CALIB_USE_INTRINSIC_GUESS
    )
    values = tuple(float(k) for k in np.ravel(distortion)[:5])
    lens = Lens((float(matrix[0, 0]), float(matrix[1, 1]), float(matrix[0, 2]), float(matrix[1, 2])), values, size)
    return lens, float(error), len(world)


def save(lens: Lens, path: Path) -> None:
    path.write_text(json.dumps({"matrix": lens.matrix, "distortion": lens.distortion, "size": lens.size}) + "\n")


def load(path: Path) -> Lens:
    try:
        data = json.loads(path.read_text())
        matrix = tuple(float(number) for number in data["matrix"])
        fx, fy, cx, cy = matrix
        width, height = data["size"]
        return Lens((fx, fy, cx, cy), tuple(float(k) for k in data["distortion"]), (int(width), int(height)))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadablePicture("not-a-lens") from error
