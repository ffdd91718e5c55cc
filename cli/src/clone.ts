// The programs of the clone that this command belongs to, started from source.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProcess } from './programs.ts';
import type { ProgramName, Programs } from './programs.ts';

const entries: Readonly<Record<ProgramName, string>> = {
  serve: 'server/src/main.ts',
  audit: 'server/src/app/commands/audit.ts',
  maintain: 'server/src/app/commands/maintain.ts',
};

/** Undefined if only the client is installed. */
export function programsOfClone(): Programs | undefined {
  const starter = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url));
  if (!existsSync(starter)) return undefined;
  const commandLine: Programs['commandLine'] = (name, args) => [
    'node',
    starter,
    entries[name],
    ...args,
  ];
  return {
    commandLine,
    run: (name, launch) => runProcess(commandLine(name, launch.args), launch),
  };
}
