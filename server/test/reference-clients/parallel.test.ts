// Parallel's own client as reference: our fixtures send only what it knows, and it sends the same.
import { afterAll, expect, test } from 'bun:test';
import Parallel from 'parallel-web';
import type { AdvancedExtractSettings, AdvancedSearchSettings } from 'parallel-web/resources';
import type { ExtractParams, FetchPolicy, SearchParams } from 'parallel-web/resources';
import type { SourcePolicy } from 'parallel-web/resources';
import { parallel } from '../../src/providers/parallel/adapter.ts';
import { sentBodies } from './sent-bodies.ts';

/** The compiler keeps these tables equal to the client's own types. */
const searchFields: Record<keyof SearchParams, true> = {
  search_queries: true,
  advanced_settings: true,
  client_model: true,
  max_chars_total: true,
  mode: true,
  objective: true,
  session_id: true,
};
const extractFields: Record<keyof ExtractParams, true> = {
  urls: true,
  advanced_settings: true,
  client_model: true,
  max_chars_total: true,
  objective: true,
  search_queries: true,
  session_id: true,
};
const searchSettings: Record<keyof AdvancedSearchSettings, true> = {
  excerpt_settings: true,
  fetch_policy: true,
  location: true,
  max_results: true,
  source_policy: true,
};
const extractSettings: Record<keyof AdvancedExtractSettings, true> = {
  excerpt_settings: true,
  fetch_policy: true,
  full_content: true,
};
const sourceFields: Record<keyof SourcePolicy, true> = {
  after_date: true,
  exclude_domains: true,
  include_domains: true,
};
const fetchFields: Record<keyof FetchPolicy, true> = {
  disable_cache_fallback: true,
  max_age_seconds: true,
  timeout_seconds: true,
};
const modes: Record<NonNullable<SearchParams['mode']>, true> = {
  turbo: true,
  fast: true,
  basic: true,
  advanced: true,
};

const received: { path: string; key: string | null; body: unknown }[] = [];
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const key = request.headers.get('x-api-key');
    received.push({ path: new URL(request.url).pathname, key, body: await request.json() });
    return Response.json({ results: [], errors: [] });
  },
});
const client = new Parallel({ apiKey: 'test-key', baseURL: server.url.origin, maxRetries: 0 });
const key = parallel.auth('test-key')['x-api-key'] ?? null;
afterAll(() => server.stop(true));

for (const { file, body } of sentBodies('parallel', 'search')) {
  const { search_queries, objective, mode, advanced_settings } = body as unknown as SearchParams;
  test(`${file} sends only fields and values the client knows`, () => {
    const settings = advanced_settings ?? {};
    expect(unknown(body, searchFields)).toEqual([]);
    expect(unknown(settings, searchSettings)).toEqual([]);
    expect(unknown(settings.source_policy ?? {}, sourceFields)).toEqual([]);
    expect(unknown(settings.fetch_policy ?? {}, fetchFields)).toEqual([]);
    if (mode) expect(modes).toHaveProperty([mode]);
  });

  test(`${file} keeps within the limits of the wire`, () => {
    expect(search_queries.map((query) => query.length <= 200)).toEqual([true]);
    expect(objective?.length).toBeLessThanOrEqual(5000);
    const { include_domains = [], exclude_domains = [] } = advanced_settings?.source_policy ?? {};
    expect(Math.min(include_domains.length, exclude_domains.length)).toBe(0);
    expect(include_domains.length + exclude_domains.length).toBeLessThanOrEqual(200);
  });

  test(`${file} sends what the client would send`, async () => {
    received.length = 0;
    await client.search(body as unknown as SearchParams);
    expect(received).toEqual([{ path: '/v1/search', key, body }]);
  });
}

for (const { file, body } of sentBodies('parallel', 'extract')) {
  const asked = body as unknown as ExtractParams;
  test(`${file} sends only fields the client knows`, () => {
    expect(unknown(body, extractFields)).toEqual([]);
    expect(unknown(asked.advanced_settings ?? {}, extractSettings)).toEqual([]);
  });

  test(`${file} sends what the client would send`, async () => {
    received.length = 0;
    await client.extract(asked);
    expect(received).toEqual([{ path: '/v1/extract', key, body }]);
  });
}

function unknown(fields: object, table: Readonly<Record<string, true>>): string[] {
  return Object.keys(fields).filter((field) => !(field in table));
}
