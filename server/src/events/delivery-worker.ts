// The worker: claims the deliveries that are due, sends them side by side, and returns what it did
// not finish when it stops.
import { makeWakeUp } from '../platform/wake-up.ts';
import type { DeliveryContext } from './context.ts';
import { attemptLimitMs, deliver } from './deliver.ts';
import {
  claimDeliveries,
  dropDeliveryLeases,
  findNextDelivery,
  returnDeliveries,
} from './store/delivery-leases.ts';
import { deliveryLeaseMs } from '../platform/time-limits.ts';
import type { ClaimedDelivery } from './store/delivery-leases.ts';

interface DeliveryWorker {
  nudge: () => void;
  /** Stops claiming, waits briefly for running attempts, and returns the leases that are left. */
  stop: () => Promise<void>;
}

const leaseMs = deliveryLeaseMs(attemptLimitMs);
/** The pause while deliveries are due that cannot be claimed: leased, or behind others. */
const idleMs = 200;
/** The longest pause: another gateway may have written an event. */
const maxIdleMs = 1000;
const atOnce = 256;
/** A slow receiver occupies only a few places, and so do all receivers of one account. */
const atOncePerTarget = 8;
const atOncePerAccount = 64;
/** What one account gets of one claim, so that accounts take turns. */
const perAccount = 8;
/** Beside many deliveries that wait, a claim is slow: the worker then rests as long as it took. */
const slowClaimMs = 10;
const pauseAfterErrorMs = 1000;
const stopTimeoutMs = 2000;

export function startDeliveryWorker(context: DeliveryContext): DeliveryWorker {
  const { clock, database, log } = context;
  const held = new Map<string, { delivery: ClaimedDelivery; work: Promise<void> }>();
  const wakeUp = makeWakeUp();
  let running = true;
  const begin = (delivery: ClaimedDelivery) => {
    const work = deliver(context, delivery)
      .catch((error: unknown) => {
        log.warn({ err: error, delivery_id: delivery.id }, 'an attempt to deliver failed');
      })
      .finally(() => {
        held.delete(delivery.id);
        wakeUp.notify();
      });
    held.set(delivery.id, { delivery, work });
  };
  const claimFor = (busyAccounts: readonly string[], share: number, limit: number) => {
    const now = clock.now().getTime();
    const targets = [...held.values()].map(({ delivery }) => delivery.target);
    return claimDeliveries(database, {
      owner: context.owner,
      now,
      lease_until: now + leaseMs,
      limit,
      perTarget: atOncePerTarget,
      perAccount: share,
      busyTargets: atLimit(targets, atOncePerTarget),
      busyAccounts,
    });
  };
  /**
   * Receivers that do not answer must not take the places of others, however many they are. So an
   * account without a delivery in progress comes first. One with some may not have more than there
   * are free places, and half of those stay free.
   */
  const claim = async () => {
    const accounts = [...held.values()].map(({ delivery }) => delivery.account_id ?? '');
    const free = atOnce - held.size;
    const first = await claimFor(atLimit(accounts, 1), 1, free);
    const more = Math.floor(free / 2);
    if (first.length > 0 || accounts.length === 0 || more === 0) return first;
    return claimFor(atLimit(accounts, Math.min(atOncePerAccount, free)), perAccount, more);
  };
  const loop = async () => {
    if (database.engine === 'sqlite') await dropDeliveryLeases(database);
    while (running) {
      wakeUp.reset();
      try {
        const isFull = held.size >= atOnce;
        const waitMs = isFull ? Infinity : await msUntilDue(context);
        const began = clock.ticks();
        const claimed = waitMs <= 0 ? await claim() : [];
        for (const delivery of claimed) begin(delivery);
        const tookMs = clock.ticks() - began;
        if (tookMs > slowClaimMs) await clock.sleep(Math.min(tookMs, maxIdleMs));
        if (running && claimed.length === 0) {
          await wakeUp.wait(Math.min(Math.max(idleMs, waitMs), maxIdleMs));
        }
      } catch (error) {
        log.warn({ err: error }, 'deliveries could not be claimed');
        await clock.sleep(pauseAfterErrorMs);
      }
    }
  };
  const looping = loop();
  return {
    nudge: wakeUp.notify,
    stop: async () => {
      running = false;
      wakeUp.notify();
      await looping;
      const works = [...held.values()].map(({ work }) => work);
      await Promise.race([Promise.all(works), clock.sleep(stopTimeoutMs)]);
      if (held.size > 0) await returnDeliveries(database, context.owner);
    },
  };
}

/** Infinity when there is no delivery; 0 or less when one is due. */
async function msUntilDue({ database, clock }: DeliveryContext): Promise<number> {
  return ((await findNextDelivery(database)) ?? Infinity) - clock.now().getTime();
}

/** The names that occur at least this often. */
function atLimit(names: readonly string[], limit: number): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= limit).map(([name]) => name);
}
