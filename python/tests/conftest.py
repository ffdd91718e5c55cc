"""Fixtures: runs the same call on each client under test, against a gateway."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import anyio
import pytest
from trivium_client import AsyncTrivium, AsyncTriviumAdmin, Trivium, TriviumAdmin

Work = Callable[[Any], Any]


@dataclass
class Every:
    """Requests every item of a list instead of its first page."""

    of: Any


class Ask(Protocol):
    def __call__(self, work: Work, *, url: str | None = None, **options: Any) -> Any: ...


# The blocking client is generated from the other one, except for what these modules test.
SENDING = ("test_hostile", "test_uploads")
# These show that every client works.
EVERYWHERE = (
    "test_a_custom_http_client_stays_open_and_its_defaults_are_ignored",
    "test_a_search_returns_pages_and_their_cost",
    "test_lists_are_read_page_by_page",
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Most tests need one client, because the others have the same code."""
    if "kind" in metafunc.fixturenames:
        is_everywhere = metafunc.function.__name__ in EVERYWHERE
        is_both = is_everywhere or metafunc.module.__name__ in SENDING
        others = ["sync"] * is_both + ["trio"] * is_everywhere
        metafunc.parametrize("kind", ["asyncio", *others])


@pytest.fixture
def ask(kind: str) -> Ask:
    """Runs a function with a new client, and closes the client afterwards."""

    def run(work: Work, *, url: str | None = None, **options: Any) -> Any:
        options.setdefault("api_key", "sk_live_of_the_tests" if url is not None else None)
        return _run(kind, Trivium, AsyncTrivium, work, {"url": url, **options})

    return run


@pytest.fixture
def ask_admin(kind: str) -> Ask:
    def run(work: Work, *, url: str | None = None, **options: Any) -> Any:
        options.setdefault("admin_token", "token-of-the-tests" if url is not None else None)
        return _run(kind, TriviumAdmin, AsyncTriviumAdmin, work, {"url": url, **options})

    return run


@pytest.fixture(scope="session", autouse=True)
def environment() -> None:
    """The tests fail without a gateway, instead of passing without a request."""
    missing = [
        name
        for name in ("TRIVIUM_URL", "TRIVIUM_API_KEY", "TRIVIUM_ADMIN_TOKEN")
        if not os.environ.get(name)
    ]
    assert missing == [], "Run these tests with npm test; it starts a gateway for them."


def _run(
    kind: str,
    sync_client: Callable[..., Any],
    async_client: Callable[..., Any],
    work: Work,
    options: dict[str, Any],
) -> Any:
    if kind == "sync":
        with sync_client(**options) as client:
            answer = work(client)
            return list(answer.of) if isinstance(answer, Every) else answer

    async def main() -> Any:
        async with async_client(**options) as client:
            answer = work(client)
            return [one async for one in answer.of] if isinstance(answer, Every) else await answer

    return anyio.run(main, backend=kind)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Appends each outcome to the file in TRIVIUM_TEST_REPORT, for the parent test run."""
    path = os.environ.get("TRIVIUM_TEST_REPORT")
    if path is None or (report.when != "call" and report.passed):
        return
    outcome = {"name": report.nodeid, "outcome": report.outcome, "text": report.longreprtext}
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(outcome) + "\n")
