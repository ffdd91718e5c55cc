"""Checks what the adapters send by the types of the vendors' own clients.

Reports for each vendor and fixture what the client would not have sent.
"""
import json
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import assemblyai
import exa_py.api as exa
import firecrawl.v2.methods.search as firecrawl_search
import firecrawl.v2.types as firecrawl
import firecrawl.v2.utils.validation as firecrawl_checks
import linkup
import parallel.types as parallel
import perplexity.types as perplexity
import tavily
import valyu
import valyu._request_builders as valyu_requests
import youdotcom.models as you
from deepgram.listen.v1.media.client import MediaClient
from elevenlabs.speech_to_text.client import SpeechToTextClient
from shapes import field_faults, fields_of_call, fields_of_model, get_type_hints, snake, text_faults
from typing import Any, List

EXA_CONTENTS_TYPES = {**exa.CONTENTS_OPTIONS_TYPES, **exa.CONTENTS_ENDPOINT_OPTIONS_TYPES}
EXA_CONTENTS = {
    **dict.fromkeys(EXA_CONTENTS_TYPES, Any),
    **get_type_hints(exa.ContentsOptions, include_extras=True),
    "urls": List[str],
    "filter_empty_results": bool,
}
# What a method takes for itself and does not send.
LOCAL = ("timeout", "request_options", "extra_headers", "extra_query", "extra_body", "betas")

# The fields of each request, by vendor and path.
FIELDS = {
    ("assemblyai", "/v2/transcript"): fields_of_model(assemblyai.types.TranscriptRequest),
    ("deepgram", "/v1/listen"): fields_of_call(MediaClient.transcribe_url, LOCAL),
    ("elevenlabs", "/v1/speech-to-text"): fields_of_call(SpeechToTextClient.convert, LOCAL),
    ("exa", "/search"): fields_of_call(exa.Exa.search, LOCAL),
    ("exa", "/contents"): EXA_CONTENTS,
    ("firecrawl", "/v2/search"): fields_of_model(firecrawl.SearchRequest),
    ("firecrawl", "/v2/scrape"): {"url": str, **fields_of_model(firecrawl.ScrapeOptions)},
    ("linkup", "/v1/search"): fields_of_call(linkup.LinkupClient.search, LOCAL),
    ("linkup", "/v1/fetch"): fields_of_call(linkup.LinkupClient.fetch, LOCAL),
    ("parallel", "/v1/search"): get_type_hints(parallel.ClientSearchParams, include_extras=True),
    ("parallel", "/v1/extract"): get_type_hints(parallel.ClientExtractParams, include_extras=True),
    ("perplexity", "/search"): get_type_hints(perplexity.SearchCreateParams, include_extras=True),
    ("tavily", "/search"): fields_of_call(tavily.TavilyClient.search, LOCAL),
    # Here the time limit is the server's as well.
    ("tavily", "/extract"): fields_of_call(tavily.TavilyClient.extract),
    ("valyu", "/v1/search"): fields_of_call(valyu.Valyu.search),
    ("valyu", "/v1/contents"): fields_of_call(
        valyu.Valyu.contents, ("wait", "poll_interval", "max_wait_time")
    ),
    ("you", "/v1/search"): fields_of_model(you.SearchRequestBody),
    ("you", "/v1/contents"): fields_of_model(you.ContentsRequest),
}
CAMEL_CASE = ("exa", "firecrawl", "linkup")
# What the method calls otherwise than the wire.
CALLED = {("linkup", "/v1/search"): {"q": "query"}}


def check_valyu_search(body):
    names = ("query", "included_sources", "excluded_sources", "country_code")
    refusal = valyu_requests.validate_search_inputs(*(body.get(name) for name in names))
    if refusal is not None:
        raise ValueError(refusal.error)


def check_firecrawl_scrape(body):
    options = {name: value for name, value in body.items() if name != "url"}
    firecrawl_checks.validate_scrape_options(firecrawl.ScrapeOptions(**options))


# What a client checks by itself before it sends, beyond the types.
CHECKS = {
    ("exa", "/search"): lambda body: exa.validate_search_options(body, exa.SEARCH_OPTIONS_TYPES),
    ("exa", "/contents"): lambda body: exa.validate_search_options(body, EXA_CONTENTS_TYPES),
    ("firecrawl", "/v2/search"): lambda body: firecrawl_search._validate_search_request(
        firecrawl.SearchRequest(**body)
    ),
    ("firecrawl", "/v2/scrape"): check_firecrawl_scrape,
    ("valyu", "/v1/search"): check_valyu_search,
    ("you", "/v1/search"): you.SearchRequestBody.model_validate,
    ("you", "/v1/contents"): you.ContentsRequest.model_validate,
}

# Faults that are none, by the vendor or fixture and how they begin. One that excuses nothing any
# more is reported, so that this list stays as short as it can be.
EXCUSED = {
    # Documented by the vendor and in its npm client; this one does not name it yet.
    ("assemblyai", "language_detection_options.on_no_speech_detected: the client does not know"),
    # Documented by the vendor; the client does not name it.
    ("deepgram", "alternatives: the client does not know"),
    # Documented by the vendor; the client passes on what it does not name.
    ("tavily", "include_published_date: the client does not know"),
    ("tavily", "chunks_per_source: the client does not know"),
    # The older word, for servers that refused the newer one.
    ("tavily.search.older-server.json", "include_domains_mode: 'filter'"),
    ("tavily.search.never-content.json", "include_domains_mode: 'filter'"),
    # Callers' own options, passed on as they are, that the vendor refuses.
    ("linkup.search.bad-request.json", "depth: 'bottomless'"),
    ("linkup.extract.bad-request.json", "mode: 'heroic'"),
    ("firecrawl.search.parameter-refused.json", "/v2/search: the client refuses to send it: Limit"),
    ("valyu.extract.bad-request.json", "extract_effort: 'heroic'"),
}


def check(vendor, sent):
    """None for a request that submits nothing, such as one that asks whether a job is done."""
    parts = urlsplit(sent["url"])
    if sent["method"] != "POST":
        return None
    request = (vendor, parts.path)
    if request not in FIELDS:
        return [f"{parts.path}: the client does not know this path"]
    fields = FIELDS[request]
    found = text_faults(parse_qsl(parts.query, keep_blank_values=True), fields)
    found += text_faults(sent.get("form", []), fields)
    body = sent.get("body", {})
    body = snake(body) if vendor in CAMEL_CASE else body
    body = {CALLED.get(request, {}).get(name, name): value for name, value in body.items()}
    found += field_faults(body, fields)
    try:
        CHECKS.get(request, lambda _: None)(body)
    except Exception as error:
        found.append(f"{parts.path}: the client refuses to send it: {error}")
    return found


def without_excused(vendor, file, found, used):
    kept = []
    for fault in found:
        excuses = [one for one in EXCUSED if one[0] in (vendor, file) and fault.startswith(one[1])]
        used.update(excuses)
        if not excuses:
            kept.append(fault)
    return kept


def check_requests(folders):
    vendors = {vendor for vendor, _ in FIELDS}
    report, used = [], set()
    for path in sorted(path for folder in folders for path in Path(folder).glob("*/fixtures/*.json")):
        vendor = path.parent.parent.name
        case = f"{vendor}.{path.name}"
        if vendor not in vendors:
            continue
        requests = json.loads(path.read_text(encoding="utf-8"))["sent"]
        checked = [found for found in (check(vendor, sent) for sent in requests) if found is not None]
        if checked:
            found = without_excused(vendor, case, sum(checked, []), used)
            report.append({"vendor": vendor, "case": case, "faults": found})
    for name, fault in sorted(EXCUSED - used):
        stale = f"{fault}: excuses nothing any more, so take it off the list"
        report.append({"vendor": name.split(".")[0], "case": "EXCUSED", "faults": [stale]})
    return report
