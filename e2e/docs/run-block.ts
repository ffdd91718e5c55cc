// Runs a block of documentation the way a reader would: shell in a clone, TypeScript as a file.
import { symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { emptyFolder } from '../empty-folder.ts';
import { patternOf } from './blocks.ts';
import type { Block } from './blocks.ts';

export type Result = { code: number; output: string };

export type Workbench = AsyncDisposable & { run: (block: Block) => Promise<Result> };

const root = join(import.meta.dir, '..', '..');
// Less than a test may take; npx takes long on a busy machine.
const blockLimitMs = 110_000;

export async function openWorkbench(given: Readonly<Record<string, string>>): Promise<Workbench> {
  const made = await emptyFolder();
  const folder = made.path;
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // The executable starts faster than the command of a clone.
  const command = process.env['TRIVIUM_TEST_PROGRAMS'] ?? join(root, 'cli', 'bin', 'trivium.mjs');
  await symlink(command, join(folder, 'trivium'));
  const env = {
    PATH: [folder, process.env['PATH']].join(delimiter),
    HOME: process.env['HOME'],
    // A login must not replace the one of the person who runs the tests.
    XDG_CONFIG_HOME: join(folder, 'config'),
    ...given,
    // For the blocks that start a gateway of their own.
    PORT: '0',
    TRIVIUM_DATA_DIR: join(folder, 'data'),
  };
  return {
    run: async (block) => {
      const child = Bun.spawn(await commandFor(block, folder), {
        cwd: root,
        env,
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        timeout: blockLimitMs,
        killSignal: 'SIGTERM',
      });
      let output = '';
      const collect = async (stream: ReadableStream<Uint8Array>) => {
        const decoder = new TextDecoder();
        for await (const chunk of stream) {
          output += decoder.decode(chunk, { stream: true });
          if (block.until !== undefined && patternOf(block.until).test(output)) child.kill();
        }
      };
      await Promise.all([collect(child.stdout), collect(child.stderr)]);
      return { code: await child.exited, output };
    },
    [Symbol.asyncDispose]: made[Symbol.asyncDispose],
  };
}

async function commandFor(
  { page, language, code, until }: Block,
  folder: string,
): Promise<string[]> {
  if (language === 'sh') {
    // A program that is stopped by a signal must replace the shell to receive it.
    const program = until === undefined ? code : `exec ${code}`;
    // One program proves npx, which takes longer than the command that it starts.
    const isWhole = page === 'quickstart.md' && code.startsWith('npx trivium search');
    const shim = isWhole || until !== undefined ? '' : 'npx() { "$@"; }; ';
    return ['bash', '-euo', 'pipefail', '-c', shim + program];
  }
  const file = join(folder, `block-${Bun.hash(code).toString(36)}.ts`);
  await writeFile(file, code);
  return [process.execPath, '--no-install', file];
}
