// The balance of the selected account, above every page.
import { useEffect, useRef } from 'react';
import { Money } from '../components/basics.tsx';
import { useLiveRefresh } from './live.tsx';
import { Link, useLocation } from './router.tsx';
import { useSession } from './session.tsx';

export function Balance() {
  const { data, reload, refresh } = useSession().details;
  const { path } = useLocation();
  const readOn = useRef(path);
  useLiveRefresh(refresh);
  useEffect(() => {
    if (readOn.current !== path) reload();
    readOn.current = path;
  }, [path, reload]);
  if (data === undefined) return null;
  return (
    <Link to="/billing" className="balance">
      <span className="hidden-text">Balance: </span>
      <Money usd={data.balance_usd} />
    </Link>
  );
}
