// The drawing of a chart: bars or lines over a grid. Each point is a link; arrow keys move between
// points, and the one that is pointed at or focused shows its figures. The parts of a bar are links
// for the pointer; for the keyboard and screen readers they are in the table of the chart.
import { useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import type { Incident } from '@trivium/contract';
import { overlaps, sentenceOf, spansOf } from '../incidents/incident-words.ts';
import { followLink, withAccount } from '../shell/router.tsx';
import { isLabelled, ticksFor } from './ticks.ts';
import type { Ticks } from './ticks.ts';

const labelsWanted = 7;

export function Plot(props: ChartProps) {
  const { points, series, draw, whole, formatTick, labelOf, incidents } = props;
  const [shown, setShown] = useState<number>();
  const ticks = ticksFor(highest(props), whole === true);
  return (
    <div className="plot" onPointerLeave={() => setShown(undefined)}>
      <div className="plot-area">
        {ticks.values.map((value) => (
          <div key={value} className="tick" style={{ bottom: `${(100 * value) / ticks.top}%` }}>
            <span>{formatTick(value, ticks.step)}</span>
          </div>
        ))}
        <Marks incidents={incidents} points={points} />
        {draw === 'lines' ? <Lines series={series} top={ticks.top} count={points.length} /> : null}
        <Columns {...props} ticks={ticks} shown={shown} onShow={setShown} />
        {shown === undefined ? null : <Tooltip {...props} place={shown} />}
      </div>
      <div className="plot-times" aria-hidden="true">
        {points.map((point, place) =>
          isLabelled(place, points.length, labelsWanted) ? (
            <span key={point.at} style={{ left: `${(100 * (place + 0.5)) / points.length}%` }}>
              {labelOf(point)}
            </span>
          ) : null,
        )}
      </div>
    </div>
  );
}

interface ColumnsProps extends ChartProps {
  ticks: Ticks;
  shown: number | undefined;
  onShow: (place: number | undefined) => void;
}

function Columns(props: ColumnsProps) {
  const { title, points, series, draw, ticks, hrefOf, isPartial, shown, onShow } = props;
  const last = points.length - 1;
  const [stop, setStop] = useState(last);
  const moveFocus = (event: KeyboardEvent<HTMLDivElement>) => {
    const place = placeAfter(event.key, Math.min(stop, last), last);
    if (place === undefined) return;
    event.preventDefault();
    const column = event.currentTarget.children[place];
    column?.querySelector('a')?.focus();
  };
  return (
    <div
      className="plot-columns"
      role="group"
      aria-label={`${title} by time`}
      onKeyDown={moveFocus}
    >
      {points.map((point, place) => (
        <div
          key={point.at}
          className={classOf(place === shown, isPartial?.(point) === true)}
          onPointerEnter={() => onShow(place)}
          onFocus={() => {
            setStop(place);
            onShow(place);
          }}
          onBlur={() => onShow(undefined)}
        >
          <a
            className="plot-whole"
            href={withAccount(hrefOf(point))}
            tabIndex={place === Math.min(stop, last) ? 0 : -1}
            aria-label={summaryOf(props, place)}
            onClick={(event) => followOrShow(event, place === shown, hrefOf(point))}
          />
          {draw === 'lines' ? null : (
            <Bars {...{ series, point, place }} top={ticks.top} isShown={place === shown} />
          )}
        </div>
      ))}
    </div>
  );
}

function classOf(isShown: boolean, isPartial: boolean): string {
  return `plot-column${isShown ? ' shown' : ''}${isPartial ? ' partial' : ''}`;
}

/** The first touch of a point shows its figures, the second one follows its link. */
function followOrShow(event: MouseEvent, isShown: boolean, href: string): void {
  const touched = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch';
  if (touched && !isShown) event.preventDefault();
  else followLink(event, href);
}

function placeAfter(key: string, place: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, place - 1);
    case 'ArrowRight':
      return Math.min(last, place + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** When something failed, behind the figures. */
function Marks({
  incidents,
  points,
}: {
  incidents: readonly Incident[];
  points: ChartProps['points'];
}) {
  const now = Date.now();
  return (
    <div aria-hidden="true">
      {incidents.flatMap((incident) =>
        spansOf(incident, now).map(({ from, until }) => {
          const [left, right] = [placeOf(from, points), placeOf(until, points)];
          const style = { left: `${100 * left}%`, width: `${100 * (right - left)}%` };
          const name = `plot-incident ${incident.severe ? 'bad' : 'warn'}`;
          return <span key={`${incident.id} ${from}`} className={name} style={style} />;
        }),
      )}
    </div>
  );
}

/** Where a time is on the axis, from 0 to 1. Every interval is equally wide. */
export function placeOf(time: number, points: readonly ChartPoint[]): number {
  const passed = points.map(({ at, until }) => {
    const [start, end] = [Date.parse(at), Date.parse(until)];
    return Math.min(1, Math.max(0, (time - start) / (end - start)));
  });
  return passed.reduce((sum, part) => sum + part, 0) / points.length;
}

interface BarsProps {
  series: readonly Series[];
  point: ChartPoint;
  place: number;
  top: number;
  isShown: boolean;
}

/** The first series is at the bottom. */
function Bars({ series, point, place, top, isShown }: BarsProps) {
  return (
    <span className="plot-bar" aria-hidden="true">
      {series.map(({ key, name, values, colour, hrefOf }) => {
        const value = values[place] ?? 0;
        if (value === 0) return null;
        const style = { height: `max(1px, ${(100 * value) / top}%)`, background: colour };
        const href = hrefOf?.(point);
        if (href === undefined) return <span key={key} style={style} />;
        return (
          <a
            key={key}
            style={style}
            href={withAccount(href)}
            tabIndex={-1}
            aria-label={name}
            onClick={(event) => followOrShow(event, isShown, href)}
          />
        );
      })}
    </span>
  );
}

interface LinesProps {
  series: readonly Series[];
  top: number;
  count: number;
}

function Lines({ series, top, count }: LinesProps) {
  const x = (place: number) => (100 * (place + 0.5)) / count;
  const y = (value: number) => 100 - (100 * value) / top;
  return (
    <svg className="plot-lines" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {series.map(({ key, values, colour }) => (
        <path key={key} d={pathOf(values, x, y)} style={{ stroke: colour }} />
      ))}
    </svg>
  );
}

/** A point without neighbours is a line of zero length, which its round caps make visible. */
export function pathOf(
  values: readonly (number | null)[],
  x: (place: number) => number,
  y: (value: number) => number,
): string {
  const steps = values.map((value, place) => {
    if (value === null) return '';
    const at = `${x(place).toFixed(2)} ${y(value).toFixed(2)}`;
    const before = place === 0 ? null : (values[place - 1] ?? null);
    return before === null ? `M${at}L${at}` : `L${at}`;
  });
  return steps.join('');
}

/** Placed beside its point, on the side with more room. */
function Tooltip(props: ChartProps & { place: number }) {
  const { points, series, draw, format, rangeOf, isPartial, incidents, place } = props;
  const point = points[place];
  if (point === undefined) return null;
  const share = (place + 0.5) / points.length;
  const side = share < 0.5 ? { left: `${100 * share}%` } : { right: `${100 - 100 * share}%` };
  const lines = series.flatMap(({ key, name, values, colour }) => {
    const value = values[place] ?? null;
    return value === null ? [] : [{ key, name, value, colour }];
  });
  const listed = draw === 'lines' ? lines : lines.filter(({ value }) => value > 0).toReversed();
  return (
    <div className="tooltip" style={side} aria-hidden="true">
      <strong>{rangeOf(point)}</strong>
      {isPartial?.(point) ? <span className="soft">Incomplete interval</span> : null}
      <dl>
        {listed.map(({ key, name, value, colour }) => (
          <div key={key}>
            <dt>
              <span className="swatch" style={{ background: colour }} />
              {name}
            </dt>
            <dd>{format(value)}</dd>
          </div>
        ))}
        {draw === 'stacked bars' && listed.length !== 1 ? (
          <div>
            <dt>All</dt>
            <dd>{format(sumOf(lines))}</dd>
          </div>
        ) : null}
      </dl>
      {incidentsAt(incidents, point).map((one) => (
        <span key={one.id} className="bad">
          {sentenceOf(one)}
        </span>
      ))}
      <span className="soft">
        {series.some(({ hrefOf }) => hrefOf)
          ? 'Click a colour to see only its requests'
          : 'Click to see the requests'}
      </span>
    </div>
  );
}

/** What a screen reader reads for a point. */
function summaryOf(
  { points, series, format, rangeOf, isPartial, incidents }: ChartProps,
  place: number,
): string {
  const point = points[place];
  const figures = series.flatMap(({ name, values }) => {
    const value = values[place] ?? null;
    return value === null ? [] : [`${name} ${format(value)}`];
  });
  const words = figures.length === 0 ? 'none' : figures.join(', ');
  const part = point !== undefined && isPartial?.(point) ? ', incomplete' : '';
  const failed = point === undefined ? [] : incidentsAt(incidents, point).map(sentenceOf);
  return [`${point === undefined ? '' : rangeOf(point)}${part}: ${words}`, ...failed].join('. ');
}

/** What failed in an interval. */
export function incidentsAt(
  incidents: readonly Incident[],
  { at, until }: ChartPoint,
): readonly Incident[] {
  const span = { from: Date.parse(at), until: Date.parse(until) };
  return incidents.filter((one) => overlaps(one, span, Date.now()));
}

function highest({ series, draw, points }: ChartProps): number {
  const all = series.map(({ values }) => values);
  if (draw === 'lines') return Math.max(0, ...all.flat().map((value) => value ?? 0));
  const heights = points.map((_, place) => all.reduce((sum, own) => sum + (own[place] ?? 0), 0));
  return Math.max(0, ...heights);
}

function sumOf(lines: readonly { value: number }[]): number {
  return lines.reduce((sum, { value }) => sum + value, 0);
}

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
  /** The page that its part of a point links to, if there is one. */
  hrefOf?: (point: ChartPoint) => string | undefined;
}

export interface ChartProps {
  title: string;
  points: readonly ChartPoint[];
  series: readonly Series[];
  draw: 'stacked bars' | 'lines';
  format: (value: number) => string;
  formatTick: (value: number, step: number) => string;
  /** Uses whole numbers for ticks, for counts. */
  whole?: boolean;
  /** Whether an interval is not over, or is shorter than the others. */
  isPartial?: (point: ChartPoint) => boolean;
  /** A short label for the axis; `rangeOf` is the full one. */
  labelOf: (point: ChartPoint) => string;
  rangeOf: (point: ChartPoint) => string;
  /** The page that a point links to. */
  hrefOf: (point: ChartPoint) => string;
  controls?: ReactNode;
  /** Marked on the axis of time. */
  incidents: readonly Incident[];
}
