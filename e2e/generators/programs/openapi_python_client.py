"""The tour with the client of openapi-python-client."""

import os

from client import AuthenticatedClient
from client.api.account import read_balance
from client.api.admin import list_accounts
from client.api.extract import extract_pages
from client.api.search import search_web
from client.api.transcription import create_transcription, read_job
from client.models import (
    ErrorEnvelope,
    ExtractRequest,
    SearchRequest,
    SearchRequestProvider,
    TranscriptionRequest,
)

base_url = os.environ["TRIVIUM_URL"]
caller = AuthenticatedClient(base_url=base_url, token=os.environ["TRIVIUM_API_KEY"])
operator = AuthenticatedClient(base_url=base_url, token=os.environ["TRIVIUM_ADMIN_TOKEN"])

found = search_web.sync(client=caller, body=SearchRequest(query="solar energy"))
url = found.results[0].url
pages = extract_pages.sync(client=caller, body=ExtractRequest(urls=[url]))
recording = TranscriptionRequest(audio_url=os.environ["TOUR_AUDIO_URL"])
accepted = create_transcription.sync(client=caller, body=recording)
job = read_job.sync(accepted.id, client=caller)
balance = read_balance.sync(client=caller)
strict = SearchRequest(query="x", provider=SearchRequestProvider.ENGINE_A, offset=10, strict=True)
error = search_web.sync(client=caller, body=strict)
accounts = list_accounts.sync(client=operator)
seen = [
    pages.results[0].url == url,
    job.id == accepted.id and job.tool.value == "transcription",
    balance.balance_usd > 0,
    isinstance(error, ErrorEnvelope) and error.error.type_.value == "invalid_request",
    len(accounts.accounts) > 0,
]
print("toured", *(str(one).lower() for one in seen))
