// Answers that a provider has given but the store refused to charge. They stay in memory for a
// while, so that a retry with the same idempotency key is served and charged without a second call
// to the provider.
import { minuteMs } from '@trivium/contract/durations';
import type { Clock } from '../platform/clock.ts';
import { gaugeLimit } from '../platform/limit-gauges.ts';
import type { CurrentRequest, RequestsContext, Uncharged, UnchargedAnswers } from './context.ts';

const keptMs = 10 * minuteMs;
/** For all answers together. Above it, the oldest ones of the account with most are dropped. */
const maxChars = 32 * 1024 * 1024;

/**
 * The answer to an earlier request with the same idempotency key that the store refused to charge.
 */
export function takeUncharged(
  { uncharged }: Pick<RequestsContext, 'uncharged'>,
  { retry_id: id, seen }: Pick<CurrentRequest, 'retry_id' | 'seen'>,
): object | undefined {
  const found = id === undefined ? undefined : uncharged?.take(id);
  const message = 'kept from an earlier request with this Idempotency-Key';
  const { provider = '' } = seen;
  if (found) seen.attempts.push({ provider, outcome: 'answered', ms: 0, message });
  return found;
}

/** The store refuses the charge, so nothing is charged, and the caller gets an error. */
export function keepForRetry(
  { uncharged, log }: Pick<RequestsContext, 'uncharged' | 'log'>,
  { request_id, seen, retry_id: id, caller }: CurrentRequest,
  {
    isFree,
    error,
    ...answered
  }: Omit<Uncharged, 'account_id'> & { isFree: boolean; error: unknown },
): void {
  // A retry finds a free answer in the cache again.
  const isKept = id !== undefined && !isFree && uncharged?.keep(id, { ...caller, ...answered });
  const words = isKept ? '; its answer is kept for a retry under the idempotency key' : '';
  log.error(
    { request_id, provider: seen.provider, err: error },
    `the provider answered, but the store refused the charge, so nothing was charged${words}`,
  );
}

export function makeUnchargedAnswers(clock: Pick<Clock, 'ticks'>): UnchargedAnswers {
  // In the order of their expiry.
  const answers = new Map<string, Uncharged & { until: number }>();
  const sums = new Map<string, number>();
  const remove = (id: string) => {
    const found = answers.get(id);
    if (!found) return undefined;
    answers.delete(id);
    const { account_id, chars } = found;
    const left = (sums.get(account_id) ?? 0) - chars;
    if (left > 0) sums.set(account_id, left);
    else sums.delete(account_id);
    return found;
  };
  const dropExpired = () => {
    for (const [id, { until }] of answers) {
      if (until > clock.ticks()) return;
      remove(id);
    }
  };
  const makeRoom = () => {
    while ([...sums.values()].reduce((sum, chars) => sum + chars, 0) > maxChars) {
      const [largest] = [...sums].reduce((most, one) => (one[1] > most[1] ? one : most));
      const oldest = answers.entries().find(([, { account_id }]) => account_id === largest);
      if (oldest) remove(oldest[0]);
    }
  };
  gaugeLimit('uncharged_answers', () => ({ entries: answers.size }));
  return {
    keep: (id, answer) => {
      remove(id);
      if (answer.chars > maxChars) return false;
      const { account_id, chars } = answer;
      answers.set(id, { ...answer, until: clock.ticks() + keptMs });
      sums.set(account_id, (sums.get(account_id) ?? 0) + chars);
      dropExpired();
      makeRoom();
      return true;
    },
    take: (id) => {
      dropExpired();
      return remove(id)?.answer;
    },
  };
}
