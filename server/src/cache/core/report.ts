// The header x-trivium-cache of an answer states where its parts came from.

export const cacheHeader = 'x-trivium-cache';

/** Where one part of an answer came from: a search, a member of a panel, or a page. */
export interface CachePart {
  from: 'hit' | 'joined' | 'miss';
  /** The age of a cached answer. */
  ageMs: number;
}

/** `hit` and `joined` are reported only if no part of the answer was fetched for this request. */
export function reportParts(parts: readonly CachePart[]): string {
  const hits = parts.filter(({ from }) => from === 'hit');
  const misses = parts.filter(({ from }) => from === 'miss').length;
  const ageS = Math.floor(hits.reduce((oldest, { ageMs }) => Math.max(oldest, ageMs), 0) / 1000);
  if (misses === parts.length) return 'miss';
  if (hits.length === parts.length) return `hit; age=${ageS}`;
  if (hits.length === 0 && misses === 0) return 'joined';
  const joined = parts.length - hits.length - misses;
  const age = hits.length > 0 ? `; age=${ageS}` : '';
  return `partial; hits=${hits.length}; joined=${joined}; misses=${misses}${age}`;
}
