// A chart over time: a legend, a drawing that answers to the pointer and the keyboard, and a table
// of the same figures.
import type { ChartPoint, ChartProps, Series } from './chart-props.ts';
import { FigureCard } from './figure-card.tsx';
import { Plot } from './plot.tsx';

interface ChartRow {
  point: ChartPoint;
  values: (number | null)[];
}

export function Chart(props: ChartProps) {
  const { title, points, series, format, rangeOf, controls } = props;
  const rows = points.map((point, place): ChartRow => ({
    point,
    values: series.map(({ values }) => values[place] ?? null),
  }));
  return (
    <FigureCard
      title={title}
      {...(controls === undefined ? {} : { controls })}
      picture={
        <>
          <Legend series={series} />
          <Plot {...props} />
        </>
      }
      table={{
        rows: rows.toReversed(),
        keyOf: ({ point }) => point.at,
        columns: [
          { title: 'Time', show: ({ point }) => rangeOf(point) },
          ...series.map(({ name }, place) => ({
            title: name,
            right: true,
            show: ({ values }: ChartRow) => shown(values[place], format),
          })),
        ],
      }}
    />
  );
}

function shown(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="chart-legend">
      {series.map(({ key, name, colour }) => (
        <li key={key}>
          <span className="swatch" style={{ background: colour }} />
          {name}
        </li>
      ))}
    </ul>
  );
}

export const colourOfOthers = 'var(--series-other)';

/** The same group has the same colour in every chart that gets the same groups. */
export function seriesColour(groups: readonly string[], group: string): string {
  return `var(--series-${(groups.indexOf(group) % colours) + 1})`;
}

const colours = 8;
