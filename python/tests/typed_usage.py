"""Calls that a type checker must accept or refuse; unused ignores are errors."""

from typing import Any

from trivium_client import AsyncTrivium, SearchResponse, Trivium, TriviumAdmin


def accepted(client: Trivium, admin: TriviumAdmin) -> list[str | None]:
    found: SearchResponse = client.search("x", provider="fusion", content={"full_text": True})
    job = client.jobs.wait(client.transcribe("https://example.com/a.wav").id)
    texts: list[str] = [job.result.text, *(one.name for one in admin.accounts.iterate())]
    replayed: bool = found.meta.replayed
    with open("talk.wav", "rb") as file:
        client.transcribe(file=file, webhook="https://hooks.example/done")
    sent: int = client.uploads.create(b"", on_progress=lambda sent, total: None).bytes
    caps = [one.daily_cap_usd for one in admin.budgets.list("acct_1").budgets]
    texts += [str(sent), str(caps), admin.webhooks.secret("acct_1").secret]
    return [*texts, str(replayed), *(result.title for result in found.results)]


async def accepted_async(client: AsyncTrivium) -> SearchResponse:
    return await client.search("x", freshness=None)


def refused(client: Trivium, async_client: AsyncTrivium) -> Any:
    client.search("x", provider="engine_z")  # type: ignore[arg-type]
    client.search("x", qery=1)  # type: ignore[call-arg]
    client.search("x", content={"ful_text": True})  # type: ignore[arg-type]
    client.transcribe(file=7)  # type: ignore[arg-type]
    client.uploads.create(open("talk.wav"))  # type: ignore[arg-type]
    client.search()  # type: ignore[call-arg]
    client.extract(["https://example.com"], max_age_hours="1")  # type: ignore[arg-type]
    client.jobs.get("x").result.text  # type: ignore[union-attr]
    return async_client.search("x").results  # type: ignore[attr-defined]
