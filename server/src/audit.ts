// Audits the books of the configured store; it only reads, so gateways may run meanwhile.
import { existsSync } from 'node:fs';
import { storeFileIn } from './platform/data-dir.ts';
import { openPostgres } from './platform/database.ts';
import { openSqliteToRead } from './platform/sqlite.ts';
import type { Database } from './platform/database.ts';
import { readSettings, SettingsError } from './platform/settings.ts';
import type { Settings } from './platform/settings.ts';
import { StartError } from './platform/start-error.ts';
import { providers } from './providers/index.ts';
import { auditLedger, auditLines } from './services/audit-ledger.ts';

try {
  const settings = readSettings(process.env, Object.values(providers));
  const { name, database } = await openToRead(settings);
  const audit = await auditLedger(database);
  await database.close();
  process.stdout.write(auditLines(name, audit));
  process.exit(audit.violations.length === 0 ? 0 : 1);
} catch (error) {
  if (!(error instanceof StartError || error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function openToRead(settings: Settings): Promise<{ name: string; database: Database }> {
  const { database_url } = settings;
  if (database_url !== undefined) {
    const { host, pathname } = new URL(database_url);
    return { name: `PostgreSQL at ${host}${pathname}`, database: openPostgres(database_url) };
  }
  const file = storeFileIn(settings.data_dir);
  if (!existsSync(file)) {
    throw new StartError(`There is no store at ${file} yet. Check TRIVIUM_DATA_DIR.`);
  }
  return { name: `SQLite in ${file}`, database: await openSqliteToRead(file) };
}
