// Filters above a list, kept in the URL so that a filtered view can be shared.
import { goWith, usePlace } from '../shell/router.tsx';
import { Input, Select } from './field.tsx';

export interface Filter {
  name: string;
  label: string;
  /** The choices; without them, the filter is a date. */
  options?: readonly (readonly [value: string, text: string])[];
}

/** The filters that are set, by name. */
export function useFilters(filters: readonly Filter[]): Record<string, string | undefined> {
  const { query } = usePlace();
  return Object.fromEntries(filters.map(({ name }) => [name, query.get(name) ?? undefined]));
}

export function Filters({ filters }: { filters: readonly Filter[] }) {
  const values = useFilters(filters);
  return (
    <search className="filters" aria-label="Filters">
      {filters.map(({ name, label, options }) =>
        options ? (
          <Select
            key={name}
            label={label}
            options={[['', 'All'], ...options]}
            value={values[name] ?? ''}
            onChange={(value) => goWith({ [name]: value })}
          />
        ) : (
          <Input
            key={name}
            label={label}
            type="date"
            value={values[name] ?? ''}
            onChange={(value) => goWith({ [name]: value })}
          />
        ),
      )}
    </search>
  );
}
