// Deletes expired rows as fast as new ones are written, but in small steps, so that requests are
// served in between. SQLite then returns the space to the file system.
import { minuteMs } from '@trivium/contract/durations';
import { accountExpiry } from '../accounts/index.ts';
import { auditExpiry } from '../audit/index.ts';
import { type Ledger, billingExpiry, releaseDueHolds } from '../billing/index.ts';
import { cacheExpiry } from '../cache/index.ts';
import { eventExpiry } from '../events/index.ts';
import { type Repeated, every, runCounted } from '../platform/every.ts';
import type { AppContext } from './context.ts';
import { incidentExpiry } from '../incidents/index.ts';
import { qualityExpiry } from '../quality/index.ts';
import { endClaims, logPartitions, requestExpiry } from '../requests/index.ts';
import { logKeptMs } from '../settings/index.ts';
import type { Expiring } from '../store/index.ts';
import { freedPages } from '../store/opening.ts';

type Store = Pick<AppContext, 'database' | 'clock' | 'log'>;
type Retention = Store & { settings: Parameters<Exclude<Expiring['keptMs'], number>>[0] };

const everyMs = 5000;
const tidyEveryMs = 10 * minuteMs;
/** Partitions are created long before they are needed. */
const partitionsEveryMs = minuteMs;
/** A step of this size takes a few milliseconds. */
const stepRows = 200;

/** Runs until it is stopped. Several gateways on one store may do this at the same time. */
export function startRetention(context: Retention): Omit<Repeated, 'runNow'> {
  const stopped = new AbortController();
  const dueAt: Map<string, number> = new Map(expiringRows.map(({ kind }) => [kind, 0]));
  const rounds = [
    every(everyMs, {
      name: 'retention',
      work: () => deleteExpired(context, stopped.signal, dueAt),
      onError: (error) =>
        context.log.warn(
          { err: error },
          'deleting expired rows failed; the next round tries again',
        ),
    }),
    every(partitionsEveryMs, {
      name: 'log_partitions',
      work: () => makePartitions(context),
      onError: (error) =>
        context.log.warn({ err: error }, 'the request log has no new partition yet'),
    }),
  ];
  return {
    stop: () => {
      for (const round of rounds) round.stop();
      stopped.abort();
    },
    ended: Promise.all(rounds.map(({ ended }) => ended)).then(() => undefined),
  };
}

/** Runs once before the first request, and then periodically. */
export async function makePartitions(
  { database, clock, settings, log }: Retention,
  maxRestBytes?: number,
): Promise<void> {
  await logPartitions.make(database, { now: clock.now().getTime(), keptMs: logKeptMs(settings) });
  const megabytes = await logPartitions.tooLargeRest(database, maxRestBytes);
  if (megabytes === undefined) return;
  log.warn(
    { megabytes },
    'the default partition of the request log is too large for new partitions to be made',
  );
}

const expiringRows: readonly Expiring[] = [
  ...requestExpiry,
  ...accountExpiry,
  ...eventExpiry,
  ...cacheExpiry,
  ...qualityExpiry,
  ...billingExpiry,
  ...auditExpiry,
  ...incidentExpiry,
  freedPages,
];

/**
 * Each kind of rows has a pause of its own, and none while much of it expires. A kind that fails does
 * not stop the others; the error at the end names it.
 */
export async function deleteExpired(
  context: Retention,
  stopped?: AbortSignal,
  dueAt = new Map<string, number>(),
): Promise<void> {
  const { database, clock, settings } = context;
  const failures: { kind: string; error: unknown }[] = [];
  const now = clock.now().getTime();
  for (const { kind, step, keptMs: maxAgeMs, rows = stepRows } of expiringRows) {
    if (clock.ticks() < (dueAt.get(kind) ?? 0)) continue;
    const keptMs = typeof maxAgeMs === 'number' ? maxAgeMs : maxAgeMs(settings);
    const steps = await runCounted({
      name: `retention_${kind}`,
      work: () => repeat(context, () => step(database, { now, keptMs }, rows), stopped, rows),
      onError: (error) => failures.push({ kind, error }),
    });
    if (stopped?.aborted) return;
    // Rows stay at most a hundredth longer than they are kept for.
    const pauseMs = Math.min(tidyEveryMs, Math.max(everyMs, keptMs / 100));
    dueAt.set(kind, steps === 1 ? clock.ticks() + pauseMs : 0);
  }
  const [first] = failures;
  if (!first) return;
  const kinds = failures.map(({ kind }) => kind).join(', ');
  throw new Error(`rows could not be deleted: ${kinds}`, { cause: first.error });
}

/**
 * Repeats until a step finds fewer rows than it may delete, and returns how many steps there were.
 * Pauses after each step for as long as the step took, so that a busy store gets longer pauses.
 */
async function repeat(
  { clock }: Pick<Store, 'clock'>,
  step: () => Promise<number>,
  stopped: AbortSignal | undefined,
  rows: number,
): Promise<number> {
  for (let steps = 1; !stopped?.aborted; steps += 1) {
    const began = clock.ticks();
    if ((await step()) < rows) return steps;
    await clock.sleep(clock.ticks() - began, stopped).catch(() => undefined);
  }
  return 0;
}

type Holds = Store & { ledger: Pick<Ledger, 'expire' | 'release'> };

const maxRows = 500;

/** Runs until it is stopped. Several gateways on one store may sweep at the same time. */
export function startSweeping(context: Holds): Repeated {
  return every(everyMs, {
    name: 'due_holds',
    work: () => sweep(context),
    onError: (error) =>
      context.log.warn({ err: error }, 'sweeping failed; the next round tries again'),
  });
}

export async function sweep(context: Holds): Promise<void> {
  const now = context.clock.now().getTime();
  context.ledger.expire(now);
  await releaseDueHolds(context, now, maxRows);
}

/** Only for a store that belongs to one process: when it starts, no request can be in progress. */
export async function sweepAtStart(context: Holds): Promise<void> {
  while ((await releaseDueHolds(context, Number.MAX_SAFE_INTEGER, maxRows)) === maxRows);
  await endClaims(context.database);
}
