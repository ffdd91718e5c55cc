// Nothing is dropped in silence: a parameter that does not change what is sent to the vendor is named
// in a warning. Judged by the calls alone, for every provider and every parameter: each request is
// made with and without the parameter, and the two calls are compared.
import { describe, expect, test } from 'bun:test';
import {
  ExtractRequest,
  providerIds,
  SearchRequest,
  TranscriptionRequest,
  type TranscriberId,
  type Warning,
} from '@trivium/contract';
import fc from 'fast-check';
import { planExtract } from '../src/extract/extract-plan.ts';
import { submissionOf } from '../src/providers/shared/native-options.ts';
import { providers } from '../src/providers/registry.ts';
import { planSearch } from '../src/search/search-engine.ts';
import { plannedAttempt, planTranscription } from '../src/transcription/transcribe-plan.ts';
import { outgoingOf } from '../src/upstream/call-provider.ts';
import { providersWith } from './configured-providers.ts';
import { extractBodies, searchBodies, transcriptionBodies } from './generated-requests.ts';
import { fakeContext, shown } from './play.ts';

type Body = Record<string, unknown>;
interface Made {
  calls: string;
  warnings: Warning[];
}

/** What the gateway itself does with the answer, so that the call may stay the same. */
const honouredHere: Readonly<Record<string, readonly string[]>> = {
  search: ['content.snippets.max_per_result', 'content.snippets.max_chars_per_snippet'],
  extract: [
    'content.max_chars',
    'content.excerpts.max_per_url',
    'content.excerpts.max_chars_per_excerpt',
  ],
  transcribe: ['timestamps'],
};

/** What a provider sends or answers whether or not it is asked for. */
const sentAnyway: Readonly<Record<string, readonly string[]>> = {
  engine_b: ['content.excerpts: '],
  engine_d: ['safe_search: "moderate"'],
};

/** A value that asks for nothing, or for what is done anyway. */
function asksForNothing(param: string, value: unknown): boolean {
  // Of the usual ten results, some are cut here.
  if (param === 'max_results' && Number(value) <= 10) return true;
  if (value === false || (Array.isArray(value) && value.length === 0)) return true;
  return whatIsDoneAnyway[param] === value;
}

const whatIsDoneAnyway: Readonly<Record<string, unknown>> = {
  offset: 0,
  category: 'general',
  'content.full_text': true,
  'content.format': 'markdown',
  timestamps: 'word',
};

const each = (param: string, values: readonly unknown[]): Body[] =>
  values.map((value) => nested(param.split('.'), value));

function nested([name = '', ...rest]: readonly string[], value: unknown): Body {
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

const searchValues = [
  ...each('max_results', [1, 9, 21, 100]),
  ...each('mode', ['instant', 'fast', 'balanced', 'deep']),
  ...each('include_domains', [['a.example'], ['*.b.example'], ['c.example/docs'], ['.gov']]),
  ...each('exclude_domains', [['a.example'], ['*.b.example'], ['c.example/docs'], ['.gov']]),
  ...each('published_after', ['2026-03-09']),
  ...each('published_before', ['2026-03-09']),
  ...each('freshness', ['day', 'week', 'month', 'year']),
  ...each('content.full_text', [true]),
  ...each('content.summary', [true]),
  ...each('locale.country', ['us', 'GB', 'UK', 'zz']),
  ...each('locale.language', ['en', 'xx']),
  ...each('category', ['news', 'company', 'people', 'research']),
  ...each('safe_search', ['off', 'moderate', 'strict']),
  ...each('offset', [1, 10, 500]),
].map((body) => ({ query: 'tides', ...body }));

const extractValues = [
  ...each('query', ['tides']),
  ...each('content.excerpts', [{}, { max_per_url: 2, max_chars_per_excerpt: 100 }]),
  ...each('content.summary', [true]),
  ...each('content.format', ['text']),
  ...each('include_links', [true]),
  ...each('include_images', [true]),
  ...each('max_age_hours', [0, 720]),
  ...each('timeout_ms', [1000, 90_000]),
].map((body): Body => ({ urls: ['https://a.example/'], ...body }));

const transcriptionValues = [
  ...each('language', ['en', 'en-GB', 'pt-BR', 'zh-HK', 'haw', 'xx']),
  ...each('diarize', [true]),
  ...each('keyterms', [['tidal lagoon']]),
].map((body): Body => ({ audio_url: 'https://audio.example/a.mp3', ...body }));

const now = '2026-11-15T12:00:00.000Z';
const fixture = { asked: {}, now, sent: [], received: [], answered: {}, warned: [] };
const unlimited = { timeout_ms: 1, maxBytes: 1 };

for (const id of providerIds) {
  const provider = providers[id];
  const { context, chosen } = fakeContext(provider, fixture, []);
  const callsOf = (sent: readonly Parameters<typeof outgoingOf>[1][]) =>
    JSON.stringify(sent.map((wire) => shown(outgoingOf(chosen, wire, unlimited))));
  if (provider.search) {
    describe(`search on ${id}`, () =>
      nothingIsDropped(id, 'search', searchBodies, searchValues, (body) => {
        const plan = planSearch(context, chosen, SearchRequest.parse({ ...body, provider: id }));
        return { calls: callsOf(plan.sent), warnings: plan.negotiated.warnings };
      }));
  }
  if (provider.extract) {
    describe(`extract on ${id}`, () =>
      nothingIsDropped(id, 'extract', extractBodies, extractValues, (body) => {
        const plan = planExtract(context, chosen, ExtractRequest.parse({ ...body, provider: id }));
        return { calls: callsOf(plan.calls.flatMap(({ sent }) => sent)), warnings: plan.warnings };
      }));
  }
  if (provider.transcribe) {
    const configured = providersWith({ [id]: { provider, state: 'configured' } });
    describe(`transcription on ${id}`, () =>
      nothingIsDropped(id, 'transcribe', transcriptionBodies, transcriptionValues, (body) => {
        const request = TranscriptionRequest.parse({ ...body, provider: id });
        const plan = planTranscription(
          { ...context, providers: configured },
          id as TranscriberId,
          request,
        );
        const wire = submissionOf(plan.product, plannedAttempt(plan));
        return { calls: callsOf([wire]), warnings: plan.warnings };
      }));
  }
}

function nothingIsDropped(
  id: string,
  tool: string,
  bodies: fc.Arbitrary<Body>,
  values: readonly Body[],
  make: (body: Body) => Made,
): void {
  test('alone, every value of every parameter is sent or warned about', () => {
    expect(values.flatMap((body) => dropped(id, tool, body, make))).toEqual([]);
  });
  test('whatever it is combined with, every parameter is sent or warned about', () => {
    fc.assert(fc.property(bodies, (body) => expect(dropped(id, tool, body, make)).toEqual([])));
  });
}

/** The parameters of a request that changed nothing and that no warning names. */
function dropped(id: string, tool: string, body: Body, make: (body: Body) => Made): string[] {
  const { calls, warnings } = make(body);
  // An offset behind the last result that a provider shows, which a warning names.
  if (calls === '[]') return [];
  return leavesOf(body)
    .filter(({ param, value }) => {
      if (required.has(param) && tool !== 'extract') return false;
      if (param === 'urls' || asksForNothing(param, value)) return false;
      if (honouredHere[tool]?.includes(param)) return false;
      if (window.has(param) && 'offset' in body && 'max_results' in body) return false;
      if (warnings.some((warning) => warning.param === param)) return false;
      return make(without(body, param.split('.'))).calls === calls;
    })
    .map(({ param, value }) => `${param}: ${JSON.stringify(value)}`)
    .filter((line) => !sentAnyway[id]?.some((beginning) => line.startsWith(beginning)));
}

/** Some providers give whole pages, of which these two cut the same piece in more ways than one. */
const window = new Set(['offset', 'max_results']);

const required = new Set(['query', 'audio_url']);

/** Each parameter with its path; the wish for excerpts is one parameter, and each cap another. */
function leavesOf(body: Body, at = ''): { param: string; value: unknown }[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const param = at + name;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return [{ param, value }];
    }
    const inner = leavesOf(value as Body, `${param}.`);
    return param === 'content.excerpts' ? [{ param, value }, ...inner] : inner;
  });
}

function without(body: Body, [name = '', ...rest]: readonly string[]): Body {
  const { [name]: value, ...others } = body;
  return rest.length === 0 ? others : { ...others, [name]: without(value as Body, rest) };
}
