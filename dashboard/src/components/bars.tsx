// Bar charts of usage and latency, with a table of the same figures.
import { count, milliseconds, share, usd } from '../format.ts';
import { Link } from '../shell/router.tsx';
import { FigureCard } from './chart.tsx';
import { providerColour } from './colours.ts';
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
  colourOf: (group: string) => string;
  /** The page that lists all of them. */
  hrefOfAll: string;
}

/** More bars than this cannot be compared at a glance. */
const mostBars = 10;

export function UsageBars({ title, lines, hrefOf, colourOf, hrefOfAll }: UsageBarsProps) {
  const isFree = lines.every(({ cost_usd }) => cost_usd === 0);
  return (
    <FigureCard
      title={title}
      picture={
        <>
          <Bars
            lines={lines.slice(0, mostBars).map(({ group, name, requests, cost_usd }) => ({
              key: group,
              name,
              href: hrefOf(group),
              says: `${usd(cost_usd)} · ${requestsOf(requests)}`,
              long: isFree ? requests : cost_usd,
              colour: colourOf(group),
            }))}
          />
          {lines.length > mostBars ? (
            <Link to={hrefOfAll}>{`All ${count(lines.length)}`}</Link>
          ) : null}
        </>
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
            colour: providerColour(id),
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
  colour: string;
}

function Bars({ lines }: { lines: readonly Bar[] }) {
  const most = Math.max(Number.MIN_VALUE, ...lines.map(({ long, behind }) => behind ?? long));
  const look = (value: number, background: string) => ({
    width: `${(100 * value) / most}%`,
    background,
  });
  return (
    <ul className="bars">
      {lines.map(({ key, name, href, says, long, behind, colour }) => (
        <li key={key} className="bar-line">
          <span>{href === undefined ? name : <Link to={href}>{name}</Link>}</span>
          <span className="numeric soft">{says}</span>
          <span className="bar-track" aria-hidden="true">
            {behind === undefined ? null : (
              <span className="bar-fill pale" style={look(behind, colour)} />
            )}
            <span className="bar-fill" style={look(long, colour)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
