// Warns about accounts in the settings of shadow calls that do not exist: a mistyped id would leave
// searches out, or send queries to other engines that must not go there.
import { readNames } from '../accounts/index.ts';
import type { Log } from '../platform/log.ts';
import type { ShadowSettings } from '../settings/index.ts';
import type { ReadableDatabase } from '../store/index.ts';

interface CheckContext {
  database: ReadableDatabase;
  log: Pick<Log, 'warn'>;
}

export async function checkShadowAccounts(
  { database, log }: CheckContext,
  { accounts, excluded }: Pick<ShadowSettings, 'accounts' | 'excluded'>,
): Promise<void> {
  const given = [...accounts, ...excluded];
  const names = await readNames({ database }, 'accounts', given);
  const unknown = given.filter((id) => !names.has(id));
  if (unknown.length === 0) return;
  log.warn(
    { accounts: unknown },
    'TRIVIUM_SHADOW_ACCOUNTS or TRIVIUM_SHADOW_EXCLUDE names accounts that do not exist',
  );
}
