"""What the calls of the operator's clients have in common."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ._call import Call, PostOptions, T, encode, filter_query, get, moment_text, post, to_json
from ._providers import with_provider_ids

ROOT = "/admin/v1"


def listing(path: str, answer: type[T], filters: Mapping[str, Any], kind: type[Any]) -> Call[T]:
    return get(path + filter_query(filters, kind), answer, None)


def change(path: str, answer: type[T], body: bytes | None, idempotency_key: str | None) -> Call[T]:
    """A change that a retry after a broken connection does not make twice."""
    return post(path, answer, body, PostOptions(idempotency_key=idempotency_key))


def changed(kind: type[Any], fields: Mapping[str, Any]) -> bytes:
    """None is a value here: it removes a limit."""
    encode(kind, {name: value for name, value in fields.items() if value is not None})
    sent = {
        name: moment_text(name, value) if isinstance(value, datetime) else value
        for name, value in fields.items()
    }
    return to_json(with_provider_ids(sent))
