// trivium health: one cheap question for the health check of a container, answered by exit code.
import { messageOf } from '../finding.ts';
import { UsageError } from '../command.ts';
import type { Command } from '../command.ts';

const answerLimitMs = 2500;
const unhealthy = 1;

export const health: Command = {
  name: 'health',
  summary: 'Ask whether the gateway can serve, for health checks; needs no key',
  usage: '',
  options: {},
  run: async ({ positionals }, { url: address, signal, out, note }) => {
    if (positionals.length > 0) throw new UsageError('This command takes no words.');
    const url = address();
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(answerLimitMs)]);
      const { ok, status } = await fetch(`${url}/readyz`, { signal: limit, redirect: 'manual' });
      if (ok) {
        out('ready\n');
        return undefined;
      }
      note(`${url}/readyz answers ${status}\n`);
    } catch (error) {
      note(`${url}: ${messageOf(error)}\n`);
    }
    return unhealthy;
  },
};
