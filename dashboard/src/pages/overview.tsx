// The overview page: balance, spend, requests, failures and latency.
import type { Overview, OverviewSpan } from '@trivium/contract';
import { requestJson, withQuery } from '../api/http.ts';
import { keyName, providerName, toolTitles, useKeys } from '../api/names.ts';
import { useLoad } from '../api/use-load.ts';
import { count, hourOf, locale, milliseconds, share, usd } from '../format.ts';
import { Await, Empty, Page, Segments } from '../components/basics.tsx';
import { LatencyBars, UsageBars } from '../components/bars.tsx';
import { Chart } from '../components/chart.tsx';
import { LiveControl, useNews } from '../shell/live.tsx';
import { goWith, Link, usePlace } from '../shell/router.tsx';
import { useSession } from '../shell/session.tsx';
import { useZone } from '../zone.ts';

const spans: readonly (readonly [OverviewSpan, string])[] = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
];

export function OverviewPage() {
  const { account } = useSession();
  const { query } = usePlace();
  const span = spans.find(([known]) => known === query.get('span'))?.[0] ?? '7d';
  const path = withQuery('/admin/v1/overview', { account_id: account.id, span });
  const overview = useLoad(path, () => requestJson<Overview>('GET', path));
  useNews(overview.refresh);
  return (
    <Page
      title="Overview"
      intro={account.name}
      aside={
        <div className="row">
          <LiveControl />
          <Segments
            label="Time range"
            options={spans}
            value={span}
            onChange={(chosen) => goWith({ span: chosen })}
          />
        </div>
      }
    >
      <Await of={overview}>{(data) => <Figures data={data} />}</Await>
    </Page>
  );
}

function Figures({ data }: { data: Overview }) {
  const { total, latency } = data;
  return (
    <>
      <dl className="figures">
        <Figure
          name="Balance"
          value={usd(data.balance_usd)}
          under={data.held_usd > 0 ? `${usd(data.held_usd)} held for requests in progress` : ''}
        />
        <Figure name="Spent" value={usd(total.cost_usd)} />
        <Figure name="Requests" value={count(total.requests)} />
        <Figure
          name="Failed"
          value={share(total.failures, total.requests)}
          under={`${count(total.failures)} of ${count(total.requests)}`}
        />
        <Figure
          name="Latency, median"
          value={latency.p50_ms === null ? '–' : milliseconds(latency.p50_ms)}
          under={latency.p95_ms === null ? '' : `p95 ${milliseconds(latency.p95_ms)}`}
        />
      </dl>
      {total.requests === 0 ? (
        <div className="card">
          <Empty
            title="No requests in this time range"
            action={
              <Link to="/playground" className="button primary">
                Try a search
              </Link>
            }
          >
            Create a key and call the API, or try the three tools here first.
          </Empty>
        </div>
      ) : (
        <Charts data={data} />
      )}
    </>
  );
}

function Figure({ name, value, under = '' }: { name: string; value: string; under?: string }) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>
        {value}
        {under === '' ? null : <div className="under">{under}</div>}
      </dd>
    </div>
  );
}

function Charts({ data }: { data: Overview }) {
  const keys = useKeys().data?.keys ?? [];
  const named = <T extends { group: string }>(parts: readonly T[], name: (id: string) => string) =>
    parts.map((part) => ({ ...part, name: name(part.group) }));
  return (
    <>
      <OverTime data={data} />
      <div className="grid-two">
        <div className="stack wide-gap">
          <UsageBars
            title="By provider"
            lines={named(data.by_provider, (id) => providerName(id))}
          />
          <UsageBars title="By tool" lines={named(data.by_tool, (id) => toolTitles[id] ?? id)} />
        </div>
        <div className="stack wide-gap">
          <LatencyBars
            title="Latency by provider"
            lines={data.latency_by_provider.flatMap(({ id, requests, p50_ms, p95_ms }) =>
              p50_ms === null || p95_ms === null
                ? []
                : [{ id, name: providerName(id), requests, p50_ms, p95_ms }],
            )}
          />
          <UsageBars title="By key" lines={named(data.by_key, (id) => keyName(keys, id))} />
        </div>
      </div>
    </>
  );
}

function OverTime({ data: { points, span } }: { data: Overview }) {
  const zone = useZone();
  const time = {
    at: points.map(({ at }) => at),
    formatTime: span === '24h' ? hourOf : dayOf,
  };
  const requests = points.map((point) => point.requests);
  const spent = points.map((point) => point.cost_usd);
  const failed = points.map((point) =>
    point.requests === 0 ? 0 : point.failures / point.requests,
  );
  return (
    <div className="grid-three">
      <p className="small soft across">
        {span === '24h' ? `Hours in ${zone}` : 'Days in UTC, as they are summed'}
      </p>
      <Chart
        {...time}
        title="Requests"
        format={count}
        series={[{ name: 'Requests', values: requests, tone: 'accent' }]}
      />
      <Chart
        {...time}
        title="Spend"
        format={usd}
        series={[{ name: 'Spend', values: spent, tone: 'accent' }]}
      />
      <Chart
        {...time}
        title="Error rate"
        format={(rate) => share(rate, 1)}
        series={[{ name: 'Error rate', values: failed, tone: 'bad' }]}
        sums={false}
      />
    </div>
  );
}

const days = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Days are UTC days, so their labels are in UTC too. */
function dayOf(at: string): string {
  return days.format(new Date(at));
}
