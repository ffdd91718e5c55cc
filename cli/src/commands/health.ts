// trivium health: a cheap health check for containers, whose result is the exit code.
import { messageOf } from '../finding.ts';
import type { Command, Context } from '../command.ts';

const answerLimitMs = 2500;
const unhealthy = 1;

export const health: Command = {
  name: 'health',
  group: 'The gateway',
  summary: 'Check whether the gateway can serve requests, for health checks; needs no key',
  usage: '',
  examples: ['health --url http://127.0.0.1:8787'],
  options: {},
  run: async (_given, context) => {
    const { signal, out, note } = context;
    const url = addressOf(context);
    const expiry = AbortSignal.timeout(answerLimitMs);
    try {
      const limit = AbortSignal.any([signal, expiry]);
      const { ok, status } = await fetch(`${url}/readyz`, { signal: limit, redirect: 'manual' });
      if (ok) {
        out('ready\n');
        return undefined;
      }
      note(`${url}/readyz answers ${status}\n`);
    } catch (error) {
      // This reference keeps the time limit from being garbage-collected before it ends the
      // request.
      const found = expiry.aborted ? `no response within ${answerLimitMs} ms` : messageOf(error);
      note(`${url}: ${found}\n`);
    }
    return unhealthy;
  },
};

/**
 * In a container, the gateway listens at the address in its own settings, unless one is given here.
 */
function addressOf({ credentials, url, env }: Context): string {
  const { from } = credentials.url();
  const port = env['PORT'];
  if (from !== 'the default' || !port || port === '0') return url();
  const host = env['HOST'] ?? '127.0.0.1';
  const isAny = host === '0.0.0.0' || host === '::';
  return `http://${isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
