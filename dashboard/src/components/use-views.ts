// The saved views of the account: named addresses of its lists.
import type { SavedView } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { useSession } from '../shell/session.tsx';

export function useViews(): readonly SavedView[] {
  const { account } = useSession();
  const key = account.id === '' ? undefined : (['views', account.id] as const);
  return useLoad(key, () => admin.views.list(account.id)).data?.views ?? [];
}

/** `saved` says which view is open, also when its filters have been changed since. */
export function addressOfView({ id, page, query }: SavedView): string {
  return `${page}?${query}${query === '' ? '' : '&'}saved=${id}`;
}

/** Parts of an address that are not of the list: whose it is, its page, and what is open. */
const passing = 'account saved cursor endpoints request job delivery open'.split(' ');

/** What a view keeps of an address. */
export function viewQueryOf(query: URLSearchParams): string {
  const kept = [...query].filter(([name]) => !passing.includes(name));
  return new URLSearchParams(kept).toString();
}
