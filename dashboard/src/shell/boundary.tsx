// Offers to reload the page when a part of it could not be loaded or rendered.
import { Component, useEffect, useEffectEvent } from 'react';
import type { ReactNode } from 'react';
import { readSession } from '../api/session-calls.ts';
import { useAction } from '../api/use-action.ts';
import { Button, Empty, ErrorNote } from '../components/basics.tsx';

interface BoundaryState {
  failed: 'no' | 'to load' | 'to draw';
}

export class Boundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: 'no' };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failed: isOfFile(error) ? 'to load' : 'to draw' };
  }

  override render(): ReactNode {
    const { failed } = this.state;
    return failed === 'no' ? this.props.children : <ReloadOffer isOfFile={failed === 'to load'} />;
  }
}

/** Browsers report a module that could not be fetched in different words. */
function isOfFile(error: unknown): boolean {
  return error instanceof TypeError && /import|module/i.test(error.message);
}

const retryMs = 2000;
const reloadedKey = 'trivium-reloaded';
/** Prevents constant reloads when a file is missing permanently. */
const reloadEveryMs = 20_000;

/**
 * Reloads only if the gateway answers, because otherwise the browser would show its own error page.
 */
function ReloadOffer({ isOfFile: isRetried }: { isOfFile: boolean }) {
  const again = useAction(async () => {
    await readSession();
    location.reload();
  });
  const retry = useEffectEvent(async () => {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - last < reloadEveryMs) return;
    await readSession();
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    location.reload();
  });
  // The page reloads automatically after an outage.
  useEffect(() => {
    if (!isRetried) return undefined;
    const timer = setInterval(() => void retry().catch(() => undefined), retryMs);
    return () => clearInterval(timer);
  }, [isRetried]);
  return (
    <div className="card" role="alert">
      <Empty
        title="This page could not be loaded"
        action={
          <Button kind="primary" busy={again.busy} onPress={() => again.run()}>
            Reload
          </Button>
        }
      >
        The gateway cannot be reached, or it has been updated since this page was opened.
      </Empty>
      <ErrorNote error={again.error} />
    </div>
  );
}
