// The incidents of the selected account, loaded once for everything that shows them.
import type { Incident } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { useLiveRefresh } from '../shell/live.tsx';
import { useSession } from '../shell/session.tsx';
import { isFollowed } from './incident-words.ts';

/** As many as a chart can show. */
const limit = 200;

/** Those that have a start and an end in a range of time, for its charts. */
export function useIncidentsBetween(
  from: string | undefined,
  to: string | undefined,
): readonly Incident[] {
  const { account } = useSession();
  const query = { account_id: account.id, from, to, limit };
  const isKnown = account.id !== '' && from !== undefined && to !== undefined;
  const found = useLoad(isKnown ? ['incidents', query] : undefined, () =>
    admin.incidents.list(query),
  );
  useLiveRefresh(found.refresh);
  return found.data?.incidents.filter(isFollowed) ?? [];
}

export function useOpenIncidents() {
  const { account } = useSession();
  const query = { account_id: account.id, state: 'open', limit } as const;
  return useLoad(account.id === '' ? undefined : ['incidents', query], () =>
    admin.incidents.list(query),
  );
}
