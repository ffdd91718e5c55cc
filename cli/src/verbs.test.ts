// Verbs, their help and their questions: mistyped verbs get a suggestion, and what cannot be undone
// is done only when the person agrees.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobId, jobIn, startStubGateway } from '@trivium/sdk/stub-gateway';
import { commands } from './commands.ts';
import { groups } from './command.ts';
import { parseArguments } from './parse.ts';
import { runHere } from './run-cli.ts';

const operator = { TRIVIUM_ADMIN_TOKEN: 'operator-token-of-thirty-two-characters' };
const key = { id: 'key_1', display: 'sk_live_abcd', name: 'x', revoked_at: null };
const answer = () => Response.json(key);

describe('the help', () => {
  test('has every command in a group, with examples', async () => {
    const { out } = await runHere(['help'], { url: '' });
    for (const group of groups) expect(out).toContain(`\n${group}\n`);
    for (const { name, examples = [], verbs = {} } of commands) {
      expect(out).toContain(`\n  ${name} `);
      const shown = [...examples, ...Object.values(verbs).map(({ example }) => example)];
      expect([name, shown.length > 0]).toEqual([name, true]);
      const help = (await runHere([name, '--help'], { url: '' })).out;
      for (const example of shown) expect(help).toContain(`  trivium ${example}\n`);
    }
  });

  test('shows examples that the command accepts', () => {
    for (const command of commands) {
      const { name, examples = [], verbs = {} } = command;
      for (const [verb, { example }] of Object.entries(verbs)) {
        expect(example.split(' ').slice(0, 2)).toEqual([name, verb]);
      }
      for (const example of [...examples, ...Object.values(verbs).map((one) => one.example)]) {
        const [first, ...words] = example.match(/'[^']*'|\S+/g) ?? [];
        expect(first).toBe(name);
        expect(parseArguments(command, words).positionals.length).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

test.each([
  [['kys'], 'Did you mean trivium keys?'],
  [['keys', 'rotat', 'key_1'], 'Did you mean trivium keys rotate?'],
  [['webhooks', 'pauze'], 'Did you mean trivium webhooks pause?'],
  [['jobs', 'nothing-like-it'], 'Its verbs are list, get, wait, raw.'],
  [['keys', 'constructor', 'x'], 'has no verb constructor.'],
  [['keys', '__proto__', 'x'], 'has no verb __proto__.'],
  [['keys', 'rotate'], 'Missing argument: trivium keys rotate <key id>.'],
  [['keys', 'list', 'all'], 'Unexpected argument all: trivium keys list.'],
  [['accounts', 'create', 'My', 'team'], 'Unexpected argument team'],
  [['estimate', 'serch', 'x'], 'Did you mean trivium estimate search?'],
  [['estimate', 'search'], 'Missing argument'],
  [['refund'], 'Name one request'],
  [['invitations', 'create', 'Ada'], '--account <id> for a member, or --operator'],
  [['uploads', 'create', '/nonexistent'], 'neither an https address nor a file'],
  [['uploads'], 'has no verb list. Its verbs are create, get, delete.'],
  [['profiles', 'use', 'nowhere'], 'There is no profile nowhere.'],
  [['balance', '--profile', 'nowhere'], 'trivium login --profile nowhere'],
])('%j is refused with what was meant', async (args, words) => {
  const { code, err } = await runHere(args, { url: 'http://127.0.0.1:1' }, operator);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

test('key generates a key that a gateway accepts at its start', async () => {
  const { out } = await runHere(['key'], { url: '' });
  expect(JSON.parse(out)).toEqual({ key: expect.stringMatching(/^sk_live_[A-Za-z0-9_-]{43}$/) });
  const shown = await runHere(['key', '--test'], { url: '' }, {}, { outIsTerminal: true });
  expect(shown.out).toMatch(/^sk_test_[A-Za-z0-9_-]{43}\n$/);
});

describe('what cannot be undone', () => {
  const revoke = ['keys', 'revoke', 'key_1'];

  test('is refused in a script without --yes, and done with it', async () => {
    await using gateway = startStubGateway([answer]);
    const refused = await runHere(revoke, gateway, operator);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--yes')]);
    expect(gateway.requests).toEqual([]);
    const done = await runHere([...revoke, '--yes'], gateway, operator);
    expect([done.code, JSON.parse(done.out)]).toEqual([0, key]);
  });

  test('needs a confirmation on a terminal, and only yes confirms', async () => {
    await using gateway = startStubGateway([answer]);
    const asked: string[] = [];
    const say = (typed: string) => ({
      inIsTerminal: true,
      outIsTerminal: true,
      ask: (question: string) => {
        asked.push(question);
        return Promise.resolve(typed);
      },
    });
    for (const typed of ['', 'no', 'yess']) {
      const { code, err } = await runHere(revoke, gateway, operator, say(typed));
      expect([code, err]).toEqual([2, expect.stringContaining('Nothing was done.')]);
    }
    expect(gateway.requests).toEqual([]);
    expect((await runHere(revoke, gateway, operator, say('Yes'))).code).toBe(0);
    expect(asked).toEqual(Array(4).fill('keys revoke key_1? Type yes: '));
    expect(gateway.requests).toHaveLength(1);
  });
});

describe('profiles', () => {
  let home = '';
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'trivium-profiles-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const money = () => Response.json({ balance_usd: 1, held_usd: 0, exposed_usd: 0, credits: 1000 });
  const env = () => ({ XDG_CONFIG_HOME: home, TRIVIUM_URL: '', TRIVIUM_API_KEY: '' });
  const path = () => join(home, 'trivium', 'config.json');
  const run = (...args: string[]) => runHere(args, { url: '' }, env());
  const logIn = (url: string, name: string) =>
    run('login', '--url', url, '--key', `sk_live_${name}`, '--profile', name);
  const sent = ({ requests }: { requests: { headers: Headers }[] }) =>
    requests.map(({ headers }) => headers.get('authorization'));

  test('store a gateway and a key each; an option, a variable or the current profile selects one', async () => {
    await using here = startStubGateway([money]);
    await using there = startStubGateway([money]);
    expect((await logIn(here.url, 'work')).code).toBe(0);
    expect((await logIn(there.url, 'home')).code).toBe(0);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await run('profiles')).out)).toEqual({
      profiles: [
        { name: 'work', current: true, url: here.url },
        { name: 'home', current: false, url: there.url },
      ],
    });
    here.requests.length = 0;
    there.requests.length = 0;
    await run('balance');
    await run('balance', '--profile', 'home');
    await runHere(['balance'], { url: '' }, { ...env(), TRIVIUM_PROFILE: 'home' });
    // A typed option overrides the environment.
    const set = { ...env(), TRIVIUM_URL: here.url, TRIVIUM_API_KEY: 'sk_live_variable' };
    await runHere(['balance', '--profile', 'home'], { url: '' }, set);
    expect(sent(here)).toEqual(['Bearer sk_live_work']);
    expect(sent(there)).toEqual(Array(3).fill('Bearer sk_live_home'));
    expect(JSON.parse((await run('profiles', 'use', 'home')).out)).toEqual({
      ...{ name: 'home', current: true, url: there.url },
    });
    await run('balance');
    expect(sent(there)).toHaveLength(4);
    expect((await run('profiles', 'delete', 'home', '--yes')).code).toBe(0);
    await run('balance');
    expect(sent(here)).toHaveLength(2);
    expect((await run('logout', '--profile', 'work')).code).toBe(0);
    expect((await run('balance')).code).toBe(2);
  });

  test('of an earlier version are read, and names that cannot be shown are refused', async () => {
    await using gateway = startStubGateway([money]);
    await logIn(gateway.url, 'default');
    const { profiles } = JSON.parse(readFileSync(path(), 'utf8')) as {
      profiles: { default: object };
    };
    await Bun.write(path(), JSON.stringify(profiles.default));
    expect((await run('balance')).code).toBe(0);
    for (const name of ['', 'a b', '../x', 'x'.repeat(41)]) {
      expect((await logIn(gateway.url, name)).code).toBe(2);
    }
    expect((await logIn(gateway.url, '__proto__')).code).toBe(0);
    expect((await run('balance', '--profile', '__proto__')).code).toBe(0);
    expect((await run('balance', '--profile', 'constructor')).code).toBe(2);
  });
});

test('--content and --max-tokens reach the gateway, and a wrong mode is refused here', async () => {
  const found = { id: 'srch_1', provider: 'engine_a', results: [], warnings: [] };
  const usage = { cost_usd: 0.001, credits: 1 };
  await using gateway = startStubGateway([() => Response.json({ ...found, usage, latency_ms: 1 })]);
  const words = ['search', 'solar', '--content', 'clean', '--max-tokens', '500'];
  await runHere(words, gateway);
  const [sent] = gateway.requests;
  const names = ['x-trivium-content', 'x-trivium-max-tokens'];
  expect(names.map((name) => sent?.headers.get(name))).toEqual(['clean', '500']);
  const wrong = await runHere(['search', 'solar', '--content', 'loud'], gateway);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('annotate, clean, block')]);
  expect(gateway.requests).toHaveLength(1);
});

describe('--content for a transcript', () => {
  const found = 'invisible_text at 5 (characters that are not shown). Removed: invisible_text.';
  const audio = 'https://example.com/talk.mp3';
  const accepted = { ...jobIn('queued'), warnings: [] };
  const checked = () =>
    Response.json(jobIn('completed'), { headers: { 'x-trivium-content-signals': found } });
  const start = () =>
    startStubGateway([
      ({ method }) => (method === 'POST' ? Response.json(accepted, { status: 202 }) : checked()),
    ]);

  test.each([
    ['get', ['jobs', 'get', jobId], ['GET clean']],
    ['wait', ['jobs', 'wait', jobId], ['GET clean']],
    // A request to transcribe is refused if it names a mode: there is no text yet.
    ['transcribe', ['transcribe', audio], ['POST null', 'GET clean']],
  ])('is sent by %s, which prints what was found', async (_, words, sent) => {
    await using gateway = start();
    const { code, out, err } = await runHere([...words, '--content', 'clean'], gateway);
    expect(
      gateway.requests.map(
        ({ method, headers }) => `${method} ${headers.get('x-trivium-content')}`,
      ),
    ).toEqual(sent);
    expect(err).toContain(`flagged   text: ${found}`);
    expect([code, JSON.parse(out)]).toEqual([0, jobIn('completed')]);
    const inJson = await runHere([...words, '--content', 'clean', '--json'], gateway);
    expect(
      inJson.err
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toContainEqual({
      warnings: [{ code: 'content_flagged', param: 'text', message: found }],
    });
  });

  test('is refused with --no-wait before anything is sent', async () => {
    await using gateway = start();
    const words = ['transcribe', audio, '--content', 'clean', '--no-wait'];
    const { code, err } = await runHere(words, gateway);
    expect([code, err]).toEqual([2, expect.stringContaining('trivium jobs get')]);
    expect(gateway.requests).toEqual([]);
  });
});
