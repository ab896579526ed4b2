"""The API against its own description: schemathesis asks what it allows and what it does not, and every
answer must be one that is described, never our own failure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks, not_a_server_error

from tests.web.serving import REFEREE, Place, served
from vision.errors import UnreadablePicture
from web.api import api_markdown, openapi, stream_paths

OPENAPI = openapi()
AWAY = ("/api/login", "/api/logout")  # whoever asks would be somebody else afterwards
ASKED = [
    (path, method)
    for path, methods in OPENAPI["paths"].items()
    for method in methods
    if path.startswith("/api/") and path not in stream_paths()  # those never end
]
load_all_checks()
CHECKS = [
    not_a_server_error,
    *schemathesis.checks.CHECKS.get_by_names(
        ["status_code_conformance", "content_type_conformance", "response_schema_conformance"]
    ),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A game by hand, with a clock and some moves; settings and cameras are its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.setattr("companion.table.camera.GLANCE", 0.01)
        patch.setattr("companion.table.camera.FIRST_LOOK", 0.01)
        patch.setattr("companion.table.camera.open_camera", _no_camera)
        with served(tmp_path_factory.mktemp("data"), "six-faces") as found:
            yield found


@pytest.fixture(scope="module")
def session(place: Place) -> requests.Session:
    """The referee's, who may do everything."""
    found = requests.Session()
    assert found.post(f"http://127.0.0.1:{place.port}/api/login", json={"pin": REFEREE}).ok
    return found


def _no_camera(source: str, size: tuple[int, int]) -> Any:
    raise UnreadablePicture("camera-source", source=source)


def ask(place: Place, session: requests.Session, path: str, method: str, count: int, number: int = 0) -> None:
    operation, address = schemathesis.openapi.from_dict(OPENAPI)[path][method], f"http://127.0.0.1:{place.port}"
    if path in AWAY:
        session = requests.Session()
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

        @seed(number)
        @settings(
            max_examples=count,
            deadline=None,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(mode))
        def one(case: Any) -> None:
            case.call_and_validate(base_url=address, session=session, checks=CHECKS)

        one()


@pytest.mark.parametrize(("path", "method"), ASKED)
def test_every_answer_is_described(place: Place, session: requests.Session, path: str, method: str) -> None:
    ask(place, session, path, method, 8)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(1, 3))
@pytest.mark.parametrize(("path", "method"), ASKED)
def test_every_answer_is_described_ever(
    place: Place, session: requests.Session, path: str, method: str, number: int
) -> None:
    ask(place, session, path, method, 100, number)


def test_the_documentation_has_the_table_as_it_is() -> None:
    written = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    assert api_markdown() in written, "put what web.api.api_markdown() returns into docs/formats.md"
