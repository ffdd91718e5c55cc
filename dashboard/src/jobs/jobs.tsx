// Transcription jobs: a list with filters, and the details of one job.
import type { JobLine } from '@trivium/contract';
import type { AccountJobFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { keyName, providerName, useKeys, useProviders } from '../api/names.ts';
import { ago, when } from '../format.ts';
import { Money, Page, Short, Tag } from '../components/basics.tsx';
import type { Tone } from '../components/basics.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { Filters, useFilters } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { WaitingRows, useLiveRows } from '../components/live-list.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import { SavedViews } from '../components/saved-views.tsx';
import { Table } from '../components/table.tsx';
import { Link, closeDetail, openDetail, useLocation } from '../shell/router.tsx';
import { LiveControl } from '../shell/live.tsx';
import { ForChanges, useSession } from '../shell/session.tsx';
import { JobDetail } from './job-detail.tsx';
import type { JobNames } from './job-detail.tsx';

const tones: Readonly<Record<JobLine['status'], Tone>> = {
  queued: 'quiet',
  running: 'accent',
  completed: 'good',
  failed: 'bad',
};

export function JobsPage() {
  const { account } = useSession();
  const { query } = useLocation();
  const providers = useProviders().data?.providers ?? [];
  const keys = useKeys().data?.keys ?? [];
  const filters: Filter[] = [
    {
      name: 'status',
      label: 'Status',
      options: Object.keys(tones).map((status) => [status, status] as const),
    },
    {
      name: 'provider',
      label: 'Provider',
      options: providers
        .filter(({ id }) => id.startsWith('stt_'))
        .map(({ id }) => [id, providerName(id)] as const),
    },
  ];
  const list = usePagedList('jobs', admin.jobs.list, {
    account_id: account.id,
    ...useFilters<AccountJobFilters>(filters),
  });
  const live = useLiveRows(list, 'jobs');
  const open = query.get('job');
  const names = {
    key: (id: string) => keyName(keys, id),
    provider: (id: string) => providerName(id),
  };
  return (
    <Page
      title="Jobs"
      intro="Transcriptions of this account. A job and its transcript are kept for seven days."
      aside={<LiveControl />}
    >
      <Filters filters={filters}>
        <SavedViews page="/jobs" />
      </Filters>
      <WaitingRows rows={live} what="job" />
      <Pages of={list}>
        {({ jobs }) =>
          jobs.length === 0 ? (
            <NoJobs filters={filters} />
          ) : (
            <JobTable jobs={jobs} names={names} added={live.added} open={open} />
          )
        }
      </Pages>
      {open === null ? null : (
        <JobDetail id={open} names={names} onClose={() => closeDetail('job')} />
      )}
    </Page>
  );
}

function NoJobs({ filters }: { filters: readonly Filter[] }) {
  return (
    <EmptyList
      of={['job', 'jobs']}
      filters={filters}
      action={
        <ForChanges>
          <Link to="/playground?tool=transcription" className="button primary">
            Transcribe a recording
          </Link>
        </ForChanges>
      }
    >
      Jobs appear here as soon as a transcription is accepted.
    </EmptyList>
  );
}

interface JobTableProps {
  jobs: readonly JobLine[];
  names: JobNames;
  added: ReadonlySet<string>;
  open: string | null;
}

function JobTable({ jobs, names, added, open }: JobTableProps) {
  return (
    <Table
      label="Jobs"
      rows={jobs}
      added={added}
      selected={open}
      log
      keyOf={({ id }) => id}
      onOpen={({ id }) => openDetail('job', id)}
      columns={[
        {
          title: 'Accepted',
          line: 2,
          show: ({ created_at }, brief) => (brief ? ago(created_at) : when(created_at)),
        },
        {
          title: 'Status',
          line: 1,
          show: ({ status }) => <Tag tone={tones[status]}>{status}</Tag>,
        },
        {
          title: 'Attempt',
          show: ({ attempt, attempt_status }) => `${attempt}, ${attempt_status}`,
        },
        {
          title: 'Recording host',
          optional: true,
          show: ({ audio_host }) => <Short text={audio_host ?? 'unreadable'} />,
        },
        {
          title: 'Provider',
          line: 1,
          wrap: true,
          show: ({ provider, model }) => `${names.provider(provider)}, ${model}`,
        },
        {
          title: 'Cost',
          line: 2,
          right: true,
          show: ({ cost_usd }) => <Money usd={cost_usd} line />,
        },
        {
          title: 'Key',
          line: 2,
          optional: true,
          show: ({ key_id }) => <Short text={names.key(key_id)} />,
        },
      ]}
    />
  );
}
