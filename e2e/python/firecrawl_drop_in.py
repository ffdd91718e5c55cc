"""Firecrawl's own Python client against a gateway: only the address and the key are changed."""

import asyncio
import json
import sys

from firecrawl import AsyncFirecrawl, Firecrawl, V1FirecrawlApp

ADDRESS, KEY = sys.argv[1:3]
PAGE = "https://gridlines.example/storage/solar-storage-guide"
MISSING = "https://no.example/"
client = Firecrawl(KEY, api_url=ADDRESS, max_retries=1)
faults = {}


def case(work):
    try:
        work()
        faults[work.__name__] = None
    except Exception as error:  # every fault is reported by its name
        faults[work.__name__] = repr(error)


def expect(condition, shown):
    if not condition:
        raise AssertionError(repr(shown)[:300])


def message_of(work):
    try:
        work()
    except Exception as error:
        return str(error)
    return "served"


@case
def v2_search():
    answer = client.search("solar energy storage", limit=3)
    expect(len(answer.web) == 3 and answer.web[0].title and answer.web[0].description, answer)
    news = client.search("battery", sources=["news"], limit=2)
    expect(news.news and not news.web, news)


@case
def v2_scrape():
    page = client.scrape(PAGE, formats=["markdown", "links"])
    expect("Solar" in page.markdown and page.metadata.title, page)
    expect(page.metadata.source_url == PAGE and page.metadata.status_code == 200, page.metadata)
    expect(message_of(lambda: client.scrape(MISSING)) != "served", MISSING)


@case
def v2_batch():
    job = client.batch_scrape([PAGE, MISSING], formats=["markdown"], poll_interval=1)
    expect((job.status, job.completed, job.total) == ("completed", 1, 2), job)
    expect("Solar" in job.data[0].markdown, job.data)
    started = client.start_batch_scrape([PAGE, "https://"], ignore_invalid_urls=True)
    expect(started.invalid_urls == ["https://"], started)
    expect(client.get_batch_scrape_status(started.id).status == "completed", started)
    errors = client.get_batch_scrape_errors(started.id)
    expect(errors.errors == [], errors)


@case
def v2_not_served():
    for work in (lambda: client.crawl(PAGE), lambda: client.map(PAGE)):
        expect("does not offer" in message_of(work), message_of(work))


@case
def v2_errors():
    wrong = Firecrawl("sk_live_" + "x" * 43, api_url=ADDRESS, max_retries=1)
    expect("unknown" in message_of(lambda: wrong.search("solar")), "unknown key")
    many = [f"{PAGE}?{n}" for n in range(21)]
    expect("urls" in message_of(lambda: client.start_batch_scrape(many)), "21 pages")


@case
def v2_credits():
    expect(client.get_credit_usage().remaining_credits > 0, "credits")


@case
def v2_async():
    async def work():
        asynchronous = AsyncFirecrawl(KEY, api_url=ADDRESS)
        page = await asynchronous.scrape(PAGE)
        expect("Solar" in page.markdown, page)
        job = await asynchronous.batch_scrape([PAGE], poll_interval=1)
        expect(job.status == "completed" and len(job.data) == 1, job)

    asyncio.run(work())


@case
def v1():
    old = V1FirecrawlApp(api_key=KEY, api_url=ADDRESS)
    page = old.scrape_url(PAGE, formats=["markdown"])
    expect("Solar" in page.markdown, page)
    found = old.search("solar energy storage", limit=2)
    expect(len(found.data) == 2, found)
    job = old.batch_scrape_urls([PAGE], formats=["markdown"], poll_interval=1)
    expect(job.status == "completed" and "Solar" in job.data[0].markdown, job)
    expect("does not offer" in message_of(lambda: old.map_url(PAGE)), "map")


print(json.dumps(faults))
