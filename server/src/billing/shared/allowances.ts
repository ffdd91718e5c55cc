// The allowances of this gateway, on PostgreSQL: parts of the free money of accounts, against which
// it holds in memory without locking their rows. One that is not used or needed elsewhere is
// returned.
import type { Reservations } from '../core/reservations.ts';
import type { Clock } from '../../platform/clock.ts';
import { poll } from '../../platform/every.ts';
import type { Log } from '../../platform/log.ts';
import { recallLimitMs } from '../../platform/time-limits.ts';
import type { Database } from '../../store/index.ts';
import {
  type AllowanceRow,
  closeAllowance,
  countRecalled,
  findAllowances,
  grant,
  hasAllowances,
  recall,
  shrink,
} from '../store/allowances.ts';

interface AllowanceDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  reservations: Reservations;
  gatewayId: string;
  countGateways: () => number;
  bookAll: () => Promise<void>;
}

/** An allowance as it is known in memory. Both sums are counted from when its row was created. */
type Allowance = ReturnType<typeof newAllowance>;

const idleMs = 2000;
const secondMs = 1000;
const refusedPauseMs = 1000;
const closeLimitMs = 2000;

export type Allowances = ReturnType<typeof makeAllowances>;

export function makeAllowances(dependencies: AllowanceDependencies) {
  const { database, clock, log, reservations, gatewayId, countGateways, bookAll } = dependencies;
  const known = new Map<string, Allowance>();
  let lastVersion = 0;
  let isRetired = false;
  const refOf = (accountId: string) => ({ account_id: accountId, gateway_id: gatewayId });

  async function refill(accountId: string, one: Allowance, asked: number): Promise<void> {
    const row = await database.transaction((tx) =>
      grant(tx, refOf(accountId), [one.version, nextVersion()], (free) =>
        sizeOfGrant(free, asked, countGateways()),
      ),
    );
    if (row) Object.assign(one, { granted: row.granted, version: row.version });
    else one.askAgainAt = clock.ticks() + refusedPauseMs;
    offer(accountId, one);
  }

  async function giveBackIdle(): Promise<void> {
    const rows = await findAllowances(database, gatewayId);
    const byAccount = new Map(rows.map((row) => [row.account_id, row]));
    const now = clock.ticks();
    for (const id of new Set([...known.keys(), ...byAccount.keys()])) {
      const [one, row] = [known.get(id), byAccount.get(id)];
      const isIdle = !one || one.uncertain || now - one.heldAt > idleMs;
      if (isIdle || row?.recalled) await giveBack(id, row);
    }
  }

  /**
   * Returns money that no request uses: all of it and the row, or everything except the holds of
   * running requests. False if another statement about the allowance is running.
   */
  async function giveBack(accountId: string, row: AllowanceRow | undefined): Promise<boolean> {
    const unknown = { ...newAllowance(clock.ticks()), uncertain: true };
    const one = known.get(accountId) ?? unknown;
    if (one.busy) return false;
    const used = reservations.sumOf(accountId);
    if (row === undefined) {
      if (used === 0) forget(accountId);
      return true;
    }
    if (used > 0 && one.uncertain) return true;
    return alone(accountId, one, () =>
      used > 0 ? shrinkTo(accountId, one, used) : close(accountId, one, row.version),
    );
  }

  async function shrinkTo(accountId: string, one: Allowance, used: number): Promise<void> {
    const { version } = one;
    if (version === undefined) throw new Error(`the allowance of ${accountId} has no version`);
    one.granted = Math.min(one.granted, one.spent + used);
    offer(accountId, one);
    const next = nextVersion();
    const isShrunk = await database.transaction((tx) =>
      shrink(tx, refOf(accountId), [version, next], one.granted),
    );
    if (isShrunk) one.version = next;
    else one.uncertain = true;
  }

  async function close(accountId: string, one: Allowance, version: number): Promise<void> {
    // No request may use the allowance while it is being closed.
    reservations.setAvailable(accountId, undefined);
    await bookAll();
    const ref = { ...refOf(accountId), version };
    if (await database.transaction((tx) => closeAllowance(tx, ref))) forget(accountId);
    else one.uncertain = true;
  }

  /** Runs one statement at a time for each account. After a failure the row is uncertain. */
  async function alone(
    accountId: string,
    one: Allowance,
    work: () => Promise<void>,
  ): Promise<boolean> {
    if (one.busy) return false;
    one.busy = true;
    try {
      await work();
    } catch (error) {
      one.uncertain = true;
      offer(accountId, one);
      log.warn({ err: error, account_id: accountId }, 'an allowance could not be changed');
    } finally {
      one.busy = false;
    }
    return true;
  }

  function offer(accountId: string, { granted, spent, uncertain }: Allowance): void {
    if (isRetired) return;
    reservations.setAvailable(accountId, uncertain ? undefined : granted - spent);
  }

  function nextVersion(): number {
    lastVersion += 1;
    return lastVersion;
  }

  function forget(accountId: string): void {
    known.delete(accountId);
    reservations.setAvailable(accountId, undefined);
  }

  return {
    /** Notes a plain request. Asks for more if the allowance of a frequent caller runs low. */
    noteHold(accountId: string, amount: number): void {
      const now = clock.ticks();
      const one = known.get(accountId);
      if (!one) {
        known.set(accountId, newAllowance(now));
        return;
      }
      const frequent = now - one.heldAt < secondMs;
      one.heldAt = now;
      if (!frequent || one.busy || one.uncertain || now < one.askAgainAt) return;
      const reserved = reservations.sumOf(accountId);
      const wanted = wantedAllowance(one.perSecond, reserved, amount);
      const free = one.granted - one.spent - reserved;
      if (free > wanted / 2) return;
      void alone(accountId, one, () => refill(accountId, one, wanted - free));
    },
    noteSpent(accountId: string, amount: number): void {
      const one = known.get(accountId);
      if (!one) return;
      one.spent += amount;
      offer(accountId, one);
      addSpending(one, amount, clock.ticks());
    },
    /** Notes that a settlement may or may not have been journaled. */
    noteUncertain(accountId: string): void {
      const one = known.get(accountId);
      if (!one) return;
      one.uncertain = true;
      offer(accountId, one);
    },
    /** Gets back money that other gateways do not use. False if there was none. */
    async recallAll(accountId: string): Promise<boolean> {
      if (!(await hasAllowances(database, accountId))) return false;
      const ref = refOf(accountId);
      await database.transaction((tx) => recall(tx, ref));
      const returnOwn = async () => {
        const rows = await findAllowances(database, gatewayId);
        const own = rows.find((row) => row.account_id === accountId);
        return giveBack(accountId, own);
      };
      const isReturned = async () =>
        (await returnOwn()) && (await countRecalled(database, ref)) === 0;
      await poll(isReturned, clock, clock.ticks() + recallLimitMs);
      return true;
    },
    /** Answers recalls, and returns unused money. */
    async returnUnused(): Promise<void> {
      if (known.size > 0) await giveBackIdle();
    },
    /** Returns everything. Waits for a running grant, because it would leave an allowance behind. */
    async closeAll(): Promise<void> {
      const isEmpty = async () => {
        for (const one of known.values()) one.heldAt = -Infinity;
        await giveBackIdle();
        return known.size === 0;
      };
      await poll(isEmpty, clock, clock.ticks() + closeLimitMs);
    },
    /** This gateway was removed: statements that still run must not offer money to requests. */
    retire(): void {
      isRetired = true;
      for (const id of known.keys()) reservations.setAvailable(id, undefined);
      known.clear();
    },
    /** For the audit: the granted and the spent amount, by account. */
    inspect(): Map<string, { granted: number; spent: number }> {
      return new Map(known);
    },
  };
}

function newAllowance(now: number) {
  return {
    granted: 0,
    spent: 0,
    /** Undefined before the first grant. */
    version: undefined as number | undefined,
    /** The row may differ from memory, so the allowance can only be closed. */
    uncertain: false,
    /** A statement about it is running. */
    busy: false,
    heldAt: now,
    /** No grant is requested before this time. */
    askAgainAt: 0,
    /** What was spent in the last full second, and since then. */
    perSecond: 0,
    second: { from: now, spent: 0 },
  };
}

const leastHolds = 32;
const secondsCovered = 2;
/** The account must be able to grant this many times as much to every gateway. */
const reserveFactor = 4;

/** Given what was spent in the last second, what running requests hold, and the latest hold. */
function wantedAllowance(perSecond: number, reserved: number, hold: number): number {
  return Math.ceil(Math.max(secondsCovered * (perSecond + reserved), leastHolds * hold));
}

/** When little is free nothing is granted, so that every hold is decided on the account's row. */
function sizeOfGrant(free: number, asked: number, gateways: number): number {
  return free < reserveFactor * asked * Math.max(1, gateways) ? 0 : asked;
}

function addSpending(one: Allowance, amount: number, now: number): void {
  one.second.spent += amount;
  const elapsedMs = now - one.second.from;
  if (elapsedMs < secondMs) return;
  one.perSecond = (one.second.spent * secondMs) / elapsedMs;
  one.second = { from: now, spent: 0 };
}
