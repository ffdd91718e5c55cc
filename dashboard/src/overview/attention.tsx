// Problems that need attention, above the overview. Shows nothing when there are none.
import type { AttentionItem } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { Icon } from '../components/icon.tsx';
import { useLiveRefresh } from '../shell/live.tsx';
import { Link, withQuery } from '../shell/router.tsx';
import { useSession } from '../shell/session.tsx';

export function Attention() {
  const { account } = useSession();
  const found = useLoad(account.id === '' ? undefined : ['attention', account.id], () =>
    admin.attention(account.id),
  );
  useLiveRefresh(found.refresh);
  return <AttentionStrip items={found.data?.items ?? []} />;
}

export function AttentionStrip({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) return null;
  return (
    <section className="attention" aria-label="Needs attention">
      <ul>
        {items.map((item) => (
          <li key={`${item.kind} ${item.message}`} className={item.severe ? 'bad' : 'warn'}>
            <Icon name="warning" />
            <Link to={addressOf(item)}>{item.message}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The page where a person can do something about it. */
export function addressOf({ kind, subject }: AttentionItem): string {
  switch (kind) {
    case 'circuit_open':
    case 'credential_refused':
      return '/providers';
    case 'provider_failing':
      return withQuery('/requests', { provider: subject, outcome: 'failed' });
    case 'key_cap':
      return '/keys';
    case 'webhook_failing':
      return '/webhooks';
    case 'job_deadline':
      return withQuery('/jobs', { job: subject });
    case 'store':
    case 'clock':
      return '/settings';
    case 'budget':
      return '/usage';
    case 'balance_low':
      return '/billing';
  }
}
