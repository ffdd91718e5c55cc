// Audits the books of the configured store; it only reads, so gateways may run meanwhile. With
// `--gateway <url>` it also asks a running gateway whether its memory agrees with the store.
import { existsSync } from 'node:fs';
import { MemoryAudit } from '@trivium/contract';
import { choosePrices } from './choose-prices.ts';
import { storeFileIn } from './platform/data-dir.ts';
import { openPostgres } from './platform/database.ts';
import { openSqliteToRead } from './platform/sqlite.ts';
import type { Database } from './platform/database.ts';
import { readSettings, SettingsError } from './platform/settings.ts';
import type { Settings } from './platform/settings.ts';
import { StartError } from './platform/start-error.ts';
import { providers } from './providers/index.ts';
import { auditLedger, auditLines, violationLines } from './services/audit-ledger.ts';

const answerLimitMs = 30_000;

try {
  const settings = readSettings(process.env, Object.values(providers));
  const gateway = gatewayIn(process.argv.slice(2));
  const { name, database } = await openToRead(settings);
  const prices = choosePrices(settings.prices_file);
  const audit = await auditLedger(database, { now: Date.now(), prices });
  await database.close();
  process.stdout.write(auditLines(name, audit));
  const memory = gateway === undefined ? [] : await askMemory(gateway, settings.admin_token);
  process.exit(audit.violations.length + memory.length === 0 ? 0 : 1);
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

function gatewayIn([option, url, ...more]: readonly string[]): URL | undefined {
  if (option === undefined) return undefined;
  const given = URL.parse(url ?? '');
  if (option !== '--gateway' || !given || more.length > 0) {
    throw new StartError('Use: audit [--gateway http://127.0.0.1:8787]');
  }
  return given;
}

/** Prints what the gateway says of its memory, and answers its violations. */
async function askMemory(gateway: URL, token: string | undefined): Promise<string[]> {
  if (token === undefined) {
    throw new StartError('Set TRIVIUM_ADMIN_TOKEN: only an operator may ask a gateway.');
  }
  const { accounts, reserved_usd, violations } = await readMemory(gateway, token);
  const told = violations.length === 0 ? ['It agrees with the store.'] : violationLines(violations);
  const sum = `  ${accounts} accounts, ${reserved_usd ?? 'no amount of'} USD reserved`;
  process.stdout.write(`Memory of ${gateway.origin}\n${sum}\n${told.join('\n')}\n`);
  return violations;
}

async function readMemory(gateway: URL, token: string): Promise<MemoryAudit> {
  try {
    const response = await fetch(new URL('/admin/v1/audit', gateway), {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(answerLimitMs),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return MemoryAudit.parse(await response.json());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The gateway at ${gateway.origin} could not be asked: ${reason}.`);
  }
}
