// Options that a client refuses at construction, and options from the environment.
import { afterEach, describe, expect, test } from 'bun:test';
import { createAdminClient } from './admin.ts';
import { createClient } from './client.ts';
import type { ClientOptions } from './client.ts';
import { ConfigurationError } from './errors.ts';
import { found, startStubGateway } from './stub-gateway.ts';

const apiKey = 'sk_live_test';
const names = ['TRIVIUM_URL', 'TRIVIUM_API_KEY', 'TRIVIUM_ADMIN_TOKEN'] as const;
const before = names.map((name) => [name, process.env[name]] as const);
const clear = () => {
  for (const name of names) delete process.env[name];
};

afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

describe('the environment', () => {
  test('gives URL and key; an option takes precedence', async () => {
    await using gateway = startStubGateway([() => Response.json(found)]);
    clear();
    process.env['TRIVIUM_URL'] = gateway.url;
    process.env['TRIVIUM_API_KEY'] = 'sk_live_environment';
    await createClient().search({ query: 'x' });
    await createClient({ api_key: apiKey }).search({ query: 'x' });
    expect(gateway.requests.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer sk_live_environment',
      `Bearer ${apiKey}`,
    ]);
  });

  test('gives the operator’s token', async () => {
    await using gateway = startStubGateway([() => Response.json({ accounts: [] })]);
    clear();
    process.env['TRIVIUM_ADMIN_TOKEN'] = 'operator';
    await createAdminClient({ url: gateway.url }).accounts.list();
    expect(gateway.requests[0]?.headers.get('authorization')).toBe('Bearer operator');
  });

  test('counts an empty variable as not set', () => {
    clear();
    process.env['TRIVIUM_URL'] = '';
    process.env['TRIVIUM_API_KEY'] = '';
    expect(() => createClient()).toThrow('TRIVIUM_API_KEY');
    expect(() => createClient({ api_key: apiKey })).not.toThrow();
  });
});

describe('the constructor refuses', () => {
  const secret = 'hunter2';
  test.each<[string, unknown]>([
    ['no URL', 'gateway'],
    ['an empty URL', ''],
    ['another scheme', 'ftp://gateway.example'],
    ['a script', 'javascript:alert(1)'],
    ['a password', `https://me:${secret}@gateway.example`],
    ['a query', 'https://gateway.example/?a=b'],
    ['a fragment', 'https://gateway.example/#a'],
    ['a number', 8787],
    ['an impossible port', 'http://127.0.0.1:99999'],
  ])('%s as URL', (_what, url) => {
    const make = () => createClient({ api_key: apiKey, url } as ClientOptions);
    expect(make).toThrow(ConfigurationError);
    expect(make).not.toThrow(secret);
  });

  test.each<[string, unknown]>([
    ['an empty key', ''],
    ['a key with a line break', `${secret}\n`],
    ['a key with a space', `${secret} x`],
    ['a key that is not ASCII', `${secret}ü`],
    ['a number', 1],
  ])('%s', (_what, key) => {
    const make = () => createClient({ api_key: key } as ClientOptions);
    expect(make).toThrow(ConfigurationError);
    expect(make).not.toThrow(secret);
    expect(() => createAdminClient({ admin_token: key as string })).toThrow(ConfigurationError);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'a time limit of %p',
    (timeoutMs) => {
      expect(() => createClient({ api_key: apiKey, timeout_ms: timeoutMs })).toThrow('timeoutMs');
    },
  );

  test.each([-1, 0.5, Number.NaN, 101])('%p retries', (maxRetries) => {
    expect(() => createClient({ api_key: apiKey, max_retries: maxRetries })).toThrow('maxRetries');
  });
});

test('a URL may end in slashes and have a path', async () => {
  await using gateway = startStubGateway([() => Response.json(found)]);
  await createClient({ url: `${gateway.url}/base//`, api_key: apiKey }).search({ query: 'x' });
  expect(gateway.requests[0]?.path).toBe('/base/v1/search');
});
