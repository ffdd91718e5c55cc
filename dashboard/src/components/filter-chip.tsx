// A value in a list. Pressing it shows only the entries with this value.
import type { ReactNode } from 'react';
import { setFilters } from './filters.tsx';

interface FilterChipProps {
  filter: Readonly<Record<string, string | undefined>>;
  children: ReactNode;
}

export function FilterChip({ filter, children }: FilterChipProps) {
  const isSet = Object.values(filter).every((value) => value !== undefined);
  if (!isSet) return children;
  return (
    <button
      type="button"
      className="filter-chip"
      // Keyboard users have the filters above the list, which need fewer tab stops.
      tabIndex={-1}
      title="Show only entries with this value"
      onClick={(event) => {
        // Otherwise the row would open its detail.
        event.stopPropagation();
        setFilters({ ...filter, request: undefined });
      }}
    >
      {children}
    </button>
  );
}
