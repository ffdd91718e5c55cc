// No parameter is dropped silently: one that does not change the call to the vendor is named in a
// warning. For every provider and every parameter, the test makes the request with and without the
// parameter and compares the two calls.
import { describe, expect, test } from 'bun:test';
import { providerIds } from '@trivium/contract';
import fc from 'fast-check';
import { extractBodies, searchBodies, transcriptionBodies } from './generated-requests.ts';
import {
  type Body,
  extractValues,
  type Planned,
  plansOf,
  searchValues,
  transcriptionValues,
} from './request-matrix.ts';

/** Parameters that the gateway applies to the answer itself, so the call may stay the same. */
const honouredHere: Readonly<Record<string, readonly string[]>> = {
  search: ['content.snippets.max_per_result', 'content.snippets.max_chars_per_snippet'],
  extract: [
    'content.max_chars',
    'content.excerpts.max_per_url',
    'content.excerpts.max_chars_per_excerpt',
  ],
  transcribe: ['timestamps'],
};

/** What a provider sends or answers in any case. */
const sentAnyway: Readonly<Record<string, readonly string[]>> = {
  engine_b: ['content.excerpts: '],
  engine_d: ['safe_search: "moderate"'],
};

/** A value that asks for nothing, or for what happens in any case. */
function asksForNothing(param: string, value: unknown): boolean {
  // The gateway cuts some of the usual ten results.
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

for (const id of providerIds) {
  const { search, extract, transcribe } = plansOf(id);
  if (search) {
    describe(`search on ${id}`, () =>
      nothingIsDropped(id, 'search', searchBodies, searchValues, search));
  }
  if (extract) {
    describe(`extract on ${id}`, () =>
      nothingIsDropped(id, 'extract', extractBodies, extractValues, extract));
  }
  if (transcribe) {
    describe(`transcription on ${id}`, () =>
      nothingIsDropped(id, 'transcribe', transcriptionBodies, transcriptionValues, transcribe));
  }
}

function nothingIsDropped(
  id: string,
  tool: string,
  bodies: fc.Arbitrary<Body>,
  values: readonly Body[],
  make: (body: Body) => Planned,
): void {
  test('alone, every value of every parameter is sent or warned about', () => {
    expect(values.flatMap((body) => dropped(id, tool, body, make))).toEqual([]);
  });
  test('in any combination, every parameter is sent or warned about', () => {
    fc.assert(fc.property(bodies, (body) => expect(dropped(id, tool, body, make)).toEqual([])));
  });
}

/** The parameters of a request that changed nothing and that no warning names. */
function dropped(id: string, tool: string, body: Body, make: (body: Body) => Planned): string[] {
  const { sent, warnings } = make(body);
  // An offset after the last result that a provider shows, which a warning names.
  if (sent.length === 0) return [];
  const calls = JSON.stringify(sent);
  return leavesOf(body)
    .filter(({ param, value }) => {
      if (required.has(param) && tool !== 'extract') return false;
      if (param === 'urls' || asksForNothing(param, value)) return false;
      if (honouredHere[tool]?.includes(param)) return false;
      if (window.has(param) && 'offset' in body && 'max_results' in body) return false;
      if (warnings.some((warning) => warning.param === param)) return false;
      return JSON.stringify(make(without(body, param.split('.'))).sent) === calls;
    })
    .map(({ param, value }) => `${param}: ${JSON.stringify(value)}`)
    .filter((line) => !sentAnyway[id]?.some((beginning) => line.startsWith(beginning)));
}

/** Some providers return whole pages, which these two parameters may cut at the same place. */
const window = new Set(['offset', 'max_results']);

const required = new Set(['query', 'audio_url']);

/** Each parameter with its path; excerpts are one parameter, and each cap is another. */
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
