// Checks the identifier formats at their limits, and that the lists of providers agree.
import { describe, expect, test } from 'bun:test';
import { issuesOf } from './issues.ts';
import { SearchRequest } from './search.ts';
import { ExtractionId, JobId, ResultId, SearchId } from './ids.ts';
import {
  extractEngineIds,
  providerIds,
  searchEngineIds,
  transcriberIds,
  idOfVendor,
  labelProviders,
  providerLabel,
  providerNames,
  toProviderId,
  typedName,
} from './provider-names.ts';

const uuid = '019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d';
const hex = '019a84c25b7e7c319d426f0e8a1b2c3d';

const shapes = [
  {
    name: 'a job id',
    schema: JobId,
    good: [`job_${uuid}`, `job_${'-'.repeat(36)}`, `job_${'f'.repeat(36)}`],
    bad: [
      `job_${uuid}0`,
      `job_${uuid.slice(1)}`,
      `job_${uuid.toUpperCase()}`,
      uuid,
      `jobs_${uuid}`,
    ],
  },
  {
    name: 'a search id',
    schema: SearchId,
    good: [`srch_${hex}`],
    bad: [`srch_${hex}0`, `srch_${hex.slice(1)}`, `srch_${hex.toUpperCase()}`, `ext_${hex}`, ''],
  },
  {
    name: 'an extraction id',
    schema: ExtractionId,
    good: [`ext_${hex}`],
    bad: [`ext_${hex}0`, `ext_${hex.slice(1)}`, `ext_${hex}\n`, `srch_${hex}`],
  },
  {
    name: 'a result id',
    schema: ResultId,
    good: ['res_0123456789abcdef'],
    bad: ['res_0123456789abcde', 'res_0123456789abcdef0', 'res_0123456789abcdeg'],
  },
];

for (const { name, schema, good, bad } of shapes) {
  test.each(good)(`%j is ${name}`, (value) => {
    expect(schema.safeParse(value).success).toBe(true);
  });
  test.each(bad)(`%j is not ${name}`, (value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
}

test('ids use consecutive letters, and only search engines extract', () => {
  const letters = (ids: readonly string[]) => ids.map((id) => id.slice(-1)).join('');
  const alphabet = 'abcdefghijklmnopqrstuvwxyz';
  expect(alphabet).toStartWith(letters(searchEngineIds));
  expect(alphabet).toStartWith(letters(transcriberIds));
  expect(searchEngineIds.every((id) => id.startsWith('engine_'))).toBe(true);
  expect(transcriberIds.every((id) => id.startsWith('stt_'))).toBe(true);
  expect(extractEngineIds.filter((id) => !searchEngineIds.includes(id))).toEqual([]);
  expect(letters(extractEngineIds)).toStartWith('acbefghij');
  expect(new Set(providerIds).size).toBe(searchEngineIds.length + transcriberIds.length);
});

describe('the vendors behind the ids', () => {
  test('every provider has its own name, from which its id can be found', () => {
    for (const id of providerIds) {
      expect(idOfVendor(providerNames[id])).toBe(id);
      expect(idOfVendor(typedName(id))).toBe(id);
      expect(providerLabel(id)).toBe(`${providerNames[id]} (${id})`);
    }
    expect(new Set(providerIds.map(typedName)).size).toBe(providerIds.length);
  });

  test.each([
    ['EXA', 'engine_a'],
    ['you.com', 'engine_j'],
    ['You', 'engine_j'],
    ['eleven labs', 'stt_c'],
    ['assembly-ai', 'stt_a'],
  ] as const)('%s is %s', (typed, id) => {
    expect(idOfVendor(typed)).toBe(id);
    expect(toProviderId(typed)).toBe(id);
  });

  test.each([
    '',
    ' ',
    '.',
    'engine_a',
    'auto',
    '__proto__',
    'constructor',
    'e',
    'exa'.repeat(100_000),
  ])('a value that is not a vendor is unchanged', (typed) => {
    expect(idOfVendor(typed)).toBeUndefined();
    expect(toProviderId(typed)).toBe(typed);
  });

  test('a message names both once, and paths and quotes are unchanged', () => {
    expect(labelProviders('engine_a refused; stt_c too.')).toBe(
      'Exa (engine_a) refused; ElevenLabs (stt_c) too.',
    );
    for (const same of [
      'Exa (engine_a) refused.',
      'provider_options.engine_a.type: wrong',
      'such as {"engine_a":{}}',
      'engine_z and my_engine_a',
    ]) {
      expect(labelProviders(same)).toBe(same);
    }
  });
});

describe('a vendor in place of an id', () => {
  const faults = (value: unknown) => {
    const { error } = SearchRequest.safeParse(value);
    return error === undefined ? [] : issuesOf(error).map(({ path, message }) => [path, message]);
  };

  test('is refused with the id it means', () => {
    expect(faults({ query: 'x', provider: 'Tavily' })).toEqual([
      ['provider', expect.stringMatching(/^Must be one of: engine_a, .* Tavily is engine_c\.$/)],
    ]);
    expect(faults({ query: 'x', provider_options: { exa: {} } })).toEqual([
      ['provider_options.exa', 'Must be an id; Exa is engine_a.'],
    ]);
    const panel = { fusion: { providers: ['engine_a', 'brave'] } };
    expect(faults({ query: 'x', provider: 'fusion', provider_options: panel })).toEqual([
      ['provider_options.fusion.providers.1', expect.stringContaining('Brave is engine_d.')],
    ]);
  });

  test.each([
    ['deepgram', 'Deepgram (stt_b) is not one of them.'],
    ['stt_b', 'Deepgram (stt_b) is not one of them.'],
    ['tavly', 'Did you mean Tavily (engine_c)?'],
    ['EXAA', 'Did you mean Exa (engine_a)?'],
    ['constructor', 'auto, fusion.'],
    ['', 'auto, fusion.'],
    ['x'.repeat(100_000), 'auto, fusion.'],
    [7, 'auto, fusion.'],
    [null, 'auto, fusion.'],
  ])('%p is refused with a hint where there is one', (provider, hint) => {
    const [[, message = ''] = []] = faults({ query: 'x', provider });
    expect(message).toStartWith('Must be one of: engine_a, ');
    expect(message).toEndWith(hint);
  });
});
