"""The shape of the networks: convolutions only, so that a batch of any size can go through."""

from __future__ import annotations

import gzip

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from vision.network import WEIGHTS


def _block(into: int, out: int, size: int, stride: int = 1, padding: int | None = None) -> nn.Sequential:
    pad = size // 2 if padding is None else padding
    convolution = nn.Conv2d(into, out, size, stride, pad, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class CellNet(nn.Module):
    """Reads one cell: 32 × 32 pixels in, a row of logits out."""

    def __init__(self, channels: int, outputs: int, width: int = 16) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            _block(channels, w, 3, stride=2),
            _block(w, w + w // 2, 3),
            _block(w + w // 2, 3 * w, 3, stride=2),
            nn.MaxPool2d(2),
            _block(3 * w, 4 * w, 3),
            _block(4 * w, 6 * w, 4, padding=0),
        )
        self.drop = nn.Dropout(0.2)
        self.head = nn.Conv2d(6 * w, outputs, 1)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.head(self.drop(self.body(patches)))
        return logits


class RowNet(nn.Module):
    """Finds planks on a mat: per grid cell the heat of a plank's middle, the way to it, and "hidden"."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            _block(6, w, 3, stride=2),
            _block(w, 2 * w, 3, stride=2),
            _block(2 * w, 2 * w, 5),
            _block(2 * w, 2 * w, 5),
            _block(2 * w, 3 * w, 3),
        )
        self.head = nn.Conv2d(3 * w, 4, 1)

    def forward(self, mat: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.head(self.body(mat))
        return found


def save(net: nn.Module, name: str, example: torch.Tensor) -> None:
    """Writes a network as the readers want it: weights rounded to half precision, so that they pack well."""
    net.eval()
    WEIGHTS.mkdir(exist_ok=True)
    plain = WEIGHTS / f"{name}.onnx"
    torch.onnx.export(
        net,
        (example,),
        plain,
        input_names=["patches"],
        output_names=["logits"],
        dynamic_axes={"patches": {0: "n"}, "logits": {0: "n"}},
        opset_version=13,
        dynamo=False,
    )
    model = onnx.load(plain)
    plain.unlink()
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32:
            rounded = values.astype(np.float16).astype(np.float32)
            tensor.CopyFrom(numpy_helper.from_array(rounded, tensor.name))
    (WEIGHTS / f"{name}.onnx.gz").write_bytes(gzip.compress(model.SerializeToString(), 9, mtime=0))
