// The scorecard page: which search engines are good for these searches, and what they cost, by what was
// observed and by an evaluation of a person's own queries.
import { Suspense } from 'react';
import type { ScorecardFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { Await, DocsLink, Loading, Page, Segments } from '../components/basics.tsx';
import { Download } from '../components/download.tsx';
import { Select } from '../components/field.tsx';
import { setQuery, useLocation } from '../shell/router.tsx';
import { lazyPage } from '../shell/lazy-page.ts';
import { ForChanges, useIsOperator, useSession } from '../shell/session.tsx';
import { ScorecardTable } from './scorecard-table.tsx';
import { Verdict } from './verdict.tsx';

const Evaluate = lazyPage(async () => (await import('./evaluate.tsx')).Evaluate);

const views = [
  ['', 'Observed'],
  ['evaluate', 'Evaluate my queries'],
] as const;

const groups = [
  ['provider', 'Engine'],
  ['language', 'Language'],
  ['category', 'Category'],
  ['freshness', 'Freshness'],
] as const;

const spans = [
  ['4', 'Last 4 weeks'],
  ['12', 'Last 12 weeks'],
  ['26', 'Last 26 weeks'],
  ['52', 'Last 52 weeks'],
] as const;

export function ScorecardPage() {
  const { account } = useSession();
  const evaluates = useLocation().query.get('view') === 'evaluate';
  return (
    <Page
      title="Scorecard"
      intro="The quality, price and latency of search engines."
      aside={
        <div className="row">
          <DocsLink page={evaluates ? 'choosing' : 'choosing#scorecard'} />
          <ForChanges>
            <Segments
              label="View"
              options={views}
              value={evaluates ? 'evaluate' : ''}
              onChange={(view) => setQuery({ view })}
            />
          </ForChanges>
        </div>
      }
    >
      {evaluates ? (
        <Suspense fallback={<Loading />}>
          <Evaluate key={account.id} />
        </Suspense>
      ) : (
        <Observed />
      )}
    </Page>
  );
}

function Observed() {
  const { account } = useSession();
  const { query } = useLocation();
  const operator = useIsOperator();
  const by = groups.find(([name]) => name === query.get('by'))?.[0] ?? 'provider';
  const weeks = spans.find(([span]) => span === query.get('weeks'))?.[0] ?? '12';
  const ofAll = operator && query.get('of') === 'all';
  const wanted = { ...(ofAll ? {} : { account_id: account.id }), by, weeks };
  const filters: ScorecardFilters = { ...wanted, weeks: Number(weeks) };
  const scorecard = useLoad(['scorecard', wanted], () => admin.scorecard(filters));
  return (
    <>
      <div className="row">
        <Select
          label="Time"
          options={spans}
          value={weeks}
          onChange={(span) => setQuery({ weeks: span })}
        />
        <Segments
          label="Group by"
          options={groups}
          value={by}
          onChange={(name) => setQuery({ by: name })}
        />
        {operator ? (
          <Segments
            label="Show"
            options={[
              ['account', 'This account'],
              ['all', 'All accounts'],
            ]}
            value={ofAll ? 'all' : 'account'}
            onChange={(of) => setQuery({ of: of === 'all' ? of : undefined })}
          />
        ) : null}
      </div>
      <Await of={scorecard}>
        {(data) => (
          <>
            {by === 'provider' ? <Verdict scorecard={data} /> : null}
            <ScorecardTable scorecard={data} />
          </>
        )}
      </Await>
      <p className="soft">
        Agreement compares an engine with the others on the same searches, and feedback is what
        callers said about its results. Neither is an absolute measure of quality.
      </p>
      <div className="row">
        <Download of="/admin/v1/scorecard" query={{ ...wanted, format: 'csv' }} name="CSV" />
      </div>
    </>
  );
}
