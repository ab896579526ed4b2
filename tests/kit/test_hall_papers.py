"""What a hall prints, as poppler reads it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from companion.hall import reports
from companion.sealing import Sealer
from companion.store import open_store
from tests.hall.halls import Asker, served_hall
from tests.parts import lacking

START = {"game": "six-faces", "options": {}, "setup": {}, "moves": []}


def text_of(pdf: bytes) -> str:
    if not shutil.which("pdftotext"):
        lacking("poppler-utils is not installed: what is printed is not looked at")
    return subprocess.run(
        ["pdftotext", "-layout", "-", "-"], input=pdf, capture_output=True, check=True
    ).stdout.decode()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_pairings_standings_and_slips_on_paper(tmp_path: Path, paper: str) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        desk = hall.desk
        key = desk.add_table("Anne", "Table 1")
        with open_store(tmp_path / "t") as store:
            store.new_game(START, "person")
            head = Sealer(store).sign()
            log = store.sealed(0, 10)
        assert head
        reports.receive(desk.database, key.place, log[0].hash, log)
        reports.store_head(desk.database, key.place, log[0].hash, head.text())
        cup = desk.do("Anne", "tournament", {"name": "Cup", "game": "six-faces", "system": "swiss", "rounds": 3})
        for n in range(41):
            desk.enter("Anne", cup, [f"Player {n:02}"], "Lyon" if n % 2 else "")
        asked = f"/api/tournaments/{cup}/paper.pdf?paper={paper}&what="
        arbiter = hall.arbiter()
        assert "No round is published yet" in text_of(arbiter.get(asked + "slips"))
        desk.pair("Anne", cup)
        desk.publish("Anne", cup)
        desk.catch_up()
        slips = text_of(arbiter.get(asked + "slips"))
        assert slips.count("\f") == 5  # twenty slips, four a page
        assert head.words() in slips
        assert "Player 39" in slips
        assert head.words() not in text_of(Asker(hall.port).get(asked + "slips"))  # for the desk only
        pairings = text_of(arbiter.get(asked + "pairings"))
        assert "round 1" in pairings
        assert "bye" in pairings or "left out" in pairings
        for what in ("standings", "crosstable"):
            told = text_of(arbiter.get(asked + what))
            assert all(f"Player {n:02}" in told for n in range(41))
            assert told.count("\f") == 2
        assert "Appariements" in text_of(arbiter.get(asked + "pairings&lang=fr"))
