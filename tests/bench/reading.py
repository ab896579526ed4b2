"""How well and how fast pictures are read: python -m tests.bench.reading [FOLDER].

Reads the labelled frames of FOLDER (default: the project's shared frames, where they are) and simulated
pictures in the style family that no network was trained on. Per game: boards read exactly, cells wrong,
wrong without being doubtful, right but doubtful, hands, median and 95th-percentile milliseconds.
"""

from __future__ import annotations

import json
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.games import game as game_of
from companion.labels import labels_of
from tests.vision.samples import surface_blocked, surface_share
from vision.errors import UnreadablePicture
from vision.picture import open_picture
from vision.pose import Image
from vision.reading import Reading, read_picture
from vision.simulate.style import HELD_OUT
from vision.training.pictures import load
from vision.training.sample import random_sample

FRAMES = Path(__file__).parents[3] / "shared" / "frames" / "dev"
# Which of the pieces that are drawn at random a game is played with.
PIECES = {
    "hepta": "trominoes",
    "tetrods": "mushrooms",
    "t-for-two": "single mushrooms",
    "pegs": "cards",
    "six-faces": "dice",
    "plank": "planks",
    "trippples": "tiles",
}

Labelled = tuple[str, Image, dict[str, Any], bool]  # game, picture, visible, something in the way


def frames(folder: Path) -> Iterator[Labelled]:
    for label in json.loads((folder / "labels.json").read_text()):
        yield label["game"], open_picture(folder / label["file"]), label["visible"], label["hand"]


def simulated(count: int, family: str = HELD_OUT) -> Iterator[Labelled]:
    for game, pieces in PIECES.items():
        for seed in range(count):
            sample = random_sample(900_000 + seed, pieces, family=family)
            # A finger's breadth at the field's edge is neither clearly in the way nor clearly not.
            if not sample.hand or surface_blocked(sample) > 0.01:
                yield game, sample.image, sample.layout.visible, sample.hand


def traced(folder: Path) -> Iterator[Labelled]:
    """Path-traced pictures, as `vision.training.traced` writes them."""
    for path in sorted(folder.glob("*.json")):
        image, pose, label, blocked = load(path)
        visible = {name: shown for name, shown in label["visible"].items() if name != "places"}
        game = next(game for game, pieces in PIECES.items() if pieces == label["set"])
        if not label["hand"] or surface_share(pose, blocked / 255) > 0.01:
            yield game, image, visible, label["hand"]


def cells(visible: dict[str, Any]) -> dict[str, str]:
    if "planks" in visible:
        rows = [zip("abc", plank["colors"], plank["tokens"], strict=True) for plank in visible["planks"]]
        return {f"{column}{n}": color + token for n, row in enumerate(rows) for column, color, token in row}
    rows = visible["rows"]
    named = {f"{'abcdefghi'[c]}{len(rows) - r}": code for r, row in enumerate(rows) for c, code in enumerate(row)}
    return {**named, **visible.get("pawns", {})}


class Read(NamedTuple):
    """What came of one picture; without a reading it could not be read."""

    count: Counter[str]
    reading: Reading | None


def read(game: str, image: Image, visible: dict[str, Any], hand: bool) -> Read:
    """Reads a picture and counts what is right and wrong in what was read."""
    count: Counter[str] = Counter()
    try:
        reading = read_picture(image, labels_of(game_of(game)))
    except UnreadablePicture:
        count["boards"] += not hand
        count["hands"] += hand
        count["unread"] += 1
        return Read(count, None)
    look = reading.look
    assert look is not None
    if hand:
        count["hands"] += 1
        count["hands found"] += look.hand
        return Read(count, reading)
    truth, seen, doubts = cells(visible), cells(look.visible()), set(look.doubtful())
    wrong = {square for square in truth.keys() | seen.keys() if truth.get(square) != seen.get(square)}
    count["boards"] += 1
    count["exact"] += not wrong
    count["cells"] += len(truth)
    count["wrong"] += len(wrong)
    count["silent"] += 0 if look.hand else len(wrong - doubts)
    count["doubtful"] += len(doubts - wrong)
    count["false hands"] += look.hand
    return Read(count, reading)


def measure(name: str, pictures: Iterator[Labelled]) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    times: dict[str, list[float]] = defaultdict(list)
    for game, image, visible, hand in pictures:
        count, reading = read(game, image, visible, hand)
        counts[game] += count
        if reading:
            times[game].append(reading.ms)
    print(f"\n{name}")
    for game, count in counts.items():
        print(_line(game, count, times[game]))
    total = sum(counts.values(), Counter())
    print(_line("all", total, [ms for game in times.values() for ms in game]))


def _line(name: str, count: Counter[str], times: list[float]) -> str:
    share = 100 * count["exact"] / max(1, count["boards"])
    middle, late = (float(np.percentile(times, p)) for p in (50, 95)) if times else (0.0, 0.0)
    return (
        f"{name:10} exact {count['exact']}/{count['boards']} = {share:5.1f} %"
        f"  wrong {count['wrong']}/{count['cells']}"
        f" (silent {count['silent']})  needless doubts {count['doubtful']}  unread {count['unread']}"
        f"  hands {count['hands found']}/{count['hands']} (false {count['false hands']})"
        f"  {middle:.1f} ms, 95 % {late:.1f} ms"
    )


def main() -> None:
    cv2.setNumThreads(1)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FRAMES
    if (folder / "labels.json").exists():
        measure("shared frames", frames(folder))
    else:
        print("no labelled frames found: only simulated pictures are read")
    measure(f"simulated, style family {HELD_OUT!r} (never trained on)", simulated(30))
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
