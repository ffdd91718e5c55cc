// trivium serve, audit, backup, restore, migrate and reset-password: programs of the gateway.
import { UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { fieldsOf, flagOption, textOption } from '../options.ts';
import type { ProgramName } from '../programs.ts';

/** Each sets a variable. */
const listenOptions = {
  port: textOption('number', 'where to listen, instead of PORT', { field: 'PORT' }),
  host: textOption('address', 'where to listen, instead of HOST', { field: 'HOST' }),
};

export const serve: Command = {
  name: 'serve',
  group: 'The gateway',
  summary: 'Start the gateway',
  usage: '',
  examples: ['serve --port 9000', 'serve --open'],
  options: {
    ...listenOptions,
    open: flagOption('open the set-up link, or the dashboard, in a browser'),
  },
  run: (given, context) => {
    const settings = fieldsOf(given, listenOptions) as Record<string, string>;
    return startProgram('serve', context, settings, given.flag('open') ? ['--open'] : []);
  },
};

export const audit: Command = {
  name: 'audit',
  group: 'The gateway',
  summary: 'Audit the ledger of the configured store',
  usage: '',
  examples: ['audit', 'audit --gateway http://127.0.0.1:8787'],
  options: {
    gateway: textOption('url', 'a running gateway whose memory is compared with the store'),
  },
  run: (given, context) => {
    const gateway = given.text('gateway');
    const asked = gateway === undefined ? [] : ['--gateway', gateway];
    return startProgram('audit', context, {}, asked);
  },
};

export const backup: Command = {
  name: 'backup',
  group: 'The gateway',
  summary: 'Copy the embedded store into a folder while the gateway runs',
  usage: '<folder>',
  examples: ['backup ./backup-of-today'],
  options: {},
  run: (given, context) => startProgram('maintain', context, {}, ['backup', folderIn(given)]),
};

export const restore: Command = {
  name: 'restore',
  group: 'The gateway',
  summary: 'Restore a backup into an empty data directory',
  usage: '<folder>',
  examples: ['restore ./backup-of-today'],
  options: {},
  run: (given, context) => startProgram('maintain', context, {}, ['restore', folderIn(given)]),
};

export const migrate: Command = {
  name: 'migrate',
  group: 'The gateway',
  summary: 'Move the embedded store to PostgreSQL and verify it',
  usage: '--to postgres://…',
  examples: ['migrate --to postgres://user@host/trivium'],
  options: {
    to: textOption('url', 'a new, empty PostgreSQL database'),
  },
  run: (given, context) => {
    const to = given.text('to');
    if (to === undefined) throw new UsageError('Missing option: --to postgres://…');
    return startProgram('maintain', context, {}, ['migrate', '--to', to]);
  },
};

export const resetPassword: Command = {
  name: 'reset-password',
  group: 'The gateway',
  summary: 'Print a link for choosing a new password',
  usage: '<email>',
  examples: ['reset-password ada@example.org'],
  options: {},
  run: ({ positionals: [email, ...more] }, context) => {
    if (email === undefined || more.length > 0) {
      throw new UsageError('Name one person: trivium reset-password ada@example.org.');
    }
    return startProgram('maintain', context, {}, ['reset-password', email]);
  },
};

function folderIn({ positionals }: ParsedArguments): string {
  const [folder, ...more] = positionals;
  if (folder !== undefined && more.length === 0) return folder;
  throw new UsageError('Name one folder: trivium backup ./backup-of-today.');
}

const slowMs = 1000;

async function startProgram(
  name: ProgramName,
  { env, signal, programs, live, note }: Context,
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<number> {
  if (programs === undefined) {
    throw new UsageError(
      'Only the client is installed here. Use the trivium command of a release, the image or a clone.',
    );
  }
  // The program writes to the same terminal, so this is a separate line that is not rewritten.
  const slow = setTimeout(() => {
    if (live && name !== 'serve') note('Working …\n');
  }, slowMs);
  try {
    return await programs.run(name, { args, env: { ...env, ...settings }, signal });
  } finally {
    clearTimeout(slow);
  }
}
