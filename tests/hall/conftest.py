"""The databases a hall may have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hall.halls import Postgres, postgres


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "hall.sqlite")
    import psycopg

    server: Postgres = request.getfixturevalue("server")
    name = f"hall_{abs(hash(str(tmp_path))):x}"
    with psycopg.connect(server.url, autocommit=True) as transaction:
        transaction.execute(f"CREATE DATABASE {name}")
    return server.url.replace("/postgres", f"/{name}")
