// Notes what requests, jobs and deliveries say about the providers and receivers that they used.
import type { DeliveryNotes, Receiver } from '../events/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { CurrentRequest, ResultNotes } from '../requests/index.ts';
import type { Failure, Subject } from './core/follow.ts';
import type { Followed } from './follow.ts';

/** The outcomes of an attempt that say that the provider does not work, in words for people. */
const failures: Readonly<Record<string, string | undefined>> = {
  unavailable: 'unavailable',
  unreachable: 'not reachable',
  uncertain: 'no usable answer in time',
  rate_limited: 'rate limited',
  unauthorized: 'credential refused',
  out_of_credit: 'out of credit',
};

type Attempt = CurrentRequest['seen']['attempts'][number];

const isFailure = ({ outcome, excused }: Attempt) => !excused && Object.hasOwn(failures, outcome);
const isAnswer = ({ outcome }: Attempt) => outcome === 'answered' || outcome === 'no_results';

/** The log rounds the time of a request, and the first one must not be before its incident. */
const roundedMs = 2;

export function noteResults(
  followed: Followed,
  clock: Clock,
): ResultNotes & { deliveries: DeliveryNotes } {
  const now = () => clock.now().getTime();
  /** Of one account, and of the whole gateway. */
  const note = (account: string, provider: string, result: Failure | { began: number }) => {
    for (const owner of [account, '']) {
      const of = { kind: 'provider_failing', subject: provider, account_id: owner } as const;
      if ('began' in result) followed.succeeded(of, result.began);
      else followed.failed(of, result);
    }
  };
  return {
    request: ({ caller, seen: { attempts, cost = 0 }, started }) => {
      if (followed.isEmpty() && !attempts.some(isFailure)) return;
      const from = now() - Math.ceil(clock.ticks() - started) - roundedMs;
      // Only the last attempt with a provider says how the request ended there.
      for (const last of new Map(attempts.map((one) => [one.provider, one])).values()) {
        const reason = reasonOf(last);
        const failure = { from, until: now(), reason, requests: 1, cost };
        if (isFailure(last)) note(caller.account_id, last.provider, failure);
        else if (isAnswer(last)) note(caller.account_id, last.provider, { began: started });
      }
    },
    job: ({ account_id, provider, created_at }, reason) => {
      const from = Math.min(created_at, now());
      const failure = reason && { from, until: now(), reason, requests: 1, cost: 0 };
      note(account_id, provider, failure || { began: clock.ticks() });
    },
    deliveries: {
      attempt: ({ reason, isFirst, isFinal, ...receiver }) => {
        if (reason === undefined) return followed.succeeded(subjectOf(receiver), clock.ticks());
        const at = { from: now(), until: now() };
        const failure = { ...at, reason, requests: isFirst ? 1 : 0, cost: 0, isFinal };
        return followed.failed(subjectOf(receiver), failure);
      },
      removed: (endpoint) => followed.end(subjectOf(endpoint)),
    },
  };
}

/** The address in a request is known by its host, because each job may have another path. */
function subjectOf({ account_id, webhook_id, url }: Receiver): Subject {
  const own = { kind: 'endpoint_failing', account_id: account_id ?? '' } as const;
  return webhook_id === null
    ? { ...own, subject: new URL(url).origin }
    : { ...own, subject: webhook_id, name: url };
}

function reasonOf({ outcome, status }: Attempt): string {
  return status === undefined ? (failures[outcome] ?? outcome) : `status ${status}`;
}
