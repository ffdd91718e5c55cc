// Shares as bars beside their names, with a table of the same figures.
import { count, share, usd } from '../format.ts';
import { FigureCard } from './figure-card.tsx';

export interface BarLine {
  group: string;
  name: string;
  requests: number;
  failures: number;
  cost_usd: number;
}

export function Bars({ title, lines }: { title: string; lines: readonly BarLine[] }) {
  const most = Math.max(1, ...lines.map(({ requests }) => requests));
  return (
    <FigureCard
      title={title}
      picture={
        <ul className="bars">
          {lines.map((line) => (
            <li key={line.group} className="bar-line">
              <span>{line.name}</span>
              <span className="numeric soft">
                {count(line.requests)} · {usd(line.cost_usd)}
              </span>
              <span className="bar-track" aria-hidden="true">
                <span className="bar-fill" style={{ width: `${(100 * line.requests) / most}%` }} />
              </span>
            </li>
          ))}
        </ul>
      }
      table={{
        rows: lines,
        keyOf: ({ group }) => group,
        columns: [
          { title: 'Name', show: ({ name }) => name },
          { title: 'Requests', right: true, show: ({ requests }) => count(requests) },
          {
            title: 'Failed',
            right: true,
            show: ({ failures, requests }) => share(failures, requests),
          },
          { title: 'Cost', right: true, show: ({ cost_usd }) => usd(cost_usd) },
        ],
      }}
    />
  );
}
