// A free port, for processes whose address must be known before they start.
import { randomInt } from 'node:crypto';

/** Below the ports that systems assign, so that only a test can take it in the meantime. */
const lowest = 20_000;
const highest = 32_000;
const maxAttempts = 50;

export function freePort(): number {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (isFree(port)) return port;
  }
  throw new Error(`No free port was found in ${maxAttempts} attempts.`);
}

function isFree(port: number): boolean {
  try {
    const server = Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() });
    void server.stop(true);
    return true;
  } catch {
    return false;
  }
}
