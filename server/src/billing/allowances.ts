// The allowances of this gateway, on PostgreSQL. Several gateways spend from one account without
// locking its row for each request: each takes a part of the free money, and holds against it in
// memory. An allowance that is not used, or that another gateway needs, is returned.
import { sizeOfGrant, wantedAllowance } from './core/allowance-size.ts';
import type { Reservations } from './core/reservations.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../store/database.ts';
import {
  closeAllowance,
  countRecalled,
  findAllowances,
  grant,
  hasAllowances,
  recall,
  shrink,
} from './store/allowances.ts';
import type { AllowanceRow } from './store/allowances.ts';

export interface Allowances {
  /** Notes a plain request, and asks for more money in the background when it runs low. */
  noteHold: (accountId: string, amount: number) => void;
  /** Notes that a settlement was journaled. */
  noteSpent: (accountId: string, amount: number) => void;
  /** It is not known whether a settlement was journaled. */
  noteUncertain: (accountId: string) => void;
  /** Gets back what other gateways do not use. False when there was nothing to get back. */
  recallAll: (accountId: string) => Promise<boolean>;
  /** Answers recalls, and returns what is not used. */
  tend: () => Promise<void>;
  /** Returns everything. */
  closeAll: () => Promise<void>;
  /** For the audit: what is granted and spent, by account. */
  inspect: () => Map<string, { granted: number; spent: number }>;
}

interface AllowanceDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  reservations: Reservations;
  gatewayId: string;
  /** How many gateways run. */
  countGateways: () => number;
  bookAll: () => Promise<void>;
}

/** An allowance as memory knows it. Both sums count since its row was made. */
interface Allowance {
  granted: number;
  spent: number;
  /** Undefined before the first grant. */
  version: number | undefined;
  /** Its row may differ from memory, so it is only closed. */
  uncertain: boolean;
  /** A statement about it is running. */
  busy: boolean;
  heldAt: number;
  hold: number;
  /** No grant is asked for before this time. */
  askAgainAt: number;
  second: { from: number; spent: number };
  perSecond: number;
}

const idleMs = 2000;
const secondMs = 1000;
const refusedPauseMs = 1000;
const recallPollMs = 20;
/** Longer than it takes to notice that a gateway is dead. */
const recallLimitMs = 12_000;

export function makeAllowances(dependencies: AllowanceDependencies): Allowances {
  const { clock, log, reservations } = dependencies;
  const known = new Map<string, Allowance>();
  let lastVersion = 0;
  const nextVersion = () => (lastVersion += 1);

  const offer = (accountId: string, { granted, spent, uncertain }: Allowance) => {
    reservations.setAvailable(accountId, uncertain ? undefined : granted - spent);
  };
  const refill = async (accountId: string, one: Allowance, wanted: number) => {
    const free = one.granted - one.spent - reservations.sumOf(accountId);
    const asked = wanted - Math.max(0, free);
    const row = await dependencies.database.transaction((tx) =>
      grant(tx, {
        account_id: accountId,
        gateway_id: dependencies.gatewayId,
        version: one.version,
        next_version: nextVersion(),
        decide: (left) => sizeOfGrant(left, asked, dependencies.countGateways()),
      }),
    );
    if (row === undefined) one.askAgainAt = clock.ticks() + refusedPauseMs;
    else {
      one.granted = row.granted;
      one.version = row.version;
    }
    offer(accountId, one);
  };
  /** One statement at a time for each account; after a failure its row is in doubt. */
  const change = async (accountId: string, one: Allowance, work: () => Promise<void>) => {
    if (one.busy) return false;
    one.busy = true;
    try {
      await work();
      return true;
    } catch (error) {
      one.uncertain = true;
      offer(accountId, one);
      log.warn({ err: error, account_id: accountId }, 'an allowance could not be changed');
      return true;
    } finally {
      one.busy = false;
    }
  };
  const tendOne = (accountId: string, row: AllowanceRow | undefined) =>
    tend(dependencies, known, { accountId, row, offer, change, nextVersion });

  const tendAll = async (ending: boolean) => {
    if (known.size === 0 && !ending) return;
    const rows = await findAllowances(dependencies.database, dependencies.gatewayId);
    const byAccount = new Map(rows.map((row) => [row.account_id, row]));
    const ids = new Set([...known.keys(), ...byAccount.keys()]);
    const now = clock.ticks();
    for (const id of ids) {
      const one = known.get(id);
      if (ending && one) one.heldAt = -Infinity;
      const idle = !one || one.uncertain || now - one.heldAt > idleMs;
      if (idle || byAccount.get(id)?.recalled) await tendOne(id, byAccount.get(id));
    }
  };

  return {
    noteHold: (accountId, amount) => {
      const now = clock.ticks();
      const one = known.get(accountId);
      if (!one) {
        known.set(accountId, newAllowance(now, amount));
        return;
      }
      const frequent = now - one.heldAt < secondMs;
      one.heldAt = now;
      one.hold = amount;
      if (!frequent || one.busy || one.uncertain || now < one.askAgainAt) return;
      const reserved = reservations.sumOf(accountId);
      const wanted = wantedAllowance({ per_second: one.perSecond, reserved, hold: amount });
      if (one.granted - one.spent - reserved > wanted / 2) return;
      void change(accountId, one, () => refill(accountId, one, wanted));
    },
    noteSpent: (accountId, amount) => {
      const one = known.get(accountId);
      if (!one) return;
      one.spent += amount;
      offer(accountId, one);
      measure(one, amount, clock.ticks());
    },
    noteUncertain: (accountId) => {
      const one = known.get(accountId);
      if (!one) return;
      one.uncertain = true;
      offer(accountId, one);
    },
    recallAll: async (accountId) => {
      const { database, gatewayId } = dependencies;
      if (!(await hasAllowances(database, accountId))) return false;
      const ref = { account_id: accountId, gateway_id: gatewayId };
      await database.transaction((tx) => recall(tx, ref));
      const giveUpAt = clock.ticks() + recallLimitMs;
      const returnOwn = async () => {
        const rows = await findAllowances(database, gatewayId);
        return tendOne(
          accountId,
          rows.find((row) => row.account_id === accountId),
        );
      };
      const isReturned = async () =>
        (await returnOwn()) && (await countRecalled(database, ref)) === 0;
      while (!(await isReturned()) && clock.ticks() < giveUpAt) await clock.sleep(recallPollMs);
      return true;
    },
    tend: () => tendAll(false),
    closeAll: () => tendAll(true),
    inspect: () => new Map(known),
  };
}

interface Tending {
  accountId: string;
  row: AllowanceRow | undefined;
  offer: (accountId: string, one: Allowance) => void;
  /** False when another statement about it is running. */
  change: (accountId: string, one: Allowance, work: () => Promise<void>) => Promise<boolean>;
  nextVersion: () => number;
}

/**
 * Returns what no request uses: all of it and the row, or all but what running requests hold. False
 * when another statement about it is running.
 */
async function tend(
  { database, clock, reservations, gatewayId, bookAll }: AllowanceDependencies,
  known: Map<string, Allowance>,
  { accountId, row, offer, change, nextVersion }: Tending,
): Promise<boolean> {
  const one = known.get(accountId) ?? { ...newAllowance(clock.ticks(), 0), uncertain: true };
  if (row === undefined) {
    if (!one.busy && reservations.sumOf(accountId) === 0) forget(known, reservations, accountId);
    return !one.busy;
  }
  const ref = { account_id: accountId, gateway_id: gatewayId };
  return change(accountId, one, async () => {
    const used = reservations.sumOf(accountId);
    if (used > 0 && one.uncertain) return;
    if (used > 0) {
      one.granted = Math.min(one.granted, one.spent + used);
      offer(accountId, one);
      const version = one.version ?? row.version;
      const next = nextVersion();
      const shrunk = await database.transaction((tx) =>
        shrink(tx, { ...ref, version, next_version: next, granted: one.granted }),
      );
      if (shrunk) one.version = next;
      else one.uncertain = true;
      return;
    }
    // No request may use it while it is closed.
    reservations.setAvailable(accountId, undefined);
    await bookAll();
    const closed = await database.transaction((tx) =>
      closeAllowance(tx, { ...ref, version: row.version }),
    );
    if (closed) forget(known, reservations, accountId);
    else one.uncertain = true;
  });
}

function forget(
  known: Map<string, Allowance>,
  reservations: Reservations,
  accountId: string,
): void {
  known.delete(accountId);
  reservations.setAvailable(accountId, undefined);
}

function measure(one: Allowance, amount: number, now: number): void {
  one.second.spent += amount;
  const elapsedMs = now - one.second.from;
  if (elapsedMs < secondMs) return;
  one.perSecond = (one.second.spent * secondMs) / elapsedMs;
  one.second = { from: now, spent: 0 };
}

function newAllowance(now: number, hold: number): Allowance {
  return {
    granted: 0,
    spent: 0,
    version: undefined,
    uncertain: false,
    busy: false,
    heldAt: now,
    hold,
    askAgainAt: 0,
    second: { from: now, spent: 0 },
    perSecond: 0,
  };
}
