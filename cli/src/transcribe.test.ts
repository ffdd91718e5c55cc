// The command line as a process, with and without a terminal, against a stub gateway with one job.
import { describe, expect, test } from 'bun:test';
import { envelope, jobId, jobIn, startStubGateway } from '@trivium/sdk/stub-gateway';
import type { StubGateway } from '@trivium/sdk/stub-gateway';
import { onTerminal, runCli as run, start, trivium } from './run-cli.ts';

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

test('on a terminal a status line shows the state, and the transcript follows', async () => {
  await using gateway = playJob('completed');
  const { code, out } = await run(onTerminal(['transcribe', audio]), gateway);
  expect(out).toContain('running, waiting at AssemblyAI (stt_a)');
  expect(out).toContain('adjusted');
  expect(out).toMatch(/\r\u001b\[KHello there\.\r?\n/);
  expect(out).toContain('0.001');
  expect(code).toBe(0);
});

test('NO_COLOR disables colours on a terminal', async () => {
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

describe('the id of a job is never lost', () => {
  const goOn = `trivium jobs wait ${jobId}`;

  /** Sends the signal once the command reads the job, which never ends. */
  async function interrupt(args: readonly string[], signal: NodeJS.Signals) {
    const reading = Promise.withResolvers<void>();
    await using gateway = startStubGateway([
      () => Response.json(accepted, { status: 202 }),
      () => {
        reading.resolve();
        return Response.json(jobIn('running'));
      },
    ]);
    const child = start(trivium(args), gateway);
    await reading.promise;
    child.kill(signal);
    const err = await new Response(child.stderr).text();
    return { err, out: await new Response(child.stdout).text(), code: await child.exited };
  }

  test('Ctrl-C while waiting prints the id and how to continue', async () => {
    const words = ['transcribe', audio, '--srt', '--content', 'clean'];
    const { code, err, out } = await interrupt(words, 'SIGINT');
    expect(err).toContain(`${goOn} --srt --content clean`);
    expect([code, out]).toEqual([130, '']);
    const again = await interrupt(['jobs', 'wait', jobId], 'SIGTERM');
    expect(again.err).toContain(goOn);
    expect(again.code).toBe(143);
  });

  test('with --json the job and the interrupt are one line of JSON each', async () => {
    const { code, err } = await interrupt(['transcribe', audio, '--json'], 'SIGINT');
    const lines = err.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { accepted },
      { error: expect.objectContaining({ type: 'interrupted', job_id: jobId }) },
    ]);
    expect(err).toContain(`${goOn} --json`);
    expect(code).toBe(130);
  });

  test('Ctrl-C while submitting prints the key to repeat the command with', async () => {
    const asked = Promise.withResolvers<string>();
    await using gateway = startStubGateway([
      ({ headers }) => {
        asked.resolve(headers.get('idempotency-key') ?? '');
        return new Promise<Response>(() => {});
      },
    ]);
    const child = start(trivium(['transcribe', audio]), gateway);
    const key = await asked.promise;
    child.kill('SIGINT');
    expect(await new Response(child.stderr).text()).toContain(`--idempotency-key ${key}`);
    expect(await child.exited).toBe(130);
  });

  test('a gateway that fails during the wait is reported with the id', async () => {
    const broken = () => envelope(500, { type: 'internal_error', message: 'Broken.' });
    await using gateway = startStubGateway([
      () => Response.json(accepted, { status: 202 }),
      () => Response.json(jobIn('running')),
      broken,
    ]);
    const { code, err } = await run(trivium(['transcribe', audio]), gateway);
    expect(err).toContain('Broken.');
    expect(err).toContain(goOn);
    expect(code).toBe(1);
  });

  test('a failed or unknown job prints no command to continue', async () => {
    await using failed = playJob('failed');
    expect((await run(trivium(['transcribe', audio]), failed)).err).not.toContain(goOn);
    const missing = () => envelope(404, { type: 'not_found', message: 'There is no such job.' });
    await using none = startStubGateway([missing]);
    expect((await run(trivium(['jobs', 'wait', jobId]), none)).err).not.toContain(goOn);
  });
});
