// The request log: a list that is searched, filtered and exported, and the details of one request.
import { Suspense } from 'react';
import type { RequestLine } from '@trivium/contract';
import type { RequestFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { keyName, providerName, toolTitles, useKeys, useProviders } from '../api/names.ts';
import { milliseconds } from '../format.ts';
import { Loading, Moment, Money, Page, Segments, Short, Tag } from '../components/basics.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { Download } from '../components/download.tsx';
import { Filters, timeFilters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { WaitingRows, useLiveRows } from '../components/live-list.tsx';
import { outcomeOptions } from '../components/outcome.tsx';
import { neighboursOf } from '../components/panel.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import { Simulated } from '../components/simulated.tsx';
import { SearchField } from '../components/search-field.tsx';
import { SavedViews } from '../components/saved-views.tsx';
import { Table } from '../components/table.tsx';
import { lazyPage } from '../shell/lazy-page.ts';
import { Link, closeDetail, openDetail, setQuery, useLocation } from '../shell/router.tsx';
import { LiveControl } from '../shell/live.tsx';
import { ForChanges, useSession } from '../shell/session.tsx';
import { FilterChip } from '../components/filter-chip.tsx';
import { Icon } from '../components/icon.tsx';
import { useLatestJobs } from '../jobs/use-job.ts';
import { changeParameter } from './change-address.ts';
import { NotesMark } from './request-notes.tsx';
import { RequestOutcome, jobIdOf } from './request-outcome.tsx';
import { RequestDetail, TagList, providerOf } from './request-detail.tsx';
import type { RequestNames } from './request-detail.tsx';

const ErrorKinds = lazyPage(async () => (await import('./error-kinds.tsx')).ErrorKinds);
const Change = lazyPage(async () => (await import('./change.tsx')).Change);

const errorTypes = [
  'invalid_request',
  'insufficient_credits',
  'provider_error',
  'provider_not_available',
  'provider_not_configured',
  'rate_limited',
  'internal_error',
];

/** Only where both occur. */
const simulatedFilter: Filter = {
  name: 'simulated',
  label: 'Simulated',
  options: [
    ['true', 'Simulated'],
    ['false', 'Not simulated'],
  ],
};

const statuses = '200 202 400 401 402 403 404 409 422 429 499 500 501 502 503 504'.split(' ');

const sorts = [
  ['', 'Time'],
  ['cost', 'Cost'],
  ['latency', 'Latency'],
] as const;

const noteOptions = [
  ['true', 'With a note'],
  ['false', 'Without'],
] as const;

const views = [
  ['', 'Requests'],
  ['errors', 'Errors by kind'],
] as const;

export function RequestsPage() {
  const { account } = useSession();
  const providers = useProviders().data?.providers ?? [];
  const keys = useKeys().data?.keys ?? [];
  const filters: Filter[] = [
    { name: 'tool', label: 'Tool', options: Object.entries(toolTitles) },
    {
      name: 'provider',
      label: 'Provider',
      options: ['fusion', ...providers.map(({ id }) => id)].map(
        (id) => [id, providerName(id)] as const,
      ),
    },
    {
      name: 'key_id',
      label: 'Key',
      options: [['dashboard', 'Dashboard'], ...keys.map(({ id, name }) => [id, name] as const)],
    },
    { name: 'outcome', label: 'Outcome', options: outcomeOptions },
    ...(providers.some(({ simulated }) => simulated) ? [simulatedFilter] : []),
    {
      name: 'status',
      label: 'Status',
      options: statuses.map((status) => [status, status] as const),
    },
    {
      name: 'error_type',
      label: 'Error',
      options: errorTypes.map((type) => [type, type] as const),
    },
    { name: 'has_note', label: 'Notes', options: noteOptions },
    ...timeFilters,
  ];
  const chosen = useFilterQuery<RequestFilters>(filters);
  const { query } = useLocation();
  const searched = { account_id: account.id, ...searchOf(query.get('q')), ...chosen };
  const sort = (query.get('sort') ?? undefined) as RequestFilters['sort'];
  const list = usePagedList('requests', admin.requests.list, { ...searched, sort });
  const live = useLiveRows(list, 'requests');
  const open = query.get('request');
  const view = query.get('view') === 'errors' ? 'errors' : '';
  const names = {
    key: (id: string) => keyName(keys, id),
    provider: (id: string | null) => providerName(id),
  };
  return (
    <Page
      title="Requests"
      wide
      aside={
        <div className="row">
          <Segments
            label="Show"
            options={views}
            value={view}
            onChange={(chosen) => setQuery({ view: chosen })}
          />
          <LiveControl />
          <Export filters={searched} />
        </div>
      }
    >
      <Filters
        filters={filters}
        sorts={sorts}
        search={
          <SearchField
            name="q"
            label="Search requests"
            placeholder="Search by id, text, or tag:name=value"
          />
        }
      >
        <SavedViews page="/requests" />
      </Filters>
      {query.has(changeParameter) ? (
        <Suspense fallback={<Loading />}>
          <Change filters={searched} />
        </Suspense>
      ) : null}
      {view === 'errors' ? (
        <Suspense fallback={<Loading />}>
          <ErrorKinds filters={searched} names={names} />
        </Suspense>
      ) : (
        <>
          <WaitingRows rows={live} what="request" />
          <Pages of={list}>
            {({ requests, searched_until }) =>
              requests.length === 0 ? (
                <EmptyList
                  of={['request', 'requests']}
                  filters={filters}
                  partly={searched_until !== null}
                  action={<TryTools />}
                >
                  Create a key and call the API, or try the three tools here first.
                </EmptyList>
              ) : (
                <RequestTable requests={requests} names={names} added={live.added} open={open} />
              )
            }
          </Pages>
        </>
      )}
      {open === null ? null : (
        <RequestDetail
          id={open}
          names={names}
          onClose={() => closeDetail('request')}
          neighbours={neighboursOf(list.list.data?.requests.map(({ id }) => id) ?? [], open, (id) =>
            openDetail('request', id),
          )}
        />
      )}
    </Page>
  );
}

function TryTools() {
  return (
    <ForChanges>
      <Link to="/playground" className="button primary">
        Try a search
      </Link>
    </ForChanges>
  );
}

interface RequestTableProps {
  requests: readonly RequestLine[];
  added: ReadonlySet<string>;
  names: RequestNames;
  open: string | null;
}

function RequestTable({ requests, names, added, open }: RequestTableProps) {
  const jobs = useLatestJobs(requests.some((one) => jobIdOf(one) !== undefined));
  return (
    <Table
      label="Requests"
      log
      rows={requests}
      added={added}
      selected={open}
      keyOf={({ id }) => id}
      onOpen={({ id }) => openDetail('request', id)}
      columns={[
        { title: 'Asked', grow: true, line: 1, show: (request) => <Asked of={request} /> },
        {
          title: 'Outcome',
          line: 1,
          show: (request) => (
            <FilterChip filter={{ outcome: request.outcome, status: String(request.status) }}>
              <RequestOutcome of={request} job={jobs(request.answer_id)} />
            </FilterChip>
          ),
        },
        {
          title: 'Provider',
          line: 2,
          show: (request) => (
            <FilterChip filter={{ provider: request.provider ?? undefined }}>
              {providerOf(request, names)}
            </FilterChip>
          ),
        },
        {
          title: 'Key',
          line: 2,
          optional: true,
          show: ({ key_id }) => (
            <FilterChip filter={{ key_id }}>
              <Short text={names.key(key_id)} />
            </FilterChip>
          ),
        },
        {
          title: 'Cost',
          line: 2,
          right: true,
          sort: 'cost',
          show: ({ cost_usd, answer_id }) => (
            <Money usd={jobs(answer_id)?.cost_usd ?? cost_usd} line />
          ),
        },
        {
          title: 'Latency',
          right: true,
          optional: true,
          sort: 'latency',
          show: ({ latency_ms }) => milliseconds(latency_ms),
        },
        {
          title: 'Tool',
          optional: true,
          show: ({ tool }) => <FilterChip filter={{ tool }}>{toolTitles[tool] ?? tool}</FilterChip>,
        },
        {
          title: 'Tags',
          optional: true,
          show: ({ tags }) => <TagList tags={tags} most={1} />,
        },
        { title: 'Error', extra: true, show: ({ error_type }) => error_type },
        { title: 'Results', extra: true, right: true, show: ({ delivered }) => delivered },
        { title: 'Calls', extra: true, right: true, show: ({ attempts }) => attempts.length },
        { title: 'Id', extra: true, show: ({ id }) => <code>{id}</code> },
        {
          title: 'Time',
          line: 2,
          right: true,
          sort: '',
          show: ({ created_at }, brief) => <Moment at={created_at} brief={brief} />,
        },
      ]}
    />
  );
}

function Asked({ of: request }: { of: RequestLine }) {
  const { asked, warnings, from_cache } = request;
  const words = warnings === 1 ? '1 warning' : `${warnings} warnings`;
  return (
    <div className="asked-line">
      {asked === null ? (
        <span className="soft">not kept</span>
      ) : (
        <span className="asked-text" title={asked}>
          {asked}
        </span>
      )}
      <NotesMark of={request} />
      <Simulated of={request} />
      {from_cache ? <Tag title="Served from the cache, free of charge">cached</Tag> : null}
      {warnings === 0 ? null : (
        <Tag tone="warn" title={words}>
          <Icon name="warning" />
          {warnings}
          <span className="hidden-text">{words.slice(String(warnings).length)}</span>
        </Tag>
      )}
    </div>
  );
}

const idPattern = /^(?:req|srch|ext|job)_\S+$/;
const tagPattern = /^tag:(\S+)$/;

/** What is searched for: an id, a tag after `tag:`, or text. */
function searchOf(words: string | null): RequestFilters {
  if (words === null || words === '') return {};
  if (idPattern.test(words)) return { id: words };
  const tag = tagPattern.exec(words)?.[1];
  return tag === undefined ? { text: words } : { tag };
}

/** Downloads everything that the filters select. */
function Export({ filters }: { filters: RequestFilters }) {
  const path = '/admin/v1/requests/export';
  return (
    <>
      <Download of={path} query={{ ...filters, format: 'csv' }} name="CSV" />
      <Download of={path} query={{ ...filters, format: 'jsonl' }} name="JSON" />
    </>
  );
}
