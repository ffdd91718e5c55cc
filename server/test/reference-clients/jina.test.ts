// Jina has no client of its own: what we send is compared with its field tables, row by row.
import { describe, expect, test } from 'bun:test';
import { ExtractRequest, SearchRequest } from '@trivium/contract';
import type { Outgoing } from '../../src/platform/http-client.ts';
import { countries, jina } from '../../src/providers/jina/adapter.ts';
import { performExtract } from '../../src/extract/extract-pages.ts';
import { planExtract } from '../../src/extract/extract-plan.ts';
import { performSearch, planSearch } from '../../src/search/search-engine.ts';
import { fakeContext, fixtureKey } from '../play.ts';
import { sentBodies } from './sent-bodies.ts';

type Row = (value: unknown) => boolean;

const isText: Row = (value) => typeof value === 'string' && value !== '';
const isOneOf =
  (...values: unknown[]): Row =>
  (value) =>
    values.includes(value);
const isHost: Row = (value) => /^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(String(value));

const searchRows: Readonly<Record<string, Row>> = {
  q: isText,
  num: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 20,
  type: isOneOf('web', 'images', 'news'),
  engine: isOneOf('google', 'bing', 'reader'),
  gl: (value) => countries.has(String(value)),
  hl: (value) => String(value).length >= 2 && /^[a-z]{2}(-[a-z]{2})?$/.test(String(value)),
  site: (value) => Array.isArray(value) && value.length > 0 && value.every(isHost),
  respondWith: isOneOf('no-content'),
};
const readerRows: Readonly<Record<string, Row>> = {
  url: (value) => URL.canParse(String(value)),
  retainImages: isOneOf('none', 'all', 'alt', 'all_p', 'alt_p'),
};
/** Fixtures in which the caller sends invalid values on purpose. */
const ill = /\.bad-request\./;

function strangeFields(rows: Readonly<Record<string, Row>>, body: Record<string, unknown>) {
  return Object.entries(body).filter(([field, value]) => rows[field]?.(value) !== true);
}

for (const { file, body } of sentBodies('jina', 'search').filter((one) => !ill.test(one.file))) {
  test(`${file} keeps to every row of the search table`, () => {
    expect(strangeFields(searchRows, body)).toEqual([]);
    expect(body).toContainKeys(['q', 'num', 'type', 'respondWith']);
  });
}

for (const { file, body } of sentBodies('jina', 'extract').filter((one) => !ill.test(one.file))) {
  test(`${file} keeps to every row of the reader table`, () => {
    expect(strangeFields(readerRows, body)).toEqual([]);
    expect(body).toContainKey('url');
  });
}

const answer = {
  status: 200,
  body: {
    code: 200,
    status: 20000,
    data: { title: 'Peat', url: 'https://peat.example/', content: 'Wet.' },
    meta: { usage: { tokens: 40_000 } },
  },
};
const budget = { timeout_ms: 1000, maxBytes: 1000 };

function fixture(received: unknown[], key?: string) {
  const sent: Outgoing[] = [];
  const fixture = { asked: {}, now: '2026-11-15T12:00:00Z', sent: [], answered: {}, warned: [] };
  const played = { ...fixture, received: received as [] };
  const { context, chosen } = fakeContext(jina, played, sent);
  const { hosts } = chosen.upstream;
  return {
    context,
    chosen: { ...chosen, upstream: key === undefined ? { hosts } : { key, hosts } },
    sent,
  };
}

describe('apart from the body', () => {
  test('a search accepts only JSON, because Jina otherwise answers in plain text', async () => {
    const { context, chosen, sent } = fixture([{ ...answer, body: { data: [] } }], fixtureKey);
    const plan = planSearch(context, chosen, SearchRequest.parse({ query: 'peat' }));
    await performSearch(context, plan, budget);
    expect(sent[0]?.url).toBe('https://s.jina.ai/');
    expect(sent[0]?.headers['accept']).toBe('application/json');
    expect(sent[0]?.headers['authorization']).toBe(`Bearer ${fixtureKey}`);
  });

  test('the reader needs no key, and costs nothing without one', async () => {
    const request = ExtractRequest.parse({ urls: ['https://peat.example/'] });
    const free = fixture([answer]);
    const freePlan = planExtract(free.context, free.chosen, request);
    const { cost: nothing } = await performExtract(free.context, freePlan, budget);
    expect(free.sent[0]?.headers).not.toContainKey('authorization');
    expect(Number(freePlan.maxCost)).toBe(0);
    expect(nothing).toMatchObject({ amount: 0 });
    const paid = fixture([answer], fixtureKey);
    const paidPlan = planExtract(paid.context, paid.chosen, request);
    const { cost } = await performExtract(paid.context, paidPlan, budget);
    expect(Number(paidPlan.maxCost)).toBe(10_000);
    expect(cost).toMatchObject({ amount: 2000, reported: 2000 });
  });
});
