// The request log: what was asked, who served it, what it cost, and one request in detail.
import type { RequestLine, RequestList } from '@trivium/contract';
import { ask, withQuery } from '../api/http.ts';
import { keyName, providerName, tool_titles, useKeys, useProviders } from '../api/names.ts';
import { useLoad } from '../api/use-load.ts';
import { milliseconds, preciseWhen, usd, when } from '../format.ts';
import { Await, Button, Empty, Page, Tag } from '../parts/basics.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Filters, useFilters } from '../parts/filters.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Pager, useTrail } from '../parts/pager.tsx';
import { Table } from '../parts/table.tsx';
import { goWith, usePlace } from '../shell/router.tsx';
import { useSession } from '../shell/session.tsx';

const error_types = [
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
    { name: 'tool', label: 'Tool', options: Object.entries(tool_titles) },
    {
      name: 'provider',
      label: 'Provider',
      options: [['fusion', 'Fusion'], ...providers.map(({ id, name }) => [id, name] as const)],
    },
    {
      name: 'key_id',
      label: 'Key',
      options: [['dashboard', 'Dashboard'], ...keys.map(({ id, name }) => [id, name] as const)],
    },
    {
      name: 'error_type',
      label: 'Error',
      options: error_types.map((type) => [type, type] as const),
    },
    { name: 'from', label: 'From' },
    { name: 'to', label: 'To' },
  ];
  const chosen = useFilters(filters);
  const base = withQuery('/admin/v1/requests', { account_id: account.id, ...chosen });
  const trail = useTrail(base);
  const path =
    trail.cursor === undefined ? base : `${base}&cursor=${encodeURIComponent(trail.cursor)}`;
  const list = useLoad(path, () => ask<RequestList>('GET', path));
  const open = usePlace().query.get('request');
  const names = {
    key: (id: string) => keyName(keys, id),
    provider: (id: string | null) => providerName(providers, id),
  };
  return (
    <Page
      title="Requests"
      intro="Every request of this account, newest first."
      aside={<Button onPress={list.reload}>Refresh</Button>}
    >
      <Filters filters={filters} />
      <Await of={list}>
        {({ requests, next_cursor }) => (
          <>
            {requests.length === 0 ? (
              <div className="card">
                <Empty title="No requests">Nothing in the log fits these filters.</Empty>
              </div>
            ) : (
              <RequestTable requests={requests} names={names} />
            )}
            <Pager trail={trail} next={next_cursor} />
          </>
        )}
      </Await>
      {open === null ? null : (
        <RequestDetail id={open} names={names} onClose={() => goWith({ request: undefined })} />
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
  names: Names;
}

function RequestTable({ requests, names }: RequestTableProps) {
  return (
    <Table
      label="Requests"
      rows={requests}
      keyOf={({ id }) => id}
      onOpen={({ id }) => goWith({ request: id })}
      columns={[
        { title: 'Time', show: ({ created_at }) => when(created_at) },
        { title: 'Tool', show: ({ tool }) => tool_titles[tool] ?? tool },
        { title: 'Provider', show: ({ provider }) => names.provider(provider) },
        { title: 'Status', show: (request) => <StatusTag of={request} /> },
        { title: 'Cost', right: true, show: ({ cost_usd }) => usd(cost_usd) },
        { title: 'Latency', right: true, show: ({ latency_ms }) => milliseconds(latency_ms) },
        { title: 'Key', show: ({ key_id }) => names.key(key_id) },
      ]}
    />
  );
}

function StatusTag({ of: { status, error_type } }: { of: RequestLine }) {
  if (status < 400) return <Tag tone="good">{status}</Tag>;
  return (
    <Tag tone={status < 500 ? 'warn' : 'bad'}>
      {status} {error_type?.replaceAll('_', ' ')}
    </Tag>
  );
}

interface RequestDetailProps {
  id: string;
  names: Names;
  onClose: () => void;
}

function RequestDetail({ id, names, onClose }: RequestDetailProps) {
  const { account } = useSession();
  const path = withQuery('/admin/v1/requests', { account_id: account.id, id });
  const found = useLoad(path, () => ask<RequestList>('GET', path));
  return (
    <Dialog title="One request" onClose={onClose}>
      <Await of={found}>
        {({ requests: [request] }) =>
          request ? (
            <Facts facts={factsOf(request, names)} />
          ) : (
            <Empty title="There is no such request">
              It may belong to another account, or be older than what the log keeps.
            </Empty>
          )
        }
      </Await>
      <div className="row">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function factsOf(request: RequestLine, names: Names) {
  const { reported_cost_usd } = request;
  return [
    ['Id', <code key="id">{request.id}</code>],
    ['Time', preciseWhen(request.created_at)],
    ['Tool', tool_titles[request.tool] ?? request.tool],
    ['Provider', names.provider(request.provider)],
    ['Key', names.key(request.key_id)],
    ['Status', <StatusTag key="status" of={request} />],
    ['Warnings', String(request.warnings)],
    ['Charged', usd(request.cost_usd)],
    ['Provider’s own figure', reported_cost_usd === null ? 'None' : usd(reported_cost_usd)],
    ['Latency', milliseconds(request.latency_ms)],
  ] as const;
}
