// A short fuzz of every endpoint: no crash, no undocumented 5xx, no answer that breaks its schema.
import { test } from 'bun:test';
import { startGateway } from '../harness.ts';
import { fuzz } from '../fuzz.ts';
import type { Document } from '../answer-validator.ts';
import { fuzzCases, seed } from '../lengths.ts';
import { expect, proves } from '../proves.ts';

const operatorToken = 'operator-token-of-the-fuzzer-0123456789';

test('generated and hostile requests get documented answers from every endpoint', async () => {
  await using gateway = await startGateway({
    env: { TRIVIUM_ADMIN_TOKEN: operatorToken, TRIVIUM_BOOTSTRAP_BALANCE_USD: '100000' },
  });
  const { body } = await gateway.get('/openapi.json');
  const options = { cases: fuzzCases, seed, operatorToken };
  await proves('conventions.answers-are-json', async () =>
    expect(await fuzz(gateway, body as Document, options)).toBeUndefined(),
  );
  expect((await gateway.get('/readyz')).status).toBe(200);
});
