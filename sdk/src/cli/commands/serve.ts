// trivium serve and trivium audit: programs of the clone this command belongs to.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../command.ts';
import type { Command, Context } from '../command.ts';

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
  options: {},
  run: (_given, context) => startProgram('server/src/audit.ts', context, {}),
};

/** Both need the sources and the settings of the gateway, which only a clone has. */
async function startProgram(
  entry: string,
  context: Context,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  const starter = fileURLToPath(new URL('../../../../scripts/run.mjs', import.meta.url));
  if (!existsSync(starter)) {
    throw new UsageError(
      'This needs a clone of the project or its container image; here is the client alone.',
    );
  }
  const env = { ...context.env, ...settings };
  const child = spawn('node', [starter, entry], { env, stdio: 'inherit' });
  // A terminal sends its interrupt to the child as well; here it only must not end us first.
  const pass = () => void child.kill('SIGTERM');
  context.signal.addEventListener('abort', pass, { once: true });
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
