// Which gateways report a provider as unhealthy, one row for each provider.
import { checked, isNumber, readJson, type Runner } from '../../store/index.ts';
import type { Reports } from '../core/provider-health.ts';

const isReports = (value: unknown): value is Reports =>
  Object.values(Object(value)).every(isNumber);

/** Locks the row until the end of the transaction, and creates it if necessary. */
export async function lockReports(on: Runner, provider: string): Promise<Reports> {
  await on.run(
    `insert into provider_health (provider, reporters) values ($1, '{}')
     on conflict (provider) do nothing`,
    [provider],
  );
  const [row] = await on.run(
    `select reporters from provider_health where provider = $1${on.lock('for update')}`,
    [provider],
  );
  return readJson('The health of a provider', checked(isReports), row?.['reporters'] ?? '{}');
}

export async function putReports(on: Runner, provider: string, reports: Reports): Promise<void> {
  await on.run('update provider_health set reporters = $2 where provider = $1', [
    provider,
    JSON.stringify(reports),
  ]);
}

/** The providers that some gateway reports. */
export async function listReported(on: Runner): Promise<string[]> {
  const rows = await on.run<{ provider: string }>(
    `select provider from provider_health where reporters <> '{}'`,
  );
  return rows.map(({ provider }) => provider);
}
