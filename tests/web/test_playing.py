"""Every game played on the page, from "New game" to its ending, by drag or touch alone: no notation is needed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games import game_ids
from companion.solvers.playing import sensible_move
from tests.web.browser import Hand, Person
from tests.web.serving import Place

PHONE, DESK, WALL = (390, 844), (1440, 900), (1920, 1080)
AGREED: dict[str, list[dict[str, Any]]] = {
    "plank": [{"players": 2}, {"players": 3}, {"players": 4}],
    "trippples": [{}, {"deal": False}, {"hidden": True}, {"wild": True}, {"players": 4}],
}
VARIANTS = [(game, agreed) for game in game_ids() for agreed in AGREED.get(game, [{}])]
WAYS = ("drag", "touch", "keys")  # a mouse, a finger, the keyboard
HANDS: dict[str, Hand] = {"drag": "mouse", "touch": "finger", "slide": "finger", "keys": "keys"}


@pytest.fixture(autouse=True)
def dealt_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """What chance deals is the same whenever these tests are run."""
    monkeypatch.setattr("companion.table.opening.Random", lambda: Random(6))


@pytest.mark.parametrize(
    ("game", "agreed", "way", "language", "screen", "theme"),
    [
        ("plank", {"players": 2}, "touch", "fr", PHONE, "dark"),
        ("plank", {"players": 2}, "keys", "en", WALL, "light"),
        ("hepta", {}, "drag", "en", DESK, "light"),
    ],
)
def test_a_short_game_is_played_by_hand_alone(
    referee: Person,
    table: Place,
    game: str,
    agreed: dict[str, Any],
    way: str,
    language: str,
    screen: tuple[int, int],
    theme: str,
) -> None:
    play_through(referee, table, game, agreed, way, language, screen, theme)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "agreed"), VARIANTS)
@pytest.mark.parametrize("screen", [PHONE, DESK, WALL])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_game_is_played_by_hand_alone(
    referee: Person,
    table: Place,
    game: str,
    agreed: dict[str, Any],
    screen: tuple[int, int],
    theme: str,
    language: str,
) -> None:
    for way in WAYS:
        play_through(referee, table, game, agreed, way, language, screen, theme)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "agreed"), VARIANTS)
@pytest.mark.parametrize(("screen", "theme", "language"), [(PHONE, "light", "en"), (WALL, "dark", "fr")])
def test_every_game_is_played_by_a_finger_that_drags(
    referee: Person,
    table: Place,
    game: str,
    agreed: dict[str, Any],
    screen: tuple[int, int],
    theme: str,
    language: str,
) -> None:
    play_through(referee, table, game, agreed, "slide", language, screen, theme)


def play_through(
    person: Person,
    table: Place,
    game: str,
    agreed: dict[str, Any],
    way: str,
    language: str,
    screen: tuple[int, int],
    theme: str,
) -> None:
    person.console()  # what pages before this one had to say, whose companion has ended
    person.speaks(language)
    person.sits_before(*screen)
    person.run("localStorage.setItem('theme', arguments[0])", theme)
    person.uses(HANDS[way])
    person.begins(game, **agreed)
    assert person.run("return document.documentElement.lang") == language
    host, chance, played = table.host, Random(5), list[str]()
    assert host.state.game
    assert host.state.game.id == game
    given = host.state.record["moves"]  # what a solitaire's problem lays
    while not host.state.outcome:
        assert len(played) < 400
        move = sensible_move(host.state.game, host.state.position, chance, tired=True)
        text = str(move)
        shown = text.partition("=")[0] if agreed.get("hidden") else text  # what lies under a tile nobody knows yet
        if way in ("drag", "slide"):
            person.drags(shown)
        else:
            person.plays(shown, host.state.position.trace(move).touch)
        played.append(text)
    assert host.state.record["moves"] == [*given, *played]
    said = person.says("over")
    assert said[0].isupper(), said
    assert person.console() == []
