// What the scorecard concludes: a sentence, and the chart of price against quality.
import { useState } from 'react';
import type { Scorecard } from '@trivium/contract';
import { providerNames } from '@trivium/contract/provider-names';
import { Segments } from '../components/basics.tsx';
import { concludeScorecard } from './conclusion.ts';
import { PriceQuality } from './price-quality.tsx';

const figures = [
  ['agreement', 'Agreement'],
  ['feedback', 'Feedback'],
] as const;

type Figure = (typeof figures)[number][0];

export function Verdict({ scorecard: { lines, account_id } }: { scorecard: Scorecard }) {
  const [chosen, choose] = useState<Figure>();
  const enginesBy = (figure: Figure) =>
    lines.flatMap(({ provider: id, price_usd: price, [figure]: quality }) =>
      quality ? [{ ...quality, id, name: providerNames[id], price }] : [],
    );
  const known = figures.filter(([figure]) => enginesBy(figure).length > 0);
  const [figure, title] = known.find(([one]) => one === chosen) ?? known[0] ?? [];
  if (figure === undefined) return null;
  const engines = enginesBy(figure);
  const where = account_id === null ? 'on the queries of all accounts' : 'on your queries';
  return (
    <PriceQuality
      figure={title}
      engines={engines}
      controls={
        known.length < 2 ? null : (
          <Segments label="Quality by" options={figures} value={figure} onChange={choose} />
        )
      }
    >
      <Sentences of={concludeScorecard(engines, figure, where)} />
    </PriceQuality>
  );
}

function Sentences({ of: [first, ...others] }: { of: readonly string[] }) {
  return (
    <div role="note" aria-label="Conclusion">
      <p className="lead">{first}</p>
      {others.map((sentence) => (
        <p key={sentence} className="small soft">
          {sentence}
        </p>
      ))}
    </div>
  );
}
