// The balance of the selected account, above every page.
import { Money } from '../components/basics.tsx';
import { useLiveRefresh } from './live.tsx';
import { Link } from './router.tsx';
import { useSession } from './session.tsx';

export function Balance() {
  const { data, refresh } = useSession().details;
  useLiveRefresh(refresh);
  if (data === undefined) return null;
  return (
    <Link to="/billing" className="balance">
      <span className="hidden-text">Balance: </span>
      <Money usd={data.balance_usd} />
    </Link>
  );
}
