// The start script is transparent: working directory, settings, exit code and signals.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { waitFor } from '../e2e/wait-for.ts';
import manifest from '../package.json' with { type: 'json' };

const root = resolve(import.meta.dir, '..');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trivium run '));
});
afterAll(() => rmSync(folder, { recursive: true }));

function startProgram(text: string, ...args: string[]) {
  const entry = join(folder, `${Bun.hash(text)}.ts`);
  writeFileSync(entry, text);
  return startScript([entry, ...args]);
}

function startScript(args: string[], env: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BUN_'));
  const child = spawn('node', [join(root, 'scripts', 'run.mjs'), ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  return { child, output: () => output, ended: endOf(child) };
}

async function endOf(child: ChildProcess): Promise<unknown> {
  const [code] = await once(child, 'close');
  return code;
}

describe('the start script', () => {
  test('runs in the project folder, with a high connection limit and a small heap', async () => {
    const { output, ended } = startProgram(
      `process.stdout.write(JSON.stringify({
        folder: process.cwd(),
        limit: process.env['BUN_CONFIG_MAX_HTTP_REQUESTS'],
        growth: process.env['BUN_JSC_heapGrowthMaxIncrease'],
        purge: process.env['MIMALLOC_PURGE_HOLES_MIN_INTERVAL'],
        args: process.argv.slice(2),
        version: Bun.version,
      }));`,
      'one two',
      '--three',
    );
    expect(await ended).toBe(0);
    expect(JSON.parse(output())).toEqual({
      folder: root,
      limit: '65535',
      growth: '1',
      purge: '500',
      args: ['one two', '--three'],
      version: Bun.version,
    });
  });

  test('returns the exit code', async () => {
    expect(await startProgram('process.exit(7);').ended).toBe(7);
  });

  test('returns 128 + n if a signal ended the program', async () => {
    expect(await startProgram("process.kill(process.pid, 'SIGKILL');").ended).toBe(137);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('forwards %s once', async (signal) => {
    const { child, output, ended } = startProgram(
      `let count = 0;
      process.on('${signal}', () => {
        count += 1;
        process.stdout.write('got ' + count + ' ');
        setTimeout(() => process.exit(3), 300);
      });
      setInterval(() => {}, 1000);
      process.stdout.write('ready ');`,
    );
    // A program that ends prints nothing more, so its exit code is part of what is seen.
    const printed = (word: string) =>
      waitFor(() => [output(), child.exitCode], {
        what: `it prints ${word}`,
        until: ([text]) => String(text).includes(word),
      });
    await printed('ready');
    child.kill(signal);
    await printed('got');
    child.kill(signal);
    expect(await ended).toBe(3);
    expect(output()).toBe('ready got 1 ');
  });

  test.each([
    ['--help', 0, '--port <number>'],
    ['--version', 0, manifest.version],
    ['--nonsense', 2, 'serve has no option --nonsense'],
    ['extra', 2, 'serve takes no argument extra'],
  ])('npm start -- %s ends with %d and makes no store', async (option, code, words) => {
    const store = join(folder, 'no-store');
    const { output, ended } = startScript(['start', option], { TRIVIUM_DATA_DIR: store });
    expect(await ended).toBe(code);
    expect(output()).toContain(words);
    expect(existsSync(store)).toBe(false);
  });

  test('names the file that it cannot find', async () => {
    const { output, ended } = startScript(['server/src/nowhere.ts']);
    expect(await ended).toBe(1);
    expect(output()).toBe(
      `There is no server/src/nowhere.ts to run: pass a file relative to ${root}.\n`,
    );
  });
});
