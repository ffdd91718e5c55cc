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
  const change = { key_id, day, spent, held };
  addDay(book, book.changes.key_days, `${day} ${key_id}`, change, book.keys.get(key_id));
}

function addDay<T extends { day: number; spent: number; held: number }>(
  { now }: Book,
  days: Map<string, T>,
  place: string,
  one: T,
  sums: Pick<KeyState, 'today' | 'this_month'> | undefined,
): void {
  const { spent = 0, held = 0 } = days.get(place) ?? {};
  days.set(place, { ...one, spent: spent + one.spent, held: held + one.held });
  if (!sums) return;
  if (one.day === dayOf(now)) sums.today += one.spent + one.held;
  if (one.day >= firstDayOfMonth(now)) sums.this_month += one.spent + one.held;
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
    addDay(book, book.changes.tag_days, `${day} ${key}`, change, book.budgets.get(key));
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
