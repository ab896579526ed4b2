"""Runs the small networks: their weights lie beside this file, and OpenCV does the work."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

WEIGHTS = Path(__file__).parent / "weights"
_alone = Lock()  # a network keeps its input: the table's thread and one that checks a start would mix them up


@cache
def _network(name: str, batch: int = 0) -> cv2.dnn.Net:
    packed = (WEIGHTS / f"{name}.onnx.gz").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(gzip.decompress(packed), np.uint8))


def run(name: str, patches: npt.NDArray[np.uint8] | npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The logits of a network for a batch of patches (n, channels, rows, columns)."""
    return _forward(_network(name), patches)


def run_few(name: str, patches: npt.NDArray[np.uint8] | npt.NDArray[np.float32], batch: int) -> npt.NDArray[np.float32]:
    """The same in batches of one size, by a network that is kept for that size: to change it takes long."""
    network, parts = _network(name, batch), []
    for first in range(0, len(patches), batch):
        part = patches[first : first + batch]
        filled = np.concatenate([part, np.zeros((batch - len(part), *part.shape[1:]), part.dtype)])
        parts.append(_forward(network, filled)[: len(part)])
    return np.concatenate(parts)


def _forward(network: cv2.dnn.Net, patches: npt.NDArray[np.uint8] | npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    scaled = np.multiply(patches, np.float32(1 / 200), dtype=np.float32)
    with _alone:
        network.setInput(scaled)
        return np.array(network.forward(), dtype=np.float32)


def softmax(logits: npt.NDArray[np.float32], axis: int = -1) -> npt.NDArray[np.float64]:
    wide = logits.astype(np.float64)
    raised = np.exp(wide - wide.max(axis=axis, keepdims=True))
    return np.asarray(raised / raised.sum(axis=axis, keepdims=True), dtype=np.float64)


def sigmoid(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -40, 40))), dtype=np.float64)
