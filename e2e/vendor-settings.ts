// The settings that point every provider of a gateway at the mounts of one sandbox.

const addressSettings = {
  EXA_BASE_URL: '/exa',
  PARALLEL_BASE_URL: '/parallel',
  TAVILY_BASE_URL: '/tavily',
  BRAVE_BASE_URL: '/brave',
  SERPER_BASE_URL: '/serper',
  SERPER_SCRAPE_BASE_URL: '/serper-scrape',
  FIRECRAWL_API_URL: '/firecrawl',
  LINKUP_BASE_URL: '/linkup',
  VALYU_BASE_URL: '/valyu',
  JINA_SEARCH_BASE_URL: '/jina-search',
  JINA_READER_BASE_URL: '/jina-reader',
  YDC_BASE_URL: '/you',
  PERPLEXITY_BASE_URL: '/perplexity',
  ASSEMBLYAI_BASE_URL: '/assemblyai',
  DEEPGRAM_BASE_URL: '/deepgram',
  ELEVENLABS_BASE_URL: '/elevenlabs',
} as const;

export type Mount = (typeof addressSettings)[keyof typeof addressSettings];

const vendors = `EXA PARALLEL TAVILY BRAVE_SEARCH SERPER FIRECRAWL LINKUP VALYU JINA YDC PERPLEXITY
  ASSEMBLYAI DEEPGRAM ELEVENLABS`.split(/\s+/);

export function vendorSettings(sandboxUrl: string): Record<string, string> {
  const addresses = Object.entries(addressSettings).map(([name, mount]) => [
    name,
    sandboxUrl + mount,
  ]);
  const credentials = vendors.map((name) => [`${name}_API_KEY`, `credential-${name}_API_KEY`]);
  return Object.fromEntries([...addresses, ...credentials]) as Record<string, string>;
}
