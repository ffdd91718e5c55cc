"""Every call of the client is a route of the API, and every change carries a key.

The models, the parameters, the filters and the operator's calls are generated from the description.
"""

import inspect
import json
import re
import urllib.request
from io import BytesIO
from os import environ
from typing import Any

from trivium_client import _operations
from trivium_client._call import Call, PostOptions
from trivium_client._upload import Recording

# Repeating these is harmless: an unused upload is deleted, and an estimate or the same feedback
# changes nothing more.
WITHOUT_KEY = ("/v1/uploads", "/v1/estimates", "/v1/feedback")
NONE = ("timeout", "content_type", "content_mode")


def test_every_call_is_a_route_and_every_change_carries_a_key() -> None:
    """A key is useful only if the gateway keeps it, so the description must name it."""
    paths = description()["paths"]
    changes = set()
    for call in every_call():
        route = route_of(call.path.split("?")[0], paths)
        operation = paths[route][call.method.lower()]
        if call.method == "GET":
            continue
        changes.add((call.method, route))
        if call.method == "POST" and not route.startswith(WITHOUT_KEY):
            headers = [one["name"].lower() for one in operation.get("parameters", [])]
            assert "idempotency-key" in headers, route
            assert call.idempotency_key is not None, route
    assert len(changes) >= 6


def every_call() -> list[Call[Any]]:
    """Each function that makes a call, with arguments for its parameters."""
    values: dict[str, Any] = {
        "filters": {},
        "options": PostOptions(),
        "recording": Recording(BytesIO(b""), 0, None),
        "job_id": "job_0198c0de-0000-7000-8000-000000000001",
        **{name: None for name in NONE},
        "tool": "search",
        "request": {"query": "solar"},
        "results": {"cited": ["res_0123456789abcdef"]},
    }
    fields = {
        "search": {"query": "solar"},
        "extract": {"urls": ["https://example.com"]},
        "transcribe": {"audio_url": "https://example.com/a.mp3"},
    }
    calls: list[Call[Any]] = []
    for name, function in vars(_operations).items():
        if not inspect.isfunction(function) or function.__module__ != _operations.__name__:
            continue
        given = inspect.signature(function)
        # Some make a call, and some a function that makes one for each page.
        if "Call[" not in str(given.return_annotation):
            continue
        arguments = {**values, "fields": fields.get(name, {})}
        made = function(*(arguments.get(one, "x_1") for one in given.parameters))
        calls.append(made if isinstance(made, Call) else made({}))
    return calls


def route_of(path: str, paths: Any) -> str:
    if path in paths:
        return path
    fitting = [str(one) for one in paths if re.fullmatch(re.sub(r"{\w+}", "[^/]+", one), path)]
    assert fitting != [], path
    return fitting[0]


def description() -> Any:
    with urllib.request.urlopen(f"{environ['TRIVIUM_URL']}/openapi.json") as response:
        return json.load(response)
