"""hint, play and judge --analyse as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.analysis import find_mistakes
from companion.games import game
from companion.record import read_record, replay
from companion.solvers.hint import Budget
from tests.commands.test_rules import complaint, run
from tests.records import deal
from tests.solvers.positions import think

START: dict[str, Any] = {"game": "six-faces"}
WON: dict[str, Any] = {  # White's 1 on e7 rolls onto e8
    "game": "six-faces",
    "setup": {"dice": {"e7": "w1/2", "e1": "wK", "a8": "rK", "i8": "r2/1"}, "to_move": "white"},
}


def test_hint_says_what_to_play() -> None:
    hint = json.loads(run("hint", "-", "--seconds", "0.2", stdin=START).stdout)
    assert list(hint) == ["move", "value", "line", "exact"]
    assert hint["move"] in map(str, read_record(json.dumps(START)).start.moves())
    assert hint["line"][0] == hint["move"]
    assert 0.3 < hint["value"] < 0.7
    assert hint["exact"] is False


def test_hint_knows_a_win() -> None:
    assert json.loads(run("hint", "-", stdin=WON).stdout) == {
        "move": "e7-e8",
        "value": 1.0,
        "line": ["e7-e8"],
        "exact": True,
    }


def test_hint_after_the_end_is_none() -> None:
    over = {**START, "result": {"winner": "red", "why": "resigned"}}
    assert json.loads(run("hint", "-", stdin=over).stdout)["move"] is None


def test_hint_without_the_compiled_core() -> None:
    hint = json.loads(run("hint", "-", "--seconds", "0.2", stdin=WON, env={"COMPANION_PURE": "1"}).stdout)
    assert (hint["move"], hint["exact"]) == ("e7-e8", True)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon", "1e9"])
def test_bad_seconds_get_one_line(seconds: str) -> None:
    assert "--seconds" in complaint(run("hint", "-", f"--seconds={seconds}", stdin=START))


def test_hint_refuses_an_illegal_move() -> None:
    assert "illegal" in complaint(run("hint", "-", stdin={**START, "moves": ["a1-a2"]}))


# --- judge --analyse


def test_a_win_thrown_away_is_marked() -> None:
    """White could win at once, looks away, and Red takes the King."""
    dice = {**WON["setup"]["dice"], "e2": "r1/2"}
    missed = {"game": "six-faces", "setup": {**WON["setup"], "dice": dice}, "moves": ["e7-d7", "e2-e1"]}
    plain = json.loads(run("judge", "-", stdin=missed).stdout)
    assert "analysis" not in plain
    verdict = json.loads(run("judge", "-", "--analyse", "--seconds", "0.1", stdin=missed).stdout)
    assert {name: verdict[name] for name in plain} == plain
    assert verdict["analysis"] == [
        {
            "ply": 0,
            "move": "e7-d7",
            "player": "white",
            "threw_away": "win",
            "value": 1.0,
            "after": 0.0,
            "better": "e7-e8",
            "exact": True,
        }
    ]


def test_analysis_of_a_solved_board_is_exact() -> None:
    """Every mark is proved, and a game of perfect play has none."""
    marked = 0
    for seed in range(25):
        chance = Random(seed)
        record: dict[str, Any] = {"game": "trippples", "setup": deal("trippples", chance), "moves": []}
        position = read_record(json.dumps(record)).start
        perfect = seed < 3
        while not position.outcome() and len(record["moves"]) < 60:
            *_, hint = think(position, Budget(1))
            text = hint.move if perfect else str(chance.choice(list(position.moves())))
            record["moves"].append(text)
            position = position.play(game("trippples").read(text))
        marks = find_mistakes(read_record(json.dumps(record)), 1)
        assert all(mark.exact and mark.value > mark.after for mark in marks)
        assert not (perfect and marks)
        marked += len(marks)
    assert marked > 5


# --- play


def play(*arguments: str, typed: str, **more: Any) -> str:
    found = run("play", *arguments, stdin=typed, **more)
    assert (found.returncode, found.stderr) == (0, ""), found
    return found.stdout


def test_a_game_against_the_computer_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    shown = play("six-faces", "--level", "1", "--seed", "3", "-o", str(file), typed="b1-b2\nh1-h2\nresign\n")
    record = json.loads(file.read_text())
    played = replay(read_record(file.read_text()))
    assert played.illegal is None
    assert (record["moves"][0], record["moves"][2], len(record["moves"])) == ("b1-b2", "h1-h2", 4)
    assert record["result"] == {"winner": "red", "why": "resigned"}
    assert f"Red (computer): {record['moves'][1]}" in shown
    assert "Red wins" in shown
    again = play("six-faces", "--level", "1", "--seed", "3", typed="b1-b2\nh1-h2\nresign\n")
    assert again == shown


def test_undo_hint_and_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    typed = "undo\nb1-b9\nnonsense\nhelp\nb1-b2\nundo\nhint\n\nh1-h2\nquit\n"
    shown = play("six-faces", "--level=2", "-o", str(file), typed=typed)
    assert json.loads(file.read_text())["moves"][0] == "h1-h2"
    assert "nothing to take back" in shown
    assert "b9 is not on the board" in shown
    assert '"nonsense" cannot be read' in shown
    assert "for example: a1-" in shown
    assert "% (searched): " in shown


def test_the_other_side_and_french(tmp_path: Path) -> None:
    file = tmp_path / "partie.json"
    shown = play("six-faces", "--as", "red", "-o", str(file), typed="quitter\n", lang="fr_FR.UTF-8")
    assert "l'ordinateur joue au niveau 3" in shown
    assert len(json.loads(file.read_text())["moves"]) == 1


def test_the_computer_plays_for_all_others() -> None:
    shown = play("trippples", "--option", "players=4", "--as", "square2", "--seed", "1", typed="quit\n")
    assert shown.count("(computer)") == 2


@pytest.mark.parametrize("game_id", ["hepta-solo", "tetrods", "pegs-solo"])
def test_a_problem_for_one_can_be_solved(game_id: str, tmp_path: Path) -> None:
    """Hints lead to its end; what was given is not taken back."""
    file = tmp_path / "problem.json"
    shown = play(game_id, "--level", "1", "--seed", "2", "-o", str(file), typed="undo\nhint\nquit\n")
    given = json.loads(file.read_text())
    assert "nothing to take back" in shown
    assert "100 % (exact)" in shown
    line = [*think(replay(read_record(json.dumps(given))).position, Budget(9))][-1].line
    typed = "".join(f"{move}\n" for move in (line[0], "undo", *line))
    assert "Solved" in play(game_id, "--level", "1", "--seed", "2", "-o", str(file), typed=typed)
    assert json.loads(file.read_text())["moves"] == [*given["moves"], *line]


def test_a_face_down_tile_need_not_be_known(tmp_path: Path) -> None:
    file = tmp_path / "hidden.json"
    shown = play("trippples", "--option", "hidden=true", "-o", str(file), typed="moves\nhint\nb2\nquit\n")
    assert "> a2  b1  b2\n" in shown
    assert "=" not in shown.split("(computer)")[0]
    assert json.loads(file.read_text())["moves"][0].startswith("b2=")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess"], "chess"),
        (["six-faces", "--level", "6"], "--level"),
        (["six-faces", "--as", "blue"], "--as"),
        (["six-faces", "--players", "3"], "--players"),
        (["six-faces", "--option", "home"], "--option"),
        (["trippples", "--option", "layout=round"], "options.layout"),
        (["six-faces", "--seed", "x"], "--seed"),
        (["six-faces", "-o", "/no/such/folder/game.json"], "cannot be opened"),
    ],
)
def test_what_cannot_be_played_gets_one_line(arguments: list[str], says: str) -> None:
    assert says in complaint(run("play", *arguments, stdin=""))
