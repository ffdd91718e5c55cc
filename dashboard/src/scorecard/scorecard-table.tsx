// The figures of a scorecard: quality with its interval, its weeks and its changes, price, latency
// and failures of each engine.
import type { MeasuredQuality, Scorecard, ScorecardLine } from '@trivium/contract';
import { providerName } from '../api/names.ts';
import { Empty, Money } from '../components/basics.tsx';
import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { count, day, milliseconds, share } from '../format.ts';

export function ScorecardTable({ scorecard: { by, lines } }: { scorecard: Scorecard }) {
  if (lines.length === 0) {
    return (
      <Empty card title="Nothing to compare yet">
        Engines are compared by fusions, by shadow calls, and by the feedback of callers.
      </Empty>
    );
  }
  const group: Column<ScorecardLine> = {
    title: titles[by],
    show: (line) => (line.group === '' ? <span className="soft">None</span> : line.group),
  };
  return (
    <Table
      label="Scorecard"
      rows={lines}
      keyOf={({ provider, group: of }) => `${provider} ${of}`}
      columns={[
        { title: 'Engine', show: ({ provider }) => providerName(provider) },
        ...(by === 'provider' ? [] : [group]),
        { title: 'Agreement', show: ({ agreement }) => <Quality of={agreement} /> },
        { title: 'Feedback', optional: true, show: ({ feedback }) => <Quality of={feedback} /> },
        {
          title: 'Weeks',
          optional: true,
          show: ({ agreement, feedback }) => <Weeks of={agreement ?? feedback} />,
        },
        {
          title: 'Last change',
          optional: true,
          show: ({ agreement, feedback }) => <LastChange of={agreement ?? feedback} />,
        },
        { title: 'Price', right: true, show: ({ price_usd }) => <Price usd={price_usd} /> },
        {
          title: 'Useful result',
          right: true,
          optional: true,
          show: ({ useful_price_usd }) => <Price usd={useful_price_usd} />,
        },
        {
          title: 'Latency',
          right: true,
          show: ({ latency_ms }) => (latency_ms === null ? none : milliseconds(latency_ms)),
        },
        {
          title: 'Failed',
          right: true,
          show: ({ failures, calls }) => (
            <span title={`${count(failures)} of ${count(calls)} calls`}>
              {calls === 0 ? none : share(failures, calls)}
            </span>
          ),
        },
      ]}
    />
  );
}

const titles: Readonly<Record<Scorecard['by'], string>> = {
  provider: 'Engine',
  language: 'Language',
  category: 'Category',
  freshness: 'Freshness',
};

const none = <span className="soft">–</span>;

function Quality({ of }: { of: MeasuredQuality | null }) {
  if (!of) return none;
  const { mean, lower, upper, observations } = of;
  return (
    <span title={`${count(Math.round(observations))} observations`}>
      {figure(mean)}{' '}
      <span className="soft">
        {figure(lower)} to {figure(upper)}
      </span>
    </span>
  );
}

const size = { width: 96, height: 22, edge: 3 };

/** The means of the weeks from 0 to 1, with a mark at each week of a change. */
function Weeks({ of }: { of: MeasuredQuality | null }) {
  if (!of || of.weeks.length < 2) return none;
  const { weeks, changes } = of;
  const { width, height, edge } = size;
  const across = (at: number) => edge + (at / (weeks.length - 1)) * (width - 2 * edge);
  const down = (value: number) => height - edge - value * (height - 2 * edge);
  const line = weeks.map(({ mean }, at) => `${across(at).toFixed(1)},${down(mean).toFixed(1)}`);
  const marks = changes.map((change) =>
    Math.max(
      0,
      weeks.findLastIndex(({ week }) => week <= change.day),
    ),
  );
  const words = weeks.map(({ week, mean }) => `${day(week)}: ${figure(mean)}`).join(', ');
  return (
    <svg width={width} height={height} role="img" aria-label={words}>
      {marks.map((at, index) => (
        <line
          key={changes[index]?.day}
          {...{ x1: across(at), x2: across(at), y1: 0, y2: height }}
          stroke="currentColor"
          strokeDasharray="2 2"
        />
      ))}
      <polyline points={line.join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}

function LastChange({ of }: { of: MeasuredQuality | null }) {
  const change = of?.changes.at(-1);
  if (!change) return none;
  return (
    <>
      {day(change.day)}{' '}
      <span className="soft">
        {figure(change.before)} to {figure(change.after)}
      </span>
    </>
  );
}

function Price({ usd }: { usd: number | null }) {
  return usd === null ? none : <Money usd={usd} />;
}

function figure(value: number): string {
  return value.toFixed(3);
}
