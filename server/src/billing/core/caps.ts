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
  const cap = kind === 'daily' ? key?.daily_cap : key?.monthly_cap;
  if (!key || keyId === null || cap === null || cap === undefined) return;
  const spent = kind === 'daily' ? key.today : key.this_month;
  const period = periodOf(book.now, kind);
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

function periodOf(now: number, kind: CapKind): string {
  const day = kind === 'daily' ? dayOf(now) : firstDayOfMonth(now);
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
