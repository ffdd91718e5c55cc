// The search engines of the simulation, each on its own wire: what a request asks for, and an answer
// to it.

/** What a gateway asks an engine for. */
export interface EngineQuestion {
  host: string;
  subject: string;
  /** Otherwise it is an extraction. */
  isSearch: boolean;
}

const exa = 'api.exa.ai';
const tavily = 'api.tavily.com';
const firecrawl = 'api.firecrawl.dev';

/** What `engine_a` documents and reports, in micro-USD. */
export const engineCosts = { search: 7000, extract: 1000 } as const;

export function costOf(wish: { kind: string }): number {
  return wish.kind === 'extract' ? engineCosts.extract : engineCosts.search;
}

/** Undefined when the host is no engine. */
export function engineQuestion(
  host: string,
  init: BunFetchRequestInit,
): EngineQuestion | undefined {
  if (![exa, tavily, firecrawl].includes(host)) return undefined;
  const body = JSON.parse(String(init.body)) as { query?: string; urls?: string[]; url?: string };
  const isSearch = body.query !== undefined;
  return { host, isSearch, subject: body.query ?? body.url ?? body.urls?.join() ?? '' };
}

/** A page and a price, in the words of the engine. */
export function engineAnswer(
  host: string,
  subject: string,
  isSearch: boolean,
  price: unknown = engineCosts[isSearch ? 'search' : 'extract'] / 1_000_000,
): { status: number; json: object } {
  return { status: 200, json: answers[host]?.(subject, isSearch, price) ?? {} };
}

type Answer = (subject: string, isSearch: boolean, price: unknown) => object;

const answers: Readonly<Record<string, Answer>> = {
  [exa]: (subject, _isSearch, total) => {
    const page = { url: 'https://example.org/', id: 'https://example.org/', title: subject };
    const results = [{ ...page, highlights: ['words'], text: 'words' }];
    const statuses = [{ id: page.id, status: 'success' }];
    return { requestId: 'r', results, statuses, costDollars: { total } };
  },
  [tavily]: (subject, isSearch) => ({
    results: [
      isSearch
        ? { url: 'https://example.org/', title: subject, content: 'words', score: 1 }
        : { url: subject, raw_content: 'words' },
    ],
    failed_results: [],
    usage: { credits: 1 },
  }),
  [firecrawl]: (subject, isSearch) => ({
    success: true,
    creditsUsed: 1,
    data: isSearch
      ? { web: [{ url: 'https://example.org/', title: subject, description: 'words' }] }
      : { markdown: 'words', metadata: { url: subject, statusCode: 200, title: 'words' } },
  }),
};
