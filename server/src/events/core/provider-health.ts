// Decides whether a provider is unhealthy for the whole deployment, which it is as long as one
// gateway reports it.

/** Until when the report of each gateway counts. */
export type Reports = Readonly<Record<string, number>>;

interface Report {
  reporter: string;
  isOpen: boolean;
  until: number;
}

type HealthEvent = 'provider.unhealthy' | 'provider.recovered';

/** Drops reports that were not renewed in time: their gateways have ended. */
export function addReport(
  before: Reports,
  { reporter, isOpen, until }: Report,
  now: number,
): { after: Reports; event: HealthEvent | undefined } {
  const others = Object.entries(before).filter(([name, end]) => name !== reporter && end > now);
  const all = isOpen ? [...others, [reporter, until] as const] : others;
  const after = Object.fromEntries(all);
  const wasUnhealthy = Object.keys(before).length > 0;
  const isUnhealthy = all.length > 0;
  if (wasUnhealthy === isUnhealthy) return { after, event: undefined };
  return { after, event: isUnhealthy ? 'provider.unhealthy' : 'provider.recovered' };
}
