// Transcription jobs: a list that is searched and filtered, and the details of one job.
import type { JobLine } from '@trivium/contract';
import type { AccountJobFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { keyName, providerName, useKeys, useProviders } from '../api/names.ts';
import { clockTime } from '../format.ts';
import { Moment, Money, Page, Short, Tag } from '../components/basics.tsx';
import type { Tone } from '../components/basics.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { FilterChip } from '../components/filter-chip.tsx';
import { Filters, timeFilters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { WaitingRows, useLiveRows } from '../components/live-list.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import { SavedViews } from '../components/saved-views.tsx';
import { SearchField } from '../components/search-field.tsx';
import { Simulated } from '../components/simulated.tsx';
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
    {
      name: 'key_id',
      label: 'Key',
      options: [['dashboard', 'Dashboard'], ...keys.map(({ id, name }) => [id, name] as const)],
    },
    ...timeFilters,
  ];
  const list = usePagedList('jobs', admin.jobs.list, {
    account_id: account.id,
    ...searchOf(query.get('q')),
    ...useFilterQuery<AccountJobFilters>(filters),
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
      wide
      intro="Transcriptions of this account. A job and its transcript are kept for seven days."
      aside={<LiveControl />}
    >
      <Filters
        filters={filters}
        search={
          <SearchField name="q" label="Search jobs" placeholder="Search by id, file or address" />
        }
      >
        <SavedViews page="/jobs" />
      </Filters>
      <WaitingRows rows={live} what="job" />
      <Pages of={list}>
        {({ jobs, searched_until }) =>
          jobs.length === 0 ? (
            <NoJobs filters={filters} partly={searched_until !== null} />
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

/** What is searched for: an id, or text. */
function searchOf(words: string | null): AccountJobFilters {
  if (words === null || words === '') return {};
  return /^job_[0-9a-f-]{36}$/.test(words) ? { id: words } : { text: words };
}

function NoJobs({ filters, partly }: { filters: readonly Filter[]; partly: boolean }) {
  return (
    <EmptyList
      of={['job', 'jobs']}
      filters={filters}
      partly={partly}
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
        { title: 'Recording', grow: true, line: 1, show: (job) => <Recording of={job} /> },
        {
          title: 'Status',
          line: 1,
          show: ({ status }) => (
            <FilterChip filter={{ status }}>
              <Tag tone={tones[status]}>{status}</Tag>
            </FilterChip>
          ),
        },
        {
          title: 'Length',
          line: 2,
          right: true,
          show: ({ duration_seconds: seconds }) => (seconds === null ? '' : clockTime(seconds)),
        },
        {
          title: 'Provider',
          line: 2,
          show: (job) => (
            <>
              <FilterChip filter={{ provider: job.provider }}>
                {names.provider(job.provider)}
              </FilterChip>{' '}
              <Simulated of={job} />
            </>
          ),
        },
        {
          title: 'Cost',
          line: 2,
          right: true,
          show: ({ cost_usd }) => <Money usd={cost_usd} line />,
        },
        {
          title: 'Key',
          optional: true,
          show: ({ key_id }) => (
            <FilterChip filter={{ key_id }}>
              <Short text={names.key(key_id)} />
            </FilterChip>
          ),
        },
        { title: 'Model', optional: true, show: ({ model }) => <Short text={model} /> },
        {
          title: 'Attempt',
          extra: true,
          show: ({ attempt, attempt_status }) => `${attempt}, ${attempt_status}`,
        },
        {
          title: 'Accepted',
          line: 2,
          right: true,
          show: ({ created_at }, brief) => <Moment at={created_at} brief={brief} />,
        },
      ]}
    />
  );
}

/** The name of the file, or else its host, and why the job failed. */
function Recording({ of: { file_name, audio_host, error } }: { of: JobLine }) {
  const name = file_name ?? audio_host ?? 'unreadable';
  return (
    <div className="asked-line">
      <span className="asked-text" title={name}>
        {name}
      </span>
      {error ? (
        <span className="asked-text reason" title={error.message}>
          {error.message}
        </span>
      ) : null}
    </div>
  );
}
