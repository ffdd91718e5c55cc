// Audits the ledger of the configured store. It only reads, so gateways can keep running. With
// `--gateway <url>` it also checks that a running gateway's memory agrees with the store.
import { existsSync } from 'node:fs';
import { MemoryAudit } from '@trivium/contract';
import { choosePrices } from '../choose-prices.ts';
import { nameOfDatabase, readSettings, type Settings } from '../../settings/index.ts';
import {
  connectPostgres,
  findDataDir,
  openSqliteReadOnly,
  storeFileIn,
} from '../../store/opening.ts';
import type { Database } from '../../store/index.ts';
import { describeFailure } from '../../platform/start-error.ts';
import { StartError } from '../../platform/start-error.ts';
import { freeProviders, providers } from '../../providers/index.ts';
import { auditLedger, auditLines, violationLines } from '../../billing/index.ts';
import { storeThread } from '../store-thread-url.ts';

const timeoutMs = 30_000;

try {
  const settings = readSettings(process.env, Object.values(providers));
  const gateway = readGatewayOption(process.argv.slice(2));
  const { name, database } = await openForReading(settings);
  const free = freeProviders(choosePrices(settings.prices));
  const audit = await auditLedger(database, { now: Date.now(), freeProviders: free });
  await database.close();
  process.stdout.write(auditLines(name, audit));
  const memory = gateway === undefined ? [] : await auditGateway(gateway, settings.admin_token);
  process.exit(audit.violations.length + memory.length === 0 ? 0 : 1);
} catch (error) {
  const words = describeFailure(error);
  if (words === undefined) throw error;
  process.stderr.write(`${words}\n`);
  process.exit(1);
}

async function openForReading(settings: Settings): Promise<{ name: string; database: Database }> {
  const { database_url } = settings;
  if (database_url !== undefined) {
    return { name: nameOfDatabase(database_url), database: await connectPostgres(database_url) };
  }
  const file = storeFileIn(findDataDir(settings));
  if (!existsSync(file)) {
    throw new StartError(`There is no store at ${file} yet. Check TRIVIUM_DATA_DIR.`);
  }
  return { name: `SQLite in ${file}`, database: await openSqliteReadOnly(file, storeThread) };
}

function readGatewayOption([option, url, ...more]: readonly string[]): URL | undefined {
  if (option === undefined) return undefined;
  const parsed = URL.parse(url ?? '');
  if (option !== '--gateway' || !parsed || more.length > 0) {
    throw new StartError('Use: audit [--gateway http://127.0.0.1:8787]');
  }
  return parsed;
}

/** Prints the gateway's audit of its memory, and returns the violations. */
async function auditGateway(gateway: URL, token: string | undefined): Promise<string[]> {
  if (token === undefined) {
    throw new StartError('Set TRIVIUM_ADMIN_TOKEN: only operators can audit a gateway.');
  }
  const { accounts, reserved_usd, violations } = await readMemoryAudit(gateway, token);
  const result =
    violations.length === 0 ? ['It agrees with the store.'] : violationLines(violations);
  const sum = `  ${accounts} accounts, ${reserved_usd ?? 'no amount of'} USD reserved`;
  process.stdout.write(`Memory of ${gateway.origin}\n${sum}\n${result.join('\n')}\n`);
  return violations;
}

async function readMemoryAudit(gateway: URL, token: string): Promise<MemoryAudit> {
  try {
    const response = await fetch(new URL('/admin/v1/books', gateway), {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return MemoryAudit.parse(await response.json());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The gateway at ${gateway.origin} could not be audited: ${reason}.`);
  }
}
