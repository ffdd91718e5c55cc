// An invalid figure in a vendor's answer, a cost or the length of a recording, does not make the
// answer unreadable.
import { expect, test } from 'bun:test';
import type { ProviderId } from '@trivium/contract';
import type { Cost } from '../src/billing/core/prices.ts';
import { readFixture } from './fixtures.ts';
import { playTranscribe } from './play-transcribe.ts';
import { type Fixture, playExtract, playSearch } from './play.ts';

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
