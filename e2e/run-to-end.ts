// Runs a program until it exits, and returns its exit code and output.
import { join } from 'node:path';

/** The command line: compiled by `npm test`, which starts faster, or from its sources. */
export function trivium(...args: readonly string[]): string[] {
  const compiled = process.env['TRIVIUM_TEST_PROGRAMS'];
  const sources = [process.execPath, join(import.meta.dir, '../cli/src/main.ts')];
  return [...(compiled === undefined ? sources : [compiled]), ...args];
}

export interface Ended {
  code: number;
  out: string;
  err: string;
}

export async function runToEnd(
  command: readonly string[],
  { cwd, env }: { cwd?: string; env: Readonly<Record<string, string | undefined>> },
): Promise<Ended> {
  const child = Bun.spawn([...command], {
    ...(cwd === undefined ? {} : { cwd }),
    env,
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
