"""The hall's commands where there is no hall."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.test_rules import complaint, run


@pytest.mark.parametrize("what", ["join", "pair", "standings", "export"])
def test_a_hall_is_not_made_by_looking_for_it(what: str, tmp_path: Path) -> None:
    (empty := tmp_path / "empty.sqlite").touch()
    for place in (tmp_path / "club", tmp_path / "club.sqlite", empty):
        assert "there is no hall here" in complaint(run("hall", what, "Table 1", "--database", str(place)))
    assert sorted(tmp_path.iterdir()) == [empty]
    assert empty.stat().st_size == 0
