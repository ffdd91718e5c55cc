// The rows of a first start: the default account, its key, the operator's token, and the settings.
import { createFirstToken, prepareAccounts } from '../accounts/index.ts';
import type { Settings } from '../settings/index.ts';
import { type Database, within } from '../store/index.ts';
import { auditSettings } from './audit-settings.ts';

export type FirstRows = Awaited<ReturnType<typeof prepareRows>>;

/**
 * Writes what the settings and a first start need into the store, in one transaction, so that a
 * failed start leaves behind no key or token that was never shown.
 */
export async function prepareRows(
  database: Database,
  settings: Settings,
  secret: string,
  now: Date,
) {
  const { bootstrap_key: bootstrapKey, bootstrap_balance_usd: balanceUsd, mode } = settings;
  return database.transaction(async (tx) => {
    const joined = within(database, tx);
    const first = await prepareAccounts(joined, bootstrapKey, now, balanceUsd, mode);
    await auditSettings(joined, settings, secret, now.getTime());
    const isConfigured = settings.admin_token !== undefined;
    return {
      ...first,
      newOperatorToken: isConfigured ? undefined : await createFirstToken(joined, now),
    };
  });
}
