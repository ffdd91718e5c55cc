// Decides which spending caps of a key are reached. Each is announced once per period, and again if
// the cap changes.
import { dayMs } from '@trivium/contract/durations';
import { dayOf, firstDayOfMonth } from '../../requests/core/index.ts';
import type { Book, KeyState, ReachedCap } from './book.ts';

type CapKind = ReachedCap['kind'];

/** Identifies a cap in a period. */
export function capMark({ period, cap }: Pick<ReachedCap, 'period' | 'cap'>): string {
  return `${period} ${cap}`;
}

/** Adds the cap to those to announce, unless it was announced before. */
export function reachCap(book: Book, accountId: string, keyId: string | null, kind: CapKind): void {
  const key = keyId === null ? undefined : book.keys.get(keyId);
  if (!key || keyId === null) return;
  const [cap, spent, day] =
    kind === 'daily'
      ? [key.daily_cap, key.today, dayOf(book.now)]
      : [key.monthly_cap, key.this_month, firstDayOfMonth(book.now)];
  if (cap === null) return;
  const period = dateOf(day);
  const reached: ReachedCap = { account_id: accountId, key_id: keyId, kind, cap, spent, period };
  const name = kind === 'daily' ? 'daily_cap_reached' : 'monthly_cap_reached';
  const mark = capMark(reached);
  if (key[name] === mark) return;
  key[name] = mark;
  book.changes.caps_reached.push(reached);
}

/** Called after the key has spent money. */
export function reachUsedCaps(book: Book, accountId: string, keyId: string | null): void {
  const key = keyId === null ? undefined : book.keys.get(keyId);
  if (!key) return;
  for (const kind of usedUp(key)) reachCap(book, accountId, keyId, kind);
}

function usedUp({ daily_cap, monthly_cap, today, this_month }: KeyState): CapKind[] {
  return [
    ...(today >= (daily_cap ?? Infinity) ? (['daily'] as const) : []),
    ...(this_month >= (monthly_cap ?? Infinity) ? (['monthly'] as const) : []),
  ];
}

/** As YYYY-MM-DD. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Highest first. */
const alertLevels = [100, 80] as const;
export const lowestAlert = 80;

export interface BudgetCap {
  /** In micro-USD. */
  cap: number | null;
  spent: number;
  /** The day, or the first day of the month, as YYYY-MM-DD. */
  period: string;
  /** The last alert: its period, cap and level. */
  announced: string | null;
}

/** Undefined if no new alert is due. After the cap changes, its alerts are due again. */
export function alertOf({ cap, spent, period, announced }: BudgetCap) {
  if (cap === null || cap === 0) return undefined;
  const percent = alertLevels.find((level) => spent * 100 >= cap * level);
  if (percent === undefined) return undefined;
  const mark = capMark({ period, cap });
  const [day, of, known = 0] = (announced ?? '').split(' ');
  if (`${day} ${of}` === mark && Number(known) >= percent) return undefined;
  return { percent, mark: `${mark} ${percent}` };
}
