// Repeats the last steps of a failed request, such as freeing its idempotency key, while the store
// is unavailable. The caller of the request does not wait for them.
import { backoff } from '../platform/backoff.ts';
import { happens } from '../platform/fault-points.ts';
import { longestRequestMs } from '../platform/time-limits.ts';
import { asStoreUnavailable } from '../platform/store-trouble.ts';
import { GatewayError } from '@trivium/contract';
import type { RequestsContext } from './context.ts';

const pauseAfter = backoff(250, 2, 2000);
/** After this time the affected row has expired. */
const limitMs = longestRequestMs;

/** Resolves after the first attempt. Later attempts run in the background. */
export async function orLater(
  context: Pick<RequestsContext, 'clock' | 'log'>,
  what: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (happens('cleanup_lost')) return;
  try {
    await work();
  } catch (error) {
    context.log.warn({ err: error }, `${what}; it is tried again`);
    if (isUnavailable(error)) void repeat(context, what, work);
  }
}

async function repeat(
  { clock, log }: Pick<RequestsContext, 'clock' | 'log'>,
  what: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const giveUpAt = clock.ticks() + limitMs;
  for (let failures = 1; clock.ticks() < giveUpAt; failures += 1) {
    await clock.sleep(pauseAfter(failures));
    try {
      await work();
      return;
    } catch (error) {
      if (!isUnavailable(error)) {
        log.warn({ err: error }, what);
        return;
      }
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof GatewayError || asStoreUnavailable(error) !== undefined;
}
