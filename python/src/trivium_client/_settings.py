"""The address, the credential and the limits of a client, checked once."""

import math
import os
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from .errors import ArgumentError

DEFAULT_URL = "http://127.0.0.1:8787"
DEFAULT_TIMEOUT = 120.0
DEFAULT_MAX_RETRIES = 2
MOST_RETRIES = 100
# Time spans longer than this overflow the clocks of some platforms.
MOST_SECONDS = 1_000_000.0
# An extraction may return 32 MiB; anything larger is not from a gateway.
MOST_ANSWER_BYTES = 64 * 1024 * 1024

_VISIBLE_ASCII = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True)
class Settings:
    url: str
    token: str = field(repr=False)
    timeout: float
    max_retries: int


def read_settings(
    *,
    url: str | None,
    token: str | None,
    token_name: str,
    timeout: float,
    max_retries: int,
) -> Settings:
    """Missing values come from TRIVIUM_URL and the token's variable."""
    given = url if url is not None else os.environ.get("TRIVIUM_URL") or DEFAULT_URL
    variable = f"TRIVIUM_{token_name.upper()}"
    return Settings(
        url=check_url(given),
        token=check_token(
            token if token is not None else os.environ.get(variable, ""), token_name, variable
        ),
        timeout=check_seconds("timeout", timeout),
        max_retries=check_count("max_retries", max_retries, MOST_RETRIES),
    )


def check_url(url: str) -> str:
    """Returns the address without a slash at its end, because paths are appended to it."""
    if not isinstance(url, str):
        raise ArgumentError(f"url must be a string, not {type(url).__name__}.")
    if not _VISIBLE_ASCII.fullmatch(url) or "\\" in url:
        raise ArgumentError("url is empty or has characters that an address cannot have.")
    try:
        parts = urlsplit(url)
        has_port = parts.port != 0
        httpx.URL(url)
    except (ValueError, httpx.InvalidURL) as error:
        raise ArgumentError(f"url is not an address: {error}.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not has_port:
        raise ArgumentError('url must look like "https://gateway.example", optionally with a path.')
    # The value is not shown, because it may contain a password.
    if "@" in parts.netloc or "?" in url or "#" in url:
        raise ArgumentError("url must not have a user name, a password, a query or a fragment.")
    return url.rstrip("/")


def check_token(token: str, name: str, variable: str) -> str:
    """The value itself never appears in a message."""
    if not isinstance(token, str):
        raise ArgumentError(f"{name} must be a string, not {type(token).__name__}.")
    if token == "":
        raise ArgumentError(f"{name} is empty: pass it, or set {variable}.")
    if not _VISIBLE_ASCII.fullmatch(token):
        raise ArgumentError(f"{name} has a space, a line break or another invalid character.")
    return token


def check_seconds(name: str, value: float) -> float:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not usable or not math.isfinite(value) or not 0 < value <= MOST_SECONDS:
        raise ArgumentError(f"{name} must be a number of seconds above 0, up to {MOST_SECONDS:g}.")
    return float(value)


def check_count(name: str, value: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ArgumentError(f"{name} must be a whole number from 0 to {most}.")
    return value
