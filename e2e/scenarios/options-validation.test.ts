// Options of a search: no prototype keys, and fusion options within their bounds.
import { test } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { findRefused, findUnrefused } from '../refusals.ts';
import type { Spoilt } from '../refusals.ts';
import { InvalidRequest } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();

const question = { query: 'solar energy storage' };

test('prototype keys are refused among options at every depth', async () => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    for (const options of [`{"${key}":{}}`, `{"contents":{"extras":[{"${key}":1}]}}`]) {
      const text = `{"query":"x","provider_options":{"engine_a":${options}}}`;
      const answer = await gateway().post('/v1/search', text);
      proves('requests.options.prototype-keys', () =>
        expect([text, answer.status]).toEqual([text, 400]),
      );
      InvalidRequest.parse(answer.body);
    }
  }
});

test('fusion options are validated, and strict is refused together with fusion', async () => {
  const fusion = (options: object) => ({
    provider: 'fusion',
    provider_options: { fusion: options },
  });
  const at = (name: string, value: unknown) =>
    [`provider_options.fusion.${name}`, fusion({ [name]: value })] as const;
  const spoilt: Spoilt = [
    at('providers', ['engine_a']),
    at('providers', []),
    ['provider_options.fusion.providers.1', fusion({ providers: ['engine_a', 'auto'] })],
    ...[499, 30001, 600.5].map((value) => at('timeout_ms', value)),
    ...[0, 101, 1.5].map((value) => at('top_k', value)),
  ];
  await proves(
    [
      'limits.fusion.providers',
      'limits.fusion.timeout',
      'limits.fusion.top-k',
      'fusion.providers.known-engines',
      'fusion.timeout.integer',
      'fusion.top-k.integer',
    ],
    async () => expect(await findUnrefused(gateway(), '/v1/search', question, spoilt)).toEqual([]),
  );
  const inside = [
    { timeout_ms: 500, top_k: 1 },
    { timeout_ms: 30000, top_k: 100, providers: ['engine_a', 'engine_k'] },
  ];
  await proves(
    ['limits.fusion.providers', 'limits.fusion.timeout', 'limits.fusion.top-k'],
    async () =>
      expect(await findRefused(gateway(), '/v1/search', question, inside.map(fusion))).toEqual([]),
  );
  const strict = await gateway().post('/v1/search', {
    ...question,
    provider: 'fusion',
    strict: true,
  });
  proves('search.strict.not-with-fusion', () => expect(strict.status).toBe(400));
  InvalidRequest.parse(strict.body);
});
