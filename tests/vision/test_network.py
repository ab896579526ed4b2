"""The small networks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

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
