"""Games of which not every turn is seen: python -m tests.bench.skipping [GAMES].

Random legal games of every game and option, of which the referee sees every first, second, third and fourth turn; then
cheats, which he may not take for legal. Looks are made without pictures.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np

from tests.bench.table import Row, show
from tests.records import VARIANTS, names
from tests.referee.skipping import Variant, cheated, followed

GAMES = 8  # of each game and option
LEAST = {1: 0.99, 2: 0.99, 3: 0.95, 4: 0.95}  # how many looks must be understood, by how many turns lie between them
MEDIAN, LONGEST = 40.0, 300.0  # milliseconds: when one turn explains a look, and for nearly all looks at four turns


def legal(variant: Variant, step: int, games: int) -> tuple[Counter[str], list[float]]:
    counted: Counter[str] = Counter()
    ms: list[float] = []
    for seed in range(games):
        found = followed(variant, seed, step)
        counted += found.counted
        ms += found.ms
    return counted, ms


def row(what: str, step: int, c: Counter[str], ms: list[float]) -> Row:
    share = c["right"] / max(c["looks"], 1)
    took = float(np.percentile(ms, 50 if step == 1 else 95)) if ms else 0.0
    told = f"{c['right']}/{c['looks']} right, {c['open']} open, {c['unsure']} unsure"
    wrong = f"{c['wrong']} wrong, {c['alarm']} alarms, {took:.0f} ms"
    met = share >= LEAST[step] and not c["wrong"] and not c["alarm"] and took <= (MEDIAN if step == 1 else LONGEST)
    return Row(f"{what}: {step}", told, "", wrong, share, f"≥ {LEAST[step]}, none wrong", met)


def rows(games: int = GAMES) -> list[Row]:
    made = []
    for step in LEAST:
        total, times = Counter[str](), list[float]()
        for variant in VARIANTS:
            counted, ms = legal(variant, step, games)
            made.append(row(names(variant), step, counted, ms))
            total += counted
            times += ms
        made.append(row("all games", step, total, times))
    return made


def cheats(games: int = GAMES) -> list[Row]:
    made = []
    for step in LEAST:
        found = [f for variant in VARIANTS for seed in range(games) if (f := cheated(variant, seed, step))]
        told = Counter(one.verdict for one in found)
        taken = [one for one in found if one.verdict in ("move", "same")]
        reached = sum(one.reached for one in taken)
        met = reached == len(taken) and (step > 1 or told["illegal"] == len(found))
        said = f"{told['illegal']}/{len(found)} caught, {told['unsure'] + told['partial']} unsure"
        why = f"{len(taken)} taken for legal, legal play reaches {reached} of these boards"
        made.append(Row(f"cheats: {step}", said, "", why, told["illegal"] / max(len(found), 1), "", met))
    return made


def main(games: int = GAMES) -> bool:
    met = show("Turns between two looks", rows(games))
    return show("Cheats among them", cheats(games)) and met


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
