// Decides which spending caps of a key are reached. Each is announced once per period, and again if
// the cap changes.
import { dayMs } from '@trivium/contract/durations';
import { dayOf, firstDayOfMonth } from '../../requests/core/index.ts';
import type { Book, ReachedCap } from './book.ts';

/** Identifies a cap in a period. */
export function capMark({ period, cap }: Pick<ReachedCap, 'period' | 'cap'>): string {
  return `${period} ${cap}`;
}

/** Adds the caps that are reached to those to announce, unless they were announced before. */
export function reachCaps(
  book: Book,
  accountId: string,
  keyId: string | null,
  isReached: (spent: number, cap: number, kind: ReachedCap['kind']) => boolean,
): void {
  const key = keyId === null ? undefined : book.keys.get(keyId);
  if (!key || keyId === null) return;
  const caps = [
    ['daily', key.daily_cap, key.today, dayOf(book.now)],
    ['monthly', key.monthly_cap, key.this_month, firstDayOfMonth(book.now)],
  ] as const;
  for (const [kind, cap, spent, day] of caps) {
    if (cap === null || !isReached(spent, cap, kind)) continue;
    const period = dateOf(day);
    const mark = capMark({ period, cap });
    if (key[`${kind}_cap_reached`] === mark) continue;
    key[`${kind}_cap_reached`] = mark;
    book.changes.caps_reached.push({
      account_id: accountId,
      key_id: keyId,
      kind,
      cap,
      spent,
      period,
    });
  }
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
