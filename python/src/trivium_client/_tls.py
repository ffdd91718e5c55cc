"""The trusted certificates, loaded once, because loading them takes longer than many calls."""

import ssl
from functools import cache

import httpx


@cache
def tls_context() -> ssl.SSLContext:
    return httpx.create_ssl_context()
