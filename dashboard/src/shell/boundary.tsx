// Shows an offer to reload where a part of the page could not be loaded or drawn.
import { Component, useEffect } from 'react';
import type { ReactNode } from 'react';
import { readSession } from '../api/session-calls.ts';
import { onRecovery } from '../api/recovery.ts';
import { useAction } from '../api/use-action.ts';
import { Button, Empty, ErrorNote } from '../components/basics.tsx';

interface BoundaryState {
  failed: boolean;
}

export class Boundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: false };

  static getDerivedStateFromError(): BoundaryState {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <ReloadOffer /> : this.props.children;
  }
}

/** Reloads only while the gateway answers: otherwise the browser would show a page of its own. */
function ReloadOffer() {
  const again = useAction(async () => {
    await readSession();
    location.reload();
  });
  // After an outage the page is loaded again by itself.
  useEffect(() => onRecovery(() => location.reload()), []);
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
