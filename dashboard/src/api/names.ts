// Display names for the ids of providers and keys.
import { providerLabel } from '@trivium/contract/provider-names';
import type { Account, AccountList, Key, KeyList, ProvidersResponse } from '@trivium/contract';
import { useSession } from '../shell/session.tsx';
import { admin, gatewayClientFor } from './clients.ts';
import { useLoad } from './data.ts';
import type { Loaded } from './data.ts';

export function useProviders(): Loaded<ProvidersResponse> {
  const { account } = useSession();
  return useLoad(['providers', account.id], () => gatewayClientFor(account.id).client.providers());
}

export function useKeys(): Loaded<KeyList> {
  const { account } = useSession();
  return useLoad(['keys', account.id], () => admin.keys.list(account.id));
}

export function useAccountList(wanted = true): Loaded<AccountList> {
  return useLoad(wanted ? ['accounts'] : undefined, () => admin.accounts.list({ limit: 500 }));
}

/** Only operators can list accounts. */
export function useAccounts(wanted: boolean): readonly Account[] {
  return useAccountList(wanted).data?.accounts ?? [];
}

export function providerName(id: string | null): string {
  if (id === null || id === '') return 'None chosen';
  if (id === 'fusion') return 'Fusion';
  return providerLabel(id);
}

/** The name of a provider in sums, where it may have been simulated for some of the time. */
export function useProviderName(): (id: string | null) => string {
  const providers = useProviders().data?.providers ?? [];
  return (id) => {
    const periods = providers.find((one) => one.id === id)?.simulated;
    if (!periods) return providerName(id);
    const isNow = periods.at(-1)?.ended_at === null;
    return `${providerName(id)}, ${isNow ? 'simulated' : 'partly simulated'}`;
  };
}

export function keyName(keys: readonly Key[], id: string | null): string {
  if (id === 'dashboard') return 'Dashboard';
  return keys.find((key) => key.id === id)?.name ?? id ?? 'None';
}

export const toolTitles: Readonly<Record<string, string>> = {
  search: 'Search',
  extract: 'Extract',
  transcription: 'Transcription',
};
