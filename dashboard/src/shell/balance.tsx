// The balance of the selected account, above every page.
import { useEffect } from 'react';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/use-load.ts';
import { Money } from '../components/basics.tsx';
import { useLiveRefresh } from './live.tsx';
import { Link, useLocation } from './router.tsx';
import { useSession } from './session.tsx';

export function Balance() {
  const { account } = useSession();
  const { path: page } = useLocation();
  const found = useLoad(account.id || undefined, () => admin.accounts.get(account.id));
  const { data, reload } = found;
  useLiveRefresh(found.refresh);
  useEffect(reload, [page, reload]);
  if (data === undefined) return null;
  return (
    <Link to="/billing" className="balance">
      <span className="hidden-text">Balance: </span>
      <Money usd={data.balance_usd} />
    </Link>
  );
}
