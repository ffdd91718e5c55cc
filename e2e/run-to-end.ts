// Runs a program until it exits, and returns its exit code and output.

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
