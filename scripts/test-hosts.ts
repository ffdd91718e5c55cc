// The processes in which the gateways and sandboxes of most tests run; see e2e/gateway-host.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestHosts {
  /** For the tests. */
  env: { TRIVIUM_TEST_HOSTS: string };
  stop: () => void;
}

/** They end with this process, because their standard input does. */
export async function startTestHosts(
  count: number,
  program: string,
  folder: string,
): Promise<TestHosts> {
  let isStopping = false;
  const hosts = Array.from({ length: count }, (_, index) => {
    const log = join(folder, `gateways-${index + 1}.log`);
    const child = Bun.spawn([program, 'e2e/gateway-host.ts'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: Bun.file(log),
      onExit: (_child, code, signal) => {
        if (isStopping) return;
        const last = readFileSync(log, 'utf8').slice(-shownCharacters);
        process.stderr.write(
          `A process for gateways of tests ended (${code ?? signal}):\n${last}\n`,
        );
      },
    });
    return { child, log };
  });
  const stop = () => {
    isStopping = true;
    for (const { child } of hosts) child.kill('SIGKILL');
  };
  const started = hosts.map(async ({ child, log }) => {
    const { value } = await child.stdout.getReader().read();
    const url = /http:\S+/.exec(new TextDecoder().decode(value))?.[0];
    if (url === undefined) throw new Error('A process for gateways of tests did not start.');
    return { url, log };
  });
  try {
    return { env: { TRIVIUM_TEST_HOSTS: JSON.stringify(await Promise.all(started)) }, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

const shownCharacters = 4000;
