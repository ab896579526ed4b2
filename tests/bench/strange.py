"""Sets in colors outside the kit's, before and after `companion learn`: python -m tests.bench.strange [SETS].

Every set is drawn in colors of its own (dice, pegs, cards, plates, tiles and planks of any color that can be told from
the others), in the style family that no network was trained on. One picture of a known position teaches it; then other
positions are read, every second one from the same place in the same light, the others by the same camera from another
place in another light. The same is done with printed sets (each piece of one color, its marks sunk into it), with coins
for Plank's tokens, with sets that are taught by the few pieces that the companion asks for, and with sets in the kit's
colors, which learning must not make worse.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.games import game as game_of
from companion.labels import labels_of as played_as
from companion.table.learning import asked_position, known_position
from tests.bench.reading import PIECES, cells
from vision.codes import Labels
from vision.fields import usual_field
from vision.learning import Lesson, learn
from vision.pose import Image, Pose
from vision.reading import read_picture
from vision.simulate import pieces
from vision.simulate.camera import look_at, random_pose
from vision.simulate.colors import printed, strange
from vision.simulate.layout import Layout, completed
from vision.simulate.render import render
from vision.simulate.scene import bare_table
from vision.simulate.style import (
    HELD_OUT,
    Illumination,
    Lens,
    Rng,
    Style,
    random_lens,
    random_light,
    random_style,
    shade,
)
from vision.training.positions import labels_of, random_layout


@dataclass(frozen=True)
class Shown:
    image: Image
    layout: Layout


def of_the_kit(rng: Rng, style: Style) -> Style:
    return style


def with_coins(rng: Rng, style: Style) -> Style:
    return replace(strange(rng, style), coins=True)


class Kind(NamedTuple):
    """Of which sets, of which games, and whether only what the companion asks for is shown."""

    maker: Callable[[Rng, Style], Style]
    games: tuple[str, ...] = tuple(PIECES)
    asked: bool = False


KINDS = {
    "strange colors": Kind(strange),
    "strange colors, taught as asked": Kind(strange, asked=True),
    "printed": Kind(printed),
    "coins for tokens": Kind(with_coins, ("plank",)),
    "the kit's colors": Kind(of_the_kit),
}


def pictures(
    seed: int, name: str, count: int, maker: Callable[[Rng, Style], Style] = strange, teaches: Layout | None = None
) -> Iterator[Shown]:
    """One table: the picture that teaches, then others; every second one from the same place in the same light."""
    rng = np.random.default_rng(seed)
    style = random_style(rng, HELD_OUT)
    style = maker(rng, style)
    field = usual_field(labels_of(name).field)
    lens = random_lens(rng)  # the table's camera

    def surroundings() -> tuple[Pose, Illumination, Lens]:
        light = random_light(rng, (field.columns / 2, field.rows / 2))
        return random_pose(rng, field, (1280, 720)), light, replace(lens, exposure=float(rng.uniform(0.6, 1.2)))

    first = surroundings()
    for n in range(1 + count):
        pose, light, exposed = first if n % 2 == 0 else surroundings()
        layout = random_layout(rng, name)
        while n == 0 and not _tells(layout):
            layout = random_layout(rng, name)
        if n == 0 and teaches:
            layout = teaches
        layout = _of_no_color(layout) if style.coins else layout
        yield Shown(drawn(rng, layout, style, pose, light, exposed), layout)


def drawn(rng: Rng, layout: Layout, style: Style, pose: Pose, light: Illumination, lens: Lens) -> Image:
    scene = bare_table(rng, pose.field, style, float(np.clip(pose.cell_pixels * 1.1, 36, 72)))
    pieces.lay(lambda _: rng, scene, layout, style)
    pieces.spots(rng, scene)
    return render(rng, scene, pose, light, style, lens, []).image


def start_picture(seed: int) -> Image:
    """6 Faces as it begins, with green and black dice."""
    rng = np.random.default_rng(seed)
    green, black = shade(rng, (120, 140), (0.7, 0.8), (0.5, 0.6)), shade(rng, (0, 1), (0.0, 0.1), (0.1, 0.12))
    white = shade(rng, (0, 1), (0.0, 0.02), (0.9, 0.95))
    style = replace(random_style(rng), die_white=green, die_red=black, pip_on_white=white, pip_on_red=white)
    field = usual_field("faces")
    light = random_light(rng, (4.5, 4.0))
    lens = replace(random_lens(rng), exposure=1.0, noise=1.0, blur=0.5, motion=0.0)
    layout = Layout(played_as(game_of("six-faces")), known_position(game_of("six-faces")))
    return drawn(rng, layout, style, look_at(field, (1280, 720), 60, 15, 0, 0, 0.9), light, lens)


def _of_no_color(layout: Layout) -> Layout:
    """Coins are of no plank's color, so that none lies on another's."""
    planks = layout.visible.get("planks", [])
    bare = [{**plank, "tokens": [token[0] for token in plank["tokens"]]} for plank in planks]
    return replace(layout, visible={**layout.visible, "planks": bare})


def _tells(layout: Layout) -> bool:
    """Whether all kinds of pieces lie on the table."""
    visible = layout.visible
    if "planks" in visible:
        tokens = {token[0] for plank in visible["planks"] for token in plank["tokens"]}
        return len(visible["planks"]) > 7 and tokens >= set("ABCD.")
    shown = Counter(code for row in visible["rows"] for code in row)
    if layout.labels.field == "seven":
        return all(shown[code] for code in layout.labels.pieces)
    if layout.labels.field == "faces":
        return sum(code[0] == "w" for code in shown.elements()) > 4 < sum(code[0] == "r" for code in shown.elements())
    return shown["down"] > 2 and shown["neutral"] > 1 and len(visible["pawns"]) > 1


def measure(sets: range, kind: Kind) -> Iterator[tuple[str, str, Counter[str]]]:
    """Per game and kind of picture what came of reading before and after."""
    for game in kind.games:
        name, labels = PIECES[game], played_as(game_of(game))
        counts = {"same light": Counter[str](), "other light": Counter[str]()}
        for seed in sets:
            teaches = completed(Layout(labels_of(name), dict(asked_position(game_of(game))))) if kind.asked else None
            first, *others = pictures(seed, name, 4, kind.maker, teaches)
            lesson = lesson_of(first, labels)
            learned = learn(lesson)
            for n, shown in enumerate(others, 1):
                truth = cells(told(shown))
                count = counts["other light" if n % 2 else "same light"]
                for when, known in (("before", None), ("after", learned)):
                    reading = read_picture(shown.image, labels, learned=lambda game, known=known: known)  # type: ignore[misc]
                    assert reading.look is not None
                    seen = cells(reading.look.visible())
                    wrong = sum(truth.get(square) != seen.get(square) for square in truth.keys() | seen.keys())
                    count[f"exact {when}"] += not wrong
                    count[f"wrong {when}"] += wrong
                count["boards"] += 1
                count["cells"] += len(truth)
            counts["same light"]["refused"] += bool(lesson.otherwise(learned))
        for light, count in counts.items():
            yield game, light, count


def told(shown: Shown) -> dict[str, Any]:
    """What a person says lies there; not how far aside."""
    return {key: value for key, value in shown.layout.visible.items() if key != "places"}


def lesson_of(shown: Shown, labels: Labels) -> Lesson:
    before = read_picture(shown.image, labels)
    return Lesson(shown.image, before.pose, before.light, labels, told(shown))


def main() -> None:
    """How many sets, from which seed on, and which kinds by their first letters (default: all)."""
    cv2.setNumThreads(1)
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 7000
    for called, kind in KINDS.items():
        if len(sys.argv) > 3 and called not in sys.argv[3:]:
            continue
        print(called)
        total: dict[str, Counter[str]] = {}
        for game, light, count in measure(range(first, first + sets), kind):
            total.setdefault(light, Counter()).update(count)
            print(_line(f"{game}, {light}", count), flush=True)
        for light, count in total.items():
            print(_line(f"all, {light}", count))


def _line(name: str, count: Counter[str]) -> str:
    parts = [
        f"{count[f'exact {w}']}/{count['boards']} ({count[f'wrong {w}']} cells wrong)" for w in ("before", "after")
    ]
    return f"{name:24} before {parts[0]}, after {parts[1]}, refused to learn {count['refused']}"


if __name__ == "__main__":
    main()
