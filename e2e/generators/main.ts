// The program of `npm test -- --suite generators`: every generator creates a client from the description
// of a running gateway, and a program calls the API with it. Arguments filter by generator name.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../harness.ts';
import { nodeGenerators } from './node-tools.ts';
import { otherGenerators } from './other-tools.ts';
import type { Generator, GeneratorInput } from './generator.ts';

const nameColumn = 36;
const adminToken = 'operator-token-of-the-generator-tests';
/** The parts of a tour: extract, job, balance, error, operator. */
const toured = 'toured true true true true true';

const wanted = process.argv.slice(2);
const generators = [...nodeGenerators, ...otherGenerators];
const chosen = generators.filter(({ name }) => {
  const isNamed = (part: string) => name.toLowerCase().includes(part.toLowerCase());
  return wanted.length === 0 || wanted.some(isNamed);
});
if (chosen.length === 0) {
  const names = generators.map(({ name }) => name).join(', ');
  throw new Error(`No generator is named ${wanted.join(', ')}. There are: ${names}.`);
}
await using gateway = await startGateway({ env: { TRIVIUM_ADMIN_TOKEN: adminToken } });
const root = await mkdtemp(join(tmpdir(), 'trivium-generators-'));
try {
  const failed = await tryAll();
  process.exitCode = failed ? 1 : 0;
} finally {
  await rm(root, { recursive: true, force: true });
}

async function tryAll(): Promise<boolean> {
  const document = join(root, 'openapi.json');
  const { text, body } = await gateway.get('/openapi.json');
  await Bun.write(document, text);
  const document30 = join(root, 'openapi-3.0.json');
  await Bun.write(document30, (await gateway.get('/openapi-3.0.json')).text);
  const env = {
    PATH: process.env['PATH'],
    TRIVIUM_URL: gateway.url,
    TRIVIUM_API_KEY: gateway.key,
    TRIVIUM_ADMIN_TOKEN: adminToken,
    TOUR_AUDIO_URL: recordingIn(body),
  };
  let failed = false;
  for (const [index, generator] of chosen.entries()) {
    const folder = join(root, String(index));
    await Bun.write(join(folder, 'README'), 'The work of one generator.\n');
    failed = !(await tryOne(generator, { document, document30, folder, env })) || failed;
  }
  return failed;
}

async function tryOne({ name, run }: Generator, input: GeneratorInput): Promise<boolean> {
  const began = performance.now();
  const say = (verdict: string) => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`${name.padEnd(nameColumn)}${verdict.padEnd(6)} ${seconds} s\n`);
  };
  try {
    const result = await run(input);
    if (typeof result !== 'string') {
      process.stdout.write(`${name.padEnd(nameColumn)}left out: ${result.missing}\n`);
      return true;
    }
    const ok = result.includes(toured) || result === 'no warnings';
    say(ok ? 'ok' : 'FAILED');
    if (!ok) process.stdout.write(`${result}\n`);
    return ok;
  } catch (error) {
    say('FAILED');
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

/** The recording that the description shows, which the sandbox has. */
function recordingIn(description: unknown): string {
  const found = /https:[^"\\]+\.(?:mp3|wav|m4a|ogg)/.exec(JSON.stringify(description));
  if (found === null) throw new Error('The API description shows no recording.');
  return found[0];
}
