// A provider in each hour of 30 days: the share of its requests that failed as bars, and its mean
// latency as a line. A slider selects one hour, by pointer, touch or keyboard.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { hourMs } from '@trivium/contract/durations';
import type { Incident } from '@trivium/contract';
import { providerColour } from '../components/colours.ts';
import { pathOf } from '../components/plot.tsx';
import { count, dayOf, hourOf, milliseconds, share } from '../format.ts';
import { overlaps, sentenceOf, spansOf } from '../incidents/incident-words.ts';
import type { UptimeHour } from './uptime.ts';

interface HourChartProps {
  /** The id of the provider. */
  of: string;
  hours: readonly UptimeHour[];
  /** Of this provider. */
  incidents: readonly Incident[];
}

export function HourChart({ of, hours, incidents }: HourChartProps) {
  const latest = hours.findLastIndex(({ called }) => called > 0);
  const [chosen, setChosen] = useState<number>();
  if (latest === -1) return <p className="soft">Not called in this period.</p>;
  const place = chosen ?? latest;
  const slowest = Math.max(1, ...hours.map(({ mean_ms }) => mean_ms ?? 0));
  const shown = hours[place];
  const now = Date.now();
  const marks = incidents
    .flatMap((one) => spansOf(one, now))
    .map(({ from, until }) => ({ x: placeIn(hours, from), end: placeIn(hours, until) }));
  const span = shown && { from: shown.at, until: shown.at + hourMs };
  const failing = span ? incidents.filter((one) => overlaps(one, span, now)) : [];
  return (
    <div className="hour-chart">
      <Row name="Failed" most="100%" place={place} length={hours.length}>
        {marks.map(({ x, end }) => {
          const width = Math.max(end - x, hours.length / 300);
          return <rect key={x} className="incident" x={x} width={width} y={0} height={100} />;
        })}
        {hours.map(({ at, called, failed }, index) => {
          if (called === 0) return null;
          // An hour without failures is a thin line, and one without requests is a gap.
          const height = failed === 0 ? 3 : Math.max(8, (100 * failed) / called);
          const name = failed === 0 ? 'answered' : 'failed';
          return (
            <rect key={at} className={name} x={index} width={1} y={100 - height} height={height} />
          );
        })}
      </Row>
      <Row name="Mean latency" most={milliseconds(slowest)} place={place} length={hours.length}>
        <path
          style={{ stroke: providerColour(of) }}
          d={pathOf(
            hours.map(({ mean_ms }) => mean_ms),
            (at) => at + 0.5,
            (ms) => 100 - (100 * ms) / slowest,
          )}
        />
      </Row>
      <div className="row apart small soft">
        <span>{dayOf(hours[0]?.at ?? 0)}</span>
        <span>{dayOf(hours.at(-1)?.at ?? 0)}</span>
      </div>
      <input
        type="range"
        min={0}
        max={hours.length - 1}
        value={place}
        aria-label="Hour"
        aria-valuetext={shown ? summaryOf(shown) : ''}
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
      />
      <output>
        {[...(shown ? [summaryOf(shown)] : []), ...failing.map(sentenceOf)].join('. ')}
      </output>
    </div>
  );
}

/** Where a time is among the hours. */
function placeIn(hours: readonly UptimeHour[], time: number): number {
  const [first = { at: 0 }] = hours;
  return Math.min(hours.length, Math.max(0, (time - first.at) / hourMs));
}

interface RowProps {
  name: string;
  /** The value at the top of the row. */
  most: string;
  /** The index of the selected hour, of `length` hours. */
  place: number;
  length: number;
  children: ReactNode;
}

function Row({ name, most, place, length, children }: RowProps) {
  return (
    <figure>
      <figcaption className="row apart small soft">
        <span>{name}</span>
        <span>{most}</span>
      </figcaption>
      <svg viewBox={`0 0 ${length} 100`} preserveAspectRatio="none" aria-hidden="true">
        <rect
          className="marker"
          x={place - length / 200}
          width={1 + length / 100}
          y={0}
          height={100}
        />
        {children}
      </svg>
    </figure>
  );
}

function summaryOf({ at, called, failed, mean_ms }: UptimeHour): string {
  const hour = `${dayOf(at)}, ${hourOf(at)}–${hourOf(at + hourMs)}`;
  if (called === 0) return `${hour}: not called`;
  const answered = `${share(called - failed, called)} of ${count(called)} answered`;
  return `${hour}: ${answered}${mean_ms === null ? '' : `, mean ${milliseconds(mean_ms)}`}`;
}
