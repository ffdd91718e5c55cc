// Carries the vendors' callbacks in a simulation: in time, early, late, twice, forged or never, and
// again where a vendor tries again.
import type { TranscriberId } from '@trivium/contract';
import type { Chance } from './dice.ts';
import { deliveryOf } from './work.ts';
import type { Delivery, Work } from './work.ts';

/** The status somebody answered with; undefined when nobody did. */
export type Door = (delivery: Delivery) => Promise<number | undefined>;

export interface Postman {
  /** Plans the deliveries of what was just accepted. */
  plan: (work: Work) => void;
  /** Delivers what is due at a door; true when there was something. */
  deliver: (door: Door, isOpen: (token: string) => Promise<boolean>) => Promise<boolean>;
  nextDue: () => number;
  calm: () => void;
  /** How often each kind of delivery was planned. */
  kinds: ReadonlyMap<string, number>;
  /** Forgeries that were not turned away. */
  faults: readonly string[];
}

interface Letter {
  work: Work;
  due: number;
  forged: boolean;
}

/** Tries after the first one, and the pause before each. */
const retries: Readonly<Record<TranscriberId, { count: number; pause_ms: number }>> = {
  stt_a: { count: 9, pause_ms: 10_000 },
  stt_b: { count: 10, pause_ms: 30_000 },
  stt_c: { count: 0, pause_ms: 0 },
};
const longest_delay_ms = 20 * 60_000;
const beyond_every_deadline_ms = 60 * 60_000;
const last_moment_ms = 1500;
/** How long after a submission Deepgram may still call back. */
const deepgram_bound_ms = 30 * 60_000;

/** `deadline` is about when jobs are given up: some letters arrive at that very moment. */
export function makePostman(chance: Chance, now: () => number, deadline: number): Postman {
  let letters: Letter[] = [];
  let calm = false;
  const kinds = new Map<string, number>();
  const faults: string[] = [];
  const send = (work: Work, due: number, forged = false) => letters.push({ work, due, forged });
  const take = async (letter: Letter, door: Door, isOpen: (token: string) => Promise<boolean>) => {
    const { work, forged } = letter;
    const open = await isOpen(work.token);
    const status = await door(deliveryOf(work, now(), forged));
    if (forged) {
      if (status !== undefined && status !== 404) faults.push(`a forgery was answered ${status}`);
      return;
    }
    work.delivery = {
      attempts: work.delivery.attempts + 1,
      ...(status === undefined ? {} : { code: status }),
    };
    if (status === 200 && open) work.heard = true;
    const { count, pause_ms } = retries[work.provider];
    const refused = work.provider === 'stt_a' && status !== undefined && status >= 400;
    if (status === 200 || refused || work.delivery.attempts > count) return;
    send(work, now() + pause_ms);
  };
  const arrivalOf = (kind: string, { provider, created, ready_at }: Work): number => {
    if (kind === 'late') return ready_at + chance() * longest_delay_ms;
    if (kind === 'too late') return deadline + beyond_every_deadline_ms;
    if (kind !== 'last moment') return ready_at;
    const given_up_at = provider === 'stt_b' ? created + deepgram_bound_ms : deadline;
    return given_up_at + chance() * last_moment_ms;
  };
  return {
    kinds,
    faults,
    plan: (work) => {
      if (!work.callback) return;
      const kind = calm ? 'in time' : kindBy(chance());
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (kind === 'never') {
        // Every try was lost on its way.
        work.delivery = { attempts: retries[work.provider].count + 1 };
        return;
      }
      if (kind === 'early') work.ready_at = now();
      if (kind === 'forged') send(work, now() + chance() * (work.ready_at - now()), true);
      if (kind === 'twice') send(work, work.ready_at);
      send(work, arrivalOf(kind, work));
    },
    deliver: async (door, isOpen) => {
      const due = letters.filter((letter) => letter.due <= now());
      letters = letters.filter((letter) => letter.due > now());
      for (const letter of due) await take(letter, door, isOpen);
      return due.length > 0;
    },
    nextDue: () => Math.min(...letters.map(({ due }) => due)),
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
