// Filters above a list, kept in the URL so that a filtered view can be shared.
import { setQuery, useLocation } from '../shell/router.tsx';
import { nextDay, startOfDay, useZone } from '../zone.ts';
import { when } from '../format.ts';
import { Input, Select } from './field.tsx';
import { Icon } from './icon.tsx';

export interface Filter {
  name: string;
  label: string;
  /** The choices; without them, the filter is a date. */
  options?: readonly (readonly [value: string, text: string])[];
}

/** The filters that are set, by name. */
export function useFilters(filters: readonly Filter[]): Record<string, string | undefined> {
  const { query } = useLocation();
  return Object.fromEntries(filters.map(({ name }) => [name, query.get(name) || undefined]));
}

const calendarDay = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** The filters as the API takes them: days of the person's zone become moments. */
export function useFilterQuery(filters: readonly Filter[]): Record<string, string | undefined> {
  const zone = useZone();
  const { from, to, ...others } = useFilters(filters);
  return {
    ...others,
    from: momentOf(zone, from, (day) => day),
    to: momentOf(zone, to, nextDay),
  };
}

/** What is no day stays as it is, and the gateway says what is wrong with it. */
function momentOf(
  zone: string,
  day: string | undefined,
  shift: (day: string) => string,
): string | undefined {
  if (day === undefined || !calendarDay.test(day) || Number.isNaN(Date.parse(day))) return day;
  return startOfDay(zone, shift(day));
}

/** A moment, as a chart names the ends of its intervals. */
function isMoment(value: string | undefined): value is string {
  return value?.includes('T') === true && !Number.isNaN(Date.parse(value));
}

function TimeRange({ from, to }: { from: string | undefined; to: string | undefined }) {
  if (!isMoment(from) && !isMoment(to)) return null;
  return (
    <div className="field">
      <span className="label">Time</span>
      <button
        type="button"
        className="button"
        onClick={() =>
          setQuery({ ...(isMoment(from) ? { from: '' } : {}), ...(isMoment(to) ? { to: '' } : {}) })
        }
      >
        {isMoment(from) ? when(from) : ''} – {isMoment(to) ? when(to) : ''}
        <Icon name="close" />
        <span className="hidden-text">Remove this filter</span>
      </button>
    </div>
  );
}

export function Filters({ filters }: { filters: readonly Filter[] }) {
  const values = useFilters(filters);
  const zone = useZone();
  return (
    <search className="filters" aria-label="Filters">
      {filters.map(({ name, label, options }) =>
        options === undefined && isMoment(values[name]) ? null : options ? (
          <Select
            key={name}
            label={label}
            options={[['', 'All'], ...options]}
            value={values[name] ?? ''}
            onChange={(value) => setQuery({ [name]: value })}
          />
        ) : (
          <Input
            key={name}
            label={label}
            type="date"
            max="9998-12-31"
            value={values[name] ?? ''}
            onChange={(value) => setQuery({ [name]: value })}
          />
        ),
      )}
      <TimeRange from={values['from']} to={values['to']} />
      <p className="small soft">Days and times in {zone}</p>
    </search>
  );
}
