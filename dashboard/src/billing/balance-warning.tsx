// Warns before the balance runs out: by the spending of the last days, and by the account's
// threshold.
import type { Account } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { usd } from '../format.ts';

const paceDays = 7;
const dayMs = 86_400_000;

export function BalanceWarning({ of: account }: { of: Account }) {
  const from = new Date(Date.now() - (paceDays - 1) * dayMs).toISOString().slice(0, 10);
  const query = { account_id: account.id, by: 'day', from } as const;
  const usage = useLoad(['usage', query], () => admin.usage(query));
  if (!usage.data) return null;
  const spent = usage.data.usage.reduce((sum, { cost_usd }) => sum + cost_usd, 0);
  const forecast = forecastOf(account, spent / paceDays);
  if (forecast === undefined) return null;
  return (
    <div className="note warn" role="status">
      {wordsFor(forecast, usd(account.balance_usd))}
    </div>
  );
}

function wordsFor(forecast: 'empty' | 'low' | number, balance: string): string {
  if (forecast === 'empty')
    return 'The balance is empty. Requests are refused until the account is topped up.';
  if (forecast === 'low') return `The balance of ${balance} is below the account’s threshold.`;
  const pace = `At the rate of the last ${paceDays} days`;
  return `${pace}, ${balance} will last ${daysText(forecast)}.`;
}

function daysText(days: number): string {
  if (days < 1) return 'less than a day';
  const whole = Math.floor(days);
  return whole === 1 ? 'about a day' : `about ${whole} days`;
}

interface Money {
  balance_usd: number;
  /** The operator's threshold; not every gateway has one. */
  low_balance_usd?: number | undefined;
}

const warnDays = 3;

/** How many days are left if they are few; undefined when there is nothing to warn about. */
export function forecastOf(
  { balance_usd, low_balance_usd = 0 }: Money,
  usdPerDay: number,
): 'empty' | 'low' | number | undefined {
  if (balance_usd <= 0) return 'empty';
  if (balance_usd < low_balance_usd) return 'low';
  const days = usdPerDay > 0 ? balance_usd / usdPerDay : Infinity;
  return days < warnDays ? days : undefined;
}
