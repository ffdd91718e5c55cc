// LibreChat's own search and scraper code against a gateway: only addresses and keys are set.
const { join } = require('node:path');

const [modules, url, key] = process.argv.slice(2);
const load = (name) => require(join(modules, '@librechat/agents/dist/cjs/tools/search', name));
const page = 'https://gridlines.example/storage/solar-storage-guide';
const silent = { debug() {}, info() {}, warn() {}, error() {} };

async function tryAll() {
  const { createSearchAPI } = load('search.cjs');
  const { createFirecrawlScraper } = load('firecrawl.cjs');
  const searches = {
    'LibreChat: searxngInstanceUrl': {
      searchProvider: 'searxng',
      searxngInstanceUrl: `${url}/compat/searxng`,
      searxngApiKey: key,
    },
    'LibreChat: tavilySearchUrl': {
      searchProvider: 'tavily',
      tavilyApiKey: key,
      tavilySearchUrl: `${url}/compat/tavily/search`,
    },
  };
  const outcomes = {};
  for (const [name, config] of Object.entries(searches)) {
    const { success, data, error } = await createSearchAPI(config).getSources({ query: 'solar' });
    outcomes[name] = success && data.organic.length > 0 ? 'served' : `FAILED: ${error}`;
  }
  const apiUrl = `${url}/compat/firecrawl`;
  const scraper = createFirecrawlScraper({ apiKey: key, apiUrl, logger: silent });
  const [, response] = await scraper.scrapeUrl(page);
  const [content] = scraper.extractContent(response);
  const isRead = content.includes('Solar');
  outcomes['LibreChat: firecrawlApiUrl'] = isRead ? 'served' : `FAILED: ${response.error}`;
  process.stdout.write(`${JSON.stringify(outcomes)}\n`);
}

void tryAll();
