// A worker for rows that are due. It claims them under a lease, works on them in parallel, renews
// the leases, and returns unfinished rows when it stops.
import type { Clock } from './clock.ts';
import { every } from './every.ts';
import { happens } from './fault-points.ts';
import type { Log } from './log.ts';

interface LeasedWork<Row> {
  /** The name of the rows, in the log and in the metrics. */
  name: string;
  clock: Clock;
  log: Log;
  /** How many rows the worker holds at once. */
  atOnce: number;
  /** The longest pause while no row is due, because another gateway may have added one. */
  maxIdleMs: number;
  /** Frees rows that an earlier process held, if the store belongs to this process. */
  dropLeases: (() => Promise<void>) | undefined;
  /** When the next row is due, leased or not. Undefined if there is none. */
  findNextDue: () => Promise<number | undefined>;
  /** `hasMore` means that the next claim need not wait. */
  claim: (
    free: number,
    held: readonly Row[],
  ) => Promise<{ rows: readonly Row[]; hasMore: boolean }>;
  run: (row: Row) => Promise<void>;
  /** True if finishing a row lets other rows be claimed. */
  wakesAtEnd: boolean;
  /** Absent if a lease is longer than the work. */
  renew?: { everyMs: number; leases: (ids: readonly string[]) => Promise<unknown> };
  returnLeases: (ids: readonly string[]) => Promise<unknown>;
}

/** Rows that become due within this time are claimed together. */
const gatherMs = 5;
/** The pause while rows are due but cannot be claimed, because they are leased or behind others. */
const idleMs = 200;
/**
 * If many rows wait, claims are slow. After a slow claim the worker pauses as long as the claim
 * took.
 */
const slowClaimMs = 10;
const pauseAfterErrorMs = 1000;
const stopTimeoutMs = 2000;

export function startLeaseWorker<Row extends { id: string }>(work: LeasedWork<Row>) {
  const { name, clock, log, atOnce, maxIdleMs, renew } = work;
  const held = new Map<string, { row: Row; running: Promise<void> }>();
  let isClean = work.dropLeases === undefined;
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);
  const begin = (row: Row) => {
    const running = work
      .run(row)
      .catch((error: unknown) => log.warn({ err: error, id: row.id }, `work on ${name} failed`))
      .finally(() => {
        held.delete(row.id);
        if (work.wakesAtEnd || held.size === atOnce - 1) claiming.runNow();
      });
    held.set(row.id, { row, running });
  };
  const claim = async () => {
    const began = clock.ticks();
    const rows = [...held.values()].map(({ row }) => row);
    const claimed = await work.claim(atOnce - held.size, rows);
    if (happens('claim_slow')) await clock.sleep(slowClaimMs * 2);
    for (const row of claimed.rows) begin(row);
    const tookMs = clock.ticks() - began;
    if (tookMs > slowClaimMs) await clock.sleep(Math.min(tookMs, maxIdleMs));
    return claimed.hasMore;
  };
  const round = async () => {
    if (!isClean) await work.dropLeases?.();
    isClean = true;
    if (held.size >= atOnce) return { pauseMs: maxIdleMs };
    const waitMs = ((await work.findNextDue()) ?? Infinity) - clock.now().getTime();
    const hasMore = waitMs <= 0 && (await claim());
    return { pauseMs: hasMore ? 0 : Math.min(Math.max(idleMs, waitMs), maxIdleMs) };
  };
  const claiming = every(pauseAfterErrorMs, {
    name,
    work: round,
    onError: warn(`${name} could not be claimed`),
    startsNow: true,
    gatherMs,
  });
  const renewing =
    renew &&
    every(renew.everyMs, {
      name: `${name}_leases`,
      work: async () => {
        if (held.size === 0 || happens('renewal_missed')) return;
        await renew.leases([...held.keys()]);
      },
      onError: warn(`leases of ${name} could not be renewed`),
    });
  /** Stops claiming. Work in progress continues, and its leases are renewed. */
  const pause = async () => {
    claiming.stop();
    await claiming.ended;
  };
  return {
    /** Call it when a row may be due. */
    nudge: claiming.runNow,
    pause,
    /** Stops claiming, waits briefly for work in progress, and returns the remaining leases. */
    stop: async () => {
      await pause();
      const all = [...held.values()].map(({ running }) => running);
      await Promise.race([Promise.all(all), clock.sleep(stopTimeoutMs)]);
      renewing?.stop();
      if (held.size > 0) await work.returnLeases([...held.keys()]);
    },
  };
}
