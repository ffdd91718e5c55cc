// Shares as bars beside their names, with a table of the same figures.
import { useId, useState } from 'react';
import { count, share, usd } from '../format.ts';
import { Segments } from './basics.tsx';
import { Table } from './table.tsx';

export interface BarLine {
  group: string;
  name: string;
  requests: number;
  failures: number;
  cost_usd: number;
}

export function Bars({ title, lines }: { title: string; lines: readonly BarLine[] }) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const title_id = useId();
  const most = Math.max(0, ...lines.map(({ requests }) => requests));
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
      {view === 'chart' ? (
        <ul className="bars">
          {lines.map((line) => (
            <li key={line.group} className="bar-line">
              <span>{line.name}</span>
              <span className="numeric soft">
                {count(line.requests)} · {usd(line.cost_usd)}
              </span>
              <span className="bar-track" aria-hidden="true">
                <span
                  className="bar-fill"
                  style={{
                    display: 'block',
                    width: `${(100 * line.requests) / Math.max(1, most)}%`,
                  }}
                />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <Table
          bare
          label={title}
          rows={lines}
          keyOf={({ group }) => group}
          columns={[
            { title: 'Name', show: ({ name }) => name },
            { title: 'Requests', right: true, show: ({ requests }) => count(requests) },
            {
              title: 'Failed',
              right: true,
              show: ({ failures, requests }) => share(failures, requests),
            },
            { title: 'Cost', right: true, show: ({ cost_usd }) => usd(cost_usd) },
          ]}
        />
      )}
    </section>
  );
}
