// A request of the playground as an address that can be shared. Fields that may contain a secret
// are left out.
import type { ProviderDescription, ToolName } from '@trivium/contract';
import type { FieldSpec, Filled } from './form-fields.ts';

const ways = ['one', 'beside', 'fusion'] as const;
const maxChars = 4000;

export interface Shared {
  address: string;
  /** The fields that the address does not contain. */
  leftOut: string[];
}

export function sharedNames(fields: readonly FieldSpec[]): string[] {
  return ['provider', 'way', 'panel', ...fields.map(({ path }) => path)];
}

export function shareState(
  origin: string,
  tool: ToolName,
  { provider, way, panel, filled }: ToolState,
): Shared {
  const set = Object.entries(filled).filter(([, value]) => value.trim() !== '');
  const leftOut = set.filter(([, value]) => !isShareable(value)).map(([path]) => path);
  const query = new URLSearchParams({ tool });
  if (way === 'one' && provider !== 'auto') query.set('provider', provider);
  if (way !== 'one') {
    query.set('way', way);
    query.set('panel', panel.join(','));
  }
  for (const [path, value] of set) if (!leftOut.includes(path)) query.set(path, value);
  return { address: `${origin}/playground?${query.toString()}`, leftOut };
}

/** The state in an address; undefined when it has none. Names that are not known are ignored. */
export function readShared(
  query: URLSearchParams,
  fields: readonly FieldSpec[],
  candidates: readonly ProviderDescription[],
): Partial<ToolState> | undefined {
  if (!sharedNames(fields).some((name) => query.has(name))) return undefined;
  const ids = candidates.map(({ id }) => String(id));
  const provider = query.get('provider') ?? 'auto';
  const panel = (query.get('panel') ?? '').split(',').filter((id) => ids.includes(id));
  const filled: Filled = Object.fromEntries(
    fields.flatMap(({ path }) => {
      const value = query.get(path);
      return value === null ? [] : [[path, value.slice(0, maxChars)] as const];
    }),
  );
  return {
    filled,
    provider: ids.includes(provider) ? provider : 'auto',
    way: ways.find((way) => way === query.get('way')) ?? 'one',
    ...(panel.length === 0 ? {} : { panel: [...new Set(panel)] }),
  };
}

const secretName = /token|sig|secret|passw|auth|cred|key|^(x-(amz|goog)-|se$|sp$|sv$)|expires/i;

/** False for a long text, and for an address that may grant access. */
function isShareable(value: string): boolean {
  if (value.length > maxChars) return false;
  return value.split(/[\s,]+/).every((word) => {
    const url = /^https?:\/\//i.test(word) ? URL.parse(word) : null;
    if (!url) return true;
    if (url.username !== '' || url.password !== '') return false;
    if (isUploadUrl(word)) return false;
    return [...url.searchParams.keys()].every((name) => !secretName.test(name));
  });
}

export type Way = 'one' | 'beside' | 'fusion';

export interface ToolState {
  provider: string;
  filled: Filled;
  /** How to search: with one engine, with several side by side, or with a fusion panel. */
  way: Way;
  /** The engines of a comparison or a panel. */
  panel: readonly string[];
}

/** An upload is played from this gateway, whichever of its addresses the page was opened at. */
export function playableAt(url: string): string {
  return isUploadUrl(url) ? url.slice(url.lastIndexOf('/files/')) : url;
}

export function isUploadUrl(url: string): boolean {
  return /^https?:\/\/[^?#]*\/files\/upl_[^/?#]+$/.test(url.trim());
}
