// An adapter reads any answer of its vendor, or declares it unreadable. Any other error is a defect
// of the adapter. An invalid cost or length of a recording does not make an answer unreadable.
import { expect, test } from 'bun:test';
import {
  ExtractRequest,
  type ProviderId,
  providerIds,
  SearchRequest,
  typedName,
} from '@trivium/contract';
import { performExtract } from '../src/extract/extract-pages.ts';
import { planExtract } from '../src/extract/extract-plan.ts';
import { providers } from '../src/providers/registry.ts';
import type { Provider } from '../src/providers/provider.ts';
import { performSearch, planSearch } from '../src/search/search-engine.ts';
import { fixtureNames, readFixture } from './fixtures.ts';
import { fakeContext, type Fixture, playExtract, playSearch } from './play.ts';
import type { Outgoing } from '../src/platform/http-client.ts';
import type { Cost } from '../src/billing/core/prices.ts';
import { playTranscribe } from './play-transcribe.ts';

/** Values that may appear where the vendor documents something else. */
const unprintable = { toString: false, valueOf: null };
const strange = [
  ...[null, -1, 1e300, 'text', 'http://[', '9999-99-99', [], {}, [null], [1], true, ''],
  ...[unprintable, [unprintable]],
];
const budget = { timeout_ms: 1000, maxBytes: 1_000_000 };

/** Performs the request of the fixture with each body, and expects its adapter to throw nothing. */
async function expectNoDefects(provider: Provider, fixture: Fixture, product: string) {
  const [first, ...others] = fixture.received;
  const defects: unknown[] = [];
  const sent: Outgoing[] = [];
  const played = { ...fixture, received: fixture.received };
  const { context: base, chosen } = fakeContext(provider, played, sent);
  const adapterFailed = (id: string, error: unknown) => defects.push([id, error]);
  const context = { ...base, metrics: { called: () => undefined, adapterFailed } };
  const asked = { ...fixture.asked, provider: provider.id };
  const search = product === 'search' && planSearch(context, chosen, SearchRequest.parse(asked));
  const extract = !search && planExtract(context, chosen, ExtractRequest.parse(asked));
  for (const body of changed(first?.body)) {
    played.received = [{ status: 200, ...first, body }, ...others];
    sent.length = 0;
    if (search) await performSearch(context, search, budget);
    if (extract) await performExtract(context, extract, budget);
    if (defects.length > 0) expect([body, defects]).toEqual([body, []]);
  }
}

/**
 * The body with each value in it replaced, one at a time. Of a list, only the first item is
 * replaced.
 */
function* changed(value: unknown): Generator<unknown> {
  yield* strange;
  if (Array.isArray(value)) {
    for (const inner of value.slice(0, 1).flatMap((one) => [...changed(one)])) {
      yield [inner, ...value.slice(1)];
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      for (const other of changed(inner)) yield { ...value, [name]: other };
    }
  }
}

function longestAnswer(names: string): Fixture | undefined {
  const charsOf = ({ received: [first] }: Fixture) =>
    first?.status === 200 ? JSON.stringify(first.body).length : 0;
  return fixtureNames(names)
    .map(readFixture)
    .toSorted((one, other) => charsOf(other) - charsOf(one))[0];
}

for (const id of providerIds) {
  for (const product of ['search', 'extract']) {
    const fixture = longestAnswer(`${typedName(id)}.${product}.`);
    if (!fixture) continue;
    const check = () => expectNoDefects(providers[id], fixture, product);
    test(`no answer to a request of ${product} makes the adapter of ${id} fail`, check);
  }
}

const invalid = ['0.1', '', -1, -1e308, 1e308, 1.5, true, {}, [], [1]];

/** Where vendors report a price. */
const reports: [ProviderId, 'search' | 'extract', fixture: string, path: (string | number)[]][] = [
  ['engine_a', 'search', 'exa.search.plain', ['costDollars', 'total']],
  ['engine_a', 'search', 'exa.search.plain', ['costDollars']],
  ['engine_a', 'extract', 'exa.extract.plain', ['costDollars', 'total']],
  ['engine_b', 'search', 'parallel.search.plain', ['usage', 0, 'count']],
  ['engine_b', 'search', 'parallel.search.plain', ['usage']],
  ['engine_b', 'extract', 'parallel.extract.plain', ['usage', 0, 'count']],
  ['engine_c', 'search', 'tavily.search.plain', ['usage', 'credits']],
  ['engine_c', 'search', 'tavily.search.plain', ['usage']],
  ['engine_c', 'extract', 'tavily.extract.plain', ['usage', 'credits']],
  ['engine_e', 'search', 'serper.search.plain', ['credits']],
  ['engine_e', 'extract', 'serper.extract.plain', ['credits']],
  ['engine_f', 'search', 'firecrawl.search.plain', ['creditsUsed']],
  ['engine_f', 'extract', 'firecrawl.extract.plain', ['data', 'metadata', 'creditsUsed']],
  ['engine_h', 'search', 'valyu.search.plain', ['total_deduction_dollars']],
  ['engine_h', 'extract', 'valyu.extract.plain', ['total_cost_dollars']],
  ['engine_i', 'search', 'jina.search.plain', ['meta', 'usage', 'tokens']],
  ['engine_i', 'search', 'jina.search.plain', ['meta']],
  ['engine_i', 'extract', 'jina.extract.plain', ['meta', 'usage', 'tokens']],
];

test.each(reports)(
  '%s %s: an invalid cost report does not change the answer',
  async (id, product, name, path) => {
    const play = product === 'search' ? playSearch : playExtract;
    const fixture = readFixture(`${name}.json`);
    const usual = (await play(id, fixture)).answered as Answered;
    expect(usual.results.length).toBeGreaterThan(0);
    for (const value of invalid) {
      const odder = (await play(id, withValue(fixture, path, value))).answered as Answered;
      expect([value, withoutRaw(odder)]).toEqual([value, withoutRaw(usual)]);
      expect([value, odder.cost.table]).toEqual([value, usual.cost.table]);
    }
  },
);

const lengths: [ProviderId, fixture: string, answer: number, path: string[]][] = [
  ['stt_a', 'assemblyai.transcribe.plain', 4, ['audio_duration']],
  ['stt_b', 'deepgram.transcribe.synchronous', 0, ['metadata', 'duration']],
  ['stt_c', 'elevenlabs.transcribe.synchronous', 0, ['audio_duration_secs']],
];

test.each(lengths)(
  '%s: an invalid length does not change the transcript',
  async (id, name, answer, path) => {
    const fixture = readFixture(`${name}.json`);
    const text = textOf((await playTranscribe(id, fixture)).answered);
    expect(text).not.toBe('');
    for (const value of ['60', -1, 1e308, {}, true]) {
      const played = await playTranscribe(id, withValue(fixture, path, value, answer));
      expect([value, textOf(played.answered)]).toEqual([value, text]);
    }
  },
);

interface Answered {
  results: { raw: unknown }[];
  cost: Cost;
}

/** The vendor's own object may contain the report. */
function withoutRaw({ results }: Answered): object[] {
  return results.map(({ raw: _raw, ...shown }) => shown);
}

function withValue(
  fixture: Fixture,
  path: readonly (string | number)[],
  value: unknown,
  answer?: number,
): Fixture {
  const copy = structuredClone(fixture);
  const bodies = copy.received.filter((_, at) => answer === undefined || at === answer);
  for (const { body } of bodies) {
    let place = body as Record<string | number, unknown>;
    for (const name of path.slice(0, -1)) place = place[name] as typeof place;
    const last = path.at(-1) ?? '';
    // The fixture must have the field, or the test would prove nothing.
    if (!(last in place)) throw new Error(`${path.join('.')} is not in the fixture`);
    place[last] = value;
  }
  return copy;
}

function textOf(news: unknown): string {
  const done = (news as { kind: string; result?: { text: string } }[]).find(
    ({ kind }) => kind === 'done',
  );
  return done?.result?.text ?? '';
}
