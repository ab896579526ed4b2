"""The README says what is true."""

import json
import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text()


def test_the_program_in_the_readme_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "'first':" in shown


def test_the_record_in_the_readme_is_judged_as_shown() -> None:
    (record,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    command = [sys.executable, "-m", "companion", "judge", "-", "--lang", "en"]
    shown = subprocess.run(command, input=record, capture_output=True, text=True, check=True).stdout
    printed = next(line.strip() for line in README.splitlines() if line.strip().startswith('{"ok"'))
    assert shown.startswith(printed.split(", …")[0])
    assert json.loads(shown)["illegal"]["reason"] in README


def test_the_moves_in_the_readme_can_be_read() -> None:
    from companion.games import game

    rows = re.findall(r"^\| [^|]+ \| (`[a-z-]+`(?:, `[a-z-]+`)?) \| ([^|]+) \|$", README, re.MULTILINE)
    assert len(rows) == 7
    for ids, moves in rows:
        for text in re.findall(r"`([^`]+)`", moves):
            assert str(game(ids.split("`")[1]).read(text)) == text


def test_the_problem_in_the_readme_is_made_and_solved_as_shown() -> None:
    def shown(*arguments: str, given: str = "") -> str:
        command = [sys.executable, "-m", "companion", *arguments]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout

    lines = README.splitlines()
    made = next(n for n, line in enumerate(lines) if "$ .venv/bin/companion puzzle" in line)
    arguments = lines[made].split("companion ")[1].split(" |")[0].split()
    problem = shown(*arguments)
    assert lines[made + 1].strip() == problem.strip()
    begun, ended = lines[made + 3].strip().split("…")
    solved = shown("solve", "-", "--count", given=problem).strip()
    assert solved.startswith(begun)
    assert solved.endswith(ended)
