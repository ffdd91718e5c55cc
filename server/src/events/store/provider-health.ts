// Which gateways report a provider as unhealthy, one row for each provider.
import { checked, is, json, query, type Runner, table, text } from '../../store/index.ts';
import type { Reports } from '../core/provider-health.ts';

const isReports = (value: unknown): value is Reports =>
  Object.values(Object(value)).every(is.number);

const health = table('provider_health', { provider: text, reporters: json(checked(isReports)) });
const insertNew = health.insertNew('provider');

/** Locks the row until the end of the transaction, and creates it if necessary. */
export async function lockReports(on: Runner, provider: string): Promise<Reports> {
  await insertNew(on, { provider, reporters: {} });
  const row = await query.row(
    on,
    health.read,
    `select ${health.columns} from provider_health where provider = $1${on.lock('for update')}`,
    [provider],
  );
  return row?.reporters ?? {};
}

export async function putReports(on: Runner, provider: string, reports: Reports): Promise<void> {
  await on.run('update provider_health set reporters = $2 where provider = $1', [
    provider,
    JSON.stringify(reports),
  ]);
}

/** The providers that some gateway reports. */
export function listReported(on: Runner): Promise<string[]> {
  return query.texts(on, `select provider from provider_health where reporters <> '{}'`);
}
