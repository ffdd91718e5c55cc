// The request log: a list with filters, and the details of one request.
import type { RequestLine, RequestList } from '@trivium/contract';
import { requestJson, withQuery } from '../api/http.ts';
import { keyName, providerName, toolTitles, useKeys, useProviders } from '../api/names.ts';
import { isRefusal } from '../api/refusals.ts';
import { useLoad } from '../api/use-load.ts';
import { milliseconds, exactUsd, preciseWhen, when } from '../format.ts';
import { Await, Empty, Page, Tag } from '../components/basics.tsx';
import { Detail } from '../components/detail.tsx';
import { Facts } from '../components/facts.tsx';
import { Filters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Money } from '../components/money.tsx';
import { useLiveList, WaitingRows } from '../components/live-list.tsx';
import { Pager, usePaging } from '../components/pager.tsx';
import { Table } from '../components/table.tsx';
import { closeDetail, openDetail, usePlace } from '../shell/router.tsx';
import { LiveControl } from '../shell/live.tsx';
import { useSession } from '../shell/session.tsx';

const errorTypes = [
  'invalid_request',
  'insufficient_credits',
  'provider_error',
  'provider_not_available',
  'provider_not_configured',
  'rate_limited',
  'internal_error',
];

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
    {
      name: 'error_type',
      label: 'Error',
      options: errorTypes.map((type) => [type, type] as const),
    },
    { name: 'from', label: 'From' },
    { name: 'to', label: 'To' },
  ];
  const chosen = useFilterQuery(filters);
  const base = withQuery('/admin/v1/requests', { account_id: account.id, ...chosen });
  const paging = usePaging(base);
  const path =
    paging.cursor === undefined ? base : `${base}&cursor=${encodeURIComponent(paging.cursor)}`;
  const live = useLiveList<'requests', RequestLine>(path, 'requests', paging.first);
  const open = usePlace().query.get('request');
  const names = {
    key: (id: string) => keyName(keys, id),
    provider: (id: string | null) => providerName(id),
  };
  return (
    <Page
      title="Requests"
      intro="Every request of this account, newest first."
      aside={<LiveControl />}
    >
      <Filters filters={filters} />
      <WaitingRows count={live.waiting} what="request" onShow={live.showWaiting} />
      <Await of={live.list}>
        {({ requests, next_cursor }) => (
          <>
            {requests.length === 0 ? (
              <div className="card">
                <Empty title="No requests">No request matches these filters.</Empty>
              </div>
            ) : (
              <RequestTable requests={requests} names={names} arrived={live.arrived} />
            )}
            <Pager paging={paging} next={next_cursor} />
          </>
        )}
      </Await>
      {open === null ? null : (
        <RequestDetail id={open} names={names} onClose={() => closeDetail('request')} />
      )}
    </Page>
  );
}

interface Names {
  key: (id: string) => string;
  provider: (id: string | null) => string;
}

interface RequestTableProps {
  requests: readonly RequestLine[];
  arrived: ReadonlySet<string>;
  names: Names;
}

function RequestTable({ requests, names, arrived }: RequestTableProps) {
  return (
    <Table
      label="Requests"
      rows={requests}
      arrived={arrived}
      keyOf={({ id }) => id}
      onOpen={({ id }) => openDetail('request', id)}
      columns={[
        { title: 'Time', show: ({ created_at }) => when(created_at) },
        { title: 'Tool', show: ({ tool }) => toolTitles[tool] ?? tool },
        { title: 'Provider', show: (request) => providerOf(request, names) },
        { title: 'Status', show: (request) => <StatusTag of={request} /> },
        { title: 'Cost', right: true, show: ({ cost_usd }) => <Money usd={cost_usd} /> },
        { title: 'Latency', right: true, show: ({ latency_ms }) => milliseconds(latency_ms) },
        { title: 'Key', show: ({ key_id }) => names.key(key_id) },
      ]}
    />
  );
}

function StatusTag({ of: { status, error_type } }: { of: RequestLine }) {
  if (status < 400) return <Tag tone="good">{status}</Tag>;
  const refused = isRefusal(error_type);
  return (
    <Tag tone={refused ? 'warn' : 'bad'}>
      {status} {refused ? 'refused: ' : ''}
      {error_type?.replaceAll('_', ' ')}
    </Tag>
  );
}

/** A request that the gateway refused never reached the provider that was chosen for it. */
function providerOf({ provider, error_type }: RequestLine, names: Names): string {
  return isRefusal(error_type) ? 'Not called' : names.provider(provider);
}

interface RequestDetailProps {
  id: string;
  names: Names;
  onClose: () => void;
}

function RequestDetail({ id, names, onClose }: RequestDetailProps) {
  const { account } = useSession();
  const path = withQuery('/admin/v1/requests', { account_id: account.id, id });
  const found = useLoad(path, async () => (await requestJson<RequestList>('GET', path)).requests);
  return (
    <Detail
      title="Request"
      of={found}
      missing="It belongs to another account, or it is older than the request log."
      onClose={onClose}
    >
      {(request) => <Facts facts={factsOf(request, names)} />}
    </Detail>
  );
}

function outcomeOf(request: RequestLine, names: Names): string {
  const { error_type, provider } = request;
  if (error_type === null) return 'Served';
  if (isRefusal(error_type)) return 'Refused by this gateway before a provider was called';
  if (error_type === 'internal_error') return 'Failed in this gateway';
  return provider === null ? 'Failed' : `Failed at ${names.provider(provider)}`;
}

function factsOf(request: RequestLine, names: Names) {
  const { reported_cost_usd } = request;
  return [
    ['Id', <code key="id">{request.id}</code>],
    ['Time', preciseWhen(request.created_at)],
    ['Tool', toolTitles[request.tool] ?? request.tool],
    ['Provider', providerOf(request, names)],
    ['Outcome', outcomeOf(request, names)],
    ['Key', names.key(request.key_id)],
    ['Status', <StatusTag key="status" of={request} />],
    ['Warnings', String(request.warnings)],
    ['Charged', exactUsd(request.cost_usd)],
    [
      'Cost reported by the provider',
      reported_cost_usd === null ? 'None' : exactUsd(reported_cost_usd),
    ],
    ['Latency', milliseconds(request.latency_ms)],
  ] as const;
}
