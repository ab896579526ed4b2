"""What all tests share."""

import signal
from pathlib import Path

import pytest

# The files that take longest, longest first: begun last, one of them would still run when all other workers are done.
LONGEST = (
    "table/test_watching.py",
    "web/test_pages.py",
    "web/test_games.py",
    "firmware/test_flash.py",
    "hall/test_faults.py",
    "web/test_playing.py",
    "web/test_cameras.py",
    "web/test_guide.py",
    "web/test_leds.py",
    "web/test_review.py",
    "eighth/test_eighth_game.py",
    "vision/test_learning.py",
    "hall/test_pages.py",
    "commands/test_rules.py",
    "firmware/test_noise.py",
    "games/test_against_plain_reading.py",
    "kit/test_pages.py",
    "vision/test_dice.py",
    "table/test_host.py",
    "kit/test_printed.py",
    "table/test_survey.py",
)
_BEGUN = {Path(__file__).parent / name: n for n, name in enumerate(LONGEST)}

# A shell starts what it puts into the background deaf to Ctrl-C, and the programs under test would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _BEGUN.get(item.path, len(LONGEST)))
