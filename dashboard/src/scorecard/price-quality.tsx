// A chart of price against quality: a point for each engine, with the interval of its quality as a
// line, and a table of the same figures.
import type { SearchEngineId } from '@trivium/contract';
import { FigureCard, Legend } from '../components/chart.tsx';
import { providerColour } from '../components/colours.ts';
import { Money } from '../components/basics.tsx';
import { ticksFor } from '../components/ticks.ts';
import { exactUsd, tickUsd } from '../format.ts';
import type { Compared } from './conclusion.ts';
import { placesOf, qualityAxis } from './places.ts';
import type { ReactNode } from 'react';

export interface PricedEngine extends Compared {
  id: SearchEngineId;
}

interface PriceQualityProps {
  /** What the quality is called, such as Agreement. */
  figure: string;
  engines: readonly PricedEngine[];
  controls?: ReactNode;
  children?: ReactNode;
}

export function PriceQuality({ figure, engines, controls, children }: PriceQualityProps) {
  const title = `${figure} and price`;
  return (
    <FigureCard
      title={title}
      controls={controls}
      picture={
        <>
          {children}
          <Legend
            series={engines.map(({ id, name }) => ({ key: id, name, colour: providerColour(id) }))}
          />
          <p className="small soft">{figure}, with its 95 percent interval</p>
          <Scatter figure={figure} engines={engines} />
          <p className="small soft axis-title">Price per request</p>
        </>
      }
      table={{
        rows: engines,
        keyOf: ({ id }) => id,
        columns: [
          { title: 'Engine', show: ({ name }) => name },
          { title: figure, right: true, show: ({ mean }) => mean.toFixed(3) },
          { title: 'From', right: true, show: ({ lower }) => lower.toFixed(3) },
          { title: 'To', right: true, show: ({ upper }) => upper.toFixed(3) },
          {
            title: 'Price per request',
            right: true,
            show: ({ price }) => (price === null ? '–' : <Money usd={price} />),
          },
        ],
      }}
    />
  );
}

function Scatter({ figure, engines }: { figure: string; engines: readonly PricedEngine[] }) {
  const priced = engines.flatMap((one) =>
    one.price === null ? [] : [{ ...one, price: one.price }],
  );
  const across = ticksFor(Math.max(0, ...priced.map(({ price }) => price)), false);
  const up = qualityAxis(priced);
  const height = (value: number) => `${(100 * (value - up.bottom)) / (up.top - up.bottom)}%`;
  const left = (share: number) => `${4 + 92 * share}%`;
  const places = placesOf(priced.map(({ price }) => price / across.top));
  return (
    <div className="plot">
      <div
        className="plot-area scatter"
        role="img"
        aria-label={`${figure} over price; the table has the figures`}
      >
        {up.values.map((value) => (
          <div key={value} className="tick" style={{ bottom: height(value) }}>
            <span>{value.toFixed(2)}</span>
          </div>
        ))}
        {priced.map(({ id, name, mean, lower, upper, price }, at) => (
          <span
            key={id}
            className="scatter-range"
            title={`${name}: ${mean.toFixed(3)} (${lower.toFixed(3)} to ${upper.toFixed(3)}), ${exactUsd(price)} per request`}
            style={{
              left: `calc(${left(price / across.top)} + ${places[at]}px)`,
              bottom: height(lower),
              height: `${(100 * (upper - lower)) / (up.top - up.bottom)}%`,
              color: providerColour(id),
            }}
          >
            <span
              style={{ bottom: `${upper > lower ? (100 * (mean - lower)) / (upper - lower) : 0}%` }}
            />
          </span>
        ))}
      </div>
      <div className="plot-times" aria-hidden="true">
        {across.values.map((value) => (
          <span key={value} style={{ left: left(value / across.top) }}>
            {tickUsd(value, across.step)}
          </span>
        ))}
      </div>
    </div>
  );
}
