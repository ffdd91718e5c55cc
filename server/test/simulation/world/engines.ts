// The search engines of the simulation, each on its own wire: what a request asks for, and an answer
// to it.

/** What a gateway asks an engine for. */
export interface EngineQuestion {
  host: string;
  subject: string;
  /** Of an extraction. */
  urls: readonly string[];
  /** Otherwise it is an extraction. */
  isSearch: boolean;
}

const exa = 'api.exa.ai';
const tavily = 'api.tavily.com';
const firecrawl = 'api.firecrawl.dev';

/** What `engine_a` documents and reports, in micro-USD. */
const engineCosts = { search: 7000, extract: 1000 } as const;

/** What each engine charges here by its price list: a page of Tavily is a fifth of a credit. */
const listed: Readonly<Record<string, { search: number; extract: number }>> = {
  [exa]: engineCosts,
  [tavily]: { search: 8000, extract: 1600 },
  [firecrawl]: { search: 990, extract: 990 },
};

/** A report above this is not believed: the ceiling of a request, in USD. */
const highestUsd = 10;

/** What a served call costs by the rules of docs/money.md, whatever the gateway makes of it. */
export function owedFor({ host, isSearch, urls }: EngineQuestion, reported: unknown): number {
  const isUsable = typeof reported === 'number' && reported >= 0 && reported <= highestUsd;
  // The others report credits, and not a price.
  if (isUsable && host === exa) return Math.round(reported * 1_000_000);
  const { search, extract } = listed[host] ?? engineCosts;
  return isSearch ? search : extract * urls.length;
}

/** USD for an hour of each speech vendor, by its price list. */
const hourlyUsd = { stt_a: 0.21, stt_b: 0.258, stt_c: 0.22 } as const;

/** USD for an hour of a recording with a prompt, where that costs more. */
const promptUsd = { stt_a: 0.05, stt_b: 0.08, stt_c: 0.05 } as const;

/** For the minute of sound that every recording here is. */
export function speechCost(provider: keyof typeof hourlyUsd, hasPrompt = false): number {
  const usd = hourlyUsd[provider] + (hasPrompt ? promptUsd[provider] : 0);
  return Math.ceil(Math.round((usd * 1_000_000_000) / 60) / 1000);
}

export function costOf({ kind, pages = 1 }: { kind: string; pages?: number }): number {
  return kind === 'extract' ? engineCosts.extract * pages : engineCosts.search;
}

/** Of an engine that callers do not ask for, unless they ask for several. */
export function isOther({ host }: EngineQuestion): boolean {
  return host !== exa;
}

/** Undefined when the host is no engine. */
export function engineQuestion(
  host: string,
  init: BunFetchRequestInit,
): EngineQuestion | undefined {
  if (![exa, tavily, firecrawl].includes(host)) return undefined;
  const body = JSON.parse(String(init.body)) as { query?: string; urls?: string[]; url?: string };
  const isSearch = body.query !== undefined;
  const urls = body.urls ?? (body.url === undefined ? [] : [body.url]);
  return { host, isSearch, urls, subject: body.query ?? urls.join() };
}

/** A page and a price, in the words of the engine. `serial` tells its answers apart. */
export function engineAnswer(
  { host, subject, isSearch, urls }: EngineQuestion,
  serial: number,
  price: unknown = (isSearch ? engineCosts.search : engineCosts.extract * urls.length) / 1_000_000,
): { status: number; json: object } {
  const words = `answer ${serial} of the engine`;
  return { status: 200, json: answers[host]?.({ subject, isSearch, urls, price, words }) ?? {} };
}

/** The engine's answers that an answer of the gateway was made of. */
export function serialsIn(text: string): number[] {
  return [...text.matchAll(/answer (\d+) of the engine/g)].map(([, serial]) => Number(serial));
}

type Answer = (given: {
  subject: string;
  isSearch: boolean;
  urls: readonly string[];
  price: unknown;
  words: string;
}) => object;

const answers: Readonly<Record<string, Answer>> = {
  [exa]: ({ subject, isSearch, urls, price: total, words }) => {
    const pages = isSearch ? ['https://example.org/'] : urls;
    const results = pages.map((url) => ({
      ...{ url, id: url, title: subject, highlights: [words], text: words },
    }));
    const statuses = pages.map((id) => ({ id, status: 'success' }));
    return { requestId: 'r', results, statuses, costDollars: { total } };
  },
  [tavily]: ({ subject, isSearch, words }) => ({
    results: [
      isSearch
        ? { url: 'https://example.org/', title: subject, content: words, score: 1 }
        : { url: subject, raw_content: words },
    ],
    failed_results: [],
    usage: { credits: 1 },
  }),
  [firecrawl]: ({ subject, isSearch, words }) => ({
    success: true,
    creditsUsed: 1,
    data: isSearch
      ? { web: [{ url: 'https://example.org/', title: subject, description: words }] }
      : { markdown: words, metadata: { url: subject, statusCode: 200, title: 'words' } },
  }),
};
