// Changes of the session: this tab lost it, or another tab signed in or out.

const listeners = new Set<() => void>();
let opened: BroadcastChannel | undefined;

/** The gateway answered that the session has ended. */
export function reportLostSession(): void {
  for (const listener of listeners) listener();
}

/** A person signed in or out in this tab. */
export function announceSession(): void {
  channel().postMessage('changed');
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  channel().onmessage = reportLostSession;
  return () => listeners.delete(listener);
}

function channel(): BroadcastChannel {
  return (opened ??= new BroadcastChannel('trivium-session'));
}
