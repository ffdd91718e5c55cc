// A chart over time: a legend, a drawing that responds to the pointer and the keyboard, and a table
// of the same figures.
import type { ChartPoint, ChartProps, Series } from './plot.tsx';
import { Plot, incidentsAt } from './plot.tsx';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Segments } from './basics.tsx';
import { Link } from '../shell/router.tsx';
import { LongTable } from './long-table.tsx';
import type { TableProps } from './table.tsx';

interface ChartRow {
  point: ChartPoint;
  values: (number | null)[];
}

export function Chart(props: ChartProps) {
  const { title, points, series, format, rangeOf, controls, incidents } = props;
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
          {hasValues(series) ? (
            <Plot {...props} />
          ) : (
            <p className="plot-empty soft">No data in this time range</p>
          )}
        </>
      }
      table={{
        rows: rows.toReversed(),
        keyOf: ({ point }) => point.at,
        columns: [
          { title: 'Time', show: ({ point }) => rangeOf(point) },
          ...series.map(({ name, hrefOf }, place) => ({
            title: name,
            right: true,
            show: ({ point, values }: ChartRow) => {
              const href = values[place] ? hrefOf?.(point) : undefined;
              const text = shown(values[place], format);
              return href === undefined ? text : <Link to={href}>{text}</Link>;
            },
          })),
          ...(incidents.length === 0
            ? []
            : [
                {
                  title: 'Incidents',
                  wrap: true,
                  show: ({ point }: ChartRow) =>
                    incidentsAt(incidents, point)
                      .map(({ message }) => message)
                      .join(', '),
                },
              ]),
        ],
      }}
    />
  );
}

function hasValues(series: readonly Series[]): boolean {
  return series.some(({ values }) => values.some((value) => value !== null && value !== 0));
}

function shown(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

export function Legend({ series }: { series: readonly Pick<Series, 'key' | 'name' | 'colour'>[] }) {
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

interface FigureCardProps<T> {
  title: string;
  picture: ReactNode;
  /** Controls that choose what is drawn. */
  controls?: ReactNode;
  table: Omit<TableProps<T>, 'label' | 'bare'>;
}

export function FigureCard<T>({ title, picture, table, controls }: FigureCardProps<T>) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const titleId = useId();
  return (
    <section className="card chart" aria-labelledby={titleId}>
      <div className="row apart">
        <h2 id={titleId}>{title}</h2>
        <div className="row">
          {controls}
          <Segments
            label={`Show ${title} as`}
            options={[
              ['chart', 'Chart'],
              ['table', 'Table'],
            ]}
            value={view}
            onChange={setView}
          />
        </div>
      </div>
      {view === 'chart' ? picture : <LongTable bare label={`${title} as a table`} {...table} />}
    </section>
  );
}
