// The allowances of this gateway, on PostgreSQL. Several gateways spend from one account without
// locking its row for each request: each takes a part of the free money and holds against that part
// in memory. An allowance is returned if it is not used or another gateway needs it.
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

export interface Allowances {
  /** Notes a plain request, and asks for more money in the background if the allowance runs low. */
  noteHold: (accountId: string, amount: number) => void;
  /** Notes that a settlement was journaled. */
  noteSpent: (accountId: string, amount: number) => void;
  /** Notes that a settlement may or may not have been journaled. */
  noteUncertain: (accountId: string) => void;
  /** Gets back money that other gateways do not use. False if there was none. */
  recallAll: (accountId: string) => Promise<boolean>;
  /** Answers recalls, and returns unused money. */
  returnUnused: () => Promise<void>;
  /** Returns everything. */
  closeAll: () => Promise<void>;
  /**
   * Called when this gateway was removed: statements that are still running must not offer money to
   * requests.
   */
  retire: () => void;
  /** For the audit: the granted and the spent amount, by account. */
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

/** An allowance as it is known in memory. Both sums are counted from when its row was created. */
interface Allowance extends SpendingRate {
  granted: number;
  spent: number;
  /** Undefined before the first grant. */
  version: number | undefined;
  /** The row may differ from memory, so the allowance can only be closed. */
  uncertain: boolean;
  /** A statement about it is running. */
  busy: boolean;
  heldAt: number;
  /** No grant is requested before this time. */
  askAgainAt: number;
}

interface State extends AllowanceDependencies {
  known: Map<string, Allowance>;
  lastVersion: number;
  isRetired: boolean;
}

const idleMs = 2000;
const secondMs = 1000;
const refusedPauseMs = 1000;
const closeLimitMs = 2000;

export function makeAllowances(dependencies: AllowanceDependencies): Allowances {
  const state: State = { ...dependencies, known: new Map(), lastVersion: 0, isRetired: false };
  const { known, clock } = state;
  return {
    noteHold: (accountId, amount) => noteHold(state, accountId, amount),
    noteSpent: (accountId, amount) => {
      const one = known.get(accountId);
      if (!one) return;
      one.spent += amount;
      offer(state, accountId, one);
      addSpending(one, amount, clock.ticks());
    },
    noteUncertain: (accountId) => {
      const one = known.get(accountId);
      if (!one) return;
      one.uncertain = true;
      offer(state, accountId, one);
    },
    recallAll: (accountId) => recallAll(state, accountId),
    returnUnused: () => (known.size === 0 ? Promise.resolve() : returnUnused(state)),
    closeAll: () => closeAll(state),
    retire: () => {
      state.isRetired = true;
      for (const id of known.keys()) state.reservations.setAvailable(id, undefined);
      known.clear();
    },
    inspect: () => new Map(known),
  };
}

/** Waits for a running grant, because it would leave an allowance behind. */
async function closeAll(state: State): Promise<void> {
  const { known, clock } = state;
  const isEmpty = async () => {
    for (const one of known.values()) one.heldAt = -Infinity;
    await returnUnused(state);
    return known.size === 0;
  };
  await poll(isEmpty, clock, clock.ticks() + closeLimitMs);
}

/** Only a frequent caller gets an allowance. */
function noteHold(state: State, accountId: string, amount: number): void {
  const now = state.clock.ticks();
  const one = state.known.get(accountId);
  if (!one) {
    state.known.set(accountId, newAllowance(now));
    return;
  }
  const frequent = now - one.heldAt < secondMs;
  one.heldAt = now;
  if (!frequent || one.busy || one.uncertain || now < one.askAgainAt) return;
  const reserved = state.reservations.sumOf(accountId);
  const wanted = wantedAllowance({ per_second: one.perSecond, reserved, hold: amount });
  const free = one.granted - one.spent - reserved;
  if (free > wanted / 2) return;
  void change(state, accountId, one, () => refill(state, accountId, one, wanted - free));
}

async function refill(
  state: State,
  accountId: string,
  one: Allowance,
  asked: number,
): Promise<void> {
  const row = await state.database.transaction((tx) =>
    grant(tx, {
      account_id: accountId,
      gateway_id: state.gatewayId,
      version: one.version,
      next_version: nextVersion(state),
      decide: (free) => sizeOfGrant(free, asked, state.countGateways()),
    }),
  );
  if (row) Object.assign(one, { granted: row.granted, version: row.version });
  else one.askAgainAt = state.clock.ticks() + refusedPauseMs;
  offer(state, accountId, one);
}

async function recallAll(state: State, accountId: string): Promise<boolean> {
  const { database, clock, gatewayId } = state;
  if (!(await hasAllowances(database, accountId))) return false;
  const ref = { account_id: accountId, gateway_id: gatewayId };
  await database.transaction((tx) => recall(tx, ref));
  const returnOwn = async () => {
    const rows = await findAllowances(database, gatewayId);
    const own = rows.find((row) => row.account_id === accountId);
    return giveBack(state, accountId, own);
  };
  const isReturned = async () => (await returnOwn()) && (await countRecalled(database, ref)) === 0;
  await poll(isReturned, clock, clock.ticks() + recallLimitMs);
  return true;
}

async function returnUnused(state: State): Promise<void> {
  const rows = await findAllowances(state.database, state.gatewayId);
  const byAccount = new Map(rows.map((row) => [row.account_id, row]));
  const now = state.clock.ticks();
  for (const id of new Set([...state.known.keys(), ...byAccount.keys()])) {
    const [one, row] = [state.known.get(id), byAccount.get(id)];
    const isIdle = !one || one.uncertain || now - one.heldAt > idleMs;
    if (isIdle || row?.recalled) await giveBack(state, id, row);
  }
}

/**
 * Returns money that no request uses: all of it and the row, or everything except the holds of
 * running requests. False if another statement about the allowance is running.
 */
async function giveBack(
  state: State,
  accountId: string,
  row: AllowanceRow | undefined,
): Promise<boolean> {
  const unknown = { ...newAllowance(state.clock.ticks()), uncertain: true };
  const one = state.known.get(accountId) ?? unknown;
  if (one.busy) return false;
  const used = state.reservations.sumOf(accountId);
  if (row === undefined) {
    if (used === 0) forget(state, accountId);
    return true;
  }
  if (used > 0 && one.uncertain) return true;
  return change(state, accountId, one, () =>
    used > 0 ? shrinkTo(state, accountId, one, used) : close(state, accountId, one, row.version),
  );
}

async function shrinkTo(
  state: State,
  accountId: string,
  one: Allowance,
  used: number,
): Promise<void> {
  const { version } = one;
  if (version === undefined) throw new Error(`the allowance of ${accountId} has no version`);
  one.granted = Math.min(one.granted, one.spent + used);
  offer(state, accountId, one);
  const next = nextVersion(state);
  const shrunk = await state.database.transaction((tx) =>
    shrink(tx, {
      account_id: accountId,
      gateway_id: state.gatewayId,
      version,
      next_version: next,
      granted: one.granted,
    }),
  );
  if (shrunk) one.version = next;
  else one.uncertain = true;
}

async function close(
  state: State,
  accountId: string,
  one: Allowance,
  version: number,
): Promise<void> {
  // No request may use the allowance while it is being closed.
  state.reservations.setAvailable(accountId, undefined);
  await state.bookAll();
  const ref = { account_id: accountId, gateway_id: state.gatewayId, version };
  const closed = await state.database.transaction((tx) => closeAllowance(tx, ref));
  if (closed) forget(state, accountId);
  else one.uncertain = true;
}

/** Runs one statement at a time for each account. After a failure the row is uncertain. */
async function change(
  state: State,
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
    offer(state, accountId, one);
    state.log.warn({ err: error, account_id: accountId }, 'an allowance could not be changed');
  } finally {
    one.busy = false;
  }
  return true;
}

function offer(
  { reservations, isRetired }: State,
  accountId: string,
  { granted, spent, uncertain }: Allowance,
): void {
  if (isRetired) return;
  reservations.setAvailable(accountId, uncertain ? undefined : granted - spent);
}

function nextVersion(state: State): number {
  state.lastVersion += 1;
  return state.lastVersion;
}

function forget({ known, reservations }: State, accountId: string): void {
  known.delete(accountId);
  reservations.setAvailable(accountId, undefined);
}

function newAllowance(now: number): Allowance {
  return {
    granted: 0,
    spent: 0,
    version: undefined,
    uncertain: false,
    busy: false,
    heldAt: now,
    askAgainAt: 0,
    second: { from: now, spent: 0 },
    perSecond: 0,
  };
}

/** What was spent in the last full second, and since then. */
interface SpendingRate {
  perSecond: number;
  second: { from: number; spent: number };
}

interface Spending {
  /** What was spent in the last second. */
  per_second: number;
  /** What running requests hold. */
  reserved: number;
  /** The latest hold. */
  hold: number;
}

const leastHolds = 32;
const secondsCovered = 2;
/** The account must be able to grant this many times as much to every gateway. */
const reserveFactor = 4;

function wantedAllowance({ per_second, reserved, hold }: Spending): number {
  return Math.ceil(Math.max(secondsCovered * (per_second + reserved), leastHolds * hold));
}

/** When little is free nothing is granted, so that every hold is decided on the account's row. */
function sizeOfGrant(free: number, asked: number, gateways: number): number {
  return free < reserveFactor * asked * Math.max(1, gateways) ? 0 : asked;
}

function addSpending(rate: SpendingRate, amount: number, now: number): void {
  rate.second.spent += amount;
  const elapsedMs = now - rate.second.from;
  if (elapsedMs < secondMs) return;
  rate.perSecond = (rate.second.spent * secondMs) / elapsedMs;
  rate.second = { from: now, spent: 0 };
}
