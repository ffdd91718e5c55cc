// Changes of the session: it ended, or a person signed in or out in any tab.

/**
 * `lost`: the gateway answered that the session has ended. `in`, `out`: a person signed in or out.
 */
type SessionChange = 'lost' | 'in' | 'out';

const listeners = new Set<(change: SessionChange) => void>();
let opened: BroadcastChannel | undefined;

/** The gateway answered that the session has ended. */
export function reportLostSession(): void {
  for (const listener of listeners) listener('lost');
}

/** A person signed in or out in this tab. */
export function announceSession(change: 'in' | 'out'): void {
  channel().postMessage(change);
}

export function onSessionChange(listener: (change: SessionChange) => void): () => void {
  listeners.add(listener);
  channel().onmessage = ({ data }) => {
    for (const one of listeners) one(data === 'out' ? 'out' : 'in');
  };
  return () => listeners.delete(listener);
}

function channel(): BroadcastChannel {
  return (opened ??= new BroadcastChannel('trivium-session'));
}
