"""Immutable values like frozen dataclasses, without the 15 ms that importing `dataclasses` adds to every command."""

from __future__ import annotations

from typing import Any, TypeVar, dataclass_transform

C = TypeVar("C", bound=type)
T = TypeVar("T")

_METHODS = """
def __init__(self, {parameters}):
    {stores}

def __eq__(self, other):
    if other.__class__ is not self.__class__:
        return NotImplemented
    return {mine} == {theirs}

def __hash__(self):
    return hash({mine})
"""


@dataclass_transform(frozen_default=True)
def value(cls: C) -> C:
    """A class decorator: instances are immutable, and are compared and hashed by their fields."""
    names = tuple(cls.__annotations__)
    inside = {name: thing for name, thing in cls.__dict__.items() if name not in (*names, "__dict__", "__weakref__")}
    made: Any = type(cls)(cls.__name__, cls.__bases__, {**inside, "__slots__": names, "__match_args__": names})
    defaults = {f"_{name}": cls.__dict__[name] for name in names if name in cls.__dict__}
    source = _METHODS.format(
        parameters=", ".join(f"{name}=_{name}" if f"_{name}" in defaults else name for name in names),
        stores="\n    ".join(f"_set_{name}(self, {name})" for name in names) or "pass",
        mine=f"({' '.join(f'self.{name},' for name in names)})",
        theirs=f"({' '.join(f'other.{name},' for name in names)})",
    )
    methods: dict[str, Any] = {}
    # only the fields' own slots can write to them: assignment is refused
    exec(source, {**defaults, **{f"_set_{name}": getattr(made, name).__set__ for name in names}}, methods)
    for name, method in {**methods, "__repr__": _repr, "__setattr__": _refuse, "__delattr__": _refuse}.items():
        if name not in inside:
            setattr(made, name, method)
    return made  # type: ignore[no-any-return]


def replace(old: T, **changes: Any) -> T:
    """A copy with these fields changed."""
    kind: Any = type(old)
    for name in kind.__slots__:
        if name not in changes:
            changes[name] = getattr(old, name)
    return kind(**changes)  # type: ignore[no-any-return]


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"


def _refuse(self: Any, name: str, value: object = None) -> None:
    raise AttributeError(f"{type(self).__name__} is a value: {name} cannot change")
