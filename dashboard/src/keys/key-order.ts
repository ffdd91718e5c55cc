// The keys of an account as a list: found by their name, id or first characters, and in an order.
import type { Key } from '@trivium/contract';
import { shareOfCap } from '../components/cap-meter.tsx';

type Order = (one: Key, other: Key) => number;

const lastUse = ({ last_used_at }: Key) => Date.parse(last_used_at ?? '') || 0;

function capUse(key: Key): number {
  const { daily_cap_usd, monthly_cap_usd, used_today_usd, used_this_month_usd } = key;
  const today = shareOfCap(used_today_usd, daily_cap_usd);
  return Math.max(today, shareOfCap(used_this_month_usd, monthly_cap_usd));
}

const latest: Order = (one, other) => lastUse(other) - lastUse(one);

/** By the value of `sort` in the address. The first is the usual one. */
export const keyOrders: readonly (readonly [sort: string, text: string, order: Order])[] = [
  ['', 'Nearest to its cap', (one, other) => capUse(other) - capUse(one) || latest(one, other)],
  ['last_used', 'Last used', latest],
  [
    'spent',
    'Spent this month',
    (one, other) => other.used_this_month_usd - one.used_this_month_usd,
  ],
  ['name', 'Name', (one, other) => one.name.localeCompare(other.name)],
  ['created', 'Newest', (one, other) => other.created_at.localeCompare(one.created_at)],
];

export function findKeys(keys: readonly Key[], text: string): readonly Key[] {
  const words = text.trim().toLowerCase();
  if (words === '') return keys;
  return keys.filter(({ name, id, display }) =>
    [name, id, display].some((part) => part.toLowerCase().includes(words)),
  );
}

/** The key whose id is `first` is at the top. */
export function sortKeys(
  keys: readonly Key[],
  sort: string | null,
  first: string | null,
): readonly Key[] {
  const [, , order = latest] = keyOrders.find(([known]) => known === (sort ?? '')) ?? [];
  const isFirst = ({ id }: Key) => Number(id === first);
  return keys.toSorted((one, other) => isFirst(other) - isFirst(one) || order(one, other));
}
