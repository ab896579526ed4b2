"""One browser and one table for all tests of the pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.web.browser import Person, chromium
from tests.web.serving import REFEREE, Place, served


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with served(tmp_path_factory.mktemp("table")) as place:
        yield place


@pytest.fixture
def person(driver: webdriver.Chrome, table: Place) -> Iterator[Person]:
    person = Person(driver, table)
    person.sits_before(1280, 900)
    yield person
    assert person.complaints() == []


@pytest.fixture
def referee(person: Person) -> Person:
    """Who has entered the PIN already."""
    person.asks("/api/login", {"pin": REFEREE})
    return person
