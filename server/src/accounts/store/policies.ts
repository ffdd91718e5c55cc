// A policy as one column of its account or key. A policy that sets no limit is null.
import { noPolicy } from '@trivium/contract';
import type { Policy } from '@trivium/contract';

export function writePolicy(policy: Policy | undefined): string | null {
  if (!policy) return null;
  const given = Object.entries(policy).filter(([, value]) => value !== null);
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given));
}

/** The gateway wrote it, so it is not checked again. */
export function readPolicy(text: unknown): Policy | undefined {
  if (typeof text !== 'string') return undefined;
  return { ...noPolicy, ...(JSON.parse(text) as Partial<Policy>) };
}
