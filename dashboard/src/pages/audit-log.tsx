// The audit log: who changed what, when and from where.
import type { AuditEntry } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { DocsLink, Empty, Moment, Page, Segments, ShortCode } from '../components/basics.tsx';
import { Filters, timeFilters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import { Table } from '../components/table.tsx';
import { setQuery, useLocation } from '../shell/router.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { actionLabels, actorLabel, changeLabels, groups } from './audit-labels.ts';

const filters: readonly Filter[] = [
  {
    name: 'action',
    label: 'Change',
    options: Object.entries(actionLabels),
  },
  {
    name: 'actor',
    label: 'By',
    options: Object.entries(groups),
  },
  ...timeFilters,
];

export function AuditPage() {
  const { account } = useSession();
  const operator = useIsOperator();
  const { query } = useLocation();
  const everywhere = operator && query.get('of') !== 'account';
  const list = usePagedList(admin.audit.list, {
    account_id: everywhere ? undefined : account.id,
    ...useFilterQuery(filters),
  });
  return (
    <Page
      title="Audit log"
      intro="Who changed what, when and from where. Entries contain no secrets."
      aside={
        <div className="row">
          <DocsLink page="operating#audit-log" />
          {operator ? (
            <Segments
              label="Entries of"
              options={[
                ['all', 'This gateway'],
                ['account', 'This account'],
              ]}
              value={everywhere ? 'all' : 'account'}
              onChange={(of) => setQuery({ of: of === 'account' ? of : undefined })}
            />
          ) : null}
        </div>
      }
    >
      <Filters filters={filters} />
      <Pages of={list}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty card title="No entries">
              No change matches these filters.
            </Empty>
          ) : (
            <Entries entries={entries} />
          )
        }
      </Pages>
    </Page>
  );
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Table
      label="Audit log"
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Time', show: ({ created_at }) => <Moment at={created_at} /> },
        { title: 'Change', wrap: true, show: ({ action }) => actionLabels[action] ?? action },
        { title: 'By', wrap: true, show: ({ actor }) => actorLabel(actor) },
        { title: 'From', show: ({ address }) => address ?? 'This machine' },
        { title: 'Of', show: ({ target }) => <ShortCode text={target} /> },
        { title: 'What', wrap: true, show: (entry) => <What of={entry} /> },
      ]}
    />
  );
}

function What({ of: entry }: { of: AuditEntry }) {
  const changes = changeLabels(entry);
  if (changes.length === 0) return null;
  return (
    <ul className="changes small">
      {changes.map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}
