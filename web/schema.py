"""Values that come and go over HTTP, declared once, as Python types.

What is sent to us is a NamedTuple, what we answer a TypedDict. `check` makes such a value of JSON, or refuses it with a
code that the message catalogues have in every language; `schema_of` tells others the same as JSON schema.

Why no library: those that fit Flask (apiflask, flask-openapi3 and spectree on pydantic or marshmallow, msgspec) refuse
in English sentences of their own, which would have to be taken apart again to be said in French. The first three also
take 100 to 130 ms more to start on a desktop computer, several times that on a Raspberry Pi.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from companion.errors import BadInput

Schema = dict[str, Any]


# --- what may be said of a type in `Annotated`


class Longest(NamedTuple):
    """Characters of a text."""

    most: int


class Between(NamedTuple):
    """A number."""

    least: float
    most: float


class Items(NamedTuple):
    """How many there are in a list."""

    least: int
    most: int


class OneOf(NamedTuple):
    """A text out of a list that is known only at run time."""

    choices: Callable[[], tuple[str, ...]]


class CheckedBy(NamedTuple):
    """A check of its own; `like` says what it takes, as a type or as JSON schema."""

    check: Callable[[Any], Any]
    like: Any


class About(NamedTuple):
    """What it means, for those who read the description."""

    text: str


class Open(NamedTuple):
    """An object that may have more fields than are told."""


def _taken_apart(kind: Any) -> tuple[Any, Mapping[type, Any]]:
    """A type, and what is said of it."""
    if get_origin(kind) is not Annotated:
        return kind, {}
    kind, *said = get_args(kind)
    return kind, {type(one): one for one in said}


class Field(NamedTuple):
    kind: Any
    is_needed: bool
    default: Any = None


@cache
def fields_of(kind: Any) -> Mapping[str, Field]:
    """The fields of a NamedTuple or a TypedDict."""
    found = {}
    usual = getattr(kind, "_field_defaults", {})
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is NotRequired:
            found[name] = Field(get_args(hint)[0], is_needed=False)
        else:
            found[name] = Field(hint, name not in usual, usual.get(name))
    return found


# --- what is sent to us


def check(kind: Any, value: Any) -> Any:
    """The value as this type, made of what JSON has. BadInput says what is wrong with it."""
    plain, said = _taken_apart(kind)
    if own := said.get(CheckedBy):
        return own.check(value)
    if get_origin(plain) in (Union, UnionType):
        inner = next(one for one in get_args(plain) if one is not NoneType)
        return None if value is None else check(inner, value)
    if choices := _choices(plain, said):
        return plain(_one_of(choices, value)) if isinstance(plain, type) else _one_of(choices, value)
    return _CHECKS.get(get_origin(plain) or plain, _checked_fields)(plain, said, value)


def check_fields(kind: Any, given: Mapping[str, Any]) -> Any:
    """A NamedTuple of an object's fields. One that has a default may be left out, or be null."""
    fields = fields_of(kind)
    for name in given:
        if name not in fields:
            raise BadInput(name, "unknown-field", choices=", ".join(fields) or "–")
    found = {}
    for name, field in fields.items():
        value = given.get(name)
        if value is None and not field.is_needed:
            continue
        try:
            found[name] = check(field.kind, value)
        except BadInput as bad:
            raise BadInput(bad.field or name, bad.code, **bad.params) from None
    return kind(**found)


def _checked_fields(kind: Any, said: Mapping[type, Any], value: Any) -> Any:
    return check_fields(kind, _checked_object(dict[str, Any], {}, value))


def _checked_text(kind: Any, said: Mapping[type, Any], value: Any) -> str:
    most = said.get(Longest, Longest(200)).most
    if value is None:
        raise BadInput("", "missing")
    if not isinstance(value, str) or len(value) > most:
        raise BadInput("", "not-a-short-text", most=most)
    return value


def _checked_whole(kind: Any, said: Mapping[type, Any], value: Any) -> int:
    least, most = said[Between]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadInput("", "not-a-whole-number", value=_shown(value), least=least, most=most)
    return value


def _checked_number(kind: Any, said: Mapping[type, Any], value: Any) -> float:
    least, most = said[Between]
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise BadInput("", "not-a-number", value=_shown(value), least=least, most=most)
    return float(value)


def _checked_flag(kind: Any, said: Mapping[type, Any], value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadInput("", "not-yes-or-no")
    return value


def _checked_list(kind: Any, said: Mapping[type, Any], value: Any) -> list[Any]:
    if value is None:
        raise BadInput("", "missing")
    least, most = said[Items]
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise BadInput("", "not-a-list-of", most=most)
    return [check(get_args(kind)[0], item) for item in value]


def _checked_object(kind: Any, said: Mapping[type, Any], value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInput("", "not-an-object")
    inner = get_args(kind)[1]
    return value if inner is Any else {name: check(inner, item) for name, item in value.items()}


_CHECKS: dict[Any, Callable[[Any, Mapping[type, Any], Any], Any]] = {
    str: _checked_text,
    int: _checked_whole,
    float: _checked_number,
    bool: _checked_flag,
    list: _checked_list,
    dict: _checked_object,
}


def _choices(plain: Any, said: Mapping[type, Any]) -> tuple[str, ...]:
    if OneOf in said:
        found: tuple[str, ...] = said[OneOf].choices()
        return found
    if get_origin(plain) is Literal:
        return get_args(plain)
    return tuple(plain) if isinstance(plain, type) and issubclass(plain, StrEnum) else ()


def _one_of(choices: tuple[str, ...], value: Any) -> str:
    if not isinstance(value, str) or value not in choices:
        raise BadInput("", "not-one-of", value=_shown(value), choices=", ".join(choices))
    return value


def _shown(value: Any) -> str | int:
    """Fit to be shown in a message."""
    return value[:40] if isinstance(value, str) else value if isinstance(value, int) else "…"


def check_query(kind: Any, given: Mapping[str, str]) -> Any:
    """A NamedTuple of what an address asks after its `?`. What it does not know is left alone."""
    found = {}
    for name, field in fields_of(kind).items():
        if name not in given:
            if field.is_needed:
                raise BadInput(name, "missing")
            continue
        try:
            found[name] = _from_text(field.kind, given[name])
        except BadInput as bad:
            raise BadInput(bad.field or name, bad.code, **bad.params) from None
    return kind(**found)


def _from_text(kind: Any, text: str) -> Any:
    plain, _ = _taken_apart(kind)
    if get_origin(plain) in (Union, UnionType):
        return _from_text(get_args(plain)[0], text)
    if plain is bool:
        return text not in ("0", "false", "no")
    if plain is int and text.isascii() and text.isdecimal() and len(text) < 10:
        return check(kind, int(text))
    return check(kind, text)


# --- what others are told of it


def schema_of(kind: Any, components: dict[str, Schema]) -> Schema:
    """The type as JSON schema. TypedDicts are put among the components, each once, and referred to."""
    plain, said = _taken_apart(kind)
    if own := said.get(CheckedBy):
        found: Schema = dict(own.like) if isinstance(own.like, dict) else schema_of(own.like, components)
    elif get_origin(plain) in (Union, UnionType):
        found = {"anyOf": [schema_of(one, components) for one in get_args(plain)]}
    elif choices := _choices(plain, said):
        found = {"enum": list(choices)}
    elif is_typeddict(plain):
        name = plain.__name__
        if name not in components:
            components[name] = {}  # it may refer to itself
            components[name] = _object(plain, components) | {"additionalProperties": Open in said}
        found = {"$ref": f"#/components/schemas/{name}"}
    elif get_origin(plain) is list:
        found = {"type": "array", "items": schema_of(get_args(plain)[0], components)}
    elif get_origin(plain) is dict:
        inner = get_args(plain)[1]
        found = {"type": "object"} | ({} if inner is Any else {"additionalProperties": schema_of(inner, components)})
    elif plain in _PLAIN:
        found = dict(_PLAIN[plain])
    else:
        found = _object(plain, components) | {"additionalProperties": False}
    return found | _limits(said)


_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Any: {},
}


def _object(kind: Any, components: dict[str, Schema]) -> Schema:
    properties = {}
    for name, field in fields_of(kind).items():
        found = schema_of(field.kind, components)
        if not field.is_needed and hasattr(kind, "_field_defaults"):
            found = _or_null(found) | ({} if field.default is None else {"default": field.default})
        properties[name] = found
    needed = [name for name, field in fields_of(kind).items() if field.is_needed]
    return {"type": "object", "properties": properties, "required": needed}


def _or_null(found: Schema) -> Schema:
    null = {"type": "null"}
    return found if null in found.get("anyOf", ()) else {"anyOf": [found, null]}


def _limits(said: Mapping[type, Any]) -> Schema:
    found: Schema = {}
    if Longest in said:
        found["maxLength"] = said[Longest].most
    if Between in said:
        found |= {"minimum": said[Between].least, "maximum": said[Between].most}
    if Items in said:
        found |= {"minItems": said[Items].least, "maxItems": said[Items].most}
    if About in said:
        found["description"] = said[About].text
    return found
