// Bar charts of usage and latency, with a table of the same figures.
import { count, milliseconds, share, usd } from '../format.ts';
import { Link } from '../shell/router.tsx';
import { FigureCard } from './chart.tsx';
import { Money } from './basics.tsx';

export interface UsageLine {
  group: string;
  name: string;
  requests: number;
  refused: number;
  failed: number;
  cost_usd: number;
}

interface UsageBarsProps {
  title: string;
  /** Ordered by cost. */
  lines: readonly UsageLine[];
  /** The address of the requests of a group. */
  hrefOf: (group: string) => string | undefined;
}

export function UsageBars({ title, lines, hrefOf }: UsageBarsProps) {
  const isFree = lines.every(({ cost_usd }) => cost_usd === 0);
  return (
    <FigureCard
      title={title}
      picture={
        <Bars
          lines={lines.map(({ group, name, requests, cost_usd }) => ({
            key: group,
            name,
            href: hrefOf(group),
            says: `${usd(cost_usd)} · ${requestsOf(requests)}`,
            long: isFree ? requests : cost_usd,
          }))}
        />
      }
      table={{
        rows: lines,
        keyOf: ({ group }) => group,
        columns: [
          { title: 'Name', show: ({ name }) => name },
          { title: 'Requests', right: true, show: ({ requests }) => count(requests) },
          {
            title: 'Refused',
            right: true,
            show: ({ refused, requests }) => share(refused, requests),
          },
          {
            title: 'Failed',
            right: true,
            show: ({ failed, requests }) => share(failed, requests),
          },
          { title: 'Cost', right: true, show: ({ cost_usd }) => <Money usd={cost_usd} /> },
        ],
      }}
    />
  );
}

interface LatencyLine {
  id: string;
  name: string;
  requests: number;
  p50_ms: number;
  p95_ms: number;
}

export function LatencyBars({ title, lines }: { title: string; lines: readonly LatencyLine[] }) {
  return (
    <FigureCard
      title={title}
      picture={
        <Bars
          lines={lines.map(({ id, name, p50_ms, p95_ms }) => ({
            key: id,
            name,
            says: `${milliseconds(p50_ms)} · p95 ${milliseconds(p95_ms)}`,
            long: p50_ms,
            behind: p95_ms,
          }))}
        />
      }
      table={{
        rows: lines,
        keyOf: ({ id }) => id,
        columns: [
          { title: 'Name', show: ({ name }) => name },
          { title: 'Latest requests', right: true, show: ({ requests }) => count(requests) },
          { title: 'Median', right: true, show: ({ p50_ms }) => milliseconds(p50_ms) },
          { title: 'p95', right: true, show: ({ p95_ms }) => milliseconds(p95_ms) },
        ],
      }}
    />
  );
}

function requestsOf(requests: number): string {
  return requests === 1 ? '1 request' : `${count(requests)} requests`;
}

interface Bar {
  key: string;
  name: string;
  href?: string | undefined;
  says: string;
  long: number;
  /** A longer, paler bar behind it. */
  behind?: number;
}

function Bars({ lines }: { lines: readonly Bar[] }) {
  const most = Math.max(Number.MIN_VALUE, ...lines.map(({ long, behind }) => behind ?? long));
  const width = (value: number) => ({ width: `${(100 * value) / most}%` });
  return (
    <ul className="bars">
      {lines.map(({ key, name, href, says, long, behind }) => (
        <li key={key} className="bar-line">
          <span>{href === undefined ? name : <Link to={href}>{name}</Link>}</span>
          <span className="numeric soft">{says}</span>
          <span className="bar-track" aria-hidden="true">
            {behind === undefined ? null : <span className="bar-fill pale" style={width(behind)} />}
            <span className="bar-fill" style={width(long)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
