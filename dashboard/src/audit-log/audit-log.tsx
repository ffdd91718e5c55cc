// The audit log: who changed what, when and from where.
import type { AuditActor, AuditEntry } from '@trivium/contract';
import type { AuditFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { useAccounts, useKeys } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/data.ts';
import {
  Button,
  DocsLink,
  ErrorNote,
  Moment,
  Page,
  Segments,
  ShortCode,
} from '../components/basics.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { Filters, timeFilters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import { SavedViews } from '../components/saved-views.tsx';
import { Table } from '../components/table.tsx';
import { setQuery, useLocation } from '../shell/router.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { actionLabels, actorLabel, changeLabels, groups, targetLabel } from './audit-labels.ts';
import type { Names } from './audit-labels.ts';
import { exportAudit } from './export-audit.ts';

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
  const filtered = {
    account_id: everywhere ? undefined : account.id,
    ...useFilterQuery<AuditFilters>(filters),
  };
  const list = usePagedList('audit', admin.audit.list, filtered);
  const names = useNames();
  const save = useAction(() => exportAudit(filtered, names));
  return (
    <Page
      title="Audit log"
      wide
      intro="Who changed what, when and from where. Entries contain no secrets."
      aside={
        <div className="row">
          <DocsLink page="accounts#audit-log" />
          {operator ? (
            <Segments
              label="Show entries for"
              options={[
                ['all', 'This gateway'],
                ['account', 'This account'],
              ]}
              value={everywhere ? 'all' : 'account'}
              onChange={(of) => setQuery({ of: of === 'account' ? of : undefined })}
            />
          ) : null}
          <Button busy={save.busy} onPress={() => save.run()}>
            Export CSV
          </Button>
        </div>
      }
    >
      <ErrorNote error={save.error} />
      <Filters filters={filters}>
        <SavedViews page="/audit" />
      </Filters>
      <Pages of={list}>
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyList of={['entry', 'entries']} filters={filters}>
              Changes appear here as soon as they are made.
            </EmptyList>
          ) : (
            <Entries entries={entries} names={names} />
          )
        }
      </Pages>
    </Page>
  );
}

/** Names for the ids in entries, as far as the person may see them. */
function useNames(): Names {
  const { account } = useSession();
  const operator = useIsOperator();
  const keys = useKeys().data?.keys ?? [];
  const people = useLoad(operator ? ['people'] : undefined, () => admin.people.list());
  const accounts = useAccounts(operator);
  return new Map([
    [account.id, account.name],
    ...accounts.map(({ id, name }) => [id, name] as const),
    ...(people.data?.people ?? []).map(({ id, name }) => [id, name] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ]);
}

interface EntriesProps {
  entries: readonly AuditEntry[];
  names: Names;
}

function Entries({ entries, names }: EntriesProps) {
  return (
    <Table
      label="Audit log"
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Time',
          line: 2,
          show: ({ created_at }, brief) => <Moment at={created_at} brief={brief} />,
        },
        {
          title: 'Change',
          line: 1,
          wrap: true,
          show: ({ action }) => actionLabels[action] ?? action,
        },
        { title: 'By', line: 2, wrap: true, show: ({ actor }) => <By of={actor} names={names} /> },
        { title: 'From', show: ({ address }) => address ?? 'This machine' },
        {
          title: 'Target',
          line: 1,
          wrap: true,
          show: (entry) => <Target of={entry} names={names} />,
        },
        {
          title: 'Details',
          line: 2,
          wrap: true,
          show: (entry) => <What of={entry} names={names} />,
        },
      ]}
    />
  );
}

function By({ of: actor, names }: { of: AuditActor; names: Names }) {
  return <span title={actor.name ?? undefined}>{actorLabel(actor, names)}</span>;
}

function Target({ of: entry, names }: { of: AuditEntry; names: Names }) {
  const name = targetLabel(entry, names);
  return name === entry.target ? (
    <ShortCode text={name} />
  ) : (
    <span title={entry.target}>{name}</span>
  );
}

function What({ of: entry, names }: { of: AuditEntry; names: Names }) {
  const changes = changeLabels(entry, names);
  if (changes.length === 0) return null;
  return (
    <ul className="changes small">
      {changes.map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}
