// A card with a picture of figures, and the same figures as a table for who prefers or needs it.
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Segments } from './basics.tsx';
import { Table } from './table.tsx';
import type { TableProps } from './table.tsx';

interface FigureCardProps<T> {
  title: string;
  picture: ReactNode;
  table: Omit<TableProps<T>, 'label' | 'bare'>;
}

export function FigureCard<T>({ title, picture, table }: FigureCardProps<T>) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const title_id = useId();
  return (
    <section className="card chart" aria-labelledby={title_id}>
      <div className="row apart">
        <h2 id={title_id}>{title}</h2>
        <Segments
          label={`${title} as`}
          options={[
            ['chart', 'Chart'],
            ['table', 'Table'],
          ]}
          value={view}
          onChange={setView}
        />
      </div>
      {view === 'chart' ? picture : <Table bare label={title} {...table} />}
    </section>
  );
}
