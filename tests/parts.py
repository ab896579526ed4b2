"""The real parts that some tests need: a browser, compilers, simulators."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def lacking(what: str) -> NoReturn:
    """A part is not here: the test is skipped and says why. In CI, where everything must be tested, it fails."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)
