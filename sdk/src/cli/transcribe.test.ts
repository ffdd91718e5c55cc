// The command line as a process, with and without a terminal, against a stub gateway with one job.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { envelope, jobId, jobIn, startStubGateway } from '../stub-gateway.ts';
import type { StubGateway } from '../stub-gateway.ts';

const main = join(import.meta.dir, 'main.ts');
const audio = 'https://example.com/talk.mp3';
const accepted = {
  id: jobId,
  tool: 'transcription',
  status: 'queued',
  provider: 'stt_a',
  model: 'universal',
  warnings: [{ code: 'param_ignored', param: 'keyterms', message: 'not on this model.' }],
  created_at: '2026-11-15T12:00:00.000Z',
};

function playJob(end: 'completed' | 'failed'): StubGateway {
  return startStubGateway([
    () => Response.json(accepted, { status: 202 }),
    () => Response.json(jobIn('running')),
    () => Response.json(jobIn(end)),
  ]);
}

async function run(command: string[], gateway: StubGateway, env: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    env: {
      PATH: process.env['PATH'] ?? '',
      TERM: 'xterm',
      TRIVIUM_URL: gateway.url,
      TRIVIUM_API_KEY: 'sk_live_test',
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

const trivium = (args: string[]) => [process.execPath, main, ...args];
/** `script` passes the command to a shell, and a path may contain spaces. */
const onTerminal = (args: string[]) => {
  const command = trivium(args).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return ['script', '-qec', command.join(' '), '/dev/null'];
};

test('on a terminal a status line shows the state, and the transcript follows', async () => {
  await using gateway = playJob('completed');
  const { code, out } = await run(onTerminal(['transcribe', audio]), gateway);
  expect(out).toContain('running, waiting at stt_a');
  expect(out).toContain('adjusted');
  expect(out).toMatch(/\r\u001b\[KHello there\.\r?\n/);
  expect(out).toContain('0.001');
  expect(code).toBe(0);
});

test('NO_COLOR switches colours off on a terminal', async () => {
  await using gateway = playJob('completed');
  const { out } = await run(onTerminal(['transcribe', audio]), gateway, { NO_COLOR: '1' });
  expect(out).toContain('Hello there.');
  expect(out).not.toMatch(/\u001b\[\d+m/);
});

test('in a pipe the finished job is printed as JSON and nothing else', async () => {
  await using gateway = playJob('completed');
  const { code, out } = await run(trivium(['transcribe', audio]), gateway);
  expect(JSON.parse(out)).toEqual(jobIn('completed'));
  expect(code).toBe(0);
});

test('--srt and --vtt print only subtitles', async () => {
  for (const [flag, start] of [
    ['--srt', '1\n00:00:00,000 --> '],
    ['--vtt', 'WEBVTT\n\n00:00:00.000 --> '],
  ] as const) {
    await using gateway = playJob('completed');
    const { out } = await run(trivium(['transcribe', audio, flag]), gateway);
    expect(out).toStartWith(start);
  }
});

test('--no-wait prints the accepted job', async () => {
  await using gateway = playJob('completed');
  const { out } = await run(trivium(['transcribe', audio, '--no-wait']), gateway);
  expect(JSON.parse(out)).toEqual(accepted);
  expect(gateway.requests).toHaveLength(1);
});

test('a failed job prints its reason and exits with 1', async () => {
  await using gateway = playJob('failed');
  const { code, out, err } = await run(trivium(['transcribe', audio]), gateway);
  expect(err).toContain('The recording is not there.');
  expect(out).toBe('');
  expect(code).toBe(1);
});

test('an insufficient balance is explained', async () => {
  const poor = () => envelope(402, { type: 'insufficient_credits', message: 'Nothing left.' });
  await using gateway = startStubGateway([poor]);
  const { code, err } = await run(trivium(['transcribe', audio]), gateway);
  expect(err).toContain('Nothing left.');
  expect(err).toContain('trivium balance');
  expect(code).toBe(1);
});
