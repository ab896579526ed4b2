"""Runs the small networks: their weights lie beside this file, and ONNX Runtime does the work, three to four times
faster than OpenCV."""

from __future__ import annotations

import gzip
import os
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # it would tell its makers what runs here; it asks when it is loaded
from onnxruntime import InferenceSession, SessionOptions

WEIGHTS = Path(__file__).parent / "weights"


@cache
def _network(name: str) -> InferenceSession:
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # a table reads on one core
    options.log_severity_level = 3
    packed = gzip.decompress((WEIGHTS / f"{name}.onnx.gz").read_bytes())
    return InferenceSession(packed, options, providers=["CPUExecutionProvider"])


def run(name: str, patches: npt.NDArray[np.uint8] | npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The logits of a network for a batch of patches (n, channels, rows, columns)."""
    scaled = np.multiply(patches, np.float32(1 / 200), dtype=np.float32)
    return np.asarray(_network(name).run(None, {"patches": scaled})[0], dtype=np.float32)


def softmax(logits: npt.NDArray[np.float32], axis: int = -1) -> npt.NDArray[np.float64]:
    wide = logits.astype(np.float64)
    raised = np.exp(wide - wide.max(axis=axis, keepdims=True))
    return np.asarray(raised / raised.sum(axis=axis, keepdims=True), dtype=np.float64)


def sigmoid(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -40, 40))), dtype=np.float64)
