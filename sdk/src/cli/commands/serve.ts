// trivium serve, audit, backup, restore and migrate: programs of the clone this command belongs to.
import { spawn } from 'node:child_process';
import { programOf } from '../clone.ts';
import { UsageError } from '../command.ts';
import type { Command, Context, Given } from '../command.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Start the gateway of this clone',
  usage: '',
  options: {
    port: { type: 'string', value: 'number', describe: 'where to listen, instead of PORT' },
    host: { type: 'string', value: 'address', describe: 'where to listen, instead of HOST' },
  },
  run: (given, context) => {
    const port = given.text('port');
    const host = given.text('host');
    return startProgram('server/src/main.ts', context, {
      ...(port === undefined ? {} : { PORT: port }),
      ...(host === undefined ? {} : { HOST: host }),
    });
  },
};

export const audit: Command = {
  name: 'audit',
  summary: 'Check the books of the store that the settings name (operator)',
  usage: '',
  options: {
    gateway: {
      type: 'string',
      value: 'url',
      describe: 'a running gateway, whose memory is compared with the store',
    },
  },
  run: (given, context) => {
    const gateway = given.text('gateway');
    const asked = gateway === undefined ? [] : ['--gateway', gateway];
    return startProgram('server/src/audit.ts', context, {}, asked);
  },
};

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the embedded store into a folder, while the gateway runs (operator)',
  usage: '<folder>',
  options: {},
  run: (given, context) =>
    startProgram('server/src/maintain.ts', context, {}, ['backup', folderIn(given)]),
};

export const restore: Command = {
  name: 'restore',
  summary: 'Put a backup into an empty data directory (operator)',
  usage: '<folder>',
  options: {},
  run: (given, context) =>
    startProgram('server/src/maintain.ts', context, {}, ['restore', folderIn(given)]),
};

export const migrate: Command = {
  name: 'migrate',
  summary: 'Move the embedded store to PostgreSQL, with checks (operator)',
  usage: '--to postgres://…',
  options: {
    to: { type: 'string', value: 'url', describe: 'a new, empty PostgreSQL database' },
  },
  run: (given, context) => {
    const to = given.text('to');
    if (to === undefined) throw new UsageError('Say where to: --to postgres://…');
    return startProgram('server/src/maintain.ts', context, {}, ['migrate', '--to', to]);
  },
};

function folderIn({ positionals }: Given): string {
  const [folder, ...more] = positionals;
  if (folder !== undefined && more.length === 0) return folder;
  throw new UsageError('Name one folder: trivium backup ./backup-of-today.');
}

async function startProgram(
  entry: string,
  context: Context,
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<number> {
  const [command, ...words] = programOf(entry, args) ?? [];
  if (command === undefined) {
    throw new UsageError(
      'This needs a clone of the project or its container image; here is the client alone.',
    );
  }
  const env = { ...context.env, ...settings };
  const child = spawn(command, words, { env, stdio: 'inherit' });
  // A terminal sends its interrupt to the child as well; here it only must not end us first.
  const pass = () => void child.kill('SIGTERM');
  context.signal.addEventListener('abort', pass, { once: true });
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
