// A chart over time, drawn by uPlot, with a table of the same figures.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { FigureCard } from './figure-card.tsx';
import { useColours } from './colours.ts';
import type { Colours } from './colours.ts';

export interface Series {
  name: string;
  values: readonly number[];
  tone: 'accent' | 'bad';
}

interface ChartProps {
  title: string;
  /** The start of each interval. */
  at: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
  formatTime: (at: string) => string;
  /** False if the values of a series must not be summed, such as rates. */
  sums?: boolean;
}

export function Chart(props: ChartProps) {
  const { title, at, series, format, formatTime } = props;
  const rows = at.map((moment, index) => ({
    moment,
    values: series.map(({ values }) => values[index] ?? 0),
  }));
  return (
    <FigureCard
      title={title}
      picture={<Drawing {...props} />}
      table={{
        rows: rows.toReversed(),
        keyOf: ({ moment }) => moment,
        columns: [
          { title: 'Time', show: ({ moment }) => formatTime(moment) },
          ...series.map(({ name }, index) => ({
            title: name,
            right: true,
            show: ({ values }: { values: number[] }) => format(values[index] ?? 0),
          })),
        ],
      }}
    />
  );
}

function Drawing({ title, at, series, format, formatTime, sums = true }: ChartProps) {
  const area = useRef<HTMLDivElement>(null);
  const colours = useColours();
  const figures = JSON.stringify([at, series]);
  useEffect(() => {
    const place = area.current;
    if (!place) return undefined;
    const options = optionsFor(place, colours, { at, series, format, formatTime });
    const data: uPlot.AlignedData = [
      at.map((_, index) => index),
      ...series.map(({ values }) => [...values]),
    ];
    const plot = new uPlot(options, data, place);
    const watch = new ResizeObserver(() =>
      plot.setSize({ width: place.clientWidth, height: place.clientHeight }),
    );
    watch.observe(place);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [figures, colours]);
  const sum = series.map(({ name, values }) => {
    const total = values.reduce((all, value) => all + value, 0);
    const most = format(Math.max(0, ...values));
    return sums ? `${name}: ${format(total)} in all, at most ${most}` : `${name}: at most ${most}`;
  });
  return (
    <div ref={area} className="chart-area" role="img" aria-label={`${title}. ${sum.join('. ')}.`} />
  );
}

function optionsFor(
  place: HTMLElement,
  colours: Colours,
  { at, series, format, formatTime }: Omit<ChartProps, 'title'>,
): uPlot.Options {
  const axis = {
    stroke: colours.soft,
    grid: { stroke: colours.line, width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 });
  return {
    width: place.clientWidth,
    height: place.clientHeight,
    padding: [8, 8, 0, 0],
    cursor: { show: true, y: false, points: { show: false } },
    legend: { show: false },
    scales: { x: { time: false, range: [-0.6, at.length - 0.4] }, y: { range: axisRange } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 70,
        incrs: [1, 2, 3, 4, 6, 7, 12, 15, 30],
        values: (_, places) => places.map((index) => labelAt(at, index, formatTime)),
      },
      { ...axis, size: 64, values: (_, values) => values.map((value) => format(value)) },
    ],
    series: [
      {},
      ...series.map(({ name, tone }): uPlot.Series => ({
        label: name,
        fill: colours[tone],
        width: 0,
        points: { show: false },
        ...(bars ? { paths: bars } : {}),
      })),
    ],
  };
}

/** An empty chart still has a height. */
function axisRange(_chart: uPlot, _min: number, most: number): [number, number] {
  return [0, most > 0 ? most * 1.1 : 1];
}

function labelAt(at: readonly string[], index: number, formatTime: (at: string) => string): string {
  const moment = at[index];
  return moment === undefined ? '' : formatTime(moment);
}
