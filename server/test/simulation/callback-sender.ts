// Sends the vendors' callbacks in a simulation: in time, early, late, twice, forged or never, with
// the vendors' retries.
import type { TranscriberId } from '@trivium/contract';
import type { Random } from './seeded-random.ts';
import { deliveryOf, type SentCallback, type VendorJob } from './vendor-job.ts';

/** The status of the answer; undefined when there was none. */
export type Listener = (delivery: SentCallback) => Promise<number | undefined>;

export interface CallbackSender {
  /** Plans the callbacks of a job that was just accepted. */
  plan: (work: VendorJob) => void;
  /** Sends the callbacks that are due; true when there were any. */
  deliver: (listener: Listener, isOpen: (token: string) => Promise<boolean>) => Promise<boolean>;
  nextDue: () => number;
  calm: () => void;
  /** Forged callbacks that were not refused. */
  faults: readonly string[];
}

interface PendingCallback {
  work: VendorJob;
  due: number;
  forged: boolean;
}

/** Tries after the first one, and the pause before each. */
const retries: Readonly<Record<TranscriberId, { count: number; pauseMs: number }>> = {
  stt_a: { count: 9, pauseMs: 10_000 },
  stt_b: { count: 10, pauseMs: 30_000 },
  stt_c: { count: 0, pauseMs: 0 },
};
const longestDelayMs = 20 * 60_000;
const beyondEveryDeadlineMs = 60 * 60_000;
const lastMomentMs = 1500;
/** How long after a submission Deepgram may still call back. */
const deepgramBoundMs = 30 * 60_000;

/** `deadline` is about when jobs are given up: some callbacks arrive at that moment. */
export function createCallbackSender(
  random: Random,
  now: () => number,
  deadline: number,
): CallbackSender {
  let pending: PendingCallback[] = [];
  let calm = false;
  const faults: string[] = [];
  const send = (work: VendorJob, due: number, forged = false) =>
    pending.push({ work, due, forged });
  const take = async (
    one: PendingCallback,
    listener: Listener,
    isOpen: (token: string) => Promise<boolean>,
  ) => {
    const { work, forged } = one;
    const open = await isOpen(work.token);
    const status = await listener(deliveryOf(work, now(), forged));
    if (forged) {
      if (status !== undefined && status !== 404) faults.push(`a forgery was answered ${status}`);
      return;
    }
    work.delivery = {
      attempts: work.delivery.attempts + 1,
      ...(status === undefined ? {} : { code: status }),
    };
    if (status === 200 && open) work.received = true;
    const { count, pauseMs } = retries[work.provider];
    const refused = work.provider === 'stt_a' && status !== undefined && status >= 400;
    if (status === 200 || refused || work.delivery.attempts > count) return;
    send(work, now() + pauseMs);
  };
  const arrivalOf = (kind: string, { provider, created, readyAt }: VendorJob): number => {
    if (kind === 'late') return readyAt + random() * longestDelayMs;
    if (kind === 'too late') return deadline + beyondEveryDeadlineMs;
    if (kind !== 'last moment') return readyAt;
    const givenUpAt = provider === 'stt_b' ? created + deepgramBoundMs : deadline;
    return givenUpAt + random() * lastMomentMs;
  };
  return {
    faults,
    plan: (work) => {
      if (!work.callback) return;
      const kind = calm ? 'in time' : kindBy(random());
      if (kind === 'never') {
        // Every try was lost on the network.
        work.delivery = { attempts: retries[work.provider].count + 1 };
        return;
      }
      if (kind === 'early') work.readyAt = now();
      if (kind === 'forged') send(work, now() + random() * (work.readyAt - now()), true);
      if (kind === 'twice') send(work, work.readyAt);
      send(work, arrivalOf(kind, work));
    },
    deliver: async (listener, isOpen) => {
      const due = pending.filter((one) => one.due <= now());
      pending = pending.filter((one) => one.due > now());
      for (const one of due) await take(one, listener, isOpen);
      return due.length > 0;
    },
    nextDue: () => Math.min(...pending.map(({ due }) => due)),
    calm: () => {
      calm = true;
    },
  };
}

function kindBy(roll: number): string {
  if (roll < 0.1) return 'never';
  if (roll < 0.3) return 'early';
  if (roll < 0.4) return 'late';
  if (roll < 0.45) return 'too late';
  if (roll < 0.55) return 'last moment';
  if (roll < 0.65) return 'twice';
  return roll < 0.8 ? 'forged' : 'in time';
}
