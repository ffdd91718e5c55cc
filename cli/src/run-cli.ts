// Runs the command line for tests: in this process, or in a separate one with or without a
// terminal.
import { join } from 'node:path';
import type { StubGateway } from '@trivium/sdk/stub-gateway';
import { run } from './run.ts';
import type { Terminal } from './run.ts';

const main = join(import.meta.dir, 'main.ts');

export const trivium = (args: readonly string[]) => [process.execPath, main, ...args];

/** `script` passes the command to a shell, and a path may contain spaces. */
export const onTerminal = (args: readonly string[]) => {
  const command = trivium(args).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return ['script', '-qec', command.join(' '), '/dev/null'];
};

type Variables = Readonly<Record<string, string | undefined>>;

/** There is no config file, unless a test gives another folder. */
const noConfig = '/nonexistent';

const variablesFor = ({ url }: Pick<StubGateway, 'url'>, env: Variables) => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  XDG_CONFIG_HOME: noConfig,
  TERM: 'xterm',
  TRIVIUM_URL: url,
  TRIVIUM_API_KEY: 'sk_live_test',
  ...env,
});

/** Runs in this process, which is fast; `changes` set a terminal, or a person's answers. */
export async function runHere(
  args: readonly string[],
  gateway: Pick<StubGateway, 'url'>,
  env: Variables = {},
  changes: Partial<Terminal> = {},
) {
  let out = '';
  let err = '';
  const code = await run(args, {
    env: variablesFor(gateway, env),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    ask: () => Promise.reject(new Error('This command does not ask questions here.')),
    readLine: () => Promise.resolve(''),
    inIsTerminal: false,
    outIsTerminal: false,
    errIsTerminal: false,
    columns: 80,
    signal: new AbortController().signal,
    ...changes,
  });
  return { code, out, err };
}

export function start(
  command: readonly string[],
  gateway: Pick<StubGateway, 'url'>,
  env: Variables = {},
  stdin = '',
) {
  return Bun.spawn([...command], {
    env: variablesFor(gateway, env),
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

export async function runCli(
  command: readonly string[],
  gateway: Pick<StubGateway, 'url'>,
  env: Variables = {},
  stdin = '',
) {
  const child = start(command, gateway, env, stdin);
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}
