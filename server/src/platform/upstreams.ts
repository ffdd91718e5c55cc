// Upstream addresses and credentials: the variables each provider declares, read the same way for
// all of them.
import type { ProviderId } from '@trivium/contract';
import { z } from 'zod';

/** What settings must know of a provider; the registry supplies it. */
export interface Declaration {
  id: ProviderId;
  credential: { env: readonly string[]; not_needed_with_base?: boolean };
  hosts: Readonly<Record<string, { env: string; default: string }>>;
}

export interface Upstream {
  /** Undefined when the provider is configured to need none. */
  key?: string;
  /** Further credentials, used in turn with the first. */
  spare_keys?: readonly string[];
  hosts: Readonly<Record<string, string>>;
  /** Called at an address of the operator's choice, which may be in a network of their own. */
  overridden?: true;
}

export type Upstreams = Readonly<Partial<Record<ProviderId, Upstream>>>;

export const http_url = z
  .string()
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be an http or https address',
  );

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
      if (override !== undefined && !http_url.safeParse(override).success) {
        faults.push(`${env} must be an http or https address.`);
      }
      overridden ||= override !== undefined;
      addresses[role] = (override ?? fallback).replace(/(?<!\/)\/+$/, '');
    }
    const elsewhere = overridden ? { overridden: true as const } : {};
    const list = credential.env.map((name) => given[name]).find((value) => value !== undefined);
    const [key, ...spare_keys] = keyList(list ?? '');
    if (key !== undefined) {
      const spare = spare_keys.length > 0 ? { spare_keys } : {};
      upstreams[id] = { key, ...spare, hosts: addresses, ...elsewhere };
    }
    if (key === undefined && credential.not_needed_with_base && overridden) {
      upstreams[id] = { hosts: addresses, ...elsewhere };
    }
  }
  return { upstreams, faults };
}

/** One credential, or several with commas between them; none counts twice. */
function keyList(text: string): string[] {
  const keys = text.split(',').map((part) => part.trim());
  return [...new Set(keys.filter((key) => key !== ''))];
}
