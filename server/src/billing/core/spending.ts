// What keys and tags have spent and hold by day, in the book and in its changes.
import { dayOf, firstDayOfMonth, tagPairs } from '../../requests/core/index.ts';
import type { Book, HoldState, KeyState, TagDay } from './book.ts';

/** Adds to what a key has spent and holds, on the day of the hold. */
export function changeKey(
  book: Book,
  hold: Pick<HoldState, 'key_id' | 'created_at'>,
  spent: number,
  held: number,
): void {
  if (hold.key_id === null) return;
  const { key_id } = hold;
  const day = dayOf(hold.created_at);
  addDay(book.changes.key_days, `${day} ${key_id}`, { key_id, day, spent, held });
  const key = book.keys.get(key_id);
  if (key) addToSums(key, book.now, day, spent + held);
}

function addDay<T extends { spent: number; held: number }>(
  days: Map<string, T>,
  place: string,
  one: T,
): void {
  const { spent = 0, held = 0 } = days.get(place) ?? {};
  days.set(place, { ...one, spent: spent + one.spent, held: held + one.held });
}

export function budgetKey({
  account_id,
  tag,
  value,
}: Omit<TagDay, 'day' | 'spent' | 'held'>): string {
  return `${account_id} ${tag}=${value}`;
}

/** Adds to what each tag of a hold has spent and holds, on the day of the hold. */
export function changeTags(
  book: Book,
  hold: Pick<HoldState, 'account_id' | 'created_at' | 'tags'>,
  spent: number,
  held: number,
): void {
  if (hold.tags === undefined) return;
  const { account_id } = hold;
  const day = dayOf(hold.created_at);
  for (const [tag, value] of tagPairs(hold.tags)) {
    const key = budgetKey({ account_id, tag, value });
    const change = { account_id, tag, value, day, spent, held };
    addDay(book.changes.tag_days, `${day} ${key}`, change);
    const budget = book.budgets.get(key);
    if (budget) addToSums(budget, book.now, day, spent + held);
  }
}

/**
 * Adds to what open jobs can cost beyond their holds. Only the book changes: the store computes
 * these sums from the holds.
 */
export function changeExposure(book: Book, hold: HoldState, amount: number): void {
  const { account_id, key_id, tags } = hold;
  book.exposed.set(account_id, (book.exposed.get(account_id) ?? 0) + amount);
  const key = key_id === null ? undefined : book.keys.get(key_id);
  const budgets = tagPairs(tags).flatMap(([tag, value]) => {
    return book.budgets.get(budgetKey({ account_id, tag, value })) ?? [];
  });
  const day = dayOf(hold.created_at);
  for (const state of [...(key ? [key] : []), ...budgets]) {
    if (day === dayOf(book.now)) state.exposed_today += amount;
    if (day >= firstDayOfMonth(book.now)) state.exposed_this_month += amount;
  }
}

function addToSums(
  state: Pick<KeyState, 'today' | 'this_month'>,
  now: number,
  day: number,
  amount: number,
): void {
  if (day === dayOf(now)) state.today += amount;
  if (day >= firstDayOfMonth(now)) state.this_month += amount;
}
