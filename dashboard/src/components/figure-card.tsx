// A card with a chart, and the same figures as an accessible table.
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
  const titleId = useId();
  return (
    <section className="card chart" aria-labelledby={titleId}>
      <div className="row apart">
        <h2 id={titleId}>{title}</h2>
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
