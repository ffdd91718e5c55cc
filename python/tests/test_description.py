"""The models, parameters and filters of the package are those of the API description."""

import inspect
import json
import re
import urllib.request
from io import BytesIO
from os import environ
from typing import Any

from pydantic import BaseModel
from trivium_client import (
    _admin_operations,
    _operations,
    _people_operations,
    _webhook_operations,
    admin_models,
    models,
    requests,
)
from trivium_client._call import Call, PostOptions
from trivium_client._upload import Recording

# Names of the API description that differ in this package.
RENAMED = {"Warning": "RequestWarning", "TranscriptionUsage": "Usage"}
SETTINGS: dict[str, Any] = {
    "AccountChange": _admin_operations.AccountChange,
    "BudgetRequest": _admin_operations.BudgetRequest,
    "KeyChange": _admin_operations.KeyChange,
    "InviteRequest": _people_operations.InviteRequest,
    "KeyRotation": _admin_operations.KeyRotation,
    "PersonChange": _people_operations.PersonChange,
    "SecretRotation": _webhook_operations.SecretRotation,
    "WebhookChange": _webhook_operations.WebhookChange,
}
FILTERS: dict[str, Any] = {
    "/v1/jobs": _operations.OwnJobFilters,
    "/v1/usage": _operations.OwnUsageFilters,
    "/admin/v1/accounts": _admin_operations.AccountFilters,
    "/admin/v1/audit": _admin_operations.AuditFilters,
    "/admin/v1/jobs": _admin_operations.JobFilters,
    "/admin/v1/overview": _admin_operations.OverviewFilters,
    "/admin/v1/requests": _admin_operations.RequestFilters,
    "/admin/v1/requests/errors": _admin_operations.ErrorFilters,
    "/admin/v1/scorecard": _admin_operations.ScorecardFilters,
    "/admin/v1/transfers": _admin_operations.TransferFilters,
    "/admin/v1/usage": _admin_operations.UsageFilters,
    "/admin/v1/webhooks": _webhook_operations.WebhookFilters,
    "/admin/v1/webhooks/deliveries": _webhook_operations.DeliveryFilters,
}
# The parameters that carry the body of a call.
BODIES = ("fields", "movement", "budget", "invitation")
# Repeating these is harmless: an unused upload is deleted, an estimate or the same feedback changes
# nothing more, and a second link or check does no harm.
WITHOUT_KEY = (
    *("/v1/uploads", "/v1/estimates", "/v1/feedback"),
    *("/admin/v1/people", "/admin/v1/providers"),
)
NONE = ("timeout", "content_type", "idempotency_key", "overlap_hours", "content_mode")
# The paths that the clients call.
FAMILIES = (
    *("/v1/balance", "/v1/estimates", "/v1/extract", "/v1/jobs", "/v1/providers", "/v1/search"),
    *("/v1/feedback", "/v1/transcriptions", "/v1/uploads", "/v1/usage"),
    *("/admin/v1/accounts", "/admin/v1/audit", "/admin/v1/jobs", "/admin/v1/keys"),
    *("/admin/v1/requests", "/admin/v1/transfers", "/admin/v1/usage", "/admin/v1/webhooks"),
    *("/admin/v1/activity", "/admin/v1/attention", "/admin/v1/invites", "/admin/v1/overview"),
    *("/admin/v1/people", "/admin/v1/provider", "/admin/v1/scorecard", "/admin/v1/settings"),
)


def test_every_field_of_the_api_description_is_in_a_model() -> None:
    schemas = description()["components"]["schemas"]
    known = {**vars(admin_models), **vars(models)}
    compared = 0
    for name, schema in schemas.items():
        model = known.get(RENAMED.get(name, name))
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            continue
        compared += 1
        required = {field for field, one in model.model_fields.items() if one.is_required()}
        assert set(schema.get("properties", {})) == set(model.model_fields), name
        # A model may require fewer fields than the description, never more.
        assert required <= set(schema.get("required", [])), name
    assert compared >= 30


def test_every_parameter_of_the_api_description_is_supported() -> None:
    schemas = description()["components"]["schemas"]
    for name in ("SearchRequest", "ExtractRequest", "TranscriptionRequest", "FusionOptions"):
        assert_same_parameters(schemas[name], getattr(requests, name), schemas)


def test_every_setting_of_the_api_description_is_supported() -> None:
    schemas = description()["components"]["schemas"]
    for name, kind in SETTINGS.items():
        assert set(schemas[name]["properties"]) == set(kind.__annotations__), name


def test_every_filter_of_the_api_description_is_supported() -> None:
    paths = description()["paths"]
    for path, kind in FILTERS.items():
        named = {one["name"] for one in paths[path]["get"]["parameters"] if one["in"] == "query"}
        # The client reads JSON, and chooses no other format.
        named.discard("format")
        assert named == {name.rstrip("_") for name in kind.__annotations__}, path


def test_every_answer_of_the_api_description_has_a_model() -> None:
    known = {**vars(admin_models), **vars(models)}
    read = [
        (path, answer)
        for path, methods in description()["paths"].items()
        if path.split("/{")[0].startswith(FAMILIES)
        for method in methods.values()
        for status, answer in method["responses"].items()
        if status.startswith("2") and "application/json" in answer.get("content", {})
    ]
    assert len(read) > 30
    for path, answer in read:
        name = answer["content"]["application/json"]["schema"]["$ref"].split("/")[-1]
        assert name in known, path


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
    assert len(changes) >= 20


def every_call() -> list[Call[Any]]:
    """Each function that makes a call, with arguments for its parameters."""
    values: dict[str, Any] = {
        "fields": {},
        "options": PostOptions(),
        "recording": Recording(BytesIO(b""), 0, None),
        "job_id": "job_0198c0de-0000-7000-8000-000000000001",
        **{name: {} for name in ("filters", "change", "policy", "movement", "budget", "invitation")},
        **{name: None for name in NONE},
        "kind": "topups",
        "tool": "search",
        "request": {"query": "solar"},
        "results": {"cited": ["res_0123456789abcdef"]},
    }
    required = {
        "search": {"query": "solar"},
        "extract": {"urls": ["https://example.com"]},
        "transcribe": {"audio_url": "https://example.com/a.mp3"},
        "move": {"amount_usd": 1, "reason": "x"},
        "set_budget": {"tag": "team", "value": "blue"},
        "create_invitation": {"role": "operator"},
        "create_webhook": {"url": "https://example.com", "events": ["job.failed"]},
    }
    calls: list[Call[Any]] = []
    for module in (_operations, _admin_operations, _people_operations, _webhook_operations):
        for name, function in vars(module).items():
            if not inspect.isfunction(function) or function.__module__ != module.__name__:
                continue
            given = inspect.signature(function)
            # Some make a call, and some a function that makes one for each page.
            if "Call[" not in str(given.return_annotation) or name in ("listing", "once"):
                continue
            bodies = {one: required[name] for one in BODIES if name in required}
            made = function(*({**values, **bodies}.get(one, "x_1") for one in given.parameters))
            calls.append(made if isinstance(made, Call) else made({}))
    return calls


def route_of(path: str, paths: Any) -> str:
    if path in paths:
        return path
    fitting = [str(one) for one in paths if re.fullmatch(re.sub(r"{\w+}", "[^/]+", one), path)]
    assert fitting != [], path
    return fitting[0]


def assert_same_parameters(schema: Any, kind: Any, schemas: Any) -> None:
    # Native options may also be named by the vendor.
    assert set(schema["properties"]) == set(kind.__annotations__) - set(requests.VENDORS), kind
    for name, value in schema["properties"].items():
        nested = schemas[value["$ref"].split("/")[-1]] if "$ref" in value else value
        if "properties" in nested:
            annotation = kind.__annotations__[name]
            options = [one for one in getattr(annotation, "__args__", [annotation])]
            assert_same_parameters(nested, options[0], schemas)


def description() -> Any:
    with urllib.request.urlopen(f"{environ['TRIVIUM_URL']}/openapi.json") as response:
        return json.load(response)
