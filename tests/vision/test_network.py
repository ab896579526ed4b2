"""The small networks."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from vision.network import run


def test_threads_do_not_mix_up_their_pictures() -> None:
    """The table's thread reads while another one checks a start: each gets its own answer."""
    rng = np.random.default_rng(1)
    sheets = [rng.integers(0, level, (1, 6, 168, 84), dtype=np.uint8) for level in (60, 130, 200)]
    alone = [run("row", sheet) for sheet in sheets]
    with ThreadPoolExecutor(4) as threads:
        for told, right in zip(threads.map(lambda n: run("row", sheets[n % 3]), range(60)), alone * 20, strict=True):
            assert np.allclose(told, right, atol=1e-4)


def test_what_runs_the_networks_keeps_no_diary(tmp_path: Path) -> None:
    """ONNX Runtime writes down what runs here, to send it to its makers, unless it is told not to."""
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    code = "import numpy as np; from vision.network import run; run('row', np.zeros((1, 6, 168, 84), np.uint8))"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, **homes}, check=True, timeout=60)
    assert list(tmp_path.iterdir()) == []
