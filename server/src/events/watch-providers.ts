// Reports open circuits to the store, and writes an event when a provider becomes unhealthy for the
// deployment or recovers.
import type { ProviderId } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import { every } from '../platform/every.ts';
import type { Repeated } from '../platform/every.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../store/index.ts';
import { addReport } from './core/provider-health.ts';
import { writeEvent } from './write-event.ts';
import { listReported, lockReports, putReports } from './store/provider-health.ts';

interface ProviderWatchContext {
  database: Database;
  clock: Clock;
  log: Log;
  /** Names this process in its reports. */
  owner: string;
  /** The providers whose circuit is not closed in this process. */
  openCircuits: () => ReadonlySet<ProviderId>;
  nudge: () => void;
}

/** As long as the shortest pause of a circuit: a provider that fails for longer is not missed. */
const lookEveryMs = 1000;
/** A gateway that ended without notice no longer counts after this time. */
const reportMs = 60_000;
const renewAfterMs = 20_000;
/** How often the reports of other gateways are checked. */
const checkOthersEveryMs = 10_000;

export function startProviderWatch(context: ProviderWatchContext): Repeated {
  return every(lookEveryMs, {
    name: 'provider_health',
    work: makeProviderWatch(context),
    onError: (error) =>
      context.log.warn({ err: error }, 'the health of providers could not be reported'),
  });
}

/** Checks once. Without an open circuit, it only checks the reports of others from time to time. */
export function makeProviderWatch(context: ProviderWatchContext): () => Promise<void> {
  const { database, clock } = context;
  const reportedAt = new Map<ProviderId, number>();
  let checkedAt = -Infinity;
  return async () => {
    const now = clock.now().getTime();
    const open = context.openCircuits();
    for (const provider of open) {
      if (now - (reportedAt.get(provider) ?? -Infinity) < renewAfterMs) continue;
      await report(context, provider, true, now);
      reportedAt.set(provider, now);
    }
    for (const provider of [...reportedAt.keys()].filter((one) => !open.has(one))) {
      await report(context, provider, false, now);
      reportedAt.delete(provider);
    }
    if (now - checkedAt < checkOthersEveryMs) return;
    checkedAt = now;
    for (const provider of (await listReported(database)) as ProviderId[]) {
      await report(context, provider, open.has(provider), now);
    }
  };
}

async function report(
  { database, owner, nudge }: ProviderWatchContext,
  provider: ProviderId,
  isOpen: boolean,
  now: number,
): Promise<void> {
  const event = await database.transaction(async (tx) => {
    const before = await lockReports(tx, provider);
    const result = addReport(before, { reporter: owner, isOpen, until: now + reportMs }, now);
    await putReports(tx, provider, result.after);
    if (result.event === undefined) return undefined;
    await writeEvent(tx, {
      type: result.event,
      account_id: null,
      subject: provider,
      at: now,
      data: { provider },
    });
    return result.event;
  });
  if (event !== undefined) nudge();
}
