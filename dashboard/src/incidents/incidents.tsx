// The incidents page: what fails now, and what failed before, newest first.
import type { Incident } from '@trivium/contract';
import type { IncidentFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { useAction } from '../api/use-action.ts';
import { DocsLink, ErrorNote, Moment, Money, Page, Segments, Tag } from '../components/basics.tsx';
import { useDialog } from '../components/dialog.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { Filters, timeFilters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import { RowActions, Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { count } from '../format.ts';
import { LiveControl, useLiveRefresh } from '../shell/live.tsx';
import { Link, navigate, setQuery, useLocation, withAccount } from '../shell/router.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { addressOf, interruptions, requestsOf } from './incident-words.ts';
import { Note, NoteForm } from './incident-note.tsx';

const filters: readonly Filter[] = [
  {
    name: 'state',
    label: 'State',
    options: [
      ['open', 'Open'],
      ['ended', 'Ended'],
    ],
  },
  ...timeFilters,
];

export function IncidentsPage() {
  const { account } = useSession();
  const operator = useIsOperator();
  const everywhere = useLocation().query.get('of') === 'gateway' && operator;
  const list = usePagedList('incidents', admin.incidents.list, {
    account_id: everywhere ? undefined : account.id,
    ...useFilterQuery<IncidentFilters>(filters),
  });
  useLiveRefresh(list.list.refresh);
  return (
    <Page
      title="Incidents"
      intro="What failed, from the first failure to the next success, and what is used up now."
      aside={
        <div className="row">
          <DocsLink page="dashboard#incidents" />
          <LiveControl />
          {operator ? (
            <Segments
              label="Show incidents of"
              options={[
                ['account', 'This account'],
                ['gateway', 'All accounts'],
              ]}
              value={everywhere ? 'gateway' : 'account'}
              onChange={(of) => setQuery({ of: of === 'gateway' ? of : undefined })}
            />
          ) : null}
        </div>
      }
    >
      <Filters filters={filters} />
      <Pages of={list}>
        {({ incidents }) =>
          incidents.length === 0 ? (
            <EmptyList of={['incident', 'incidents']} filters={filters}>
              Nothing has failed, and nothing is used up.
            </EmptyList>
          ) : (
            <IncidentTable incidents={incidents} everywhere={everywhere} />
          )
        }
      </Pages>
    </Page>
  );
}

interface IncidentTableProps {
  incidents: readonly Incident[];
  /** Also shows which account each one belongs to. */
  everywhere: boolean;
}

function IncidentTable({ incidents, everywhere }: IncidentTableProps) {
  const { account } = useSession();
  const { open, setOpen, close } = useDialog<Incident>();
  const mute = useAction(({ id, muted }: Incident) =>
    admin.incidents.update(id, account.id, { muted: !muted }),
  );
  return (
    <>
      <ErrorNote error={mute.error} />
      <Table
        label="Incidents"
        rows={incidents}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Incident', wrap: true, show: (one) => <What of={one} /> },
          ...(everywhere ? [ofAccount] : []),
          { title: 'State', show: (one) => <State of={one} /> },
          { title: 'Started', show: ({ started_at: at }) => (at ? <Moment at={at} /> : '–') },
          { title: 'Ended', show: ({ ended_at: at }) => (at ? <Moment at={at} /> : '–') },
          {
            title: 'Affected',
            right: true,
            show: ({ requests }) => (requests === null ? '–' : count(requests)),
          },
          {
            title: 'Charged',
            right: true,
            show: ({ cost_usd: cost }) => (cost === null ? '–' : <Money usd={cost} />),
          },
          {
            title: 'Actions',
            changes: true,
            show: (one) => (
              <RowActions
                of={one.message}
                disabled={mute.busy || one.started_at === null}
                label={(text) => `${text}: ${one.message}`}
                actions={[
                  [one.muted ? 'Unmute' : 'Mute', () => mute.run(one)],
                  ['Note', () => setOpen(one)],
                  one.kind === 'provider_failing' && [
                    'Requests',
                    () => navigate(withAccount(requestsOf(one))),
                  ],
                ]}
              />
            ),
          },
        ]}
      />
      {open ? <NoteForm of={open} onClose={close} /> : null}
    </>
  );
}

const ofAccount: Column<Incident> = {
  title: 'Account',
  wrap: true,
  show: ({ account_id }) => (account_id === null ? 'This gateway' : <code>{account_id}</code>),
};

function What({ of: incident }: { of: Incident }) {
  const { message, reason, gaps } = incident;
  const more = [
    ...(reason === null ? [] : [reason]),
    ...(gaps.length === 0 ? [] : [interruptions(gaps.length)]),
  ];
  return (
    <div className="stack tight">
      <Link to={addressOf(incident)}>{message}</Link>
      {more.length === 0 ? null : <span className="small soft">{more.join(', ')}</span>}
      <Note of={incident} />
    </div>
  );
}

function State({ of: { ended_at, severe, muted } }: { of: Incident }) {
  const [tone, words] =
    ended_at === null
      ? ([severe ? 'bad' : 'warn', 'Open'] as const)
      : (['quiet', 'Ended'] as const);
  return (
    <span className="row">
      <Tag tone={tone}>{words}</Tag>
      {muted ? <Tag>Muted</Tag> : null}
    </span>
  );
}
