// The overview page: balance, spend, the outcomes of requests, and latency.
import type { Overview, OverviewSpan } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { milliseconds } from '../format.ts';
import { Await, Empty, Money, Page, Segments } from '../components/basics.tsx';
import { Change } from '../components/change.tsx';
import { Figure } from '../components/figure.tsx';
import { OutcomeFigures } from '../components/outcome-figures.tsx';
import { LiveControl, useLiveRefresh } from '../shell/live.tsx';
import { Link, setQuery, useLocation } from '../shell/router.tsx';
import { ForChanges, useSession } from '../shell/session.tsx';
import { useZone } from '../zone.ts';
import { OpenIncidents } from './open-incidents.tsx';
import { OverviewCharts } from './overview-charts.tsx';

const spans: readonly (readonly [OverviewSpan, string])[] = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
];

export function OverviewPage() {
  const { account } = useSession();
  const { query } = useLocation();
  const span = spans.find(([known]) => known === query.get('span'))?.[0] ?? '7d';
  const zone = useZone();
  const overview = useLoad(['overview', account.id, span, zone], () =>
    admin.overview({ account_id: account.id, span, zone }),
  );
  useLiveRefresh(overview.refresh);
  return (
    <Page
      title="Overview"
      aside={
        <div className="row">
          <LiveControl />
          <Segments
            label="Time range"
            options={spans}
            value={span}
            onChange={(chosen) => setQuery({ span: chosen })}
          />
        </div>
      }
    >
      <OpenIncidents />
      <Await of={overview}>{(data) => <Figures data={data} />}</Await>
    </Page>
  );
}

function Figures({ data }: { data: Overview }) {
  const { total, previous, latency } = data;
  const range = { from: data.points[0]?.at, to: data.points.at(-1)?.until };
  const before = `the previous ${spans.find(([span]) => span === data.span)?.[1] ?? ''}`;
  return (
    <>
      <dl className="figures">
        <Figure name="Balance" value={<Money usd={data.balance_usd} />}>
          {data.held_usd > 0 ? (
            <>
              <Money usd={data.held_usd} /> held for requests in progress
            </>
          ) : null}
        </Figure>
        <Figure name="Spent" value={<Money usd={total.cost_usd} />}>
          <Change now={total.cost_usd} before={previous.cost_usd} than={before} />
        </Figure>
        <OutcomeFigures total={total} previous={previous} than={before} range={range} />
        <Figure
          name="Median latency"
          value={latency.p50_ms === null ? '–' : milliseconds(latency.p50_ms)}
        >
          {latency.p95_ms === null ? null : `p95 ${milliseconds(latency.p95_ms)}`}
        </Figure>
      </dl>
      {total.requests === 0 ? (
        <Empty
          card
          title="No requests in this time range"
          action={
            <ForChanges>
              <Link to="/playground" className="button primary">
                Try a search
              </Link>
            </ForChanges>
          }
        >
          Create a key and call the API, or try the three tools here first.
        </Empty>
      ) : (
        <OverviewCharts data={data} />
      )}
    </>
  );
}
