// The balance of the selected account, above every page.
import { useEffect } from 'react';
import type { Account } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { useLoad } from '../api/use-load.ts';
import { Money } from '../components/money.tsx';
import { useNews } from './live.tsx';
import { Link, usePlace } from './router.tsx';
import { useSession } from './session.tsx';

export function Balance() {
  const { account } = useSession();
  const { path: page } = usePlace();
  const path = `/admin/v1/accounts/${encodeURIComponent(account.id)}`;
  const found = useLoad(account.id === '' ? undefined : path, () =>
    requestJson<Account>('GET', path),
  );
  const { data, reload } = found;
  useNews(found.refresh);
  useEffect(reload, [page, reload]);
  if (data === undefined) return null;
  return (
    <Link to="/billing" className="balance">
      <span className="hidden-text">Balance: </span>
      <Money usd={data.balance_usd} />
    </Link>
  );
}
