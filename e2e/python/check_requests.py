"""Checks what the adapters send by the types of the vendors' own clients.

Reports for each vendor and fixture what the client would not have sent.
"""
import json
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, List, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from shapes import field_faults, fields_of_call, fields_of_model, get_type_hints, snake, text_faults

# Parameters of a method that it does not send.
LOCAL = ("timeout", "request_options", "extra_headers", "extra_query", "extra_body", "betas")


class Request(NamedTuple):
    """One request of a client."""

    # The model or the method that describes it.
    source: Any
    fields: dict
    # What it returns: a type, or the method that returns it.
    answer: Any = None
    # What the client checks by itself beyond the types.
    check: Callable[[dict], Any] = lambda _: None


def assemblyai():
    types = import_module("assemblyai").types
    fields = fields_of_model(types.TranscriptRequest)
    return {"/v2/transcript": Request(types.TranscriptRequest, fields, types.TranscriptResponse)}


def deepgram():
    call = import_module("deepgram.listen.v1.media.client").MediaClient.transcribe_url
    return {"/v1/listen": Request(call, fields_of_call(call, LOCAL), call)}


def elevenlabs():
    call = import_module("elevenlabs.speech_to_text.client").SpeechToTextClient.convert
    return {"/v1/speech-to-text": Request(call, fields_of_call(call, LOCAL), call)}


def exa():
    api = import_module("exa_py.api")
    contents_types = {**api.CONTENTS_OPTIONS_TYPES, **api.CONTENTS_ENDPOINT_OPTIONS_TYPES}
    contents = {
        **dict.fromkeys(contents_types, Any),
        **get_type_hints(api.ContentsOptions, include_extras=True),
        "urls": List[str],
        "filter_empty_results": bool,
    }
    return {
        "/search": Request(
            api.Exa.search,
            fields_of_call(api.Exa.search, LOCAL),
            api.SearchResponse[api.Result],
            lambda body: api.validate_search_options(body, api.SEARCH_OPTIONS_TYPES),
        ),
        "/contents": Request(
            api.ContentsOptions,
            contents,
            api.SearchResponse[api.Result],
            lambda body: api.validate_search_options(body, contents_types),
        ),
    }


def firecrawl():
    types = import_module("firecrawl.v2.types")
    search = import_module("firecrawl.v2.methods.search")
    validation = import_module("firecrawl.v2.utils.validation")

    def check_scrape(body):
        options = {name: value for name, value in body.items() if name != "url"}
        validation.validate_scrape_options(types.ScrapeOptions(**options))

    return {
        "/v2/search": Request(
            types.SearchRequest,
            fields_of_model(types.SearchRequest),
            types.SearchData,
            lambda body: search._validate_search_request(types.SearchRequest(**body)),
        ),
        "/v2/scrape": Request(
            types.ScrapeOptions,
            {"url": str, **fields_of_model(types.ScrapeOptions)},
            types.Document,
            check_scrape,
        ),
    }


def linkup():
    client = import_module("linkup").LinkupClient
    return {
        "/v1/search": Request(client.search, fields_of_call(client.search, LOCAL), client.search),
        "/v1/fetch": Request(client.fetch, fields_of_call(client.fetch, LOCAL), client.fetch),
    }


def parallel():
    types = import_module("parallel.types")
    search, extract = types.ClientSearchParams, types.ClientExtractParams
    return {
        "/v1/search": Request(search, hints(search), types.SearchResult),
        "/v1/extract": Request(extract, hints(extract), types.ExtractResponse),
    }


def perplexity():
    types = import_module("perplexity.types")
    params = types.SearchCreateParams
    return {"/search": Request(params, hints(params), types.SearchCreateResponse)}


def tavily():
    client = import_module("tavily").TavilyClient
    return {
        "/search": Request(client.search, fields_of_call(client.search, LOCAL)),
        # This time limit is also sent to the server.
        "/extract": Request(client.extract, fields_of_call(client.extract)),
    }


def valyu():
    client = import_module("valyu").Valyu
    builders = import_module("valyu._request_builders")

    def check_search(body):
        names = ("query", "included_sources", "excluded_sources", "country_code")
        refusal = builders.validate_search_inputs(*(body.get(name) for name in names))
        if refusal is not None:
            raise ValueError(refusal.error)

    waiting = ("wait", "poll_interval", "max_wait_time")
    return {
        "/v1/search": Request(
            client.search, fields_of_call(client.search), client.search, check_search
        ),
        "/v1/contents": Request(
            client.contents, fields_of_call(client.contents, waiting), client.contents
        ),
    }


def you():
    models = import_module("youdotcom.models")
    search, contents = models.SearchRequestBody, models.ContentsRequest
    return {
        "/v1/search": Request(
            search, fields_of_model(search), models.SearchResponse, search.model_validate
        ),
        "/v1/contents": Request(
            contents, fields_of_model(contents), models.ContentsResponse, contents.model_validate
        ),
    }


def hints(kind):
    return get_type_hints(kind, include_extras=True)


# Each client with its name for pip. It is loaded on demand, so that a client that has changed
# completely does not hide the results of the others.
CLIENTS = {
    "assemblyai": ("assemblyai", assemblyai),
    "deepgram": ("deepgram-sdk", deepgram),
    "elevenlabs": ("elevenlabs", elevenlabs),
    "exa": ("exa-py", exa),
    "firecrawl": ("firecrawl-py", firecrawl),
    "linkup": ("linkup-sdk", linkup),
    "parallel": ("parallel-web", parallel),
    "perplexity": ("perplexityai", perplexity),
    "tavily": ("tavily-python", tavily),
    "valyu": ("valyu", valyu),
    "you": ("youdotcom", you),
}
CAMEL_CASE = ("exa", "firecrawl", "linkup")
# Names of the method that differ from those on the wire.
CALLED = {("linkup", "/v1/search"): {"q": "query"}}


def load(vendor):
    """The requests of a client by their paths, or why they cannot be read."""
    try:
        return CLIENTS[vendor][1]()
    except Exception as error:
        return f"the client cannot be read any more: {type(error).__name__}: {error}"


# Accepted differences, by the vendor or fixture and the beginning of the message. One that is no
# longer needed is reported, so that this list stays short.
EXCUSED = {
    # Documented by the vendor and in its npm client; this one does not name it yet.
    ("assemblyai", "language_detection_options.on_no_speech_detected: the client does not know"),
    # Documented by the vendor; the client does not name it.
    ("deepgram", "alternatives: the client does not know"),
    # Documented by the vendor; the client passes on what it does not name.
    ("tavily", "include_published_date: the client does not know"),
    ("tavily", "chunks_per_source: the client does not know"),
    # The older name, for servers that refuse the newer one.
    ("tavily.search.older-server.json", "include_domains_mode: 'filter'"),
    ("tavily.search.never-content.json", "include_domains_mode: 'filter'"),
    # Callers' own options, passed on as they are, that the vendor refuses.
    ("linkup.search.bad-request.json", "depth: 'bottomless'"),
    ("linkup.extract.bad-request.json", "mode: 'heroic'"),
    ("firecrawl.search.parameter-refused.json", "/v2/search: the client refuses to send it: Limit"),
    ("valyu.extract.bad-request.json", "extract_effort: 'heroic'"),
}


def check(vendor, requests, sent):
    """None for a request that submits nothing, such as one that asks whether a job is done."""
    parts = urlsplit(sent["url"])
    if sent["method"] != "POST":
        return None
    if parts.path not in requests:
        return [f"{parts.path}: the client does not know this path"]
    request = requests[parts.path]
    found = text_faults(parse_qsl(parts.query, keep_blank_values=True), request.fields)
    found += text_faults(sent.get("form", []), request.fields)
    body = sent.get("body", {})
    body = snake(body) if vendor in CAMEL_CASE else body
    called = CALLED.get((vendor, parts.path), {})
    body = {called.get(name, name): value for name, value in body.items()}
    found += field_faults(body, request.fields)
    try:
        request.check(body)
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
    clients = {vendor: load(vendor) for vendor in CLIENTS}
    report, used = [], set()
    for vendor, client in clients.items():
        if isinstance(client, str):
            report.append({"vendor": vendor, "case": "client", "faults": [client]})
    for path in sorted(path for folder in folders for path in Path(folder).glob("*/fixtures/*.json")):
        vendor = path.parent.parent.name
        case = f"{vendor}.{path.name}"
        client = clients.get(vendor)
        if not isinstance(client, dict):
            continue
        requests = json.loads(path.read_text(encoding="utf-8"))["sent"]
        checked = [check(vendor, client, sent) for sent in requests]
        checked = [found for found in checked if found is not None]
        if checked:
            found = without_excused(vendor, case, [fault for found in checked for fault in found], used)
            report.append({"vendor": vendor, "case": case, "faults": found})
    for name, fault in sorted(EXCUSED - used):
        stale = f"{fault}: excuses nothing any more, so take it off the list"
        report.append({"vendor": name.split(".")[0], "case": "EXCUSED", "faults": [stale]})
    return report
