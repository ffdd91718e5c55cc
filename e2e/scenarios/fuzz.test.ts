// A short fuzz of every endpoint: no crash, no undocumented 5xx, no answer that breaks its schema.
import { expect, test } from 'bun:test';
import { startGateway } from '../harness.ts';
import { type Document, fuzz } from '../fuzz.ts';

const LIMIT_MS = 300_000;
const CASES = Number(process.env['TRIVIUM_FUZZ_CASES'] ?? 1500);
const SEED = Number(process.env['TRIVIUM_FUZZ_SEED'] ?? 42);
const operator_token = 'operator-token-of-the-fuzzer-0123456789';

test(
  'generated and hostile requests get documented answers from every endpoint',
  async () => {
    await using gateway = await startGateway({
      env: { TRIVIUM_ADMIN_TOKEN: operator_token, TRIVIUM_BOOTSTRAP_BALANCE_USD: '100000' },
    });
    const { body } = await gateway.get('/openapi.json');
    const options = { cases: CASES, seed: SEED, operator_token };
    expect(await fuzz(gateway, body as Document, options)).toBeUndefined();
    expect((await gateway.get('/readyz')).status).toBe(200);
  },
  LIMIT_MS,
);
