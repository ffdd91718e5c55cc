"""Translates vendor names into provider ids, which the gateway expects."""

import re
from collections.abc import Mapping
from typing import Any

from .errors import ArgumentError
from .requests import VENDORS

# Longer than any name.
_MOST_CHARACTERS = 40


def to_provider_id(name: Any) -> Any:
    """The id for a vendor's name; any other value is unchanged, and the gateway checks it."""
    if not isinstance(name, str) or len(name) > _MOST_CHARACTERS:
        return name
    return VENDORS.get(re.sub("[^a-z0-9]", "", name.lower()), name)


def with_provider_ids(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A request or a policy with provider ids instead of vendor names."""
    named = dict(fields)
    if "provider" in named:
        named["provider"] = to_provider_id(named["provider"])
    if isinstance(named.get("providers"), (list, tuple)):
        named["providers"] = [to_provider_id(one) for one in named["providers"]]
    if isinstance(named.get("provider_options"), Mapping):
        named["provider_options"] = _options(named["provider_options"])
    return named


def _options(options: Mapping[Any, Any]) -> dict[Any, Any]:
    named: dict[Any, Any] = {}
    for name, value in options.items():
        provider = to_provider_id(name)
        if provider in named:
            raise ArgumentError(f"{provider} is given twice, in two spellings.")
        is_panel = provider == "fusion" and isinstance(value, Mapping)
        named[provider] = with_provider_ids(value) if is_panel else value
    return named
