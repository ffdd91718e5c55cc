"""A LangChain pipeline that researches a question: python research.py "your question"

It runs several searches at once, reads the best pages, and writes a report with its sources. MODEL
names a chat model of `langchain`, such as openai:gpt-5, that writes the report. Without it the
report quotes the pages, so that the program runs offline.
"""

import os
import sys
from typing import Any

from langchain_core.runnables import RunnableLambda
from trivium_client import ExtractResponse, SearchResponse, Trivium
from trivium_client.langchain import TriviumExtract, TriviumSearch

MOST_PAGES = 3
MOST_COST_USD = 0.05


def plan(question: str) -> list[dict[str, Any]]:
    """One search for the question itself, and one for recent pages about it."""
    return [
        {"query": question, "max_results": 5},
        {"query": question, "max_results": 5, "freshness": "year"},
    ]


def artifact(tool: Any, arguments: dict[str, Any]) -> Any:
    """The complete answer of a tool; a model would read only the text."""
    call = {"type": "tool_call", "id": tool.name, "name": tool.name, "args": arguments}
    message = tool.invoke(call)
    if message.status == "error":
        raise SystemExit(f"{tool.name}: {message.content}")
    return message.artifact


def best_pages(found: list[SearchResponse]) -> list[str]:
    """Pages that several searches returned come first."""
    places: dict[str, list[int]] = {}
    for answer in found:
        for place, result in enumerate(answer.results):
            places.setdefault(result.url, []).append(place)
    ranked = sorted(places, key=lambda url: (-len(places[url]), min(places[url])))
    return ranked[:MOST_PAGES]


def report(question: str, pages: ExtractResponse) -> str:
    sources = "\n".join(f"[{number}] {page.url}" for number, page in enumerate(pages.results, 1))
    model = os.environ.get("MODEL")
    if model is not None:
        from langchain.chat_models import init_chat_model

        texts = "\n\n".join(f"[{n}] {page.content}" for n, page in enumerate(pages.results, 1))
        asked = f"Answer with numbered citations: {question}\n\n{texts}"
        return f"{init_chat_model(model).invoke(asked).text}\n\n{sources}"
    quotes = "\n\n".join(
        f"> {(page.content or '').strip().splitlines()[-1][:300]} [{number}]"
        for number, page in enumerate(pages.results, 1)
    )
    return f"# {question}\n\n{quotes}\n\n{sources}"


def main(question: str) -> None:
    with Trivium(tags={"program": "research-example"}) as client:
        search = TriviumSearch(client=client, provider="exa", max_cost_usd=MOST_COST_USD)
        extract = TriviumExtract(client=client, max_cost_usd=MOST_COST_USD)
        searches = RunnableLambda(lambda arguments: artifact(search, arguments))
        chain = (
            RunnableLambda(plan)
            | searches.map()
            | RunnableLambda(best_pages)
            | RunnableLambda(
                lambda urls: artifact(
                    extract, {"urls": urls, "query": question, "max_chars": 4000}
                )
            )
            | RunnableLambda(lambda pages: report(question, pages))
        )
        print(chain.invoke(question))
        spent = client.usage(by="tag:program").usage
        print(f"\n{sum(line.cost_usd for line in spent):.4f} USD spent today")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "How is solar energy stored?")
