// How many requests were served, refused and failed, their shares, and how these have changed.
import { outcomes } from '@trivium/contract/outcomes';
import type { Outcome } from '@trivium/contract/outcomes';
import { count, share } from '../format.ts';
import { Link, withQuery } from '../shell/router.tsx';
import { Change } from './change.tsx';
import { Figure } from './figure.tsx';
import { outcomeLabels } from './outcome.tsx';

type Totals = Readonly<Record<Outcome | 'requests', number>>;

interface OutcomeFiguresProps {
  total: Totals;
  previous: Totals | undefined;
  /** The previous range, in words. */
  than: string;
  range: { from?: string | undefined; to?: string | undefined };
}

export function OutcomeFigures({ total, previous, than, range }: OutcomeFiguresProps) {
  return outcomes.map((outcome) => (
    <Figure
      key={outcome}
      name={outcomeLabels[outcome]}
      value={
        <Link to={withQuery('/requests', { outcome, ...range })}>{count(total[outcome])}</Link>
      }
    >
      {share(total[outcome], total.requests)} of {count(total.requests)}{' '}
      {outcome === 'served' ? (
        <Change now={total.served} before={previous?.served ?? 0} than={than} />
      ) : (
        <Change
          now={rateOf(total, outcome)}
          before={rateOf(previous, outcome)}
          than={than}
          worse="up"
        />
      )}
    </Figure>
  ));
}

function rateOf(totals: Totals | undefined, outcome: Outcome): number {
  return totals === undefined || totals.requests === 0 ? 0 : totals[outcome] / totals.requests;
}
