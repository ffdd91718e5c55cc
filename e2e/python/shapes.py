"""Compares a JSON value with the types of a vendor's client, and lists what does not match.

pydantic would do this for models alone, and lets unknown fields pass; here every kind of type that
a client describes a request with is read the same way, and what it does not name is a fault.
"""
import collections.abc
import datetime
import inspect
import json
import re
import sys
import types
import typing
from enum import Enum

from pydantic import BaseModel
from typing_extensions import NotRequired, Required, TypeAliasType, get_type_hints, is_typeddict

LISTS = (list, tuple, collections.abc.Sequence, collections.abc.Iterable)
WRAPPERS = (typing.Annotated, Required, NotRequired, typing.ClassVar)


def fields_of_model(model):
    """The names of a model on the wire, and its own names, each with its type."""
    fields = {}
    for name, field in model.model_fields.items():
        for spelling in (name, field.alias, field.serialization_alias):
            if spelling:
                fields[spelling] = field.annotation
    return fields


def fields_of_call(call, without=()):
    """The parameters of a method; `without` are those that never reach the wire."""
    hints = hints_of_call(call)
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {
        name: hints[name] | None if parameter.default is None else hints[name]
        for name, parameter in inspect.signature(call).parameters.items()
        if parameter.kind in named and name in hints and name not in without
    }


def hints_of_call(call):
    """Without what it returns; `datetime` is a name some clients import for a type checker alone."""

    def stub():
        pass

    stub.__annotations__ = {n: k for n, k in call.__annotations__.items() if n != "return"}
    names = {"datetime": datetime, **vars(sys.modules[call.__module__])}
    return get_type_hints(stub, globalns=names, include_extras=True)


def field_faults(value, fields, at=""):
    """The parts of an object that the fields do not name, or name differently."""
    found = []
    for name, inner in value.items():
        place = f"{at}.{name}" if at else name
        if name not in fields:
            found.append(f"{place}: the client does not know this field")
        else:
            found.extend(faults(inner, fields[name], place))
    return found


def text_faults(pairs, fields):
    """The same for a query or a form, where every value is text and a list repeats its name."""
    found = []
    for name in dict.fromkeys(name for name, _ in pairs):
        texts = [text for key, text in pairs if key == name]
        readings = [texts] if len(texts) > 1 else [texts[0], texts, *as_json(texts[0])]
        tried = [field_faults({name: reading}, fields) for reading in readings]
        found.extend([] if [] in tried else tried[0])
    return found


def faults(value, kind, at):
    kind = unwrap(kind)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind in (typing.Any, object) or isinstance(kind, typing.TypeVar):
        return []
    if origin in (typing.Union, types.UnionType):
        return union_faults(value, inner, at)
    if origin is typing.Literal:
        fits = any(type(value) is type(one) and value == one for one in inner)
        return [] if fits else [f"{at}: {value!r} is none of {list(inner)}"]
    if is_typeddict(kind):
        return object_faults(value, get_type_hints(kind, include_extras=True), kind.__required_keys__, at)
    if is_list(kind, origin):
        return list_faults(value, inner[0] if inner else typing.Any, at)
    if origin in (dict, collections.abc.Mapping) or kind is dict:
        return mapping_faults(value, inner[1] if inner else typing.Any, at)
    return class_faults(value, kind, at)


def class_faults(value, kind, at):
    if not isinstance(kind, type):
        raise TypeError(f"{at}: {kind!r} is a kind of type that this check cannot read")
    if issubclass(kind, BaseModel):
        required = {name for name, field in kind.model_fields.items() if field.is_required()}
        return object_faults(value, fields_of_model(kind), required, at)
    if issubclass(kind, Enum):
        known = [one.value for one in kind]
        return [] if value in known else [f"{at}: {value!r} is none of {known}"]
    if kind is float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool)
    elif kind in (str, int, bool, type(None)):
        fits = type(value) is kind
    else:
        fits = False
    return [] if fits else [f"{at}: {value!r} is not of type {kind.__name__}"]


def object_faults(value, fields, required, at):
    if not isinstance(value, dict):
        return [f"{at}: {value!r} is not an object"]
    missing = [f"{at}.{name}: is missing" for name in sorted(required) if name not in value]
    return missing + field_faults(value, fields, at)


def union_faults(value, kinds, at):
    """One kind that fits is enough; else the faults of the kind that fits best."""
    tried = [faults(value, kind, at) for kind in kinds]
    return min(tried, key=lambda found: (len(found), is_about_type(found)))


def is_about_type(found):
    return any("is not of type" in one or "is not an object" in one for one in found)


def list_faults(value, kind, at):
    if not isinstance(value, list):
        return [f"{at}: {value!r} is not a list"]
    return [fault for i, one in enumerate(value) for fault in faults(one, kind, f"{at}[{i}]")]


def mapping_faults(value, kind, at):
    if not isinstance(value, dict):
        return [f"{at}: {value!r} is not an object"]
    return [fault for name, one in value.items() for fault in faults(one, kind, f"{at}.{name}")]


def is_list(kind, origin):
    # Generated clients have their own protocol for "a list of texts, not one text".
    return kind in LISTS or origin in LISTS or getattr(origin, "__name__", "") == "SequenceNotStr"


def unwrap(kind):
    while True:
        if typing.get_origin(kind) in WRAPPERS:
            kind = typing.get_args(kind)[0]
        elif hasattr(kind, "__supertype__"):
            kind = kind.__supertype__
        elif isinstance(kind, TypeAliasType):
            kind = kind.__value__
        else:
            return kind


def as_json(text):
    try:
        return [json.loads(text)]
    except ValueError:
        return []


def snake(value):
    """Spells the names of an object as Python does, at any depth."""
    if isinstance(value, list):
        return [snake(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): snake(one) for name, one in value.items()}
