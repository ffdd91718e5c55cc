// The settings that point every provider of a gateway at the mounts of one sandbox.

export type Mount =
  | '/exa'
  | '/parallel'
  | '/tavily'
  | '/brave'
  | '/serper'
  | '/serper-scrape'
  | '/firecrawl'
  | '/linkup'
  | '/valyu'
  | '/jina-search'
  | '/jina-reader'
  | '/you'
  | '/perplexity'
  | '/assemblyai'
  | '/deepgram'
  | '/elevenlabs';

export function vendorSettings(sandboxUrl: string): Record<string, string> {
  const addresses = Object.entries(addressSettings).map(([name, mount]) => [
    name,
    sandboxUrl + mount,
  ]);
  const credentials = credentialSettings.map((name) => [name, `credential-${name}`]);
  return Object.fromEntries([...addresses, ...credentials]) as Record<string, string>;
}

const addressSettings: Readonly<Record<string, Mount>> = {
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
};

const credentialSettings = [
  'EXA_API_KEY',
  'PARALLEL_API_KEY',
  'TAVILY_API_KEY',
  'BRAVE_SEARCH_API_KEY',
  'SERPER_API_KEY',
  'FIRECRAWL_API_KEY',
  'LINKUP_API_KEY',
  'VALYU_API_KEY',
  'JINA_API_KEY',
  'YDC_API_KEY',
  'PERPLEXITY_API_KEY',
  'ASSEMBLYAI_API_KEY',
  'DEEPGRAM_API_KEY',
  'ELEVENLABS_API_KEY',
];
