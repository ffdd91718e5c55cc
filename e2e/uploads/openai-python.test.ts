// OpenAI's own client for Python transcribes a file through the gateway. Reported as left out
// without Python.
import { expect } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runCommand } from '../../scripts/command.ts';
import { emptyFolder } from '../empty-folder.ts';
import { startGateway } from '../harness.ts';
import { testWhere } from '../leave-out.ts';
import { preparePython } from '../python/environment.ts';
import { makeWav } from './recordings.ts';

const limitMs = 120_000;
// The first installation takes minutes, more than a test may, so it runs before the test.
const python = await preparePython();

testWhere('missing' in python ? python.missing : undefined)(
  "OpenAI's client for Python gets every format and every error",
  async () => {
    await using gateway = await startGateway();
    await using folder = await emptyFolder();
    const file = join(folder.path, 'talk.wav');
    writeFileSync(file, makeWav(50_000));
    const script = join(projectRoot, 'e2e', 'python', 'openai_transcription.py');
    const program = 'program' in python ? python.program : '';
    const run = await runCommand(program, [script, gateway.url, gateway.key, file], {
      capture: true,
      limitMs,
    });
    expect([run.code, run.output]).toEqual([0, expect.stringMatching(/^\{/)]);
    const got = JSON.parse(run.output) as Record<string, unknown>;
    expect(got).toMatchObject({
      json: expect.stringContaining('note to myself'),
      text: expect.stringContaining('note to myself'),
      srt: expect.stringMatching(/^1\n00:00:/),
      vtt: expect.stringMatching(/^WEBVTT/),
      verbose: ['english', expect.any(Number)],
      warnings: [{ code: 'param_approximated', param: 'prompt' }],
      stream: [400, 'invalid_request_error', 'stream', 'unsupported'],
      unknown: [404, 'invalid_request_error', 'model', 'model_not_found'],
    });
    const [first, again] = got['repeats'] as [[string, null], [string, string]];
    expect([first[1], again]).toEqual([null, [first[0], 'true']]);
    expect((got['words'] as string[]).length).toBeGreaterThan(10);
    expect((got['segments'] as string[]).join(' ')).toContain('note to myself');
    expect(got['models']).toContain('whisper-1');
  },
);
