// Perplexity's own client as reference: our fixtures send its fields and values, and nothing else.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import Perplexity from '@perplexity-ai/perplexity_ai';
import { perplexity } from '../../src/providers/perplexity/adapter.ts';
import { sentBodies } from './sent-bodies.ts';

type Params = Perplexity.Search.SearchCreateParams;

/** The compiler keeps this table equal to the client's own type. */
const fields: Record<keyof Params, true> = {
  country: true,
  display_server_time: true,
  last_updated_after_filter: true,
  last_updated_before_filter: true,
  max_results: true,
  max_tokens: true,
  max_tokens_per_page: true,
  query: true,
  search_after_date_filter: true,
  search_before_date_filter: true,
  search_context_size: true,
  search_domain_filter: true,
  search_language_filter: true,
  search_mode: true,
  search_recency_filter: true,
  search_type: true,
};

const recencies: Record<NonNullable<Params['search_recency_filter']>, true> = {
  hour: true,
  day: true,
  week: true,
  month: true,
  year: true,
};
const modes: Record<NonNullable<Params['search_mode']>, true> = {
  web: true,
  academic: true,
  sec: true,
};
/** `fast` is newer than the client; it is sent only as a native option of the caller. */
const types: Record<NonNullable<Params['search_type']> | 'fast', true> = {
  web: true,
  people: true,
  fast: true,
};

const received: { path: string; key: string | null }[] = [];
const server = Bun.serve({
  port: 0,
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    received.push({ path: pathname, key: request.headers.get('authorization') });
    return Response.json({ id: 'x', results: [] });
  },
});
let client: Perplexity;
beforeAll(() => {
  client = new Perplexity({ apiKey: 'test-key', baseURL: server.url.origin, maxRetries: 0 });
});
afterAll(() => server.stop(true));

for (const { file, body, url } of sentBodies('perplexity', 'search')) {
  test(`${file} sends only what the client knows`, () => {
    expect(Object.keys(body).filter((field) => !(field in fields))).toEqual([]);
    expect(body['query']).toBeString();
    expect(isOneOf(recencies, body['search_recency_filter'])).toBe(true);
    expect(isOneOf(modes, body['search_mode'])).toBe(true);
    expect(isOneOf(types, body['search_type'])).toBe(true);
  });

  // The client passes on any body; the test above checks ours.
  test(`${file} has the address and the authorization of the client`, async () => {
    received.length = 0;
    await client.search.create(body as Params);
    expect(received).toEqual([
      { path: url.pathname, key: perplexity.auth('test-key')['authorization'] ?? null },
    ]);
  });
}

function isOneOf(table: Record<string, true>, value: unknown): boolean {
  return value === undefined || String(value) in table;
}
