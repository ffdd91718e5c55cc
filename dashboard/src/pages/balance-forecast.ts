// How long a balance lasts, and whether that is worth a warning.

interface Money {
  balance_usd: number;
  /** The operator's threshold; not every gateway has one. */
  low_balance_usd?: number | undefined;
}

const warnDays = 3;

/** The days that are left when they are few; undefined when there is nothing to warn about. */
export function forecastOf(
  { balance_usd, low_balance_usd = 0 }: Money,
  usdPerDay: number,
): 'empty' | 'low' | number | undefined {
  if (balance_usd <= 0) return 'empty';
  if (balance_usd < low_balance_usd) return 'low';
  const days = usdPerDay > 0 ? balance_usd / usdPerDay : Infinity;
  return days < warnDays ? days : undefined;
}
