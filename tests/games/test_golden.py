"""Golden records: whole games of every kind with the verdicts that were once checked, one on a line of `golden.jsonl`.

`python -m tests.games.test_golden` writes the file anew; look at the difference before you keep it.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from companion.judge import judge
from companion.record import read_record
from tests.records import VARIANTS, new_record, played

GOLDEN = Path(__file__).parent / "golden.jsonl"


def test_every_verdict_is_as_it_was() -> None:
    lines = GOLDEN.read_text("utf-8").splitlines()
    assert len(lines) == len(VARIANTS)
    for line in lines:
        kept = json.loads(line)
        assert judge(read_record(json.dumps(kept["record"]))) == kept["verdict"], kept["record"]


def random_record(variant: tuple[str, dict[str, Any], dict[str, Any]], seed: int) -> dict[str, Any]:
    record, chance = new_record(variant, seed), Random(seed)
    position = played(record).position
    while position.to_move and len(record["moves"]) < 300:
        move = chance.choice(list(position.moves()))
        record["moves"].append(str(move))
        position = position.play(move)
    return record


if __name__ == "__main__":
    records = [random_record(variant, 2026) for variant in VARIANTS]
    kept = [{"record": record, "verdict": judge(read_record(json.dumps(record)))} for record in records]
    GOLDEN.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept), "utf-8")
