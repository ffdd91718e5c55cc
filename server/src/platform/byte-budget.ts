// Limits the memory of long texts in progress: provider answers being read, answers being written
// or waiting for their clients, cached and stored answers, and deliveries. All of them share one
// budget, and one account gets at most half of it.
import { type GatewayError, tryLater } from '@trivium/contract';
import { gaugeLimit } from './limit-gauges.ts';
import { machine } from './machine.ts';
import { roomMs } from './time-limits.ts';

interface HoldOptions {
  /** How long it may wait for room in total. `roomMs` if absent. */
  maxWaitMs?: number;
  /** How much memory one byte takes. 1 if absent. */
  weight?: number;
}

/** Whose limit is reached: the account's or the gateway's. */
type Whose = 'account' | 'gateway';

/** Shorter texts are not counted, because the number of requests limits them. */
export const uncountedBytes = 64 * 1024;
/**
 * How many answers may wait, for one account and in total. The runtime has read up to 3 MB of each.
 */
const maxWaitingOfAccount = 40;
const maxWaiting = 80;
/** How often the garbage collector runs while as much as the whole budget is released. */
const collectionsPerBudget = 4;

interface Counted {
  accountId: string;
  /** Its place among all that were opened. */
  order: number;
  bytes: number;
  /** How many callers of the account wait for room. */
  waiting: number;
  /** How long it may still wait. */
  leftMs: number;
  isClosed: boolean;
}

interface Waiter {
  counted: Counted;
  bytes: number;
  since: number;
  done: (hasRoom: boolean) => void;
}

interface State {
  maxBytes: number;
  ticks: () => number;
  used: number;
  byAccount: Map<string, number>;
  /** In order of arrival. */
  waiters: Set<Waiter>;
  opened: number;
  /** How many holds count something and are not waiting. Each of them will release its bytes. */
  busy: number;
  /** Bytes released since the garbage collector last ran. */
  freed: number;
  isDue: boolean;
}

export type ByteBudget = ReturnType<typeof makeByteBudget>;

export function makeByteBudget(maxBytes: number, ticks: () => number) {
  const state: State = {
    ...{ maxBytes, ticks, used: 0, byAccount: new Map(), waiters: new Set() },
    ...{ opened: 0, busy: 0, freed: 0, isDue: false },
  };
  gaugeLimit('long_texts', () => ({ running: state.busy, waiting: state.waiters.size }));
  return {
    /** Counts for one request or delivery. The caller must close it. */
    open: (accountId: string, options: HoldOptions = {}) => openHold(state, accountId, options),
    /** Set if so many answers wait for room that another one should not be requested. */
    isCrowded: (accountId: string): Whose | undefined => {
      const { waiters } = state;
      if (waiters.size === 0) return undefined;
      if (waiters.size >= maxWaiting) return 'gateway';
      const ofAccount = [...waiters].filter(({ counted }) => counted.accountId === accountId);
      return ofAccount.length >= maxWaitingOfAccount ? 'account' : undefined;
    },
    used: () => state.used,
  };
}

export type ByteHold = ReturnType<typeof openHold>;

function openHold(
  state: State,
  accountId: string,
  { maxWaitMs: leftMs = roomMs, weight = 1 }: HoldOptions,
) {
  const order = (state.opened += 1);
  const counted: Counted = { accountId, order, bytes: 0, waiting: 0, leftMs, isClosed: false };
  return {
    /** The bytes counted now. */
    bytes: () => counted.bytes / weight,
    /** Counts more, or returns why there is no room. For work that can be refused. */
    take: (size: number): Whose | undefined => {
      if (counted.isClosed) return undefined;
      const bytes = size * weight;
      const whose = over(state, counted, bytes);
      if (whose === undefined) count(state, counted, bytes);
      return whose;
    },
    /**
     * Counts more, and returns a promise while there is no room. False if it has waited too long. For
     * work that is paid for and must not be refused lightly.
     */
    grow: (size: number): true | Promise<boolean> => {
      if (counted.isClosed) return true;
      const bytes = size * weight;
      if (state.waiters.size > 0 || !fits(state, counted, bytes))
        return wait(state, counted, bytes);
      count(state, counted, bytes);
      return true;
    },
    /** Counts bytes that are already in memory. */
    add: (size: number) => {
      if (!counted.isClosed) count(state, counted, size * weight);
    },
    close: () => {
      if (counted.isClosed) return;
      counted.isClosed = true;
      if (counted.waiting > 0) {
        for (const waiter of state.waiters) {
          if (waiter.counted === counted) leave(state, waiter, false);
        }
      }
      if (counted.bytes === 0) return;
      state.freed += counted.bytes;
      count(state, counted, -counted.bytes);
      admitLater(state);
    },
  };
}

function isBusy({ bytes, waiting }: Counted): boolean {
  return bytes > 0 && waiting === 0;
}

function count(state: State, counted: Counted, bytes: number): void {
  const { byAccount } = state;
  const left = (byAccount.get(counted.accountId) ?? 0) + bytes;
  if (left > 0) byAccount.set(counted.accountId, left);
  else byAccount.delete(counted.accountId);
  state.used += bytes;
  const was = isBusy(counted);
  counted.bytes += bytes;
  state.busy += Number(isBusy(counted)) - Number(was);
}

function setWaiting(state: State, counted: Counted, by: 1 | -1): void {
  const was = isBusy(counted);
  counted.waiting += by;
  state.busy += Number(isBusy(counted)) - Number(was);
}

/** A text of any size is allowed if it is the only one, in total or of its account. */
function over(state: State, counted: Counted, bytes: number): Whose | undefined {
  const { used, maxBytes } = state;
  const ofAccount = state.byAccount.get(counted.accountId) ?? 0;
  if (ofAccount > counted.bytes && ofAccount + bytes > maxBytes / 2) return 'account';
  return used > counted.bytes && used + bytes > maxBytes ? 'gateway' : undefined;
}

/** Texts that have begun continue before new ones begin, whatever their account uses. */
function fits(state: State, counted: Counted, bytes: number): boolean {
  if (counted.bytes > 0) return state.used + bytes <= state.maxBytes;
  return over(state, counted, bytes) === undefined;
}

function wait(state: State, counted: Counted, bytes: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = machine.setTimeout(() => leave(state, waiter, false), counted.leftMs);
  const done = (hasRoom: boolean) => {
    machine.clearTimeout(timer);
    resolve(hasRoom);
  };
  const waiter: Waiter = { counted, bytes, since: state.ticks(), done };
  state.waiters.add(waiter);
  setWaiting(state, counted, 1);
  admit(state);
  return promise;
}

function leave(state: State, waiter: Waiter, hasRoom: boolean): void {
  const { counted, bytes, since, done } = waiter;
  state.waiters.delete(waiter);
  setWaiting(state, counted, -1);
  counted.leftMs -= state.ticks() - since;
  if (hasRoom) count(state, counted, bytes);
  done(hasRoom);
}

function admit(state: State): void {
  const firstOf = (isWanted: (waiter: Waiter) => boolean) => {
    for (const waiter of state.waiters) if (isWanted(waiter)) return waiter;
    return undefined;
  };
  const hasBegun = ({ counted }: Waiter) => counted.bytes > 0;
  const hasRoom = ({ counted, bytes }: Waiter) => fits(state, counted, bytes);
  for (;;) {
    const begun = firstOf((one) => hasBegun(one) && hasRoom(one));
    // If all texts that have begun wait for each other, the oldest continues, and no other one until
    // it has ended: in turns, each would take its whole memory.
    const stuck = begun ?? (state.busy === 0 ? oldestOf(state, hasBegun) : undefined);
    const next = stuck ?? (firstOf(hasBegun) ? undefined : firstOf(hasRoom));
    if (!next) return;
    leave(state, next, true);
  }
}

function oldestOf({ waiters }: State, isWanted: (waiter: Waiter) => boolean): Waiter | undefined {
  let oldest: Waiter | undefined;
  for (const one of waiters) {
    if (isWanted(one) && one.counted.order < (oldest?.counted.order ?? Infinity)) oldest = one;
  }
  return oldest;
}

/** In the next turn, when the answer is counted among those that clients read. */
function admitLater(state: State): void {
  if (state.isDue) return;
  state.isDue = true;
  void machine.nextTurn().then(() => {
    state.isDue = false;
    // The runtime's garbage collector would let several times the budget accumulate.
    if (state.freed >= state.maxBytes / collectionsPerBudget) {
      state.freed = 0;
      Bun.gc(true);
    }
    admit(state);
  });
}

/** For requests that have not been paid for yet: throws if there is not enough memory. */
export function takeRoom(room: ByteHold | undefined, bytes: number): void {
  const whose = bytes <= uncountedBytes ? undefined : room?.take(bytes);
  if (whose !== undefined) throw noRoom(whose);
}

/** For requests that may already be paid for: waits until there is room. */
export async function waitForRoom(room: ByteHold | undefined, bytes: number): Promise<void> {
  if (bytes > uncountedBytes && (await room?.grow(bytes)) === false) throw noRoom('gateway');
}

/** The message for a caller whose request is refused before it costs anything. */
export function noRoom(whose: Whose): GatewayError {
  const after = 'Try again in a few seconds, with fewer requests at once. Nothing was charged.';
  if (whose === 'account') {
    const message = `Too many long answers of this account are in progress. ${after}`;
    return tryLater('rate_limited', message, 2);
  }
  const message = `The gateway does not have enough memory for another long answer at the moment. ${after}`;
  return tryLater('provider_not_available', message, 2);
}
