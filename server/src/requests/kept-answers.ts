// Answers that a provider has given but the store refused to charge. They stay in memory for a
// while, so that a retry with the same idempotency key is served and charged without a second call
// to the provider.
import { minuteMs } from '@trivium/contract/durations';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { CurrentRequest } from './current-request.ts';

export interface KeptAnswers {
  /** False if the answer is too long to be kept. */
  keep: (id: string, kept: Kept) => boolean;
  /** Returns an answer once. */
  take: (id: string) => object | undefined;
}

interface Kept {
  account_id: string;
  answer: object;
  /** The length of the answer. */
  chars: number;
}

const keptMs = 10 * minuteMs;
/** For all answers together. Above it, the oldest ones of the account with most are dropped. */
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
  { retry_id: id, seen }: Pick<CurrentRequest, 'retry_id' | 'seen'>,
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
  request: Pick<CurrentRequest, 'request_id' | 'caller' | 'seen' | 'retry_id'>,
  { isFree, error, ...answered }: Omit<Kept, 'account_id'> & { isFree: boolean; error: unknown },
): void {
  const { request_id, seen, retry_id: id, caller } = request;
  // A retry finds a free answer in the cache again.
  const isKept = id !== undefined && !isFree && kept?.keep(id, { ...caller, ...answered }) === true;
  const words = isKept ? '; its answer is kept for a retry under the idempotency key' : '';
  log.error(
    { request_id, provider: seen.provider, err: error },
    `the provider answered, but the store refused the charge, so nothing was charged${words}`,
  );
}

export function makeKeptAnswers(clock: Pick<Clock, 'ticks'>): KeptAnswers {
  const kept = new Map<string, Kept & { until: number }>();
  const sums = new Map<string, number>();
  let sum = 0;
  const count = (accountId: string, chars: number) => {
    sum += chars;
    const ofAccount = (sums.get(accountId) ?? 0) + chars;
    if (ofAccount > 0) sums.set(accountId, ofAccount);
    else sums.delete(accountId);
  };
  const remove = (id: string) => {
    const found = kept.get(id);
    if (!kept.delete(id) || !found) return;
    count(found.account_id, -found.chars);
  };
  /** The map is ordered by expiry. */
  const dropExpired = () => {
    for (const [id, { until }] of kept) {
      if (until > clock.ticks()) return;
      remove(id);
    }
  };
  const makeRoom = () => {
    while (sum > maxChars) {
      const largest = [...sums].reduce((most, one) => (one[1] > most[1] ? one : most));
      for (const [id, { account_id }] of kept) {
        if (account_id !== largest[0]) continue;
        remove(id);
        break;
      }
    }
  };
  return {
    keep: (id, { account_id, answer, chars }) => {
      remove(id);
      if (chars > maxChars) return false;
      kept.set(id, { account_id, answer, chars, until: clock.ticks() + keptMs });
      count(account_id, chars);
      dropExpired();
      makeRoom();
      return true;
    },
    take: (id) => {
      dropExpired();
      const found = kept.get(id);
      remove(id);
      return found?.answer;
    },
  };
}
