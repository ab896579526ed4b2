"""Validation and JSON schema for the API's types.

A request body is a NamedTuple, a response a TypedDict. `check` validates JSON against such a type, with message codes
that exist in every language; `schema_of` makes its JSON schema.

Why no library: those that fit Flask (apiflask, flask-openapi3 and spectree on pydantic or marshmallow, msgspec) report
errors as English sentences, which would have to be parsed to be translated. The first three also take 100 to 130 ms
more to start on a desktop computer, and several times that on a Raspberry Pi.
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


# --- annotations for `Annotated`


class MaxLength(NamedTuple):
    """The maximum number of characters of a text."""

    most: int


class Between(NamedTuple):
    """The range of a number."""

    least: float
    most: float


class Items(NamedTuple):
    """The number of items in a list."""

    least: int
    most: int


class OneOf(NamedTuple):
    """One of a list of texts that is known only at run time."""

    choices: Callable[[], tuple[str, ...]]


class CheckedBy(NamedTuple):
    """A custom validator. `like`: the type or the JSON schema that it accepts."""

    check: Callable[[Any], Any]
    like: Any


class About(NamedTuple):
    """A description for the schema."""

    text: str


class Open(NamedTuple):
    """An object with additional fields."""


def _split_annotated(kind: Any) -> tuple[Any, Mapping[type, Any]]:
    """Split a type from its annotations."""
    if get_origin(kind) is not Annotated:
        return kind, {}
    kind, *annotations = get_args(kind)
    return kind, {type(one): one for one in annotations}


class Field(NamedTuple):
    kind: Any
    is_required: bool
    default: Any = None


@cache
def fields_of(kind: Any) -> Mapping[str, Field]:
    """The fields of a NamedTuple or a TypedDict."""
    found = {}
    defaults = getattr(kind, "_field_defaults", {})
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is NotRequired:
            found[name] = Field(get_args(hint)[0], is_required=False)
        else:
            found[name] = Field(hint, name not in defaults, defaults.get(name))
    return found


# --- validation


def check(kind: Any, value: Any) -> Any:
    """Validate a JSON value against a type and convert it. BadInput says what is wrong with it."""
    plain, annotations = _split_annotated(kind)
    if own := annotations.get(CheckedBy):
        return own.check(value)
    if get_origin(plain) in (Union, UnionType):
        inner = next(one for one in get_args(plain) if one is not NoneType)
        return None if value is None else check(inner, value)
    if choices := _choices(plain, annotations):
        return plain(_one_of(choices, value)) if isinstance(plain, type) else _one_of(choices, value)
    return _CHECKS.get(get_origin(plain) or plain, _checked_fields)(plain, annotations, value)


def check_fields(kind: Any, given: Mapping[str, Any]) -> Any:
    """Validate an object's fields as a NamedTuple. A field with a default may be missing or null."""
    fields = fields_of(kind)
    for name in given:
        if name not in fields:
            raise BadInput(name, "unknown-field", choices=", ".join(fields) or "–")
    found = {}
    for name, field in fields.items():
        value = given.get(name)
        if value is None and not field.is_required:
            continue
        try:
            found[name] = check(field.kind, value)
        except BadInput as bad:
            raise BadInput(bad.field or name, bad.code, **bad.params) from None
    return kind(**found)


def _checked_fields(kind: Any, annotations: Mapping[type, Any], value: Any) -> Any:
    return check_fields(kind, _checked_object(dict[str, Any], {}, value))


def _checked_text(kind: Any, annotations: Mapping[type, Any], value: Any) -> str:
    most = annotations.get(MaxLength, MaxLength(200)).most
    if value is None:
        raise BadInput("", "missing")
    if not isinstance(value, str) or len(value) > most:
        raise BadInput("", "not-a-short-text", most=most)
    return value


def _checked_whole(kind: Any, annotations: Mapping[type, Any], value: Any) -> int:
    least, most = annotations[Between]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadInput("", "not-a-whole-number", value=_shown(value), least=least, most=most)
    return value


def _checked_number(kind: Any, annotations: Mapping[type, Any], value: Any) -> float:
    least, most = annotations[Between]
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise BadInput("", "not-a-number", value=_shown(value), least=least, most=most)
    return float(value)


def _checked_flag(kind: Any, annotations: Mapping[type, Any], value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadInput("", "not-yes-or-no")
    return value


def _checked_list(kind: Any, annotations: Mapping[type, Any], value: Any) -> list[Any]:
    if value is None:
        raise BadInput("", "missing")
    least, most = annotations[Items]
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise BadInput("", "not-a-list-of", most=most)
    return [check(get_args(kind)[0], item) for item in value]


def _checked_object(kind: Any, annotations: Mapping[type, Any], value: Any) -> dict[str, Any]:
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


def _choices(plain: Any, annotations: Mapping[type, Any]) -> tuple[str, ...]:
    if OneOf in annotations:
        found: tuple[str, ...] = annotations[OneOf].choices()
        return found
    if get_origin(plain) is Literal:
        return get_args(plain)
    return tuple(plain) if isinstance(plain, type) and issubclass(plain, StrEnum) else ()


def _one_of(choices: tuple[str, ...], value: Any) -> str:
    if not isinstance(value, str) or value not in choices:
        raise BadInput("", "not-one-of", value=_shown(value), choices=", ".join(choices))
    return value


def _shown(value: Any) -> str | int:
    """The value shortened for a message."""
    return value[:40] if isinstance(value, str) else value if isinstance(value, int) else "…"


def check_query(kind: Any, given: Mapping[str, str]) -> Any:
    """Validate a query string as a NamedTuple. Unknown parameters are ignored."""
    found = {}
    for name, field in fields_of(kind).items():
        if name not in given:
            if field.is_required:
                raise BadInput(name, "missing")
            continue
        try:
            found[name] = _from_text(field.kind, given[name])
        except BadInput as bad:
            raise BadInput(bad.field or name, bad.code, **bad.params) from None
    return kind(**found)


def _from_text(kind: Any, text: str) -> Any:
    plain, _ = _split_annotated(kind)
    if get_origin(plain) in (Union, UnionType):
        return _from_text(get_args(plain)[0], text)
    if plain is bool:
        return text not in ("0", "false", "no")
    if plain is int and text.isascii() and text.isdecimal() and len(text) < 10:
        return check(kind, int(text))
    return check(kind, text)


# --- JSON schema


def schema_of(kind: Any, components: dict[str, Schema]) -> Schema:
    """The JSON schema of a type. TypedDicts are added to `components` once and referenced."""
    plain, annotations = _split_annotated(kind)
    if own := annotations.get(CheckedBy):
        found: Schema = dict(own.like) if isinstance(own.like, dict) else schema_of(own.like, components)
    elif get_origin(plain) in (Union, UnionType):
        found = {"anyOf": [schema_of(one, components) for one in get_args(plain)]}
    elif choices := _choices(plain, annotations):
        found = {"enum": list(choices)}
    elif is_typeddict(plain):
        name = plain.__name__
        if name not in components:
            components[name] = {}  # the type may be recursive
            components[name] = _object(plain, components) | {"additionalProperties": Open in annotations}
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
    return found | _limits(annotations)


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
        if not field.is_required and hasattr(kind, "_field_defaults"):
            found = _or_null(found) | ({} if field.default is None else {"default": field.default})
        properties[name] = found
    needed = [name for name, field in fields_of(kind).items() if field.is_required]
    return {"type": "object", "properties": properties, "required": needed}


def _or_null(found: Schema) -> Schema:
    null = {"type": "null"}
    return found if null in found.get("anyOf", ()) else {"anyOf": [found, null]}


def _limits(annotations: Mapping[type, Any]) -> Schema:
    found: Schema = {}
    if MaxLength in annotations:
        found["maxLength"] = annotations[MaxLength].most
    if Between in annotations:
        found |= {"minimum": annotations[Between].least, "maximum": annotations[Between].most}
    if Items in annotations:
        found |= {"minItems": annotations[Items].least, "maxItems": annotations[Items].most}
    if About in annotations:
        found["description"] = annotations[About].text
    return found
