"""Why there was no answer. The reason is in the causes of the error that the HTTP client raises."""

import errno
import socket
import ssl
from collections.abc import Iterator

import httpx

from .errors import ConnectionFailure

_MOST_ERRORS = 50
_UNREACHABLE = (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)


def failure_of(error: BaseException) -> ConnectionFailure:
    for one in _causes(error):
        found = _kind(one)
        if found is not None:
            return found
    return "unknown"


def _kind(error: BaseException) -> ConnectionFailure | None:
    if isinstance(error, socket.gaierror):
        return "dns"
    if isinstance(error, ssl.SSLError):
        return "tls"
    if isinstance(error, ConnectionRefusedError):
        return "refused"
    if isinstance(error, (TimeoutError, httpx.TimeoutException)):
        return "timed_out"
    if isinstance(error, (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)):
        return "closed"
    if isinstance(error, httpx.RemoteProtocolError):
        return "closed" if "disconnected" in str(error) or "closed" in str(error) else "not_http"
    if isinstance(error, httpx.ReadError):
        return "closed"
    if isinstance(error, OSError) and error.errno in _UNREACHABLE:
        return "unreachable"
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The causes of an error, each once. The innermost is first, because it says the most."""
    found: list[BaseException] = []
    left: list[BaseException] = [error]
    while left and len(found) < _MOST_ERRORS:
        one = left.pop()
        if any(one is other for other in found):
            continue
        found.append(one)
        inner = [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
        left.extend(cause for cause in inner if isinstance(cause, BaseException))
    return reversed(found)
