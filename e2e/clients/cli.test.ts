// The command line of a clone against a real gateway: output for people and scripts, and errors.
import { test } from 'bun:test';
import { join } from 'node:path';
import { version } from '@trivium/contract';
import { runCli, runHere } from '../../cli/src/run-cli.ts';
import type { Terminal } from '../../cli/src/run.ts';
import { sharedGateway } from '../harness.ts';
import { trivium } from '../run-to-end.ts';
import { expect, proves } from '../proves.ts';

const root = join(import.meta.dir, '..', '..');
/** The installed command; it checks the packages of the clone and starts Bun. */
const bin = join(root, 'cli', 'bin', 'trivium.mjs');
const adminToken = 'operator-token-of-the-command-line-tests';
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: adminToken } });
const asOperator = { TRIVIUM_ADMIN_TOKEN: adminToken };

const variables = (env: Record<string, string | undefined> = {}) => ({
  XDG_CONFIG_HOME: gateway().data_dir,
  TRIVIUM_API_KEY: gateway().key,
  ...env,
});

/** As a program of its own. */
const runProgram = (command: string[], env = {}) => runCli(command, gateway(), variables(env));
const run = (args: readonly string[], env = {}, changes: Partial<Terminal> = {}) =>
  runHere(args, gateway(), variables(env), changes);

/** What a person sees on a terminal. */
async function show(words: string, env = {}) {
  const changes = { outIsTerminal: true, errIsTerminal: true, columns: 200 };
  const { code, out, err } = await run(words.split(' '), env, changes);
  return { code, out: out + err };
}

test('a search in a pipe prints the whole answer as JSON', async () => {
  const words = ['search', 'solar', 'energy', 'storage', '-n', '2'];
  const { code, out } = await runProgram(['node', bin, ...words]);
  expect(JSON.parse(out)).toMatchObject({ provider: 'engine_a', results: [{}, {}] });
  expect(code).toBe(0);
});

test('a search on a terminal prints a list with numbers, colours, warnings and cost', async () => {
  const command = trivium('search', 'solar', '--offset', '5').join(' ');
  const { out } = await runProgram(['script', '-qec', command, '/dev/null']);
  expect(out).toContain('1. \u001b[1m');
  expect(out).toContain('offset');
  expect(out).toMatch(/Exa \(engine_a\), 0\.\d+ USD, \d+ ms/);
});

test('pages are printed with their content', async () => {
  const page = 'https://gridlines.example/storage/solar-storage-guide';
  const { code, out } = await show(`extract ${page} -p engine_j`);
  expect(out).toContain(page);
  expect(out).toContain('Solar panels');
  expect(code).toBe(0);
});

test('prints the providers as a table on a terminal, and describes one of them', async () => {
  const { out } = await show('providers');
  expect(out).toMatch(/engine_a +Exa +configured +search, extract/);
  const one = await show('providers stt_b');
  expect(one.out).toMatch(/nova-3 +0\.258/);
  expect(one.out).toMatch(/diarize +native/);
  const none = await run(['providers', 'stt_x']);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('Did you mean stt_a?')]);
});

test('doctor reports no problem and checks each provider with a separate call', async () => {
  const { code, out } = await runProgram(trivium('doctor'));
  const { findings } = JSON.parse(out) as { findings: Record<string, string>[] };
  const wrong = findings.filter(({ state }) => state !== 'ok').map(({ check }) => check);
  expect(wrong).toEqual(['callbacks', 'mode']);
  expect(findings).toHaveLength(21);
  const found = new Map(findings.map((finding) => [finding['check'], finding['found']]));
  expect(found.get('engine_a Exa')).toContain('answers in');
  expect(found.get('stt_c ElevenLabs')).toContain('transcribes');
  expect(code).toBe(0);
});

test('status shows mode, version, store, money, jobs and the health of each provider', async () => {
  const { code, out } = await run(['status']);
  const { providers, errors, ...found } = JSON.parse(out) as Record<string, unknown>;
  expect(found).toMatchObject({ url: gateway().url, version, mode: 'sandbox', ready: true });
  expect(found).toMatchObject({ open_jobs: 0, balance_usd: expect.any(Number) });
  expect(providers).toHaveLength(14);
  expect(errors).toBeNull();
  expect(code).toBe(0);
  const shown = await show('status');
  expect(shown.out).toMatch(/Exa \(engine_a\) +ok/);
  expect(shown.out).toContain('sandbox: every vendor is simulated');
});

test('doctor reports faulty settings', async () => {
  const wrong = { TRIVIUM_AUTO_SEARCH: 'engine_z' };
  const { code, out } = await runProgram(trivium('doctor', '--no-calls'), wrong);
  expect(out).toContain('TRIVIUM_AUTO_SEARCH');
  expect(out).toContain('docs/settings.md');
  expect(out).toContain('configured, not called');
  expect(code).toBe(1);
});

test('doctor says what to do when no gateway answers', async () => {
  const { code, out } = await show('doctor --url http://127.0.0.1:9');
  expect(out).toContain('trivium serve');
  expect(code).toBe(1);
});

test('health ends with 0 while the gateway can serve, and with 1 when there is none', async () => {
  const keyless = { TRIVIUM_API_KEY: undefined };
  expect(await run(['health'], keyless)).toEqual({ code: 0, out: 'ready\n', err: '' });
  // In a container, the settings of the gateway say where it listens.
  const { port: PORT } = new URL(gateway().url);
  for (const HOST of ['0.0.0.0', '127.0.0.1', undefined]) {
    const inside = { ...keyless, TRIVIUM_URL: '', XDG_CONFIG_HOME: '/nonexistent', PORT, HOST };
    expect(await run(['health'], inside)).toMatchObject({ code: 0, out: 'ready\n' });
  }
  const none = await run(['health', '--url', 'http://127.0.0.1:9'], keyless);
  expect([none.code, none.out, none.err]).toEqual([1, '', expect.stringContaining('127.0.0.1:9')]);
  const notReady = await run(['health', '--url', `${gateway().url}/v1`], keyless);
  expect([notReady.code, notReady.err]).toEqual([1, expect.stringContaining('answers 404')]);
});

test('accepts vendor names instead of ids, also in native options', async () => {
  const words = ['search', 'solar', '-p', 'Tavily', '--options', '{"tavily":{"topic":"news"}}'];
  const { code, out, err } = await run(words);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ provider: 'engine_c' });
  const panel = '{"fusion":{"providers":["exa","brave"]}}';
  const fused = await run(['search', 'solar', '-p', 'fusion', '--options', panel]);
  expect(JSON.parse(fused.out)).toMatchObject({ provider: 'fusion' });
  const described = await show('providers deepgram');
  expect(described.out).toContain('Deepgram (stt_b)');
});

test('a key lists its jobs, and an operator lists those of all accounts', async () => {
  const recording = 'https://recordings.example/interview.wav';
  const made = await run(['transcribe', recording, '--no-wait', '-p', 'deepgram']);
  const { id } = JSON.parse(made.out) as { id: string };
  const listed = await run(['jobs', 'list', '--provider', 'deepgram'], asOperator);
  const { jobs } = JSON.parse(listed.out) as { jobs: { id: string }[] };
  expect(jobs.map((job) => job.id)).toContain(id);
  const table = await show('jobs list --limit 1 --all-accounts', asOperator);
  expect(table.out).toMatch(/id +status +created +provider/);
  expect(table.out).toContain('Deepgram (stt_b)');
  const none = await run(['jobs', 'list', '--account', 'acct_nobody'], asOperator);
  expect(JSON.parse(none.out)).toEqual({ jobs: [] });
  const own = await run(['jobs', 'list', '--limit', '500']);
  expect((JSON.parse(own.out) as { jobs: { id: string }[] }).jobs.map((job) => job.id)).toContain(
    id,
  );
  const member = await run(['jobs', 'list', '--all-accounts']);
  expect([member.code, member.err]).toEqual([2, expect.stringContaining('TRIVIUM_ADMIN_TOKEN')]);
});

test('a tagged search is in the usage of its tag', async () => {
  const tags = ['--tag', 'team=cli', '--tag', 'run=7'];
  expect((await run(['search', 'solar', '-p', 'exa', ...tags])).code).toBe(0);
  for (const tag of ['team', 'team=', '=cli', 'a=b=c']) {
    const { code, err } = await run(['search', 'solar', '--tag', tag]);
    expect([code, err]).toEqual([2, expect.stringContaining('--tag team=search')]);
  }
  const used = await run(['usage', '--by', 'tag:team']);
  const { usage } = JSON.parse(used.out) as { usage: object[] };
  expect(usage).toContainEqual(expect.objectContaining({ group: 'cli', requests: 1 }));
  const table = await show('usage --by tool');
  expect(table.out).toMatch(/tool +requests +served +refused +failed +USD/);
  const all = await run(['usage', '--by', 'account'], asOperator);
  expect(JSON.parse(all.out)).toMatchObject({ by: 'account' });
});

test('wrong usage exits with 2 and a suggestion, before a request is sent', async () => {
  for (const [args, hint] of [
    [['serch', 'x'], 'trivium search'],
    [['search'], 'trivium search <query>'],
    [['search', 'x', '--jsn'], '--json'],
    [['jobs', 'lst'], 'Did you mean trivium jobs list?'],
    [['jobs', 'get', 'job_1'], 'not a job id'],
    [['search', 'x', '-p', 'deepgram'], '--provider deepgram: Must be one of: auto'],
    [['transcribe', 'https://a.example/b.wav', '--srt', '--no-timestamps'], '--no-timestamps'],
  ] as const) {
    const { code, err } = await run(args, { TRIVIUM_URL: 'http://127.0.0.1:9' });
    expect(err).toContain(hint);
    expect(code).toBe(2);
  }
});

test('help about a command and the version are printed', async () => {
  expect((await run(['help', 'search'])).out).toContain('--max-results');
  expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+(-dev)?\n$/);
  const script = join(root, 'trivium');
  expect((await runProgram([script, '--version'])).out).toBe(`${version}\n`);
});

test('without a key the command names the variable to set', async () => {
  const { code, err } = await run(['balance'], { TRIVIUM_API_KEY: undefined });
  expect(err).toContain('TRIVIUM_API_KEY');
  expect(code).toBe(2);
});

test('serve starts a gateway and ends with it', async () => {
  const child = Bun.spawn(['node', bin, 'serve', '--port', '0'], {
    env: { PATH: process.env['PATH'], TRIVIUM_DATA_DIR: `${gateway().data_dir}-served` },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += new TextDecoder().decode(chunk);
    const [, url] = /listening on (\S+)\n[^]*shown only once/.exec(printed) ?? [];
    if (url === undefined) continue;
    expect((await fetch(`${url}/healthz`)).ok).toBe(true);
    child.kill('SIGTERM');
  }
  expect(printed).toContain('Your API key, shown only once');
  expect(await child.exited).toBe(0);
});

test('an operator creates an account and a key, tops it up, and revokes the key', async () => {
  const read = async (...args: string[]) => {
    const { code, out, err } = await run(args, asOperator);
    expect([code, err]).toEqual([0, expect.any(String)]);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const { id } = (await read('accounts', 'create', 'Research')) as { id: string };
  const made = await read('keys', 'create', 'laptop', '--account', id, '--daily-cap', '1');
  const own = { TRIVIUM_API_KEY: String(made['key']) };
  expect((await run(['search', 'solar'], own)).err).toContain('trivium balance');
  await proves('money.top-up.cli', async () => {
    await read('topup', '5', '--account', id, '--reason', 'opening balance');
    expect((await run(['search', 'solar'], own)).code).toBe(0);
    const { out } = await run(['balance'], own);
    expect((JSON.parse(out) as { balance_usd: number }).balance_usd).toBeLessThan(5);
  });
  await read('keys', 'revoke', String(made['id']), '--yes');
  expect((await run(['balance'], own)).err).toContain('TRIVIUM_API_KEY');
  const listed = await show(`keys list --account ${id}`, asOperator);
  expect(listed.out).toMatch(/revoked +laptop/);
});

test('an operator sets and removes the limits of a policy', async () => {
  const read = async (...args: string[]) => {
    const { code, out, err } = await run(args, asOperator);
    expect([code, err]).toEqual([0, expect.any(String)]);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const limits = ['--tool', 'search', '--blocked-domain', 'A.example', '--max-cost', '0.5'];
  const made = await read('accounts', 'create', 'Careful', ...limits);
  expect(made).toMatchObject({
    tools: ['search'],
    blocked_domains: ['a.example'],
    max_cost_usd: 0.5,
  });
  const id = String(made['id']);
  const removed = ['--remove', 'tools', '--remove', 'max_cost_usd', '--name', 'Calm'];
  const changed = await read('accounts', 'change', id, ...removed);
  expect(changed).toMatchObject({ name: 'Calm', tools: null, blocked_domains: ['a.example'] });
  const key = await read('keys', 'create', 'agent', '--account', id, '--requests-at-once', '3');
  const after = await read('keys', 'change', String(key['id']), '--keep-query-hours', '0');
  expect(after).toMatchObject({ requests_at_once: 3, keep_query_hours: 0 });
  const both = ['accounts', 'change', id, '--tool', 'search', '--remove', 'tools'];
  expect((await run(both, asOperator)).code).toBe(2);
});

test('without the admin token, commands of the operator name the variable to set', async () => {
  const { code, err } = await run(['accounts', 'list']);
  expect(err).toContain('TRIVIUM_ADMIN_TOKEN');
  expect(code).toBe(2);
});

test('audit finds no fault in the ledger of a running gateway', async () => {
  const { code, out } = await runProgram(trivium('audit'), {
    TRIVIUM_DATA_DIR: gateway().data_dir,
  });
  expect(out).not.toBe('');
  expect(code).toBe(0);
});
