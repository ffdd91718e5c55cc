// A table of rows that were all loaded at once: the first ones, and a button for more of them.
import { useMemo, useState } from 'react';
import { count } from '../format.ts';
import { Button } from './basics.tsx';
import { Table } from './table.tsx';
import type { TableProps } from './table.tsx';
import { usePrinting } from './use-printing.ts';

const step = 50;

export function LongTable<T>(props: TableProps<T>) {
  const { rows } = props;
  const [most, setMost] = useState(step);
  const shown = usePrinting() ? Infinity : most;
  const first = useMemo(() => rows.slice(0, shown), [rows, shown]);
  return (
    <>
      <Table {...props} rows={first} />
      {first.length === rows.length ? null : (
        <div className="row">
          <span className="soft">
            {count(first.length)} of {count(rows.length)}
          </span>
          <Button onPress={() => setMost(most + step)}>Show more</Button>
        </div>
      )}
    </>
  );
}
