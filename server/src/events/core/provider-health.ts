// Whether a provider is unhealthy for the whole deployment: as long as one gateway reports it.

/** By gateway: until when its report counts. */
export type Reports = Readonly<Record<string, number>>;

interface Report {
  reporter: string;
  isOpen: boolean;
  until: number;
}

type HealthEvent = 'provider.unhealthy' | 'provider.recovered';

/** Reports that were not renewed in time belong to gateways that ended. */
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
