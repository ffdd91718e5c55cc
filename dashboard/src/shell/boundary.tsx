// Shows an offer to reload where a part of the page could not be loaded or drawn.
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
/** A file that is missing for good must not reload the page again and again. */
const reloadEveryMs = 20_000;

/** Reloads only while the gateway answers: otherwise the browser would show a page of its own. */
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
  // After an outage the page is loaded again by itself.
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
        The gateway cannot be reached, or it was updated since this page was opened.
      </Empty>
      <ErrorNote error={again.error} />
    </div>
  );
}
