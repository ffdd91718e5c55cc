// An amount in US dollars: two decimals, and the exact amount on hover.
import { exactUsd, usd } from '../format.ts';

interface MoneyProps {
  usd: number;
  /** With a plus sign before what was added. */
  signed?: boolean;
}

export function Money({ usd: amount, signed }: MoneyProps) {
  const sign = signed && amount > 0 ? '+' : '';
  const exact = exactUsd(amount);
  const shown = usd(amount);
  return (
    <span className="money" {...(exact === shown ? {} : { title: sign + exact })}>
      {sign}
      {shown}
    </span>
  );
}
