// A list without entries: the filters exclude them all, or there are none yet.
import type { ReactNode } from 'react';
import { useLocation } from '../shell/router.tsx';
import { Button, Empty } from './basics.tsx';
import { setFilters } from './filters.tsx';
import type { Filter } from './filters.tsx';

interface EmptyListProps {
  /** What the list has, as singular and plural. */
  of: readonly [one: string, many: string];
  filters: readonly Filter[];
  /** Only a part of the list was searched. */
  partly?: boolean;
  /** What to do when there are none yet. */
  action?: ReactNode;
  children: ReactNode;
}

export function EmptyList({ of: [one, many], filters, partly, action, children }: EmptyListProps) {
  const { query } = useLocation();
  const names = [...filters.map(({ name }) => name), 'range', 'q'];
  if (!names.some((name) => query.has(name))) {
    return (
      <Empty card title={`No ${many} yet`} action={action}>
        {children}
      </Empty>
    );
  }
  const showAll = () => setFilters(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <Empty
      card
      title={`No ${many}`}
      action={<Button onPress={showAll}>{`Show all ${many}`}</Button>}
    >
      No {one} {partly ? 'so far ' : ''}matches these filters.
    </Empty>
  );
}
