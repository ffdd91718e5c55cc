// A key as the admin API shows it, with how much of its caps it has spent.
import { dayOf, firstDayOfMonth } from '../requests/core/index.ts';
import type { Key } from '@trivium/contract';
import { usd } from '../billing/core/index.ts';
import { iso, isoOrNull, type Runner } from '../store/index.ts';
import type { AccountsContext } from './context.ts';
import { sumKeyDays } from '../billing/index.ts';
import type { KeyRow } from './store/keys.ts';

type KeyFacts = Omit<Key, 'used_today_usd' | 'used_this_month_usd'>;
type KeyContext = Pick<AccountsContext, 'clock'> & { database: Runner };

export async function showKeys(context: KeyContext, rows: readonly KeyRow[]): Promise<Key[]> {
  if (rows.length === 0) return [];
  const now = context.clock.now().getTime();
  const month = { first_day: firstDayOfMonth(now), today: dayOf(now) };
  const ids = rows.map(({ id }) => id);
  const spending = await sumKeyDays(context.database, ids, month);
  return rows.map((row) => {
    const { today = 0, this_month = 0 } = spending.get(row.id) ?? {};
    const { previous_until, ...facts } = keyFacts(row);
    const isOver = row.previous_until !== null && row.previous_until <= now;
    return {
      ...facts,
      previous_until: isOver ? null : previous_until,
      used_today_usd: usd(today),
      used_this_month_usd: usd(this_month),
    };
  });
}

/** The settings of a key, without what it has spent. */
export function keyFacts({ daily_cap, monthly_cap, policy, ...row }: KeyRow): KeyFacts {
  return {
    ...row,
    ...policy,
    created_at: iso(row.created_at),
    revoked_at: isoOrNull(row.revoked_at),
    last_used_at: isoOrNull(row.last_used_at),
    previous_until: isoOrNull(row.previous_until),
    expires_at: isoOrNull(row.expires_at),
    daily_cap_usd: daily_cap === null ? null : usd(daily_cap),
    monthly_cap_usd: monthly_cap === null ? null : usd(monthly_cap),
  };
}

export async function showKey(context: KeyContext, row: KeyRow): Promise<Key> {
  const [key] = await showKeys(context, [row]);
  if (!key) throw new Error('one key is shown as one');
  return key;
}
