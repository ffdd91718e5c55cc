"""The official Python client of MCP against a gateway: it registers, a person allows it, it calls a tool."""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlparse

import httpx
import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

URL, COOKIE = sys.argv[1:3]


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


returned = {}


async def allow(address):
    """What the page does when the signed-in person presses Allow."""
    asked = {name: values[0] for name, values in parse_qs(urlparse(address).query).items()}
    headers = {"cookie": COOKIE, "origin": URL}
    answer = httpx.post(f"{URL}/oauth/consent", json={**asked, "allow": True}, headers=headers)
    returned.update(parse_qs(urlparse(answer.json()["redirect_to"]).query))


async def come_back():
    given = {name: values[0] for name, values in returned.items()}
    fields = {name: given[name] for name in ("code", "state", "iss") if name in given}
    return AuthorizationCodeResult(**fields)


async def main():
    provider = OAuthClientProvider(
        server_url=f"{URL}/mcp",
        client_metadata=OAuthClientMetadata(
            client_name="Python agent", redirect_uris=["http://127.0.0.1:3030/callback"]
        ),
        storage=Memory(),
        redirect_handler=allow,
        callback_handler=come_back,
    )
    async with httpx2.AsyncClient(auth=provider) as http:
        async with Client(streamable_http_client(f"{URL}/mcp", http_client=http)) as client:
            answer = await client.call_tool("search", {"query": "solar"})
            print(json.dumps({"is_error": answer.is_error, "text": str(answer.content)[:200]}))


asyncio.run(main())
