// Addresses and credentials of the vendors, read from the variables that each provider declares.
import type { ProviderId } from '@trivium/contract';
import { httpUrl, withoutEndSlash } from './setting-values.ts';

/** The variables of a provider, as its adapter declares them. */
export interface Declaration {
  id: ProviderId;
  credential: { env: readonly string[]; not_needed_with_base?: boolean };
  hosts: Readonly<Record<string, { env: string; default: string }>>;
}

export interface Upstream {
  /** Undefined if the provider needs none at its overridden address. */
  key?: string;
  /** Further credentials, used in rotation with the first. */
  spare_keys?: readonly string[];
  hosts: Readonly<Record<string, string>>;
  /** The operator set the address, which may be in a private network. */
  overridden?: true;
}

export type Upstreams = Readonly<Partial<Record<ProviderId, Upstream>>>;

export function readUpstreams(
  given: Readonly<Record<string, string>>,
  declarations: readonly Declaration[],
): { upstreams: Upstreams; faults: string[] } {
  const upstreams: Partial<Record<ProviderId, Upstream>> = {};
  const faults: string[] = [];
  for (const { id, credential, hosts } of declarations) {
    const addresses: Record<string, string> = {};
    let overridden = false;
    for (const [role, { env, default: fallback }] of Object.entries(hosts)) {
      const override = given[env];
      if (override !== undefined && !httpUrl.safeParse(override).success) {
        faults.push(`${env} must be an http or https address.`);
      }
      overridden ||= override !== undefined;
      addresses[role] = withoutEndSlash(override ?? fallback);
    }
    const overrides = overridden ? { overridden: true as const } : {};
    const list = credential.env.map((name) => given[name]).find((value) => value !== undefined);
    const [key, ...spareKeys] = keyList(list ?? '');
    if (key !== undefined) {
      const spare = spareKeys.length > 0 ? { spare_keys: spareKeys } : {};
      upstreams[id] = { key, ...spare, hosts: addresses, ...overrides };
    }
    if (key === undefined && credential.not_needed_with_base && overridden) {
      upstreams[id] = { hosts: addresses, ...overrides };
    }
  }
  return { upstreams, faults };
}

/** One credential, or a comma-separated list; duplicates are dropped. */
function keyList(text: string): string[] {
  const keys = text.split(',').map((part) => part.trim());
  return [...new Set(keys.filter((key) => key !== ''))];
}
