"""Writes down the public types of each client: the fields of its requests and of its answers.

Every type is a table of fields, each with its type in words; the values of an enumeration are its
fields. What the client calls deprecated says so. Two such lists show what has changed between them.
"""
import ast
import collections.abc
import inspect
import re
import textwrap
import types as builtin_types
import typing
from enum import Enum
from importlib.metadata import version

from pydantic import BaseModel

from check_requests import CLIENTS, load
from shapes import get_type_hints, hints_of_call, is_list, is_typeddict, unwrap

LONGEST_TYPE = 200
# Below this depth, types are only named.
DEEPEST = 4


def types_of_clients():
    return {vendor: describe(vendor) for vendor in CLIENTS}


def describe(vendor):
    """Without types where the client cannot be read, which a check of its requests reports."""
    package = CLIENTS[vendor][0]
    requests = load(vendor)
    types = {} if isinstance(requests, str) else types_in(requests)
    return {"package": package, "version": version(package), "types": types}


def types_in(requests):
    found = {}
    for path, request in requests.items():
        deprecated = deprecated_in(request.source)
        found[f"POST {path}"] = {
            name: in_words(kind, name in deprecated) for name, kind in sorted(request.fields.items())
        }
        for kind in [*request.fields.values(), answer_of(request.answer)]:
            collect(kind, found, DEEPEST)
    return dict(sorted(found.items()))


def answer_of(answer):
    """A client gives its answer as a type, or by the method that returns it."""
    if not inspect.isfunction(answer):
        return answer
    try:
        return get_type_hints(answer, include_extras=True).get("return")
    except Exception:
        return None


def collect(kind, found, depth):
    """Adds the type and all types inside it."""
    kind = unwrap(kind)
    for inner in typing.get_args(kind):
        collect(inner, found, depth)
    kind = typing.get_origin(kind) or kind
    if not isinstance(kind, type) or kind.__module__ == "builtins" or depth == 0:
        return
    try:
        fields = fields_of(kind)
    except Exception:
        return
    if not fields or kind.__name__ in found:
        return
    deprecated = deprecated_in_class(kind)
    found[kind.__name__] = {
        name: in_words(inner, name in deprecated) for name, inner in sorted(fields.items())
    }
    for inner in fields.values():
        collect(inner, found, depth - 1)


def fields_of(kind):
    if issubclass(kind, Enum):
        return {str(one.value): None for one in kind}
    if hasattr(kind, "model_fields"):
        if kind is not BaseModel:
            # Until it is used, a model does not know the types that are defined after it.
            kind.model_rebuild(raise_errors=False)
        return {field.alias or name: field.annotation for name, field in kind.model_fields.items()}
    if not is_typeddict(kind) and not hasattr(kind, "__dataclass_fields__"):
        return {}
    return get_type_hints(kind, include_extras=True)


def in_words(kind, deprecated=False):
    text = "" if kind is None else words(kind)
    text = text if len(text) <= LONGEST_TYPE else text[: LONGEST_TYPE - 1] + "…"
    return f"{text} (deprecated)".strip() if deprecated else text


def words(kind):
    kind = unwrap(kind)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, builtin_types.UnionType):
        return " | ".join(sorted({words(one) for one in inner}))
    if origin is typing.Literal:
        return " | ".join(sorted(repr(one) for one in inner))
    if is_list(kind, origin):
        return f"list[{words(inner[0])}]" if inner else "list"
    if origin in (dict, collections.abc.Mapping):
        return f"dict[{', '.join(words(one) for one in inner)}]"
    if kind is type(None):
        return "None"
    if isinstance(kind, typing.ForwardRef):
        return kind.__forward_arg__
    return getattr(kind, "__name__", str(kind).replace("typing.", ""))


def deprecated_in(source):
    return deprecated_in_call(source) if inspect.isfunction(source) else deprecated_in_class(source)


def deprecated_in_class(kind):
    """Marked by pydantic, or stated in the text of a field."""
    marked = {
        field.alias or name
        for name, field in getattr(kind, "model_fields", {}).items()
        if field.deprecated or says_deprecated(field.description)
    }
    names = {name: field.alias or name for name, field in getattr(kind, "model_fields", {}).items()}
    return marked | {names.get(name, name) for name in said_in_source(kind)}


def said_in_source(kind):
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0].body
    except Exception:
        return set()
    return {
        field.target.id
        for field, text in zip(body, body[1:])
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and says_deprecated(text.value.value)
    }


def deprecated_in_call(call):
    """The parameters that the text of a method describes as deprecated."""
    text = inspect.getdoc(call) or ""
    names = hints_of_call(call) if text else {}
    described = {
        name: re.search(rf"^\s*{re.escape(name)}\b[^\n]*:.*?(?=^\s*\w+\b[^\n]*:|\Z)", text, re.M | re.S)
        for name in names
    }
    return {name for name, found in described.items() if found and says_deprecated(found[0])}


def says_deprecated(text):
    return isinstance(text, str) and "deprecated" in text.lower()
