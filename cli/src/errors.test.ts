// Errors of the command line: a readable cause, the right hint, and JSON with --json.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { envelope, found, startStubGateway } from '@trivium/sdk/stub-gateway';
import type { RecordedRequest } from '@trivium/sdk/stub-gateway';
import { runHere } from './run-cli.ts';

const nowhere = { url: 'http://127.0.0.1:1' };
type Answer = (request: RecordedRequest) => Response;

async function search(answer: Answer, args: readonly string[] = [], env = {}) {
  await using gateway = startStubGateway([answer]);
  return await runHere(['search', 'solar', ...args], gateway, env);
}

describe('a missing response', () => {
  let garbage: Server;
  let closing: Server;
  const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listen = (server: Server) =>
    new Promise<Server>((resolve) => void server.listen(0, '127.0.0.1', () => resolve(server)));

  beforeAll(async () => {
    closing = await listen(createServer((socket) => void socket.end()));
    garbage = await listen(
      createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'));
      }),
    );
  });
  afterAll(() => {
    closing.close();
    garbage.close();
  });

  test('is explained: refused, unknown name, no TLS, closed', async () => {
    await using gateway = startStubGateway([() => Response.json(found)]);
    const failures = [
      [nowhere.url, 'nothing accepts connections there', 'trivium serve'],
      ['http://no-such-host.invalid', '(DNS)', 'TRIVIUM_URL'],
      [gateway.url.replace('http:', 'https:'), '(TLS)', 'http://'],
      [urlOf(closing), 'closed before', 'TRIVIUM_URL'],
      [urlOf(garbage), 'closed before', 'TRIVIUM_URL'],
    ] as const;
    await Promise.all(
      failures.map(async ([url, words, hint]) => {
        const { code, err } = await runHere(['balance'], { url });
        expect(err).toContain(words);
        expect(err).toContain(hint);
        expect(code).toBe(1);
      }),
    );
  });

  test('a response that is not from a gateway is shown truncated and escaped', async () => {
    const page = () => new Response(`\u001b[2J<html>${'x'.repeat(100_000)}</html>`);
    const { code, err } = await search(page);
    expect(err).toContain('not from a Trivium gateway');
    expect(err).not.toContain('\u001b');
    expect(err.length).toBeLessThan(1000);
    expect(code).toBe(1);
  });
});

describe('the hint for a wrong credential', () => {
  const refused = () => envelope(401, { type: 'unauthorized', message: 'Not a key.' });

  test('names where the key comes from', async () => {
    expect((await search(refused)).err).toContain('Check TRIVIUM_API_KEY');
    expect((await search(refused, ['--key', 'sk_live_other'])).err).toContain('Check --key');
  });

  test("names the operator's token for the operator's commands", async () => {
    await using gateway = startStubGateway([refused]);
    const env = { TRIVIUM_ADMIN_TOKEN: 'sk_live_mistaken' };
    const { err } = await runHere(['accounts', 'list'], gateway, env);
    expect(err).toContain('Check TRIVIUM_ADMIN_TOKEN');
    expect(err).toContain('not an API key');
    expect(err).not.toContain('TRIVIUM_API_KEY');
  });

  test('a malformed credential is refused before a request is sent', async () => {
    for (const env of [{ TRIVIUM_API_KEY: 'sk_live_ü' }, { TRIVIUM_URL: 'gateway' }]) {
      const { code, err } = await search(() => Response.json(found), [], env);
      expect([code, err]).toEqual([1, expect.stringMatching(/cannot be sent|is invalid/)]);
      expect(err).not.toContain('ü');
    }
  });
});

const issues = [
  { path: 'offset', code: 'param_ignored', message: 'engine_a cannot skip results.' },
  { path: 'safe_search', code: 'param_ignored', message: 'engine_a has no filter.' },
];
const strict = () =>
  envelope(400, {
    type: 'invalid_request',
    message: 'engine_a cannot honour this request exactly, and strict is set.',
    detail: { issues },
  });

test('a refusal under --strict names everything it refuses, and the vendor', async () => {
  const { code, err } = await search(strict, ['--strict', '--offset', '5']);
  expect(err).toContain('Exa (engine_a) cannot honour this request exactly');
  expect(err).toContain('  offset: Exa (engine_a) cannot skip results.\n');
  expect(err).toContain('  safe_search: Exa (engine_a) has no filter.\n');
  expect(code).toBe(1);
});

describe('with --json an error is one line of JSON on standard error', () => {
  const errorOf = ({ err, out }: { err: string; out: string }) => {
    expect(out).toBe('');
    expect(err.trimEnd()).not.toContain('\n');
    return (JSON.parse(err) as { error: object }).error;
  };

  test('of the gateway, with its type and message', async () => {
    expect(errorOf(await search(strict, ['--json']))).toEqual({
      type: 'invalid_request',
      status: 400,
      message: 'engine_a cannot honour this request exactly, and strict is set.',
      detail: { issues },
      request_id: 'req_1',
    });
  });

  test('of the connection', async () => {
    const ended = await runHere(['balance', '--json'], nowhere);
    expect(errorOf(ended)).toMatchObject({ type: 'connection_failed', failure: 'refused' });
  });

  test('of the arguments, of the command itself, and of the options', async () => {
    for (const args of [
      ['search', '--json'],
      ['serch', '--json'],
      ['search', '--json', '--nope'],
    ]) {
      const ended = await runHere(args, nowhere);
      expect([ended.code, errorOf(ended)]).toMatchObject([2, { type: 'usage' }]);
    }
    const key = { TRIVIUM_API_KEY: 'a b' };
    const ended = await runHere(['balance', '--json'], nowhere, key);
    expect(errorOf(ended)).toMatchObject({ type: 'configuration' });
  });

  test('but not when --json is part of the query', async () => {
    const { err } = await runHere(['search', '--', '--json'], nowhere);
    expect(err).toStartWith('error  ');
  });
});

describe('a response that only resembles an error of a gateway', () => {
  const odd = {
    ...found,
    provider: '\u001b[31mevil',
    warnings: [{ message: 5 }],
    results: [{ title: null, url: 5, snippets: null }],
  };

  test('is an error in one sentence, and with --json has the details', async () => {
    await using gateway = startStubGateway([() => Response.json(odd)]);
    const terminal = { outIsTerminal: true };
    const { code, err } = await runHere(['search', 'x'], gateway, { NO_COLOR: '1' }, terminal);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('not from a gateway of the same version'),
    ]);
    expect(err).not.toMatch(/\u001b| at /);
  });

  test('may have issues of any form, and lists those it can read', async () => {
    const detail = { issues: [null, 5, { path: 7 }, 'x', ...issues] };
    const refused = () => envelope(400, { type: 'toString', message: 'No.', detail });
    const { code, err } = await search(refused);
    expect([code, err.split('\n')]).toEqual([1, ['error  No.', ...lines, '']]);
    const many = { issues: Array.from({ length: 100_000 }, () => issues[0]) };
    const flood = () => envelope(400, { type: 'invalid_request', message: 'No.', detail: many });
    expect((await search(flood)).err.split('\n').length).toBeLessThan(60);
  });
  const lines = issues.map(
    ({ path, message }) => `  ${path}: ${message.replace('engine_a', 'Exa (engine_a)')}`,
  );
});

test('hostile arguments end with 2, one line, and without control characters', async () => {
  for (const args of [
    ['\u001b[2J'],
    ['__proto__'],
    ['constructor'],
    ['search', 'x', '--__proto__', 'y'],
    ['search', 'x', '--constructor'],
    ['search', 'x', '-n', ' '],
    ['search', 'x', '-n', 'Infinity'],
    ['search', 'x', '-p', '\u001b[31m'],
    ['search', 'x', '-p', 'x'.repeat(100_000)],
    ['providers', `--${'nope'.repeat(1000)}`],
    ['jobs', 'get', '../../v1/balance'],
    ['jobs', 'list', '--limit', '1.5'],
    ['extract'],
    ['completion', 'tcsh'],
    ['search', ''],
  ]) {
    const { code, err } = await runHere(args, nowhere);
    expect([args.join(' ').slice(0, 40), code]).toEqual([args.join(' ').slice(0, 40), 2]);
    expect(err.length).toBeLessThan(1000);
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  }
});
