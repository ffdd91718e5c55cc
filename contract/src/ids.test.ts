// Checks the identifier formats at their limits, and that the lists of providers agree.
import { expect, test } from 'bun:test';
import {
  ApiKey,
  ExtractionId,
  extractEngineIds,
  JobId,
  providerIds,
  ResultId,
  SearchId,
  searchEngineIds,
  transcriberIds,
} from './ids.ts';

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
  {
    name: 'an API key',
    schema: ApiKey,
    good: [`sk_live_${'a'.repeat(43)}`, `sk_live_${'-_Z9'.repeat(10)}abc`],
    bad: [`sk_live_${'a'.repeat(42)}`, `sk_live_${'a'.repeat(44)}`, `sk_test_${'a'.repeat(43)}`],
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

test('ids count on by letters without a gap, and only search engines extract', () => {
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
