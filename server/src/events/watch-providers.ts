// Reports open circuits to the store, and writes an event when a provider becomes unhealthy for the
// deployment or recovers.
import type { ProviderId } from '@trivium/contract';
import { every, type Repeated } from '../platform/every.ts';
import type { EventsContext } from './context.ts';
import { writeEvent } from './write-event.ts';
import { listReported, lockReports, putReports, type Reports } from './store/webhooks.ts';

/** The providers whose circuit is not closed in this process. */
type OpenCircuits = () => ReadonlySet<ProviderId>;

/** As long as the shortest pause of a circuit: a provider that fails for longer is not missed. */
const lookEveryMs = 1000;
/** A gateway that ended without notice no longer counts after this time. */
const reportMs = 60_000;
const renewAfterMs = 20_000;
/** How often the reports of other gateways are checked. */
const checkOthersEveryMs = 10_000;

export function startProviderWatch(context: EventsContext, openCircuits: OpenCircuits): Repeated {
  return every(lookEveryMs, {
    name: 'provider_health',
    work: makeProviderWatch(context, openCircuits),
    onError: (error) =>
      context.log.warn({ err: error }, 'the health of providers could not be reported'),
  });
}

/** Checks once. Without an open circuit, it only checks the reports of others from time to time. */
export function makeProviderWatch(
  context: EventsContext,
  openCircuits: OpenCircuits,
): () => Promise<void> {
  const { database, clock } = context;
  const reportedAt = new Map<ProviderId, number>();
  let checkedAt = -Infinity;
  return async () => {
    const now = clock.now().getTime();
    const open = openCircuits();
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
  { database, owner, nudge }: EventsContext,
  provider: ProviderId,
  isOpen: boolean,
  now: number,
): Promise<void> {
  const event = await database.transaction(async (tx) => {
    const before = await lockReports(tx, provider);
    const result = addReport(before, { reporter: owner, isOpen, until: now + reportMs }, now);
    await putReports(tx, [{ provider, reporters: result.after }]);
    if (result.event === undefined) return undefined;
    const about = { account_id: null, subject: provider, data: { provider } };
    await writeEvent(tx, { ...about, type: result.event, at: now });
    return result.event;
  });
  if (event !== undefined) nudge();
}

/** Drops reports that were not renewed in time: their gateways have ended. */
export function addReport(
  before: Reports,
  { reporter, isOpen, until }: { reporter: string; isOpen: boolean; until: number },
  now: number,
): { after: Reports; event: 'provider.unhealthy' | 'provider.recovered' | undefined } {
  const others = Object.entries(before).filter(([name, end]) => name !== reporter && end > now);
  const all = isOpen ? [...others, [reporter, until] as const] : others;
  const after = Object.fromEntries(all);
  const wasUnhealthy = Object.keys(before).length > 0;
  const isUnhealthy = all.length > 0;
  if (wasUnhealthy === isUnhealthy) return { after, event: undefined };
  return { after, event: isUnhealthy ? 'provider.unhealthy' : 'provider.recovered' };
}
