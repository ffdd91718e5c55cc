// The code samples of the playground, executed as people paste them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolName } from '@trivium/contract';
import { codeSampleText } from '../../dashboard/src/playground/code-sample-text.ts';
import { projectRoot } from '../../scripts/command.ts';
import { sharedGateway } from '../harness.ts';
import { testWhere } from '../leave-out.ts';
import { preparePython } from '../python/environment.ts';
import { packPythonClient, pythonPins } from '../python/packed-client.ts';
import { runPrograms } from '../python/programs.ts';
import { runToEnd } from '../run-to-end.ts';
import type { Ended } from '../run-to-end.ts';

const gateway = sharedGateway();
const python = await preparePython({ requirements: pythonPins, minorVersion: 10 });
const client = 'missing' in python ? python : await packPythonClient(python.program);

let folder: string;
beforeAll(() => {
  // Below the project, so that the program finds the SDK.
  const cache = join(projectRoot, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'code-samples-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  if ('remove' in client) await client.remove();
});

const requests: readonly (readonly [ToolName, object, string])[] = [
  [
    'search',
    {
      query: 'what\'s "new" in solar \\ storage?',
      provider: 'engine_a',
      max_results: 2,
      include_domains: ['sunstore.example'],
      safe_search: 'strict',
      content: { full_text: true, snippets: { max_per_result: 1 } },
      provider_options: { engine_a: { moderation: true } },
    },
    'engine_a',
  ],
  [
    'extract',
    { urls: ['https://www.sunstore.example/support/islanding'], provider: 'engine_c' },
    'sunstore',
  ],
  [
    'transcription',
    {
      audio_url: 'https://recordings.example/interview.wav',
      provider: 'stt_a',
      diarize: true,
      keyterms: ['solar', 'feed-in "tariff"'],
    },
    'stt_a',
  ],
];

describe.each(requests)('the samples of %s', (tool, request, expected) => {
  const samples = () => codeSampleText(tool, request, gateway().url);
  const run = async (command: readonly string[]) => {
    const ended = await runToEnd([...command], { cwd: projectRoot, env: environment() });
    expectAnswer(ended, expected);
  };

  test('curl', () => run(['bash', '-c', samples().curl]));

  test('the command line', () => run(['bash', '-c', direct(tool) + samples().cli]));

  test('TypeScript', () => {
    const print = '\nconsole.log(JSON.stringify(answer));\n';
    return run([process.execPath, write(`${tool}.ts`, samples().typescript + print)]);
  });
});

testWhere('missing' in client ? client.missing : undefined)('the samples of Python', async () => {
  if ('missing' in python || 'missing' in client) return;
  const print = '\n    print(answer.model_dump_json())\n';
  const files = requests.map(([tool, request]) =>
    write(`${tool}.py`, codeSampleText(tool, request, gateway().url).python + print),
  );
  const env = { ...environment(), PYTHONPATH: client.target };
  const ended = await runPrograms(python.program, files, { cwd: projectRoot, env });
  for (const [index, [, , expected]] of requests.entries()) expectAnswer(ended[index], expected);
});

function environment() {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    NO_PROXY: '127.0.0.1',
    TRIVIUM_API_KEY: gateway().key,
  };
}

function expectAnswer(ended: Ended | undefined, expected: string): void {
  expect([ended?.code, ended?.code === 0 ? '' : ended?.err]).toEqual([0, '']);
  expect(ended?.out).toContain(expected);
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** One sample proves npx, which takes longer than the command; the others start what it starts. */
function direct(tool: ToolName): string {
  return tool === 'search' ? '' : 'npx() { "node_modules/.bin/$@"; }; ';
}
