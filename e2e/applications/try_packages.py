"""Frameworks with a package, against a gateway: only addresses, headers and keys are set."""

import asyncio
import json
import os
import sys
import warnings

warnings.simplefilter("ignore")
URL, KEY = sys.argv[1:3]
PAGE = "https://gridlines.example/storage/solar-storage-guide"
QUERY = "solar energy storage"
BEARER = {"Authorization": f"Bearer {KEY}"}
outcomes = {}


def case(name):
    def run(work):
        try:
            work()
            outcomes[name] = "served"
        except ImportError as error:
            outcomes[name] = f"left out: {error}"
        except Exception as error:  # every fault is reported by its name
            outcomes[name] = f"FAILED: {error!r}"[:400]

    return run


def expect(condition, shown):
    if not condition:
        raise AssertionError(repr(shown)[:300])


@case("LangChain: TavilySearch")
def _():
    from langchain_tavily import TavilyExtract, TavilySearch

    at = {"tavily_api_key": KEY, "api_base_url": f"{URL}/compat/tavily"}
    found = TavilySearch(max_results=2, **at).invoke({"query": QUERY})
    expect(len(found["results"]) == 2, found)
    read = TavilyExtract(**at).invoke({"urls": [PAGE]})
    expect("Solar" in read["results"][0]["raw_content"], read)


@case("LangChain: ExaSearchResults")
def _():
    from langchain_exa import ExaSearchResults

    tool = ExaSearchResults(exa_api_key=KEY, exa_base_url=f"{URL}/compat/exa")
    found = tool.invoke({"query": QUERY, "num_results": 2})
    expect(len(found.results) == 2, found)


@case("LangChain: SearxSearchWrapper")
def _():
    from langchain_community.utilities import SearxSearchWrapper

    wrapper = SearxSearchWrapper(searx_host=f"{URL}/compat/searxng", headers=BEARER)
    expect(len(wrapper.results(QUERY, num_results=3)) == 3, "results")


@case("LangChain: FireCrawlLoader")
def _():
    from langchain_community.document_loaders import FireCrawlLoader

    loader = FireCrawlLoader(PAGE, api_key=KEY, api_url=f"{URL}/compat/firecrawl", mode="scrape")
    expect("Solar" in loader.load()[0].page_content, "page")


@case("LlamaIndex: MCP tools")
def _():
    from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

    async def work():
        spec = McpToolSpec(client=BasicMCPClient(f"{URL}/mcp", headers=BEARER))
        tools = {tool.metadata.name: tool for tool in await spec.to_tool_list_async()}
        answer = await tools["read_and_search"].acall(query=QUERY, max_pages=1)
        expect("gridlines" in str(answer) or "Solar" in str(answer), answer)

    asyncio.run(work())


@case("LlamaIndex: FireCrawlWebReader")
def _():
    from llama_index.readers.web import FireCrawlWebReader

    reader = FireCrawlWebReader(api_key=KEY, api_url=f"{URL}/compat/firecrawl", mode="scrape")
    expect("Solar" in str(reader.load_data(url=PAGE)), "page")


@case("Haystack: MCPToolset")
def _():
    from haystack.utils import Secret
    from haystack_integrations.tools.mcp import MCPToolset, StreamableHttpServerInfo

    server = StreamableHttpServerInfo(url=f"{URL}/mcp", token=Secret.from_token(KEY))
    toolset = MCPToolset(server_info=server, eager_connect=True)
    [search] = [tool for tool in toolset if tool.name == "search"]
    expect("http" in str(search.invoke(query=QUERY)), "results")
    toolset.close()


@case("CrewAI: ExaSearchTool")
def _():
    from crewai_tools import ExaSearchTool

    tool = ExaSearchTool(api_key=KEY, base_url=f"{URL}/compat/exa")
    expect("gridlines" in str(tool.run(search_query=QUERY)), "results")


@case("CrewAI: MCPServerAdapter")
def _():
    from crewai_tools import MCPServerAdapter

    server = {"url": f"{URL}/mcp", "transport": "streamable-http", "headers": BEARER}
    with MCPServerAdapter(server) as tools:
        [search] = [tool for tool in tools if tool.name == "search"]
        found = str(search.run(query=QUERY))
        expect("http" in found, found)


print(json.dumps(outcomes))
sys.stdout.flush()
# Some of these packages leave threads behind.
os._exit(0)
