// What may stand among the options of a search: no prototype keys, a fusion within bounds.
import { expect } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { findRefused, findUnrefused } from '../refusals.ts';
import type { Spoilt } from '../refusals.ts';
import { InvalidRequest } from '../shapes.ts';
import { scenario } from '../verifies.ts';

const gateway = sharedGateway();

const question = { query: 'solar energy storage' };

scenario(
  'keys that reach for a prototype are refused among options, however deep they lie',
  ['requests.options.prototype-keys'],
  async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      for (const options of [`{"${key}":{}}`, `{"contents":{"extras":[{"${key}":1}]}}`]) {
        const text = `{"query":"x","provider_options":{"engine_a":${options}}}`;
        const answer = await gateway().post('/v1/search', text);
        expect([text, answer.status]).toEqual([text, 400]);
        InvalidRequest.parse(answer.body);
      }
    }
  },
);

scenario(
  'the options of a fusion keep to their bounds, and strict does not go with it',
  [
    'limits.fusion.providers',
    'limits.fusion.timeout',
    'limits.fusion.top-k',
    'fusion.providers.known-engines',
    'fusion.timeout.integer',
    'fusion.top-k.integer',
    'search.strict.not-with-fusion',
  ],
  async () => {
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
    expect(await findUnrefused(gateway(), '/v1/search', question, spoilt)).toEqual([]);
    const inside = [
      { timeout_ms: 500, top_k: 1 },
      { timeout_ms: 30000, top_k: 100, providers: ['engine_a', 'engine_k'] },
    ];
    expect(await findRefused(gateway(), '/v1/search', question, inside.map(fusion))).toEqual([]);
    const strict = await gateway().post('/v1/search', {
      ...question,
      provider: 'fusion',
      strict: true,
    });
    expect(strict.status).toBe(400);
    InvalidRequest.parse(strict.body);
  },
);
