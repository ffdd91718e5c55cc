// A card with a chart, and the same figures as an accessible table.
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Segments } from './basics.tsx';
import { Table } from './table.tsx';
import type { TableProps } from './table.tsx';

interface FigureCardProps<T> {
  title: string;
  picture: ReactNode;
  /** What is drawn, chosen by the person. */
  controls?: ReactNode;
  table: Omit<TableProps<T>, 'label' | 'bare'>;
}

export function FigureCard<T>({ title, picture, table, controls }: FigureCardProps<T>) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const titleId = useId();
  return (
    <section className="card chart" aria-labelledby={titleId}>
      <div className="row apart">
        <h2 id={titleId}>{title}</h2>
        <div className="row">
          {controls}
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
      </div>
      {view === 'chart' ? picture : <Table bare label={`${title} as a table`} {...table} />}
    </section>
  );
}
