// Marks what is simulated: every page of a gateway in test mode, and on a live gateway each row that a
// simulated provider answered.
import type { ProviderDescription } from '@trivium/contract';
import { useProviders } from '../api/names.ts';
import { useSession } from '../shell/session.tsx';
import { Tag } from './basics.tsx';

/** In test mode everything is simulated, and the banner says so. */
export function Simulated({ of: { simulated } }: { of: { simulated: boolean } }) {
  const { sandbox } = useSession().view;
  if (!simulated || sandbox) return null;
  return (
    <Tag tone="warn" title="A sandbox answered: the results are invented">
      simulated
    </Tag>
  );
}

/** Stays visible at every width, and is printed. */
export function ModeBanner() {
  const { sandbox } = useSession().view;
  const providers = useProviders().data?.providers ?? [];
  const simulated = providers.filter(isSimulatedNow).map(({ name }) => name);
  if (!sandbox && simulated.length === 0) return null;
  return (
    <aside className="mode-banner" aria-label="Mode">
      {sandbox ? (
        <>
          <b>Test mode</b>: providers are simulated, results are invented, and no amount is real
          money.
        </>
      ) : (
        <>
          <b>Simulated: {simulated.join(', ')}</b>. Results are invented, but accounts are charged.
        </>
      )}
    </aside>
  );
}

export function isSimulatedNow({ simulated }: Pick<ProviderDescription, 'simulated'>): boolean {
  return simulated?.at(-1)?.ended_at === null;
}

/** A key whose beginning says the opposite of what its requests cost. */
export function KeyMode({ display }: { display: string }) {
  const { sandbox } = useSession().view;
  if (!sandbox && display.startsWith('sk_test_')) {
    return <Tag tone="warn">spends real money</Tag>;
  }
  return sandbox && display.startsWith('sk_live_') ? <Tag>test</Tag> : null;
}
