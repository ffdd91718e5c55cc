// Login, logout and the config file: its content, its permissions, and its precedence.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { envelope, startStubGateway } from '@trivium/sdk/stub-gateway';
import type { StubGateway } from '@trivium/sdk/stub-gateway';
import { configPath } from './config-file.ts';
import { onTerminal, runHere } from './run-cli.ts';

const key = 'sk_live_of_the_file';
const money = () => Response.json({ balance_usd: 5, held_usd: 0, exposed_usd: 0, credits: 5000 });
let home: string;
let path: string;
let env: Record<string, string | undefined>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'trivium-login-'));
  path = join(home, '.config', 'trivium', 'config.json');
  const none = { TRIVIUM_URL: undefined, TRIVIUM_API_KEY: undefined, XDG_CONFIG_HOME: undefined };
  env = { ...none, HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function logIn(gateway: StubGateway, typed = key) {
  const readLine = () => Promise.resolve(`${typed}\n`);
  return runHere(['login', '--url', gateway.url], gateway, env, { readLine });
}

function keep(content: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/** Types each answer on a terminal once its prompt appears. */
async function typeInto(
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
) {
  const child = Bun.spawn(onTerminal(args), {
    env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
    stdin: 'pipe',
    stdout: 'pipe',
  });
  let out = '';
  let answered = 0;
  for await (const chunk of child.stdout) {
    out += new TextDecoder().decode(chunk);
    const [question, answer] = answers[answered] ?? [];
    if (question === undefined || answer === undefined || !out.includes(question)) continue;
    answered += 1;
    void child.stdin.write(answer);
    void child.stdin.flush();
  }
  return { out, code: await child.exited };
}

const sentKeys = ({ requests }: StubGateway) =>
  requests.map(({ headers }) => headers.get('authorization')?.replace('Bearer ', ''));

describe('login', () => {
  test('stores URL and key with mode 600, and later commands use them', async () => {
    await using gateway = startStubGateway([money]);
    const { code, err } = await logIn(gateway);
    expect([code, err]).toEqual([0, '']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect((await runHere(['balance'], gateway, env)).code).toBe(0);
    expect(sentKeys(gateway)).toEqual([key, key]);
  });

  test('stores nothing when the check fails', async () => {
    const refused = () => envelope(401, { type: 'unauthorized', message: 'Not a key.' });
    await using gateway = startStubGateway([refused]);
    expect((await logIn(gateway)).code).toBe(1);
    for (const typed of ['', 'a b', 'ü']) expect((await logIn(gateway, typed)).code).toBe(1);
    const wrong = ['login', '--url', 'gateway', '--key', key];
    expect((await runHere(wrong, gateway, env)).code).toBe(1);
    expect(existsSync(path)).toBe(false);
    expect(gateway.requests).toHaveLength(1);
  });

  test('replaces a file that cannot be used', async () => {
    await using gateway = startStubGateway([money]);
    for (const [content, mode] of [
      ['{', 0o600],
      ['{}', 0o644],
    ] as const) {
      keep(content, mode);
      expect((await logIn(gateway)).code).toBe(0);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  test('on a terminal it prompts for the key without showing it', async () => {
    await using gateway = startStubGateway([money]);
    const { code, out } = await typeInto(
      ['login'],
      [
        ['Gateway (http://127.0.0.1:8787): ', `${gateway.url}\r`],
        ['API key (not shown): ', `${key}\r`],
      ],
    );
    expect(out).toContain(`Logged in to ${gateway.url}`);
    expect(out).not.toContain(key);
    expect([code, sentKeys(gateway)]).toEqual([0, [key]]);
  });

  test('Ctrl-C at a prompt exits with 130, and Ctrl-D is an empty answer', async () => {
    const gateway = ['Gateway (http://127.0.0.1:8787): ', 'http://127.0.0.1:1\r'] as const;
    const interrupted = await typeInto(['login'], [gateway, ['API key (not shown): ', '\u0003']]);
    expect(interrupted.code).toBe(130);
    const ended = await typeInto(['login'], [gateway, ['API key (not shown): ', '\u0004']]);
    expect([ended.code, ended.out]).toEqual([1, expect.stringContaining('No credential')]);
    expect(existsSync(path)).toBe(false);
  });

  test('warns when a variable overrides the file', async () => {
    await using gateway = startStubGateway([money]);
    const set = { ...env, TRIVIUM_API_KEY: 'sk_live_variable' };
    const args = ['login', '--url', gateway.url, '--key', key];
    const terminal = { outIsTerminal: true };
    const { err } = await runHere(args, gateway, set, terminal);
    expect(err).toContain('TRIVIUM_API_KEY is set');
  });
});

test('logout removes the file with any content, and reports a missing one', async () => {
  await using gateway = startStubGateway([money]);
  keep('{', 0o644);
  const removed = await runHere(['logout'], gateway, env);
  expect([removed.code, JSON.parse(removed.out)]).toEqual([
    0,
    { path, profile: null, removed: true },
  ]);
  expect(existsSync(path)).toBe(false);
  expect(JSON.parse((await runHere(['logout'], gateway, env)).out)).toMatchObject({
    removed: false,
  });
});

describe('precedence', () => {
  test('an option over a variable over the file; an empty variable counts as not set', async () => {
    await using gateway = startStubGateway([money]);
    await logIn(gateway);
    const variable = 'sk_live_variable';
    await runHere(['balance', '--key', 'sk_live_option'], gateway, {
      ...env,
      TRIVIUM_API_KEY: variable,
    });
    await runHere(['balance'], gateway, { ...env, TRIVIUM_API_KEY: variable });
    await runHere(['balance'], gateway, { ...env, TRIVIUM_API_KEY: '', TRIVIUM_URL: '' });
    expect(sentKeys(gateway)).toEqual([key, 'sk_live_option', variable, key]);
  });

  test('the key of the file is not sent to another gateway', async () => {
    await using gateway = startStubGateway([money]);
    await using other = startStubGateway([money]);
    await logIn(gateway);
    for (const [args, more] of [
      [['balance', '--url', other.url], {}],
      [['balance'], { TRIVIUM_URL: other.url }],
    ] as const) {
      const { code, err } = await runHere(args, gateway, { ...env, ...more });
      expect([code, err]).toEqual([2, expect.stringContaining('trivium login')]);
    }
    expect(other.requests).toEqual([]);
    // The same gateway, with another spelling of its URL.
    expect((await runHere(['balance', '--url', `${gateway.url}/`], gateway, env)).code).toBe(0);
  });

  test('a refused key of the file suggests login', async () => {
    const refused = () => envelope(401, { type: 'unauthorized', message: 'Not a key.' });
    await using gateway = startStubGateway([money, refused]);
    await logIn(gateway);
    expect((await runHere(['balance'], gateway, env)).err).toContain(`${path} is not a key`);
  });
});

describe('an invalid config file', () => {
  const good = JSON.stringify({ url: 'http://127.0.0.1:1', api_key: key });
  test.each<[string, string, number, string]>([
    ['is readable for others', good, 0o644, 'chmod 600'],
    ['is readable for the group', good, 0o640, 'chmod 600'],
    ['is broken', '{"url":', 0o600, 'is not JSON'],
    ['is empty', '', 0o600, 'is not JSON'],
    ['is a list', '[]', 0o600, 'does not have url'],
    ['is null', 'null', 0o600, 'does not have url'],
    ['has no key', '{"url":"http://127.0.0.1:1"}', 0o600, 'does not have url'],
    ['inherits its key', '{"__proto__":{"url":"x","api_key":"y"}}', 0o600, 'does not have url'],
    ['has 100,000 entries', JSON.stringify(Array(100_000).fill(key)), 0o600, 'is too large'],
  ])('%s', async (_what, content, mode, words) => {
    keep(content, mode);
    const { code, err } = await runHere(['balance'], { url: '' }, env);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    expect(err).toContain(path);
    expect(err).not.toContain(key);
  });

  test('is a folder, and is not needed by a command that has its values elsewhere', async () => {
    mkdirSync(path, { recursive: true });
    expect((await runHere(['balance'], { url: '' }, env)).err).toContain('is not a file');
    await using gateway = startStubGateway([money]);
    const set = { ...env, TRIVIUM_URL: gateway.url, TRIVIUM_API_KEY: 'sk_live_variable' };
    expect((await runHere(['balance'], gateway, set)).code).toBe(0);
    expect((await runHere(['completion', 'bash'], gateway, env)).code).toBe(0);
  });

  test('has a bad address, which is refused before the key is sent', async () => {
    keep(JSON.stringify({ url: 'ftp://127.0.0.1', api_key: key }));
    const { code, err } = await runHere(['balance'], { url: '' }, env);
    expect([code, err]).toEqual([1, expect.stringContaining('http://')]);
  });
});

test('the file is below an absolute XDG_CONFIG_HOME, or else below the home folder', () => {
  expect(configPath({ HOME: '/h', XDG_CONFIG_HOME: '/x' })).toBe('/x/trivium/config.json');
  for (const ignored of ['', 'relative', undefined]) {
    const found = configPath({ HOME: '/h', XDG_CONFIG_HOME: ignored });
    expect(found).toBe('/h/.config/trivium/config.json');
  }
});
