// Notifies loads that failed when the gateway answers again, after an outage or a new sign-in.

const listeners = new Set<() => void>();

export function reportRecovery(): void {
  for (const listener of listeners) listener();
}

export function onRecovery(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
