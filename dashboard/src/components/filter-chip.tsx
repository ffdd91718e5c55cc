// A value in a list that is pressed to see only the entries with it.
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
      // The filters above the list do the same, with fewer stops for the keyboard.
      tabIndex={-1}
      title="Show only these"
      onClick={(event) => {
        // The row would open its detail.
        event.stopPropagation();
        setFilters({ ...filter, request: undefined });
      }}
    >
      {children}
    </button>
  );
}
