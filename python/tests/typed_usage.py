"""Calls that a type checker must accept or refuse; unused ignores are errors."""

from typing import Any

from trivium_client import AsyncTrivium, OwnJobList, SearchResponse, Trivium, TriviumAdmin


def accepted(client: Trivium, admin: TriviumAdmin) -> list[str | None]:
    found: SearchResponse = client.search("x", provider="fusion", content={"full_text": True})
    job = client.jobs.wait(client.transcribe("https://example.com/a.wav").id)
    texts: list[str] = [job.result.text, *(one.name for one in admin.accounts.list())]
    replayed: bool = found.meta.replayed
    named: SearchResponse = client.search(
        "x", provider="tavily", provider_options={"exa": {"type": "deep"}}
    )
    cost: float = client.estimate("search", {"query": "x"}).max_cost_usd
    newest: list[str] = [one.id for one in client.jobs.list(status="failed")]
    texts += [named.id, str(cost), *newest]
    with open("talk.wav", "rb") as file:
        client.transcribe(file=file, webhook="https://hooks.example/done")
    sent: int = client.uploads.create(b"", on_progress=lambda sent, total: None).bytes
    caps = [one.daily_cap_usd for one in admin.budgets.list("acct_1").budgets]
    texts += [str(sent), str(caps), admin.webhooks.secret("acct_1").secret]
    return [*texts, str(replayed), *(result.title for result in found.results)]


async def accepted_async(client: AsyncTrivium) -> SearchResponse:
    page: OwnJobList = await client.jobs.list(limit=1)
    ids: list[str] = [one.id async for one in client.jobs.list()]
    assert len(page.jobs) <= len(ids)
    return await client.search("x", freshness=None)


def refused(client: Trivium, async_client: AsyncTrivium) -> Any:
    client.search("x", provider=7)  # type: ignore[arg-type]
    client.jobs.list(state="failed")  # type: ignore[call-arg]
    client.search("x", qery=1)  # type: ignore[call-arg]
    client.search("x", content={"ful_text": True})  # type: ignore[arg-type]
    client.transcribe(file=7)  # type: ignore[arg-type]
    client.uploads.create(open("talk.wav"))  # type: ignore[arg-type]
    client.search()  # type: ignore[call-arg]
    client.extract(["https://example.com"], max_age_hours="1")  # type: ignore[arg-type]
    client.jobs.get("x").result.text  # type: ignore[union-attr]
    return async_client.search("x").results  # type: ignore[attr-defined]
