// What a chart over time is given: its points, its series, and how to write them.
import type { ReactNode } from 'react';

export interface ChartPoint {
  at: string;
  until: string;
}

export interface Series {
  key: string;
  name: string;
  /** One for each point; null where there is nothing to draw. */
  values: readonly (number | null)[];
  colour: string;
}

export interface ChartProps {
  title: string;
  points: readonly ChartPoint[];
  series: readonly Series[];
  draw: 'stacked bars' | 'lines';
  format: (value: number) => string;
  formatTick: (value: number, step: number) => string;
  /** Counts have whole ticks. */
  whole?: boolean;
  /** A short label of the axis, and a full one. */
  labelOf: (point: ChartPoint) => string;
  rangeOf: (point: ChartPoint) => string;
  /** The page behind a point. */
  hrefOf: (point: ChartPoint) => string;
  controls?: ReactNode;
}
