// Settings: working defaults, and all faults together, each by the name of its variable.
import { describe, test } from 'bun:test';
import { expect, proves } from '../../../e2e/proves.ts';
import { providers } from '../providers/registry.ts';
import { readSettings, type Environment } from './settings.ts';

const read = (env: Environment) => readSettings(env, Object.values(providers));

test('the defaults make a working gateway', () => {
  const settings = read({});
  expect(settings).toMatchObject({
    port: 8787,
    host: '127.0.0.1',
    configured_dir: './.trivium',
    data_dir: '.trivium/sandbox',
    sandbox: 'auto',
    mode: 'sandbox',
    job_deadline_minutes: 120,
    job_hold_minutes: 60,
    failover: 'off',
    max_requests: 4096,
    provider_concurrency: 2048,
    log_level: 'info',
    reader: false,
    upstreams: {},
  });
  expect(settings.auto_extract.join(' ')).toBe(
    'engine_a engine_c engine_b engine_e engine_f engine_g engine_h engine_i engine_j',
  );
});

test('the sandbox has a data directory of its own, below the one of the live store', () => {
  const dirOf = (env: Environment) => read({ TRIVIUM_DATA_DIR: '/data', ...env }).data_dir;
  expect(dirOf({})).toBe('/data/sandbox');
  const modeOf = (sandbox: string) => read({ EXA_API_KEY: 'k', TRIVIUM_SANDBOX: sandbox }).mode;
  proves(['settings.sandbox.auto-with-credential', 'settings.sandbox.on'], () =>
    expect(['', 'on', 'off'].map(modeOf)).toEqual(['live', 'sandbox', 'live']),
  );
  expect(dirOf({ EXA_API_KEY: 'k' })).toBe('/data');
  expect(dirOf({ EXA_API_KEY: 'k', TRIVIUM_SANDBOX: 'on' })).toBe('/data/sandbox');
  expect(dirOf({ TRIVIUM_SANDBOX: 'off' })).toBe('/data');
});

test('no answer is kept by default, and none for longer than its query', () => {
  const set = (answers: string, queries: string) =>
    read({ TRIVIUM_KEEP_ANSWER_HOURS: answers, TRIVIUM_KEEP_QUERY_HOURS: queries })
      .keep_answer_hours;
  expect(read({}).keep_answer_hours).toBe(0);
  expect([set('24', '24'), set('0', '0')]).toEqual([24, 0]);
  const words = 'TRIVIUM_KEEP_ANSWER_HOURS must not be more than TRIVIUM_KEEP_QUERY_HOURS';
  expect(() => set('25', '24')).toThrow(words);
  for (const wrong of ['-1', '0.5', '1e9', 'day']) expect(() => set(wrong, '24')).toThrow();
});

test('an empty variable counts as not set', () => {
  expect(read({ PORT: '', EXA_API_KEY: ' ' })).toMatchObject({ port: 8787, upstreams: {} });
});

test('origins are accepted only as browsers spell them', () => {
  const set = (triviumCorsOrigins: string) =>
    read({ TRIVIUM_CORS_ORIGINS: triviumCorsOrigins }).cors_origins;
  expect(read({}).cors_origins).toEqual([]);
  expect(set('https://a.example, http://b.example:8080')).toHaveLength(2);
  expect(set('*')).toEqual(['*']);
  for (const wrong of ['a.example', 'https://a.example/', 'https://a.example/app']) {
    expect(() => set(wrong)).toThrow(
      'TRIVIUM_CORS_ORIGINS must be * or a comma-separated list of origins',
    );
  }
});

test('trusted proxies are addresses or networks', () => {
  const set = (proxies: string) => read({ TRIVIUM_TRUSTED_PROXIES: proxies }).trusted_proxies;
  expect(set('10.0.0.0/8, ::1').includes('10.1.2.3')).toBe(true);
  expect(() => set('10.0.0.0/33')).toThrow(
    'TRIVIUM_TRUSTED_PROXIES must be a comma-separated list of addresses or networks',
  );
});

test('the number of processes is whole, from 1 to 256, or auto', () => {
  const set = (triviumProcesses?: string) =>
    read({ TRIVIUM_PROCESSES: triviumProcesses }).processes;
  const given = [undefined, '', '1', ' 8 ', '256', 'auto'];
  expect(given.map(set)).toEqual([1, 1, 1, 8, 256, 'auto']);
  for (const wrong of ['0', '-1', '1.5', 'abc', '257', '10000', 'Infinity', 'NaN', '2,3', 'Auto']) {
    expect(() => set(wrong)).toThrow(
      'TRIVIUM_PROCESSES must be a whole number from 1 to 256, or auto.',
    );
  }
});

test('a live gateway announces its end, and the sandbox ends at once', () => {
  expect(read({}).drain_ms).toBe(0);
  expect(read({ EXA_API_KEY: 'k' }).drain_ms).toBe(2000);
  expect(read({ TRIVIUM_DRAIN_MS: '500' }).drain_ms).toBe(500);
  expect(() => read({ TRIVIUM_DRAIN_MS: '-1' })).toThrow('TRIVIUM_DRAIN_MS must be at least 0.');
});

test('a key has no rate limit by default', () => {
  expect(read({}).key_requests_per_minute).toBeUndefined();
  const set = (triviumKeyRequestsPerMinute: string) =>
    read({ TRIVIUM_KEY_REQUESTS_PER_MINUTE: triviumKeyRequestsPerMinute }).key_requests_per_minute;
  expect(set('60')).toBe(60);
  expect(() => set('0')).toThrow('TRIVIUM_KEY_REQUESTS_PER_MINUTE must be at least 1.');
});

test('all faults are reported together, by the name of their variable', () => {
  const env = {
    PORT: 'eighty',
    TRIVIUM_SANDBOX: 'maybe',
    TRIVIUM_DISABLED_PROVIDERS: 'engine_a,engine_z',
    TRIVIUM_AUTO_SEARCH: 'engine_a,engine_a',
    DATABASE_URL: 'mysql://x',
    TRIVIUM_BOOTSTRAP_KEY: 'sk_test_1',
    EXA_BASE_URL: 'ftp://x',
    LOG_LEVEL: 'loud',
  };
  let message = '';
  try {
    read(env);
  } catch (error) {
    message = String(error);
  }
  proves('settings.faults-at-once', () => {
    for (const name of Object.keys(env)) expect(message).toContain(name);
  });
  expect(message).toContain('engine_z');
  expect(message).not.toContain('sk_test_1');
});

test('PostgreSQL needs the secret that all gateways share', () => {
  expect(() => read({ DATABASE_URL: 'postgres://h/db' })).toThrow('TRIVIUM_SECRET');
  const secret = 'x'.repeat(32);
  expect(read({ DATABASE_URL: 'postgres://h/db', TRIVIUM_SECRET: secret }).secret).toBe(secret);
});

test('a database URL names its database', () => {
  const secret = 'x'.repeat(32);
  for (const url of [
    'postgres://h',
    'postgres://h/',
    'postgres://h/?sslmode=disable',
    'mysql://h/x',
  ])
    expect(() => read({ DATABASE_URL: url, TRIVIUM_SECRET: secret })).toThrow(
      'DATABASE_URL must be',
    );
});

describe('upstreams', () => {
  test("a credential configures its provider at the vendor's own address", () => {
    const { upstreams } = read({ EXA_API_KEY: 'k' });
    expect(upstreams).toEqual({ engine_a: { key: 'k', hosts: { api: 'https://api.exa.ai' } } });
  });
  test.each([
    ['engine_a', 'EXA', 'EXA_BASE_URL'],
    ['engine_b', 'PARALLEL', 'PARALLEL_BASE_URL'],
    ['engine_c', 'TAVILY', 'TAVILY_BASE_URL'],
    ['engine_d', 'BRAVE_SEARCH', 'BRAVE_BASE_URL'],
    ['engine_e', 'SERPER', 'SERPER_BASE_URL'],
    ['engine_f', 'FIRECRAWL', 'FIRECRAWL_API_URL'],
    ['engine_g', 'LINKUP', 'LINKUP_BASE_URL'],
    ['engine_h', 'VALYU', 'VALYU_BASE_URL'],
    ['engine_i', 'JINA', 'JINA_SEARCH_BASE_URL'],
    ['engine_j', 'YDC', 'YDC_BASE_URL'],
    ['engine_k', 'PERPLEXITY', 'PERPLEXITY_BASE_URL'],
  ])('%s and no other is configured by %s_API_KEY, and called at %s', (id, vendor, address) => {
    const url = 'http://proxy/path';
    const { upstreams } = read({ [`${vendor}_API_KEY`]: 'k', [address]: url });
    expect(Object.keys(upstreams)).toEqual([id]);
    const [upstream] = Object.values(upstreams);
    expect([upstream?.key, Object.values(upstream?.hosts ?? {})]).toMatchObject([
      'k',
      expect.arrayContaining([url]),
    ]);
  });
  test('a base address replaces the default, path included', () => {
    const { upstreams } = read({ BRAVE_API_KEY: 'k', BRAVE_BASE_URL: 'http://proxy/brave/' });
    expect(upstreams.engine_d?.hosts['api']).toBe('http://proxy/brave');
  });
  test('the first credential name wins where there are two', () => {
    const { upstreams } = read({ BRAVE_API_KEY: 'b', BRAVE_SEARCH_API_KEY: 'a' });
    expect(upstreams.engine_d?.key).toBe('a');
  });
  test('a comma-separated list of credentials is used in rotation, without duplicates', () => {
    const { upstreams } = read({ EXA_API_KEY: ' k1, k2,,k1 ,k3' });
    expect(upstreams.engine_a).toMatchObject({ key: 'k1', spare_keys: ['k2', 'k3'] });
  });
  test('a self-hosted Firecrawl needs no credential', () => {
    expect(read({ FIRECRAWL_API_URL: 'http://localhost:3002' }).upstreams.engine_f).toEqual({
      hosts: { api: 'http://localhost:3002' },
      overridden: true,
    });
  });
});

test('the public address has no user, query or fragment, because strangers see it', () => {
  const publicUrlOf = (url: string) => read({ TRIVIUM_PUBLIC_URL: url }).public_url;
  for (const url of ['https://a.example', 'http://a.example:80/below/@me', 'http://[::1]:8787']) {
    expect(publicUrlOf(`${url}/`)).toBe(url);
  }
  for (const url of [
    ...['https://user:secret@a.example', 'https://user@a.example', 'https://@a.example'],
    ...[
      'https://a.example/?',
      'https://a.example?q=1',
      'https://a.example/#',
      'https://a.example#x',
    ],
    ...['https:\\\\user:secret@a.example', 'https:user:secret@a.example', 'https:/a@a.example'],
    ...['https:///a.example', 'https://a.example/ b', 'https://a.\nexample'],
  ]) {
    expect(() => publicUrlOf(url)).toThrow('TRIVIUM_PUBLIC_URL must not contain a user');
  }
});
