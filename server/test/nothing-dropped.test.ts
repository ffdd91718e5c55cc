// No parameter is dropped silently: one that does not change the call to the vendor is named in a
// warning, as is one whose field a native option sets. The test compares the calls with and without it.
import { describe, expect, test } from 'bun:test';
import { type ProviderId, providerIds, searchEngineIds } from '@trivium/contract';
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
import { providers } from '../src/providers/registry.ts';
import { playSearch } from './play.ts';
import { answerOf, type Page } from './vendor-answers.ts';

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
    fc.assert(
      fc.property(bodies, (body) => expect(dropped(id, tool, body, make)).toEqual([])),
      { numRuns: 50 },
    );
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

const given = 'as the caller wrote it';

for (const id of searchEngineIds) {
  const { search, extract } = plansOf(id);
  describe(id, () => {
    if (search) collides(id, 'search', search, searchValues);
    if (extract) collides(id, 'extract', extract, extractValues);
  });
}

test('an option that is not a number is not capped when the vendor refuses it', () => {
  const refusal = { status: 400, body: { error: { details: [{ field: 'maxResults' }] } } };
  const again = (maxResults: unknown) =>
    providers.engine_g.search?.repeat?.(
      { kind: 'rejected', message: '', ...refusal },
      { method: 'POST', path: '/search', body: { maxResults } },
    );
  expect(again(50)).toMatchObject({ body: { maxResults: 20 } });
  for (const value of [20, '50', { toString: false }, [{ toString: null }], null]) {
    expect(again(value)).toBeUndefined();
  }
});

function collides(
  id: ProviderId,
  tool: 'search' | 'extract',
  plan: (body: Body) => Planned,
  values: readonly Body[],
): void {
  const cases = values.flatMap((body) =>
    ownFields(plan, body).map((field) => ({ body, field, option: { [field]: given } })),
  );
  test(`${tool}: an option that sets the field of a parameter is sent instead of it`, () => {
    if (tool === 'search') expect(cases.length).toBeGreaterThan(10);
    for (const { body, field, option } of cases) {
      const param = paramOf(body);
      const { sent, warnings } = plan({ ...body, provider_options: { [id]: option } });
      for (const call of sent) expect([param, fieldsOf(call)[field]]).toEqual([param, given]);
      const message = `The option ${field} of provider_options.${id} was sent instead.`;
      expect(warnings.filter((warning) => warning.param === param)).toEqual([
        { code: 'param_ignored', param, message },
      ]);
    }
  });
  test(`${tool}: an option that sets another field changes no warning`, () => {
    for (const { body } of cases) {
      const options = { provider_options: { [id]: { unheard_of: given, [`${given}.x`]: null } } };
      expect(plan({ ...body, ...options }).warnings).toEqual(plan(body).warnings);
    }
  });
  if (tool === 'extract') return;
  test('the results are not filtered, cut or skipped by a parameter that was not sent', async () => {
    for (const { body, option } of cases) {
      const pages: Page[] = [
        ['https://a.example/1', '2020-01-01'],
        ['https://b.example/2', '2026-11-15'],
      ];
      const asked = { ...body, provider_options: { [id]: option } };
      const reply = { status: 200, body: answerOf(id as 'engine_a', pages) };
      const received = Array<typeof reply>(10).fill(reply);
      const now = '2026-11-15T12:00:00.000Z';
      const fixture = { asked, now, sent: [], received, answered: {}, warned: [] };
      const { results } = (await playSearch(id, fixture)).answered as {
        results: { url: string }[];
      };
      expect([asked, results.map(({ url }) => url)]).toEqual([asked, pages.map(([url]) => url)]);
    }
  });
}

/** The fields that the parameter of a request sets. Nothing else in the request is changed. */
function ownFields(plan: (body: Body) => Planned, body: Body): string[] {
  const param = paramOf(body);
  const [name = ''] = param.split('.');
  const { [name]: _value, ...rest } = body;

  const [calls, without] = [plan(body).sent.map(fieldsOf), plan(rest).sent.map(fieldsOf)];
  const last = calls.at(-1) ?? {};
  return Object.keys(last).filter(
    (field) => JSON.stringify(last[field]) !== JSON.stringify((without.at(-1) ?? {})[field]),
  );
}

/** Each request of the matrix has one parameter besides the required ones. */
function paramOf(body: Body): string {
  const name = Object.keys(body).at(-1) ?? '';
  const value = body[name];
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isGroup ? `${name}.${Object.keys(value)[0]}` : name;
}

function fieldsOf({ url, body }: Planned['sent'][number]): Body {
  return (body as Body | undefined) ?? Object.fromEntries(new URL(url).searchParams);
}
