// What a key has used of its caps: the amount, and a bar where there is a cap.
import type { Key } from '@trivium/contract';
import { exactUsd, usd } from '../format.ts';

const nearly = 0.8;

export function KeyUsage({ of: key }: { of: Key }) {
  return (
    <div className="stack tight">
      <Used label="Today" used={key.used_today_usd} cap={key.daily_cap_usd} />
      <Used label="Month" used={key.used_this_month_usd} cap={key.monthly_cap_usd} />
    </div>
  );
}

function Used({ label, used, cap }: { label: string; used: number; cap: number | null }) {
  const share = cap === null ? 0 : cap === 0 ? 1 : Math.min(1, used / cap);
  return (
    <div className="used">
      <span className="small soft">{label}</span>
      <span className="small">
        {amountOf(used)}
        {cap === null ? null : ` of ${amountOf(cap)}`}
      </span>
      {cap === null ? null : (
        <meter
          className={share >= nearly ? 'near' : undefined}
          min={0}
          max={1}
          value={share}
          aria-label={`${label}: ${Math.round(share * 100)} % of the cap is used`}
        />
      )}
    </div>
  );
}

/** Caps are often a fraction of a dollar, and so is what was used of them. */
function amountOf(amount: number): string {
  return amount < 1 ? exactUsd(amount) : usd(amount);
}
