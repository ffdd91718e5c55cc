// Going live as its page describes it, with the sandbox process in place of the vendor: what
// the gateway prints is pasted into a shell, and then the page's own commands are run.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { emptyFolder } from '../empty-folder.ts';
import { startGateway } from '../harness.ts';
import { runToEnd } from '../run-to-end.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { blocksOf, patternOf } from './blocks.ts';

const root = join(import.meta.dir, '..', '..');
const page = 'going-live.md';
const [starting, ...commands] = blocksOf(
  page,
  readFileSync(join(root, 'docs', page), 'utf8'),
).filter(({ live }) => live);

test('the printed commands work in their order, also where the sandbox was used before', async () => {
  await using folder = await emptyFolder();
  await using vendor = await startTestSandbox();
  const dataDir = join(folder.path, 'data');
  await using sandboxRun = await startGateway({
    data_dir: dataDir,
    env: { TRIVIUM_SANDBOX: undefined },
  });
  await sandboxRun.stop();
  expect(existsSync(join(dataDir, 'trivium.sqlite'))).toBe(false);

  await using live = await startFromShell(starting?.code ?? '', {
    TRIVIUM_DATA_DIR: dataDir,
    EXA_BASE_URL: `${vendor.url}/exa`,
  });
  const printedFirst = /^curl [^]*/m.exec(live.output())?.[0] ?? '';
  const topUp = /^TRIVIUM_URL=[^]*?topup .*$/m.exec(live.output())?.[0] ?? '';
  expect(live.output().indexOf(topUp)).toBeLessThan(live.output().indexOf(printedFirst));

  const refused = await runShell(printedFirst);
  expect(refused.out).toContain('insufficient_credits');
  expect(refused.out).toContain('trivium topup');
  expect(refused.out).toContain(`dashboard at ${live.url}/`);
  const added = await runShell(topUp);
  expect([added.code, added.out]).toEqual([0, expect.stringMatching(/"amount_usd": ?10\b/)]);
  expect((await runShell(printedFirst)).out).toContain('"provider":"engine_a"');
  expect(await vendor.calls('/exa')).toHaveLength(1);

  const env = {
    TRIVIUM_URL: live.url,
    TRIVIUM_API_KEY: /sk_live_[\w-]{43}/.exec(live.output())?.[0] ?? '',
    TRIVIUM_ADMIN_TOKEN: /op_[\w-]+/.exec(live.output())?.[0] ?? '',
  };
  expect(commands.length).toBeGreaterThan(0);
  for (const { code, expect: expected } of commands) {
    const result = await runShell(code, env);
    expect(result.out).toMatch(patternOf(expected ?? 'a block says what it expects'));
    expect(result.code).toBe(0);
  }
});

const shellEnv = (more: Readonly<Record<string, string>>) => ({
  PATH: [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
  HOME: process.env['HOME'],
  ...more,
});

/** One program of docs.test.ts proves npx, which takes longer than what it starts. */
function runShell(code: string, env: Readonly<Record<string, string>> = {}) {
  const program = `npx() { "$@"; }; ${code}`;
  return runToEnd(['bash', '-euo', 'pipefail', '-c', program], { cwd: root, env: shellEnv(env) });
}

interface LiveGateway extends AsyncDisposable {
  url: string;
  output: () => string;
}

/** Runs `npm start` until it has printed its first request. */
async function startFromShell(
  code: string,
  env: Readonly<Record<string, string>>,
): Promise<LiveGateway> {
  // npm must replace the shell, which would not forward a signal.
  const program = code.replace(/\bnpm start/, 'exec npm start');
  const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', program], {
    cwd: root,
    env: shellEnv({ ...env, PORT: '0' }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let output = '';
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  while (!/Try it:\n\ncurl [^]*-d '[^\n]*'\n/.test(output)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`${code} ended too early. It printed:\n${output}`);
    output += decoder.decode(value, { stream: true });
  }
  const url = /listening on (\S+)/.exec(output)?.[1] ?? '';
  return {
    url,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}
