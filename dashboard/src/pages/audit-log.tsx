// The audit log: who changed what, when and from where.
import type { AuditEntry, AuditList } from '@trivium/contract';
import { requestJson, withQuery } from '../api/http.ts';
import { useLoad } from '../api/use-load.ts';
import { Await, Empty, Page, Segments } from '../components/basics.tsx';
import { DocsLink } from '../components/docs-link.tsx';
import { Filters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Pager, usePaging } from '../components/pager.tsx';
import { Table } from '../components/table.tsx';
import { preciseWhen } from '../format.ts';
import { goWith, usePlace } from '../shell/router.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { actionWords, actorWords, changeWords, groups } from './audit-words.ts';

const filters: readonly Filter[] = [
  {
    name: 'action',
    label: 'Change',
    options: Object.entries(actionWords),
  },
  {
    name: 'actor',
    label: 'By',
    options: Object.entries(groups),
  },
  { name: 'from', label: 'From' },
  { name: 'to', label: 'To' },
];

export function AuditPage() {
  const { account } = useSession();
  const operator = useIsOperator();
  const everywhere = operator && usePlace().query.get('of') !== 'account';
  const base = withQuery('/admin/v1/audit', {
    account_id: everywhere ? undefined : account.id,
    ...useFilterQuery(filters),
  });
  const paging = usePaging(base);
  const path = withCursor(base, paging.cursor);
  const list = useLoad(path, () => requestJson<AuditList>('GET', path));
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
              onChange={(of) => goWith({ of: of === 'account' ? of : undefined })}
            />
          ) : null}
        </div>
      }
    >
      <Filters filters={filters} />
      <Await of={list}>
        {({ entries, next_cursor, searched_until }) => (
          <>
            {entries.length === 0 ? (
              <div className="card">
                <Empty title="No entries">No change matches these filters.</Empty>
              </div>
            ) : (
              <Entries entries={entries} />
            )}
            <Pager paging={paging} next={next_cursor} searchedUntil={searched_until} />
          </>
        )}
      </Await>
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
        { title: 'Time', show: ({ created_at }) => preciseWhen(created_at) },
        { title: 'Change', show: ({ action }) => actionWords[action] ?? action },
        { title: 'By', wrap: true, show: ({ actor }) => actorWords(actor) },
        { title: 'From', show: ({ address }) => address ?? 'This machine' },
        { title: 'Of', wrap: true, show: ({ target }) => <code>{target}</code> },
        { title: 'What', wrap: true, show: (entry) => <What of={entry} /> },
      ]}
    />
  );
}

function What({ of: entry }: { of: AuditEntry }) {
  const changes = changeWords(entry);
  if (changes.length === 0) return null;
  return (
    <ul className="changes small">
      {changes.map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}

function withCursor(base: string, cursor: string | undefined): string {
  if (cursor === undefined) return base;
  return `${base}${base.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
}
