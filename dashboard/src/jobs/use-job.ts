// Jobs of the account: one that is loaded again until it has ended, and the latest ones by id.
import { useEffect } from 'react';
import type { JobLine } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import type { Loaded } from '../api/data.ts';
import { useLiveRefresh } from '../shell/live.tsx';
import { useSession } from '../shell/session.tsx';

const pollMs = 2000;
const latestCount = 500;

export function useJob(id: string | undefined): Loaded<JobLine[]> {
  const { account } = useSession();
  const query = { account_id: account.id, id };
  const key = id === undefined ? undefined : (['jobs', query] as const);
  const found = useLoad(key, async () => (await admin.jobs.list(query)).jobs);
  const underWay = found.data?.[0]?.finished_at === null;
  useEffect(() => {
    if (!underWay || found.loading) return undefined;
    const timer = setTimeout(found.reload, pollMs);
    return () => clearTimeout(timer);
  }, [underWay, found.loading, found.reload]);
  return found;
}

/** Loads them only for a page that shows a job. */
export function useLatestJobs(isNeeded: boolean): (id: string | null) => JobLine | undefined {
  const { account } = useSession();
  const query = { account_id: account.id, limit: latestCount };
  const found = useLoad(isNeeded ? ['jobs', query] : undefined, () => admin.jobs.list(query));
  useLiveRefresh(() => (isNeeded ? found.refresh() : Promise.resolve(true)));
  return (id) => found.data?.jobs.find((job) => job.id === id);
}
