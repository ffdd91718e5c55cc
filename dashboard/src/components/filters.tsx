// Filters above a list, kept in the URL so that a filtered view can be shared.
import { useId, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { when } from '../format.ts';
import { changeParameter } from '../requests/change-address.ts';
import { setQuery, useLocation } from '../shell/router.tsx';
import { clockIn, momentAt, nextDay, startOfDay, useZone } from '../zone.ts';
import { Input, Select } from './field.tsx';
import { Icon } from './icon.tsx';

export interface Filter {
  name: string;
  label: string;
  /** The choices. A filter without choices is a time. */
  options?: readonly (readonly [value: string, text: string])[];
}

/** The range of a list by time: relative to now, or between two moments. */
export const timeFilters: readonly Filter[] = [
  { name: 'from', label: 'From' },
  { name: 'to', label: 'To' },
];

/** The filters that are set. The gateway checks the values, because the address can have any. */
export function useFilters<F>(filters: readonly Filter[]): F {
  const { query } = useLocation();
  const values = filters.map(({ name }) => [name, query.get(name) || undefined] as const);
  return Object.fromEntries(values) as F;
}

interface Times {
  from?: string | undefined;
  to?: string | undefined;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Ranges that end now, with their lengths. */
const ranges: Readonly<Record<string, readonly [text: string, lengthMs: number] | undefined>> = {
  '15m': ['Last 15 minutes', 15 * minuteMs],
  '1h': ['Last hour', hourMs],
  '24h': ['Last 24 hours', 24 * hourMs],
  '7d': ['Last 7 days', 7 * 24 * hourMs],
  '30d': ['Last 30 days', 30 * 24 * hourMs],
};

/** The beginning of a relative range. It stays the same while the page is open. */
function useSince(range: string | undefined): string | undefined {
  return useMemo(() => sinceOf(range), [range]);
}

function sinceOf(range: string | undefined): string | undefined {
  const length = range === undefined ? undefined : ranges[range]?.[1];
  return length === undefined ? undefined : new Date(Date.now() - length).toISOString();
}

const calendarDay = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** The filters as the API takes them: days of the person's zone become moments. */
export function useFilterQuery<F extends Times>(filters: readonly Filter[]): F {
  const zone = useZone();
  const chosen = useFilters<F>(filters);
  const since = useSince(useLocation().query.get('range') ?? undefined);
  if (!filters.some(({ name }) => name === 'from')) return chosen;
  const { from, to } = chosen;
  return {
    ...chosen,
    from: momentOf(zone, from, (day) => day) ?? (to === undefined ? since : undefined),
    to: momentOf(zone, to, nextDay),
  };
}

/** A value that is not a day is sent unchanged, and the gateway says what is wrong with it. */
function momentOf(
  zone: string,
  day: string | undefined,
  shift: (day: string) => string,
): string | undefined {
  if (day === undefined || !calendarDay.test(day) || Number.isNaN(Date.parse(day))) return day;
  return startOfDay(zone, shift(day));
}

/** A change of filters starts again at the first page. */
export function setFilters(changes: Readonly<Record<string, string | undefined>>): void {
  setQuery({ ...changes, cursor: undefined });
}

const between = 'between';

function TimeRange() {
  const zone = useZone();
  const { query } = useLocation();
  const { from, to } = useFilterQuery(timeFilters);
  const range = query.get('range') ?? '';
  const isBetween = query.has('from') || query.has('to') || range === between;
  const field = (name: string, label: string, at: string | undefined) => (
    <Input
      label={label}
      type="datetime-local"
      max="9998-12-31T23:59"
      value={at === undefined || Number.isNaN(Date.parse(at)) ? '' : clockIn(zone, at)}
      onChange={(clock) =>
        setFilters({
          range: between,
          [name]: clock === '' ? undefined : momentAt(zone, clock),
        })
      }
    />
  );
  return (
    <>
      <Select
        label="Time"
        options={[
          ['', 'Any time'],
          ...Object.entries(ranges).map(([id, of]) => [id, of?.[0] ?? id] as const),
          [between, 'Custom range'],
        ]}
        value={isBetween ? between : range}
        onChange={(chosen) =>
          setFilters(
            chosen === between
              ? { range: between, from: sinceOf(range) }
              : { range: chosen, from: undefined, to: undefined },
          )
        }
      />
      {isBetween ? (
        <>
          {field('from', 'From', from)}
          {field('to', 'To', to)}
        </>
      ) : null}
    </>
  );
}

interface FiltersProps {
  filters: readonly Filter[];
  /** The orders of the list, as values of `sort` in the address. */
  sorts?: Options;
  /** The search in the list, in the same line. */
  search?: ReactNode;
  /** What else is in the line. */
  children?: ReactNode;
}

/** One line: the search, the filters that are set, and the menu with all of them. */
export function Filters({ filters, sorts, search, children }: FiltersProps) {
  const id = useId();
  const { query } = useLocation();
  const [open, setOpen] = useState(false);
  const hasTime = filters.some(({ name }) => name === 'from');
  const time = useTimeText();
  const chosen = filters.flatMap(({ name, label, options }) => {
    const value = query.get(name) ?? '';
    if (options === undefined || value === '') return [];
    const text = options.find(([option]) => option === value)?.[1] ?? value;
    return [{ names: [name], label, text }];
  });
  if (hasTime && time !== undefined) {
    // A sentence about what changed is about this time.
    chosen.push({ names: ['range', 'from', 'to', changeParameter], label: 'Time', text: time });
  }
  const clear = (names: readonly string[]) =>
    setFilters(Object.fromEntries(names.map((name) => [name, undefined])));
  const clearAll =
    chosen.length === 0 ? null : (
      <button
        type="button"
        className="button plain"
        onClick={() => clear(chosen.flatMap(({ names }) => names))}
      >
        Clear filters
      </button>
    );
  return (
    <search className="filters" aria-label="Filters">
      {search}
      {chosen.map(({ names, label, text }) => (
        <span key={label} className="set-filter">
          <button type="button" popoverTarget={id} title={text}>
            {label}: <b>{text}</b>
          </button>
          <button type="button" aria-label={`Remove: ${label}`} onClick={() => clear(names)}>
            <Icon name="close" />
          </button>
        </span>
      ))}
      <button type="button" className="button add-filter" popoverTarget={id}>
        <Icon name="filter" />
        <span className="when-wide">Add filter</span>
        <span className="when-narrow">Filters</span>
        {chosen.length === 0 ? null : <b className="when-narrow">{chosen.length}</b>}
      </button>
      <span className="clear">{clearAll}</span>
      {children}
      {hasTime ? <ZoneNote /> : null}
      <div
        id={id}
        className="menu filter-menu"
        popover="auto"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {/* A filter can have a thousand choices. */}
        {open ? (
          <>
            {filters.map(({ name, label, options }) =>
              options === undefined ? null : (
                <Select
                  key={name}
                  label={label}
                  options={withValue([['', 'All'], ...options], query.get(name) ?? undefined)}
                  value={query.get(name) ?? ''}
                  onChange={(value) => setFilters({ [name]: value })}
                />
              ),
            )}
            {hasTime ? <TimeRange /> : null}
            {sorts ? (
              <Select
                label="Sort by"
                options={withValue(sorts, query.get('sort') ?? undefined)}
                value={query.get('sort') ?? ''}
                onChange={(sort) => setFilters({ sort })}
              />
            ) : null}
            <div className="clear">
              {clearAll}
              {hasTime ? <ZoneNote /> : null}
            </div>
          </>
        ) : null}
      </div>
    </search>
  );
}

function ZoneNote() {
  const words = `Days and times in ${useZone()}`;
  return (
    <span className="zone small soft" title={words}>
      {words}
    </span>
  );
}

/** What the range of a list by time says; undefined if it has none. */
function useTimeText(): string | undefined {
  const { query } = useLocation();
  const { from, to } = useFilters<Times>(timeFilters);
  const text = (at: string) =>
    calendarDay.test(at) || Number.isNaN(Date.parse(at)) ? at : when(at);
  if (from !== undefined && to !== undefined) return `${text(from)} to ${text(to)}`;
  if (from !== undefined) return `since ${text(from)}`;
  if (to !== undefined) return `until ${text(to)}`;
  const range = query.get('range');
  return range === null || range === between ? undefined : (ranges[range]?.[0] ?? range);
}

type Options = readonly (readonly [value: string, text: string])[];

/** Adds a value from the address that is not one of the usual choices. */
function withValue(options: Options, value: string | undefined): Options {
  const isKnown = value === undefined || options.some(([option]) => option === value);
  return isKnown ? options : [...options, [value, value]];
}
