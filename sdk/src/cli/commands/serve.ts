// trivium serve: starts the gateway of the clone this command belongs to.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../command.ts';
import type { Command } from '../command.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Start the gateway of this clone',
  usage: '',
  options: {
    port: { type: 'string', value: 'number', describe: 'where to listen, instead of PORT' },
    host: { type: 'string', value: 'address', describe: 'where to listen, instead of HOST' },
  },
  run: async (given, context) => {
    const starter = fileURLToPath(new URL('../../../../scripts/run.mjs', import.meta.url));
    if (!existsSync(starter)) {
      throw new UsageError(
        'serve needs a clone of the project or its container image; this is the client alone.',
      );
    }
    const port = given.text('port');
    const host = given.text('host');
    const env = {
      ...context.env,
      ...(port === undefined ? {} : { PORT: port }),
      ...(host === undefined ? {} : { HOST: host }),
    };
    const child = spawn('node', [starter, 'server/src/main.ts'], { env, stdio: 'inherit' });
    // A terminal sends its interrupt to the child as well; here it only must not end us first.
    const pass = () => void child.kill('SIGTERM');
    context.signal.addEventListener('abort', pass, { once: true });
    return new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  },
};
