// The command line uploads a file: with a bar on a terminal, with plain lines in a pipe.
import { expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobId, jobIn, startStubGateway } from '@trivium/sdk/stub-gateway';
import { onTerminal, runCli as run, runHere, trivium } from './run-cli.ts';
import { progressText } from './upload-file.ts';

const file = join(mkdtempSync(join(tmpdir(), 'trivium-cli-')), 'talk.mp3');
writeFileSync(file, Buffer.alloc(300_000, 1));

const address = 'https://gateway.example/files/upl_1';

function playUpload() {
  const accepted = { id: jobId, provider: 'stt_a', warnings: [] };
  return startStubGateway([
    ({ bytes }) => Response.json({ id: 'upl_1', audio_url: address, bytes }, { status: 201 }),
    () => Response.json(accepted, { status: 202 }),
    () => Response.json(jobIn('completed')),
  ]);
}

test('on a terminal a bar shows the progress', async () => {
  await using gateway = playUpload();
  const { code, out } = await run(onTerminal(['transcribe', file]), gateway);
  expect([code, gateway.requests[0]?.bytes]).toEqual([0, 300_000]);
  expect(gateway.requests[1]?.body).toMatchObject({ audio_url: address });
  expect(out).toContain('Uploading talk.mp3  ████████████████████████ 100 %  0.3 of 0.3 MB');
  expect(out).toContain('Hello there.');
});

test('in a pipe the progress is plain lines, and only the job is on standard output', async () => {
  await using gateway = playUpload();
  const { code, out, err } = await run(trivium(['transcribe', file]), gateway);
  expect([code, JSON.parse(out)]).toEqual([0, jobIn('completed')]);
  expect(err).toBe(`Uploading talk.mp3  0 %  0.0 of 0.3 MB\n${jobId} accepted\n`);
  expect(gateway.requests[0]?.bytes).toBe(300_000);
  await using other = playUpload();
  const subtitles = await run(trivium(['transcribe', file, '--srt']), other);
  expect(subtitles.out).toStartWith('1\n00:00:00,000 --> ');
});

test('with --json each line of standard error is an object', async () => {
  await using gateway = playUpload();
  const { err } = await runHere(['transcribe', file, '--json'], gateway);
  const [first, ...rest] = err
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const uploading = { file: 'talk.mp3', sent_bytes: 0, total_bytes: 300_000 };
  expect([first, rest.length]).toEqual([{ uploading }, 1]);
});

test('an argument that is neither an address nor a file is refused before anything is sent', async () => {
  await using gateway = startStubGateway([]);
  const { code, err } = await run(trivium(['transcribe', '/nonexistent/talk.mp3']), gateway);
  expect([code, err]).toEqual([2, expect.stringContaining('nor a file on this machine')]);
});

test('the bar is never too long, whatever the numbers', () => {
  expect(progressText(0, 0, true)).toContain('100 %');
  expect(progressText(5, 1, true)).toStartWith('████████████████████████ 100 %');
  expect(progressText(0, 9, true)).toStartWith('░░░░░░░░░░░░░░░░░░░░░░░░ 0 %');
  expect(progressText(0, 9, false)).toStartWith('0 %');
});
