"""The shape of the networks: convolutions only, so that a batch of any size can go through."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

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


def _shipped(name: str) -> onnx.ModelProto:
    return onnx.load_model_from_string(gzip.decompress((WEIGHTS / f"{name}.onnx.gz").read_bytes()))


def _convolutions(model: onnx.ModelProto) -> list[onnx.TensorProto]:
    """The weights and the bias of one convolution after the other."""
    held = {tensor.name: tensor for tensor in model.graph.initializer}
    return [held[part] for node in model.graph.node if node.op_type == "Conv" for part in node.input[1:3]]


def go_on(net: nn.Module, name: str, examples: torch.Tensor) -> None:
    """The network as it is shipped, to be trained further. Its norms were folded into its convolutions when it was
    written; they are unfolded by what the examples give, so that it answers as before and its norms have work to do."""
    parts = [torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in _convolutions(_shipped(name))]
    folded = list(zip(parts[::2], parts[1::2], strict=True))
    modules = list(net.modules())
    layers = [layer for layer in modules if isinstance(layer, nn.Conv2d)]
    norms = [layer for layer in modules if isinstance(layer, nn.BatchNorm2d)]
    watched: list[tuple[nn.BatchNorm2d, torch.Tensor, torch.Tensor]] = []
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, folded, strict=True):
            layer.weight.copy_(weight)
            if layer.bias is not None:
                layer.bias.copy_(bias)
        for norm, (_, bias) in zip(norms, folded, strict=False):  # the head has none
            norm.reset_parameters()
            norm.bias.copy_(bias)

            def watch(norm: nn.BatchNorm2d, seen: tuple[torch.Tensor]) -> None:
                flat = seen[0].transpose(0, 1).flatten(1)
                watched.append((norm, flat.mean(1), flat.var(1)))

            norm.register_forward_pre_hook(watch)
        net.eval()
        net(examples)
        for norm, mean, spread in watched:
            norm._forward_pre_hooks.clear()
            assert norm.running_mean is not None
            assert norm.running_var is not None
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.weight.copy_((spread + norm.eps).sqrt())
            norm.bias.add_(mean)


def steadied(net: nn.Module) -> AveragedModel:
    """The running mean of a network in training, which errs less than its last step."""
    return AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.99), use_buffers=True)


def save(net: nn.Module, name: str, example: torch.Tensor, into: Path = WEIGHTS, keep: float = 0.0) -> None:
    """Writes a network as the readers want it: weights rounded to half precision, so that they pack well. `keep` is the
    share that the shipped weights have in what is written: their mean with those trained further forgets less."""
    net.eval()
    into.mkdir(exist_ok=True)
    plain = into / f"{name}.onnx"
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
    before = _convolutions(_shipped(name)) if keep else []
    for old, new in zip(before, _convolutions(model), strict=bool(keep)):
        mean = keep * numpy_helper.to_array(old) + (1 - keep) * numpy_helper.to_array(new)
        new.CopyFrom(numpy_helper.from_array(mean.astype(np.float32), new.name))
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32:
            rounded = values.astype(np.float16).astype(np.float32)
            tensor.CopyFrom(numpy_helper.from_array(rounded, tensor.name))
    (into / f"{name}.onnx.gz").write_bytes(gzip.compress(model.SerializeToString(), 9, mtime=0))
