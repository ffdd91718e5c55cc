// Problems that need attention, above the overview. Shows nothing when there are none.
import { useEffect, useState } from 'react';
import type { AttentionItem } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { Button } from '../components/basics.tsx';
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
  return <Alerts key={account.id} accountId={account.id} items={found.data?.items} />;
}

interface AlertsProps {
  accountId: string;
  /** Undefined until they are loaded. */
  items: readonly AttentionItem[] | undefined;
}

/** A person can mute an alert in this browser. It is shown again if its cause ends and returns. */
function Alerts({ accountId, items }: AlertsProps) {
  const [muted, setMuted] = useState(() => readMuted(accountId));
  const [showsMuted, showMuted] = useState(false);
  useEffect(() => {
    if (items) setMuted((names) => lastingOf(names, items));
  }, [items]);
  useEffect(() => writeMuted(accountId, muted), [accountId, muted]);
  if (!items) return null;
  const lasting = lastingOf(muted, items);
  const mute = (name: string, isOn: boolean) =>
    setMuted((names) => (isOn ? [...names, name] : names.filter((other) => other !== name)));
  const isMuted = (item: AttentionItem) => lasting.includes(nameOf(item));
  return (
    <>
      <AttentionStrip items={items.filter((item) => !isMuted(item))} act={['Mute', mute, true]} />
      {lasting.length === 0 ? null : (
        <Button kind="plain" onPress={() => showMuted(!showsMuted)}>
          {`${showsMuted ? 'Hide' : 'Show'} ${lasting.length} muted`}
        </Button>
      )}
      {showsMuted ? (
        <AttentionStrip items={items.filter(isMuted)} act={['Unmute', mute, false]} />
      ) : null}
    </>
  );
}

interface AttentionStripProps {
  items: readonly AttentionItem[];
  act?: readonly [text: string, mute: (name: string, isMuted: boolean) => void, isMuted: boolean];
}

export function AttentionStrip({ items, act }: AttentionStripProps) {
  if (items.length === 0) return null;
  return (
    <section className="attention" aria-label="Needs attention">
      <ul>
        {items.map((item) => (
          <li key={nameOf(item)} className={item.severe ? 'bad' : 'warn'}>
            <Icon name="warning" />
            <Link to={addressOf(item)}>{item.message}</Link>
            {act ? (
              <Button
                kind="plain"
                label={`${act[0]}: ${item.message}`}
                onPress={() => act[1](nameOf(item), act[2])}
              >
                {act[0]}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What an alert is about. Its figures may change. A more serious one is another alert. */
export function nameOf({ kind, severe, subject }: AttentionItem): string {
  return `${kind} ${severe ? 'severe ' : ''}${subject}`;
}

/** The muted alerts whose causes have not ended. */
export function lastingOf(
  muted: readonly string[],
  items: readonly AttentionItem[],
): readonly string[] {
  const names = new Set(items.map(nameOf));
  const lasting = muted.filter((name) => names.has(name));
  return lasting.length === muted.length ? muted : lasting;
}

const mutedKey = (accountId: string) => `trivium-muted ${accountId}`;

function readMuted(accountId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(mutedKey(accountId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

function writeMuted(accountId: string, names: readonly string[]): void {
  try {
    localStorage.setItem(mutedKey(accountId), JSON.stringify(names));
  } catch {
    // Without storage, alerts are muted as long as the page is open.
  }
}

/** The page where a person can do something about it, filtered to what the alert names. */
export function addressOf({ kind, subject }: AttentionItem): string {
  switch (kind) {
    case 'circuit_open':
    case 'credential_refused':
      return withQuery('/providers', { provider: subject });
    case 'provider_failing':
      return withQuery('/requests', { provider: subject, outcome: 'failed' });
    case 'key_cap':
      return withQuery('/keys', { key: subject });
    case 'webhook_failing':
      // The address of a delivery that a request asked for belongs to no endpoint.
      return subject.startsWith('http')
        ? withQuery('/webhooks', { state: 'failed' })
        : withQuery('/webhooks', { webhook_id: subject });
    case 'job_deadline':
      return withQuery('/jobs', { job: subject });
    case 'store':
    case 'clock':
      return '/settings';
    case 'budget':
      return withQuery('/usage', { by: `tag:${subject.split('=', 1)[0]}` });
    case 'balance_low':
      return '/billing';
  }
}
