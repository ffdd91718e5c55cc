// The waterfall of a request: its calls and the states of its job as bars on one time axis, each with
// its start, its end and its cost as text.
import type { JobLine, RequestLine } from '@trivium/contract';
import { labelProviders } from '@trivium/contract/provider-names';
import { Money, Tag } from '../components/basics.tsx';
import { colourOfOthers, providerColour } from '../components/colours.ts';
import { ticksFor } from '../components/ticks.ts';
import { clockTime, count, milliseconds } from '../format.ts';
import { answered, waterfallRows } from './waterfall-rows.ts';
import type { WaterfallRow } from './waterfall-rows.ts';

interface WaterfallProps {
  request: RequestLine;
  job: JobLine | undefined;
  nameOf: (provider: string) => string;
}

export function Waterfall({ request, job, nameOf }: WaterfallProps) {
  const rows = waterfallRows(request, job, nameOf, Date.now());
  const total = Math.max(1, ...rows.map(({ start = 0, duration }) => start + duration));
  const ticks = ticksFor(total, true).values.filter((value) => value <= total);
  const isTimed = rows.every(({ attempt, start }) => !attempt || start !== undefined);
  return (
    <>
      <ol className="waterfall" aria-label="Timeline">
        <li className="waterfall-axis" aria-hidden="true">
          {isTimed
            ? ticks.map((at) => (
                <span key={at} style={{ left: percent(at / total) }}>
                  {time(at)}
                </span>
              ))
            : null}
        </li>
        {rows.map((row, place) => (
          <Row key={place} row={row} total={total} />
        ))}
      </ol>
      {isTimed ? null : (
        <p className="small soft">
          The log of this request has no start times, so each bar begins at the left.
        </p>
      )}
    </>
  );
}

function Row({ row, total }: { row: WaterfallRow; total: number }) {
  const { name, provider, start = 0, duration, queued = 0, attempt, cost_usd } = row;
  const background = provider === undefined ? colourOfOthers : providerColour(provider);
  const bar = (from: number, long: number, className: string) => (
    <span
      className={className}
      style={{ left: percent(from / total), width: percent(long / total), background }}
    />
  );
  return (
    <li>
      <span>
        {name} <Outcome of={attempt} />
      </span>
      <span className="numeric soft">
        {timesOf(row)}
        {cost_usd === undefined ? null : (
          <>
            {' · '}
            <Money usd={cost_usd} line />
            {(row.calls ?? 1) > 1 ? ` for ${count(row.calls ?? 1)} calls` : ''}
          </>
        )}
      </span>
      <span className="waterfall-track" aria-hidden="true">
        {queued > 0 ? bar(start, queued, 'queued') : null}
        {bar(start + queued, duration - queued, '')}
      </span>
      {queued > 0 ? (
        <span className="small soft">Waited {time(queued)} for a free slot</span>
      ) : null}
      {attempt?.message ? (
        <span className="small soft">{labelProviders(attempt.message)}</span>
      ) : null}
    </li>
  );
}

function Outcome({ of: attempt }: { of: WaterfallRow['attempt'] }) {
  if (!attempt) return null;
  const { outcome, status } = attempt;
  const words = answered[outcome];
  return (
    <Tag tone={words === undefined ? 'bad' : 'good'}>
      {words ?? outcome.replaceAll('_', ' ')}
      {status === null ? '' : ` ${status}`}
    </Tag>
  );
}

function timesOf({ start, duration, running }: WaterfallRow): string {
  if (running) return `since ${time(start ?? 0)}, ${time(duration)} so far`;
  if (start === undefined) return time(duration);
  return duration === 0 ? `at ${time(start)}` : `${time(start)} to ${time(start + duration)}`;
}

const minuteMs = 60_000;

function time(ms: number): string {
  return ms < minuteMs ? milliseconds(Math.round(ms)) : clockTime(ms / 1000);
}

function percent(share: number): string {
  return `${100 * share}%`;
}
