"""The vendors' own clients against the sandbox: it takes what they send, they read what it answers.

Reports for each vendor and case what went wrong. The sandbox is the first argument of the program.
"""
import sys

import assemblyai
import elevenlabs.client
from deepgram import DeepgramClient
from deepgram.environment import DeepgramClientEnvironment
from exa_py import Exa
from firecrawl import Firecrawl
from firecrawl.v2.utils.http_client import HttpClient
from linkup import LinkupClient
from parallel import Parallel
from perplexity import Perplexity
from tavily import TavilyClient
from valyu import Valyu
from youdotcom import You

SANDBOX = sys.argv[1]
KEY = "any"
PAGE, GONE = "https://pages.example/new-home", "https://pages.example/gone"
TITLE, WORDS = "A page that moved house", "used to live at another address"
AUDIO, SPOKEN = "https://recordings.example/interview.wav", "Good morning"
QUERY = "battery storage"
CASES = []


def case(vendor):
    def keep(run):
        CASES.append((vendor, run.__name__.removeprefix(f"{vendor}_"), run))
        return run

    return keep


def expect(fact, shown):
    if not fact:
        raise AssertionError(str(shown)[:500])


def expect_pages(results, most, text):
    """Some results, not too many, each with an address, a title and a text."""
    expect(0 < len(results) <= most, results)
    for one in results:
        expect(one.url.startswith("https://") and one.title and text(one), one)


exa = Exa(KEY, base_url=f"{SANDBOX}/exa")


@case("exa")
def exa_search():
    answer = exa.search(
        QUERY,
        num_results=4,
        type="fast",
        start_published_date="1990-01-01",
        user_location={"country": "US"},
        objective="compare what storage costs",
        user_identifier="user-1",
        moderation=True,
        contents={"highlights": True, "text": {"max_characters": 200}, "summary": True},
    )
    expect_pages(answer.results, 4, lambda one: one.highlights and one.text and one.summary)
    expect(answer.cost_dollars.total > 0, answer)


@case("exa")
def exa_search_of_each_type():
    for kind in ("auto", "fast", "instant", "lite", "deep-lite", "deep", "deep-reasoning"):
        expect(exa.search(QUERY, type=kind, num_results=2).results, kind)


@case("exa")
def exa_extract():
    answer = exa.get_contents(
        [PAGE, GONE],
        text={"max_characters": 5000},
        highlights={"query": "address", "max_characters": 300},
        extras={"links": 3, "image_links": 3},
        max_age_hours=0,
        filter_empty_results=False,
        user_identifier="user-1",
    )
    expect(answer.results[0].title == TITLE and WORDS in answer.results[0].text, answer)
    expect([one.status for one in answer.statuses] == ["success", "error"], answer.statuses)


tavily = TavilyClient(KEY, api_base_url=f"{SANDBOX}/tavily")


@case("tavily")
def tavily_search():
    answer = tavily.search(
        QUERY,
        search_depth="advanced",
        topic="general",
        start_date="1990-01-01",
        end_date="2100-01-01",
        max_results=4,
        include_domains=["gridlines.example"],
        include_domains_mode="prefer",
        include_answer="basic",
        include_raw_content="markdown",
        include_images=True,
        country="germany",
        include_favicon=True,
        include_usage=True,
        exact_match=False,
        language="en",
        filter_by_language=False,
    )
    expect(0 < len(answer["results"]) <= 4 and answer["answer"], answer)
    for one in answer["results"]:
        expect(one["url"] and one["title"] and one["content"] and one["raw_content"], one)
    expect(answer["usage"]["credits"] == 2, answer)


@case("tavily")
def tavily_search_with_fresh_pages():
    answer = tavily.search(QUERY, max_age_hours=24, fetch_timeout=5.0, cache_fallback=True)
    expect(answer["results"], answer)


@case("tavily")
def tavily_extract():
    answer = tavily.extract(
        [PAGE, GONE],
        extract_depth="advanced",
        format="text",
        timeout=20,
        include_images=True,
        include_favicon=True,
        include_usage=True,
        query="address",
        chunks_per_source=2,
    )
    expect(WORDS in answer["results"][0]["raw_content"], answer)
    expect([one["url"] for one in answer["failed_results"]] == [GONE], answer)


# The answers of both are compared with their models, field by field.
parallel = Parallel(
    api_key=KEY, base_url=f"{SANDBOX}/parallel", max_retries=0, _strict_response_validation=True
)
perplexity = Perplexity(
    api_key=KEY, base_url=f"{SANDBOX}/perplexity", max_retries=0, _strict_response_validation=True
)


@case("parallel")
def parallel_search():
    for mode in ("turbo", "fast", "basic", "advanced"):
        answer = parallel.search(
            search_queries=[QUERY],
            objective="What does battery storage cost?",
            mode=mode,
            client_model="claude-sonnet-5",
            max_chars_total=20_000,
            session_id="session-1",
            advanced_settings={
                "max_results": 4,
                "location": "de",
                "excerpt_settings": {"max_chars_per_result": 1500},
                "source_policy": {"exclude_domains": ["energy.atlas.example"]},
            },
        )
        expect_pages(answer.results, 4, lambda one: one.excerpts)


@case("parallel")
def parallel_extract():
    answer = parallel.extract(
        urls=[PAGE, GONE],
        objective="Where did the page live?",
        search_queries=["address"],
        max_chars_total=20_000,
        advanced_settings={
            "excerpt_settings": {"max_chars_per_result": 1500},
            "full_content": {"max_chars_per_result": 5000},
            "fetch_policy": {"max_age_seconds": 600},
        },
    )
    expect(answer.results[0].title == TITLE and WORDS in answer.results[0].full_content, answer)
    expect([one.url for one in answer.errors] == [GONE], answer)


@case("perplexity")
def perplexity_search():
    answer = perplexity.search.create(
        query=QUERY,
        country="DE",
        max_results=4,
        max_tokens=4000,
        max_tokens_per_page=500,
        search_after_date_filter="01/01/1990",
        search_before_date_filter="01/01/2100",
        search_domain_filter=["-energy.atlas.example"],
        search_language_filter=["en"],
        search_mode="web",
        search_type="web",
        display_server_time=True,
    )
    expect_pages(answer.results, 4, lambda one: one.snippet)
    expect(answer.id, answer)


@case("perplexity")
def perplexity_search_by_size_and_recency():
    answer = perplexity.search.create(
        query=[QUERY, "solar"], search_context_size="low", search_recency_filter="year"
    )
    expect(answer.results, answer)


# The client drops the path of the given address, and with it the mount of the vendor.
HttpClient._build_url = lambda client, endpoint: client.api_url + endpoint
firecrawl = Firecrawl(KEY, api_url=f"{SANDBOX}/firecrawl", max_retries=1)


@case("firecrawl")
def firecrawl_search():
    answer = firecrawl.search(
        QUERY,
        sources=["web", "news"],
        limit=4,
        country="DE",
        location="Germany",
        exclude_domains=["energy.atlas.example"],
        ignore_invalid_urls=True,
        highlights=True,
        timeout=20_000,
    )
    expect_pages(answer.web, 4, lambda one: one.description)
    expect(firecrawl.search("battery", categories=["research"]).web, "no papers")
    expect(firecrawl.search("battery", sources=["news"], tbs="qdr:y").news, "no news")


@case("firecrawl")
def firecrawl_extract():
    page = firecrawl.scrape(
        PAGE,
        formats=["markdown", "links", {"type": "highlights", "query": "address"}],
        only_main_content=True,
        max_age=0,
        block_ads=True,
        proxy="auto",
        timeout=20_000,
        location={"country": "DE", "languages": ["de"]},
    )
    expect(page.metadata.title == TITLE and WORDS in page.markdown, page)


linkup = LinkupClient(KEY, base_url=f"{SANDBOX}/linkup")


@case("linkup")
def linkup_search():
    for depth in ("flash", "fast", "standard", "deep"):
        answer = linkup.search(
            QUERY,
            depth=depth,
            output_type="searchResults",
            include_images=False,
            from_date="1990-01-01",
            to_date="2100-01-01",
            exclude_domains=["energy.atlas.example"],
            max_results=4,
        )
        expect(0 < len(answer.results) <= 4, answer)
        for one in answer.results:
            expect(one.type == "text" and one.url and one.name and one.content, one)


@case("linkup")
def linkup_search_for_an_answer():
    answer = linkup.search(
        QUERY, depth="deep", output_type="sourcedAnswer", include_inline_citations=True
    )
    expect(answer.answer and answer.sources[0].url, answer)


@case("linkup")
def linkup_extract():
    page = linkup.fetch(PAGE, include_raw_html=True, render_js=False, extract_images=True)
    expect(WORDS in page.markdown and page.raw_html, page)
    expect(WORDS in linkup.fetch(PAGE, mode="standard").markdown, "mode")


valyu = Valyu(KEY, base_url=f"{SANDBOX}/valyu")


@case("valyu")
def valyu_search():
    answer = valyu.search(
        QUERY,
        search_type="web",
        max_num_results=4,
        max_price=20,
        excluded_sources=["energy.atlas.example"],
        country_code="DE",
        response_length="short",
        start_date="1990-01-01",
        end_date="2100-01-01",
        source_biases={"gridlines.example": 2},
        instructions="prefer prices",
        include_image_links=False,
    )
    expect(answer.success, answer)
    expect_pages(answer.results, 4, lambda one: one.content)


@case("valyu")
def valyu_search_of_each_type():
    for kind in ("all", "web", "proprietary", "news"):
        answer = valyu.search(QUERY, search_type=kind, fast_mode=True, include_abstracts=True)
        expect(answer.success, answer)
    expect(valyu.search(QUERY, url_only=True, historical_cache=False).success, "historical_cache")


@case("valyu")
def valyu_extract():
    answer = valyu.contents(
        [PAGE, GONE],
        summary="Sum up: the redirect of old addresses",
        extract_effort="normal",
        response_length="medium",
        max_price_dollars=0.1,
        include_image_links=False,
    )
    expect(answer.success and answer.urls_processed == 1 and answer.urls_failed == 1, answer)
    expect(answer.results[0].title == TITLE, answer)


you = You(KEY, server_url=f"{SANDBOX}/you")


@case("you")
def you_search():
    with_everything = {
        "freshness": "1990-01-01to2100-01-01",
        "country": "DE",
        "language": "EN",
        "safesearch": "moderate",
        "exclude_domains": ["energy.atlas.example"],
        "boost_domains": ["gridlines.example"],
        "offset": 0,
    }
    # By itself the client asks for knowledge results and for highlights.
    for more in ({}, with_everything, {"extraction": None, "knowledge": None, "language": "JA"}):
        answer = you.search(query=QUERY, count=4, **more, server_url=f"{SANDBOX}/you")
        expect_pages(answer.results.web, 4, lambda one: one.snippets or one.description)


@case("you")
def you_search_with_whole_pages():
    whole = {"extraction_mode": "full_page", "full_page": {"extraction_formats": ["markdown"]}}
    answer = you.search(query=QUERY, extraction=whole, server_url=f"{SANDBOX}/you")
    expect(answer.results.web[0].contents.markdown, answer.results.web[0])


@case("you")
def you_extract():
    answer = you.contents(
        urls=[PAGE, GONE],
        formats=["markdown", "html"],
        crawl_timeout=20,
        max_age=0,
        server_url=f"{SANDBOX}/you",
    )
    expect(answer[0].title == TITLE and WORDS in answer[0].markdown and answer[0].html, answer)


@case("assemblyai")
def assemblyai_transcribe():
    assemblyai.settings.api_key = KEY
    assemblyai.settings.base_url = f"{SANDBOX}/assemblyai"
    assemblyai.settings.polling_interval = 0.1
    config = assemblyai.TranscriptionConfig(
        speech_models=["universal-3-5-pro", "universal-2"],
        speaker_labels=True,
        language_detection=True,
        keyterms_prompt=["Harbor Point", "HP-77"],
    )
    transcript = assemblyai.Transcriber().transcribe(AUDIO, config=config)
    expect(transcript.error is None and transcript.text.startswith(SPOKEN), transcript.error)
    expect({word.speaker for word in transcript.words} == {"A", "B"}, transcript.words)
    again = assemblyai.Transcript.get_by_id(transcript.id)
    expect(again.text == transcript.text, again)


@case("deepgram")
def deepgram_transcribe():
    base = f"{SANDBOX}/deepgram"
    environment = DeepgramClientEnvironment(base=base, production=base, agent=base, agent_rest=base)
    client = DeepgramClient(api_key=KEY, environment=environment)
    answer = client.listen.v1.media.transcribe_url(
        url=AUDIO,
        model="nova-3",
        detect_language=True,
        diarize_model="latest",
        smart_format=True,
        punctuate=True,
        keyterm=["HP-77"],
        tag=["attempt-1"],
        extra=["attempt_id:attempt-1"],
        mip_opt_out=True,
    )
    channel = answer.results.channels[0]
    expect(channel.alternatives[0].transcript.startswith(SPOKEN), channel)
    expect(channel.alternatives[0].words[-1].speaker == 1, channel)
    projects = client.manage.v1.projects.list().projects
    log = client.manage.v1.projects.requests.list(projects[0].project_id, limit=10)
    expect(any("tag=attempt-1" in one.path for one in log.requests), log)


@case("elevenlabs")
def elevenlabs_transcribe():
    client = elevenlabs.client.ElevenLabs(api_key=KEY, base_url=f"{SANDBOX}/elevenlabs")
    answer = client.speech_to_text.convert(
        model_id="scribe_v2",
        source_url=AUDIO,
        diarize=True,
        tag_audio_events=False,
        timestamps_granularity="word",
        keyterms=["Harbor Point", "HP-77"],
        no_verbatim=False,
        temperature=0.0,
        seed=1,
    )
    expect(answer.text.startswith(SPOKEN) and answer.words[0].speaker_id, answer)
    again = client.speech_to_text.transcripts.get(answer.transcription_id)
    expect(again.text == answer.text, again)


def read_sandbox():
    report = []
    for vendor, name, run in CASES:
        try:
            run()
            faults = []
        except Exception as error:
            faults = [f"{type(error).__name__}: {str(error)[:600]}"]
        report.append({"vendor": vendor, "case": name, "faults": faults})
    return report
