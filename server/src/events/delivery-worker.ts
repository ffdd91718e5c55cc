// The worker for deliveries: chooses what to claim, so that slow receivers leave room for the
// others.
import { startLeaseWorker } from '../platform/lease-worker.ts';
import type { LeaseWorker } from '../platform/lease-worker.ts';
import { deliveryLeaseMs } from '../platform/time-limits.ts';
import type { DeliveryContext } from './context.ts';
import { deliver } from './deliver.ts';
import {
  claimDeliveries,
  dropDeliveryLeases,
  findNextDelivery,
  returnDeliveries,
} from './store/delivery-leases.ts';
import type { ClaimedDelivery } from './store/delivery-leases.ts';

/** A slow receiver occupies only a few slots, and so do all receivers of one account. */
const atOncePerTarget = 8;
const atOncePerAccount = 64;
/** How many deliveries one account gets in one claim, so that accounts take turns. */
const perAccount = 8;

export function startDeliveryWorker(context: DeliveryContext): LeaseWorker {
  const { clock, database, log, owner } = context;
  return startLeaseWorker<ClaimedDelivery>({
    name: 'deliveries',
    clock,
    log,
    atOnce: 256,
    maxIdleMs: 1000,
    dropLeases: database.engine === 'sqlite' ? () => dropDeliveryLeases(database) : undefined,
    findNextDue: () => findNextDelivery(database),
    claim: async (free, held) => {
      const rows = await claim(context, free, held);
      return { rows, hasMore: rows.length > 0 };
    },
    run: (delivery) => deliver(context, delivery),
    // The next delivery of the same lane may be sent.
    wakesAtEnd: true,
    returnLeases: () => returnDeliveries(database, owner),
  });
}

/**
 * Receivers that do not answer must not take the slots of others, however many they are. So
 * accounts without a delivery in progress come first. An account with some may not have more than
 * there are free slots, and half of those stay free.
 */
async function claim(
  { database, clock, owner }: DeliveryContext,
  free: number,
  held: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery[]> {
  const accounts = held.map(({ account_id }) => account_id ?? '');
  const busyTargets = atLimit(
    held.map(({ target }) => target),
    atOncePerTarget,
  );
  const claimFor = (busyAccounts: readonly string[], share: number, limit: number) => {
    const now = clock.now().getTime();
    return claimDeliveries(database, {
      owner,
      now,
      lease_until: now + deliveryLeaseMs,
      limit,
      perTarget: atOncePerTarget,
      perAccount: share,
      busyTargets,
      busyAccounts,
    });
  };
  const first = await claimFor(atLimit(accounts, 1), 1, free);
  const more = Math.floor(free / 2);
  if (first.length > 0 || accounts.length === 0 || more === 0) return first;
  return claimFor(atLimit(accounts, Math.min(atOncePerAccount, free)), perAccount, more);
}

/** The names that occur at least this often. */
function atLimit(names: readonly string[], limit: number): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= limit).map(([name]) => name);
}
