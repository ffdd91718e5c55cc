// The command line of a clone against a real gateway: for people, for programs, and when it fails.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { sharedGateway } from '../harness.ts';
import { scenario } from '../verifies.ts';

const BIN = join(import.meta.dir, '..', '..', 'sdk', 'bin', 'trivium.mjs');
const admin_token = 'operator-token-of-the-command-line-tests';
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: admin_token } });
const as_operator = { TRIVIUM_ADMIN_TOKEN: admin_token };

async function run(command: string[], env: Record<string, string | undefined> = {}) {
  const child = Bun.spawn(command, {
    env: {
      PATH: process.env['PATH'],
      TERM: 'xterm',
      TRIVIUM_URL: gateway().url,
      TRIVIUM_API_KEY: gateway().key,
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

const trivium = (...args: string[]) => ['node', BIN, ...args];
const onTerminal = (args: string) => ['script', '-qec', `node '${BIN}' ${args}`, '/dev/null'];

test('a search in a pipe is the whole answer as JSON', async () => {
  const { code, out } = await run(trivium('search', 'solar', 'energy', 'storage', '-n', '2'));
  expect(JSON.parse(out)).toMatchObject({ provider: 'engine_a', results: [{}, {}] });
  expect(code).toBe(0);
});

test('a search on a terminal is a numbered list with colours, warnings and the cost', async () => {
  const { out } = await run(onTerminal('search solar energy storage --offset 5'));
  expect(out).toContain('1. \u001b[1m');
  expect(out).toContain('offset');
  expect(out).toMatch(/engine_a, 0\.\d+ USD, \d+ ms/);
});

test('pages are printed with their content', async () => {
  const page = 'https://gridlines.example/storage/solar-storage-guide';
  const { code, out } = await run(onTerminal(`extract ${page} -p engine_j`));
  expect(out).toContain(page);
  expect(out).toContain('Solar panels');
  expect(code).toBe(0);
});

test('the providers are a table on a terminal', async () => {
  const { out } = await run(onTerminal('providers'));
  expect(out).toMatch(/engine_a +Exa +configured +search/);
});

test('the doctor finds everything in order, each provider by a call of its own', async () => {
  const { code, out } = await run(trivium('doctor'));
  const { findings } = JSON.parse(out) as { findings: Record<string, string>[] };
  const wrong = findings.filter(({ state }) => state !== 'ok').map(({ check }) => check);
  expect(wrong).toEqual(['callbacks']);
  expect(findings).toHaveLength(20);
  const told = new Map(findings.map(({ check, found }) => [check, found]));
  expect(told.get('engine_a Exa')).toContain('answers in');
  expect(told.get('stt_c ElevenLabs')).toContain('transcribes');
  expect(code).toBe(0);
});

test('the doctor finds settings that have a fault', async () => {
  const wrong = { TRIVIUM_AUTO_SEARCH: 'engine_z' };
  const { code, out } = await run(onTerminal('doctor --no-calls'), wrong);
  expect(out).toContain('TRIVIUM_AUTO_SEARCH');
  expect(out).toContain('docs/settings.md');
  expect(out).toContain('configured, not called');
  expect(code).toBe(1);
});

test('the doctor says what to do when nobody answers', async () => {
  const { code, out } = await run(onTerminal('doctor --url http://127.0.0.1:9'));
  expect(out).toContain('trivium serve');
  expect(code).toBe(1);
});

test('a refusal of the gateway is told with exit code 1', async () => {
  const { code, err } = await run(trivium('search', 'x', '-n', '1000'));
  expect(err).toContain('max_results');
  expect(code).toBe(1);
});

test('wrong use ends with 2 and a suggestion, before anything is sent', async () => {
  for (const [args, hint] of [
    [['serch', 'x'], 'trivium search'],
    [['search'], 'trivium search <query>'],
    [['search', 'x', '--jsn'], '--json'],
    [['jobs', 'list'], 'trivium jobs get'],
  ] as const) {
    const { code, err } = await run(trivium(...args), { TRIVIUM_URL: 'http://127.0.0.1:9' });
    expect(err).toContain(hint);
    expect(code).toBe(2);
  }
});

test('without a key the command says where to put one', async () => {
  const { code, err } = await run(trivium('balance'), { TRIVIUM_API_KEY: undefined });
  expect(err).toContain('TRIVIUM_API_KEY');
  expect(code).toBe(2);
});

test('serve starts a gateway and ends with it', async () => {
  const child = Bun.spawn(trivium('serve', '--port', '0'), {
    env: { PATH: process.env['PATH'], TRIVIUM_DATA_DIR: `${gateway().data_dir}-served` },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += new TextDecoder().decode(chunk);
    const [, url] = /listening on (\S+)\n[^]*shown this once/.exec(printed) ?? [];
    if (url === undefined) continue;
    expect((await fetch(`${url}/healthz`)).ok).toBe(true);
    child.kill('SIGTERM');
  }
  expect(printed).toContain('Your API key, shown this once');
  expect(await child.exited).toBe(0);
});

scenario(
  'an operator makes an account and a key, tops it up, and revokes the key',
  ['money.top-up.cli'],
  async () => {
    const read = async (...args: string[]) => {
      const { code, out, err } = await run(trivium(...args), as_operator);
      expect([code, err]).toEqual([0, expect.any(String)]);
      return JSON.parse(out) as Record<string, unknown>;
    };
    const { id } = (await read('accounts', 'create', 'Research')) as { id: string };
    const made = await read('keys', 'create', 'laptop', '--account', id, '--daily-cap', '1');
    const own = { TRIVIUM_API_KEY: String(made['key']) };
    expect((await run(trivium('search', 'solar'), own)).err).toContain('trivium balance');
    await read('topup', '5', '--account', id, '--reason', 'opening balance');
    expect((await run(trivium('search', 'solar'), own)).code).toBe(0);
    const { out } = await run(trivium('balance'), own);
    expect((JSON.parse(out) as { balance_usd: number }).balance_usd).toBeLessThan(5);
    await read('keys', 'revoke', String(made['id']));
    expect((await run(trivium('balance'), own)).err).toContain('TRIVIUM_API_KEY');
    const listed = await run(onTerminal(`keys list --account ${id}`), as_operator);
    expect(listed.out).toMatch(/revoked +laptop/);
  },
);

test('without the token of the operator its commands say where to put it', async () => {
  const { code, err } = await run(trivium('accounts', 'list'));
  expect(err).toContain('TRIVIUM_ADMIN_TOKEN');
  expect(code).toBe(2);
});

test('the audit finds the books of a running gateway in order', async () => {
  const { code, out } = await run(trivium('audit'), { TRIVIUM_DATA_DIR: gateway().data_dir });
  expect(out).not.toBe('');
  expect(code).toBe(0);
});
