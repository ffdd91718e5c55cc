// The errors of the request log by their kind: how often, since when, and the latest one.
import type { ErrorKind } from '@trivium/contract';
import { labelProviders } from '@trivium/contract/provider-names';
import type { RequestFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { toolTitles } from '../api/names.ts';
import { useLoad } from '../api/data.ts';
import { Await, Empty, Moment } from '../components/basics.tsx';
import { setFilters } from '../components/filters.tsx';
import { OutcomeTag } from '../components/outcome.tsx';
import { Table } from '../components/table.tsx';
import { count, when } from '../format.ts';
import { useLiveRefresh } from '../shell/live.tsx';
import type { RequestNames } from './request-detail.tsx';

interface ErrorKindsProps {
  filters: RequestFilters;
  names: RequestNames;
}

export function ErrorKinds({ filters: { id: _id, ...filters }, names }: ErrorKindsProps) {
  const found = useLoad(['errors', filters], () => admin.requests.errors(filters));
  useLiveRefresh(found.refresh);
  return (
    <Await of={found}>
      {({ errors, searched_until }) => (
        <>
          {errors.length === 0 ? (
            <Empty card title="No errors">
              None of these requests was refused or failed.
            </Empty>
          ) : (
            <Table
              label="Errors by kind"
              rows={errors}
              keyOf={keyOf}
              onOpen={openKind}
              columns={[
                { title: 'Outcome', line: 2, show: (kind) => <OutcomeTag of={kind} /> },
                { title: 'Error', line: 1, wrap: true, show: (kind) => <Message of={kind} /> },
                { title: 'Tool', optional: true, show: ({ tool }) => toolTitles[tool] ?? tool },
                { title: 'Provider', line: 2, show: ({ provider }) => names.provider(provider) },
                { title: 'Requests', line: 1, right: true, show: ({ count: of }) => count(of) },
                {
                  title: 'First seen',
                  optional: true,
                  show: (kind) => <Moment at={kind.first_seen_at} />,
                },
                {
                  title: 'Last seen',
                  line: 2,
                  show: (kind, brief) => <Moment at={kind.last_seen_at} brief={brief} />,
                },
              ]}
            />
          )}
          {searched_until === null ? null : (
            <p className="soft" role="status">
              Searched back to {when(searched_until)}.
            </p>
          )}
        </>
      )}
    </Await>
  );
}

function keyOf({ error_type, status, tool, provider }: ErrorKind): string {
  return [error_type ?? 'error', status, tool, provider ?? 'no provider'].join(' ');
}

/** Shows exactly the requests of this kind. */
function openKind({ error_type, status, tool, provider }: ErrorKind): void {
  setFilters({
    view: undefined,
    outcome: undefined,
    error_type: error_type ?? undefined,
    status: String(status),
    tool,
    provider: provider ?? undefined,
  });
}

function Message({ of: { error_type, last_message } }: { of: ErrorKind }) {
  return (
    <>
      <code>{error_type ?? 'unknown'}</code>{' '}
      <span className="small">{last_message === null ? '' : labelProviders(last_message)}</span>
    </>
  );
}
