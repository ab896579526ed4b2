"""Values: what positions and moves are made of."""

import pytest

from companion.games.value import replace, value


@value
class Pawn:
    square: str
    color: str = "amber"

    def __str__(self) -> str:
        return self.square


@value
class Tile:
    square: str
    color: str = "amber"


def test_values_are_known_by_class_and_fields() -> None:
    assert Pawn("a1") == Pawn("a1", "amber") == Pawn(square="a1")
    assert hash(Pawn("a1")) == hash(Pawn("a1", "amber"))
    assert Pawn("a1") != Pawn("a2")
    assert Pawn("a1") != Tile("a1")
    assert len({Pawn("a1"), Pawn("a1"), Tile("a1")}) == 2
    assert repr(Pawn("a1")) == "Pawn(square='a1', color='amber')"
    assert str(Pawn("a1")) == "a1"


def test_values_never_change() -> None:
    pawn = Pawn("a1")
    with pytest.raises(AttributeError):
        pawn.square = "a2"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del pawn.square
    assert replace(pawn, square="a2") == Pawn("a2")
    assert pawn == Pawn("a1")


def test_values_can_be_matched() -> None:
    match Pawn("a1", "red"):
        case Pawn(square, color):
            assert (square, color) == ("a1", "red")
