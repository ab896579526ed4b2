"""The hall's API against its own description: whatever is asked, it never fails by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks, not_a_server_error

from tests.hall.halls import ARBITER, Hall, served_hall
from web.api import api_markdown, stream_paths
from web.hall.api import ENDPOINTS, openapi

OPENAPI = openapi()
AWAY = ("/api/login", "/api/logout", "/api/persons/remove")
ASKED = [
    (path, method)
    for path, methods in OPENAPI["paths"].items()
    for method in methods
    if path.startswith("/api/") and path not in stream_paths(ENDPOINTS)
]
load_all_checks()
CHECKS = [
    not_a_server_error,
    *schemathesis.checks.CHECKS.get_by_names(["status_code_conformance", "response_schema_conformance"]),
]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with served_hall(str(tmp_path_factory.mktemp("hall") / "hall.sqlite")) as found:
        found.desk.add_table("Anne", "Table 1")
        cup = found.desk.do("Anne", "tournament", {"name": "Cup", "game": "six-faces", "system": "swiss", "rounds": 3})
        for n in range(4):
            found.desk.enter("Anne", cup, [f"Player {n}"])
        found.desk.pair("Anne", cup)
        found.desk.publish("Anne", cup)
        yield found


@pytest.fixture(scope="module")
def session(hall: Hall) -> requests.Session:
    """The arbiter's, with a table's key: it may do everything."""
    found = requests.Session()
    assert found.post(f"{hall.url}/api/login", json={"pin": ARBITER}).ok
    found.headers["Authorization"] = f"Bearer {hall.desk.add_table('Anne', 'Its own')}"
    return found


@pytest.mark.parametrize(("path", "method"), ASKED)
def test_no_request_brings_it_down(hall: Hall, session: requests.Session, path: str, method: str) -> None:
    operation = schemathesis.openapi.from_dict(OPENAPI)[path][method]
    asking = requests.Session() if path in AWAY else session
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

        @seed(0)
        @settings(
            max_examples=4,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def run(case: schemathesis.Case) -> None:
            case.call_and_validate(base_url=hall.url, session=asking, checks=CHECKS)

        run()


def test_the_documentation_has_the_table_as_it_is() -> None:
    written = (Path(__file__).parents[2] / "docs" / "hall.md").read_text("utf-8")
    assert api_markdown(ENDPOINTS) in written, "put what web.api.api_markdown(ENDPOINTS) returns into docs/hall.md"
