"""Uses the installed package in a program, without other installed packages."""

import asyncio
import importlib.metadata
import json

import trivium_client
from trivium_client import ApiError, AsyncTrivium, Trivium, to_srt

RECORDING = "https://recordings.example/interview.wav"


def sync_tour() -> dict[str, object]:
    warned: list[str | None] = []
    with Trivium(on_warning=lambda warning, _: warned.append(warning.param)) as client:
        found = client.search("solar energy storage", max_results=2, offset=1)
        pages = client.extract([found.results[0].url]).results
        job = client.jobs.wait(client.transcribe(RECORDING).id, poll=0.05)
        try:
            client.search("")
            refused: tuple[int, str] | None = None
        except ApiError as error:
            refused = (error.status, error.type)
        return {
            "provider": found.provider,
            "warned": warned,
            "pages": len(pages),
            "subtitled": to_srt(job.result.words or []).startswith("1\n00:00:0"),
            "spent": client.balance().balance_usd < 10,
            "providers": len(client.providers().providers),
            "refused": refused,
        }


async def async_tour() -> int:
    async with AsyncTrivium() as client:
        found, listed = await asyncio.gather(client.search("solar"), client.providers())
        return len(found.results) + len(listed.providers)


def missing_extra(module: str) -> str:
    try:
        __import__(f"trivium_client.{module}")
    except ImportError as error:
        return str(error)
    return "it is there"


print(
    json.dumps(
        {
            "sync": sync_tour(),
            "async": asyncio.run(async_tour()) > 14,
            "version": trivium_client.__version__,
            "packaged": importlib.metadata.version("trivium-client"),
            "extras": [missing_extra("langchain"), missing_extra("llamaindex")],
            "installed": sorted(
                one.metadata["Name"].lower().replace("_", "-")
                for one in importlib.metadata.distributions()
            ),
        }
    )
)
