// The program of the single executable and of the npm package: the command line, with the gateway's
// programs inside. A clone starts the same programs from their sources.
import { runInProcess } from '../../cli/src/process.ts';
import type { Launch, ProgramName, Programs } from '../../cli/src/programs.ts';
import { bunSettings } from '../bun-settings.mjs';

/** Loaded on use: most commands need none of them. */
const load: Readonly<Record<ProgramName, () => Promise<unknown>>> = {
  serve: () => import('../../server/src/main.ts'),
  audit: () => import('../../server/src/app/commands/audit.ts'),
  maintain: () => import('../../server/src/app/commands/maintain.ts'),
};

/** Internal: `trivium doctor` starts a program of the gateway with it. */
const programWord = '__program';

const programs: Programs = {
  commandLine: (name, args) => [...ownCommand(), programWord, name, ...args],
  run: runHere,
};

const [word, name, ...args] = process.argv.slice(2);
if (word === programWord && isProgram(name)) {
  process.exitCode = await runHere(name, { args, env: process.env });
} else {
  await runInProcess(programs);
}

/** A program that fails exits by itself, and the gateway exits when it is stopped. */
async function runHere(
  program: ProgramName,
  { args: given, env }: Pick<Launch, 'args' | 'env'>,
): Promise<number> {
  if (program === 'serve') applyBunSettings(env);
  Object.assign(process.env, env);
  // The gateway reads no arguments, but starts further processes of itself with these words.
  const words = program === 'serve' ? [programWord, program] : given;
  process.argv = [...process.argv.slice(0, 2), ...words];
  await load[program]();
  return 0;
}

/** Bun reads them only when a process starts, so the process replaces itself with a new one. */
function applyBunSettings(env: Launch['env']): void {
  const isComplete = Object.keys(bunSettings).every((setting) => env[setting] !== undefined);
  // Windows cannot replace a process: there Bun's own defaults apply.
  if (isComplete || process.platform === 'win32') return;
  const [file = '', ...words] = [...ownCommand(), programWord, 'serve'];
  const given = Object.entries({ ...bunSettings, ...env }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  process.execve?.(file, [file, ...words], Object.fromEntries(given));
}

/** The executable is its own program; elsewhere Bun runs this file. */
function ownCommand(): string[] {
  return Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main];
}

function isProgram(given: string | undefined): given is ProgramName {
  return given !== undefined && Object.hasOwn(load, given);
}
