// Operators read every setting that applies, and no secret is among them.
import { expect, test } from 'bun:test';
import { readSettings, type Declaration } from './settings.ts';

const secrets = {
  TRIVIUM_SECRET: 'signs-the-callbacks-of-the-providers-0123',
  TRIVIUM_ADMIN_TOKEN: 'the-token-of-the-operators-0123456789abc',
  TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'k'.repeat(43)}`,
  TRIVIUM_SHADOW_KEY: `sk_live_${'s'.repeat(43)}`,
  TRIVIUM_OIDC_CLIENT_SECRET: 'oidc-client-secret',
  ELEVENLABS_WEBHOOK_SECRET: 'webhook-secret-value',
  EXA_API_KEY: 'vendor-key-one,vendor-key-two',
};
const env = {
  ...secrets,
  DATABASE_URL: 'postgres://ada:database-password@db.example:5432/trivium?sslpassword=tls-password',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://reader:trace-password@traces.example/v1?token=trace-token',
  TRIVIUM_PUBLIC_URL: 'https://trivium.example',
  TRIVIUM_OIDC_ISSUER: 'https://id.example',
  TRIVIUM_OIDC_CLIENT_ID: 'trivium',
  TRIVIUM_TRUSTED_PROXIES: '10.0.0.0/8',
  EXA_BASE_URL: 'https://me:base-password@exa.example',
};
const exa: Declaration = {
  id: 'engine_a',
  credential: { env: ['EXA_API_KEY'] },
  hosts: { api: { env: 'EXA_BASE_URL', default: 'https://api.exa.ai' } },
};
const { displayed } = readSettings(env, [exa]);
const line = (name: string) => displayed.find((each) => each.name === name);

test('no secret and no credential in an address is displayed', () => {
  const text = JSON.stringify(displayed);
  const hidden = [
    ...Object.values(secrets),
    ...['database-password', 'tls-password', 'trace-password', 'trace-token', 'base-password'],
    ...['vendor-key-one', 'vendor-key-two'],
  ];
  expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
  for (const name of Object.keys(secrets)) {
    expect(line(name)).toMatchObject({ value: null, is_set: true, is_secret: true });
  }
});

test('what is set and what is the default are told apart', () => {
  expect(line('PORT')).toMatchObject({ value: '8787', is_set: false, is_secret: false });
  expect(line('TRIVIUM_TRUSTED_PROXIES')).toMatchObject({ value: '10.0.0.0/8', is_set: true });
  expect(line('DATABASE_URL')?.value).toBe('PostgreSQL at db.example:5432/trivium');
  expect(line('OTEL_EXPORTER_OTLP_ENDPOINT')?.value).toBe('https://traces.example/v1');
  expect(line('EXA_BASE_URL')).toMatchObject({
    value: 'https://exa.example/',
    provider: 'engine_a',
  });
  expect(line('TRIVIUM_KEY_REQUESTS_PER_MINUTE')).toMatchObject({ value: null, is_secret: false });
  expect(new Set(displayed.map(({ name }) => name)).size).toBe(displayed.length);
});
