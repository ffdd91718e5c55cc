// Answers that a provider has given but the store refused to charge. They stay in memory for a
// while, so that a retry with the same idempotency key is served and charged without a second call
// to the provider.
import { minuteMs } from '@trivium/contract/durations';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { RequestContext } from './request-context.ts';

export interface KeptAnswers {
  /** `chars` is the length of the answer. False if it is too long to be kept. */
  keep: (id: string, answer: object, chars: number) => boolean;
  /** Returns an answer once. */
  take: (id: string) => object | undefined;
}

const keptMs = 10 * minuteMs;
/** For all answers together. Above it, the oldest ones are dropped. */
const maxChars = 32 * 1024 * 1024;

interface KeptContext {
  kept?: KeptAnswers;
  log: Log;
}

/**
 * The answer to an earlier request with the same idempotency key that the store refused to charge.
 */
export function takeKept(
  { kept }: Pick<KeptContext, 'kept'>,
  { retry_id: id, seen }: Pick<RequestContext, 'retry_id' | 'seen'>,
): object | undefined {
  const found = id === undefined ? undefined : kept?.take(id);
  const message = 'kept from an earlier request with this Idempotency-Key';
  const { provider = '' } = seen;
  if (found) seen.attempts.push({ provider, outcome: 'answered', ms: 0, message });
  return found;
}

/** The store refuses the charge, so nothing is charged, and the caller gets an error. */
export function keepForRetry(
  { kept, log }: KeptContext,
  { request_id, seen, retry_id: id }: Pick<RequestContext, 'request_id' | 'seen' | 'retry_id'>,
  { answer, chars, error }: { answer: object; chars: number; error: unknown },
): void {
  const isKept = id !== undefined && kept?.keep(id, answer, chars) === true;
  const words = isKept ? '; its answer is kept for a retry under the idempotency key' : '';
  log.error(
    { request_id, provider: seen.provider, err: error },
    `the provider answered, but the store refused the charge, so nothing was charged${words}`,
  );
}

export function makeKeptAnswers(clock: Pick<Clock, 'ticks'>): KeptAnswers {
  const kept = new Map<string, { answer: object; chars: number; until: number }>();
  let sum = 0;
  const remove = (id: string) => {
    sum -= kept.get(id)?.chars ?? 0;
    kept.delete(id);
  };
  /** The map is ordered by expiry. */
  const dropOldest = () => {
    for (const [id, { until }] of kept) {
      if (sum <= maxChars && until > clock.ticks()) return;
      remove(id);
    }
  };
  return {
    keep: (id, answer, chars) => {
      remove(id);
      if (chars > maxChars) return false;
      kept.set(id, { answer, chars, until: clock.ticks() + keptMs });
      sum += chars;
      dropOldest();
      return true;
    },
    take: (id) => {
      dropOldest();
      const found = kept.get(id);
      remove(id);
      return found?.answer;
    },
  };
}
