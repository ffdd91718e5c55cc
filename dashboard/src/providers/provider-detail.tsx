// One provider: how often it answered on each of the last 30 days, its last errors, and its state.
import type { ReactNode } from 'react';
import type { ErrorKind, ProviderDescription, ProviderRecord } from '@trivium/contract';
import { labelProviders } from '@trivium/contract/provider-names';
import { admin } from '../api/clients.ts';
import { toolTitles } from '../api/names.ts';
import { useLoad } from '../api/data.ts';
import { Await, Facts, Moment, Tag } from '../components/basics.tsx';
import { OutcomeTag } from '../components/outcome.tsx';
import { Detail } from '../components/panel.tsx';
import { count, day, exactUsd, milliseconds, share } from '../format.ts';
import { useIncidentsBetween } from '../incidents/use-incidents.ts';
import { Link, withQuery } from '../shell/router.tsx';
import { HourChart } from './hour-chart.tsx';
import { hoursUntil, uptimeOf } from './uptime.ts';
import { daysOfRange } from '../usage/usage-figures.ts';

interface ProviderDetailProps {
  provider: ProviderDescription | undefined;
  record: ProviderRecord | undefined;
  check: ReactNode;
  onClose: () => void;
}

export function ProviderDetail({ provider, record, check, onClose }: ProviderDetailProps) {
  return (
    <Detail
      title={provider?.name ?? 'Provider'}
      of={{ data: provider ? [provider] : [] }}
      missing="This gateway has no such provider."
      onClose={onClose}
    >
      {(one) => (
        <>
          <div className="row">{check}</div>
          <Facts facts={factsOf(one, record)} />
          <Uptime id={one.id} />
          <ByHour id={one.id} />
          <LastErrors id={one.id} />
          <section className="stack tight">
            <h3>Prices</h3>
            <Facts facts={pricesOf(one)} />
          </section>
        </>
      )}
    </Detail>
  );
}

function pricesOf({ tools }: ProviderDescription) {
  return Object.entries(tools).flatMap(([tool, own]) =>
    Object.entries(own?.prices ?? {}).map(
      ([name, price]) =>
        [`${toolTitles[tool] ?? tool}, ${name.replaceAll('_', ' ')}`, exactUsd(price)] as const,
    ),
  );
}

function factsOf({ health }: ProviderDescription, record: ProviderRecord | undefined) {
  return [
    ...(health
      ? [
          ['Circuit', health.circuit.replaceAll('_', ' ')] as const,
          [
            'Credentials',
            `${health.credentials - health.credentials_resting} of ${health.credentials} in use`,
          ] as const,
          ['Calls', `${health.running} in progress, ${health.waiting} waiting`] as const,
        ]
      : []),
    ...(record && record.p50_ms !== null
      ? [
          [
            'Latency of the latest requests',
            `median ${milliseconds(record.p50_ms)}, p95 ${milliseconds(record.p95_ms ?? record.p50_ms)}`,
          ] as const,
        ]
      : []),
  ] as const;
}

/** Covers all accounts, from the daily totals, which are kept indefinitely. */
function Uptime({ id }: { id: string }) {
  const range = daysOfRange('30d', Date.now());
  const query = { by: 'provider', interval: 'day', ...range } as const;
  const usage = useLoad(['usage', query], () => admin.usage(query));
  return (
    <section className="stack tight">
      <h3>Requests answered in the last 30 days (UTC)</h3>
      <Await of={usage}>
        {({ usage: lines }) => {
          const line = lines.find(({ group }) => group === id);
          const days = uptimeOf(line?.days ?? [], range);
          return (
            <>
              <p>
                {line === undefined || line.served + line.failed === 0
                  ? 'Not called in this period.'
                  : `${share(line.served, line.served + line.failed)} of ${count(line.served + line.failed)} requests`}
              </p>
              <ol className="uptime" aria-label="Answered by day">
                {days.map((one) => (
                  <li key={one.day}>
                    <DayBar of={one} id={id} />
                  </li>
                ))}
              </ol>
            </>
          );
        }}
      </Await>
    </section>
  );
}

function DayBar({ of, id }: { of: ReturnType<typeof uptimeOf>[number]; id: string }) {
  const { day: date, tone, called, part } = of;
  const words =
    called === 0
      ? `${day(date)}: not called`
      : `${day(date)}: ${part} of ${count(called)} answered`;
  const inside = (
    <span className={`uptime-day ${tone}`} title={words}>
      <span className="hidden-text">{words}</span>
    </span>
  );
  const filter = { provider: id, outcome: 'failed', from: date, to: date };
  return tone === 'bad' || tone === 'warn' ? (
    <Link to={withQuery('/requests', filter)}>{inside}</Link>
  ) : (
    inside
  );
}

function ByHour({ id }: { id: string }) {
  const loaded = useLoad(['providers', 'hours', id], () => admin.providers.hours(id));
  const { from, to } = daysOfRange('30d', Date.now());
  const incidents = useIncidentsBetween(from, to).filter(({ subject }) => subject === id);
  return (
    <section className="stack tight">
      <h3>By hour, all accounts</h3>
      <Await of={loaded}>
        {({ hours }) => (
          <HourChart of={id} hours={hoursUntil(Date.now(), hours)} incidents={incidents} />
        )}
      </Await>
    </section>
  );
}

function LastErrors({ id }: { id: string }) {
  const query = { provider: id, outcome: 'failed' } as const;
  const kinds = useLoad(['errors', query], () => admin.requests.errors(query));
  return (
    <section className="stack tight">
      <h3>Latest errors, all accounts</h3>
      <Await of={kinds}>
        {({ errors }) =>
          errors.length === 0 ? (
            <p className="soft">None in the request log.</p>
          ) : (
            <ul className="stack tight">
              {errors.map((kind) => (
                <li key={`${kind.tool} ${kind.status} ${kind.error_type ?? ''}`}>
                  <OneError of={kind} />
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </section>
  );
}

function OneError({ of: kind }: { of: ErrorKind }) {
  const { last_message, last_seen_at, tool } = kind;
  return (
    <>
      <OutcomeTag of={kind} /> <Tag>{toolTitles[tool] ?? tool}</Tag> {count(kind.count)}, last{' '}
      <Moment at={last_seen_at} />
      {last_message === null ? null : <p className="small soft">{labelProviders(last_message)}</p>}
    </>
  );
}
