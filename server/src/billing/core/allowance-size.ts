// How much of an account's money a gateway asks for, and how much the account grants.

/** What was spent in the last full second, and since then. */
export interface SpendingRate {
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

export function wantedAllowance({ per_second, reserved, hold }: Spending): number {
  return Math.ceil(Math.max(secondsCovered * (per_second + reserved), leastHolds * hold));
}

/** When little is free nothing is granted, so that every hold is decided on the account's row. */
export function sizeOfGrant(free: number, asked: number, gateways: number): number {
  return free < reserveFactor * asked * Math.max(1, gateways) ? 0 : asked;
}

const secondMs = 1000;

export function addSpending(rate: SpendingRate, amount: number, now: number): void {
  rate.second.spent += amount;
  const elapsedMs = now - rate.second.from;
  if (elapsedMs < secondMs) return;
  rate.perSecond = (rate.second.spent * secondMs) / elapsedMs;
  rate.second = { from: now, spent: 0 };
}
