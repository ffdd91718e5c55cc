// Maintenance commands: `settings`, `backup <folder>`, `restore <folder>`, `migrate --to <url>`,
// `reset-password <email>`.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readStoreMode } from '../../accounts/index.ts';
import { runProgram } from './programs.ts';
import { resetPassword } from './reset-password.ts';
import { audit, commandLine } from '../../audit/index.ts';
import { auditLedger, auditLines } from '../../billing/index.ts';
import { StartError } from '../../platform/start-error.ts';
import {
  type Mode,
  type Settings,
  dataDirOf,
  databaseUrl,
  nameOfDatabase,
} from '../../settings/index.ts';
import type { Database, Runner } from '../../store/index.ts';
import {
  checkStoreFile,
  connectPostgres,
  copyStore,
  copyTables,
  findDataDir,
  openDataDir,
  openSchema,
  openSqlite,
  openSqliteReadOnly,
  restoreStore,
  storeFileIn,
} from '../../store/opening.ts';
import { storeThread } from '../store-thread-url.ts';

const usage = `Use one of:
  settings                    checks the settings
  backup <folder>             copies the store while the gateway runs
  restore <folder>            puts a backup into an empty data directory
  migrate --to postgres://…   moves the store to PostgreSQL; stop the gateway first
  reset-password <email>      prints a link with which this person chooses a new password`;

await runProgram(process.env, async ([command, ...rest], settings) => {
  process.stdout.write(await perform(command, rest, settings));
  return 0;
});

async function perform(
  command: string | undefined,
  [first, second]: readonly string[],
  settings: Settings,
): Promise<string> {
  const dataDir = findDataDir(settings);
  // readSettings throws if there is a fault.
  if (command === 'settings') return 'The settings are valid.\n';
  if (command === 'backup' || command === 'restore') refusePostgres(settings);
  if (command === 'backup' && first !== undefined) return backUp(dataDir, first);
  if (command === 'restore' && first !== undefined) return restore(first, settings);
  if (command === 'migrate' && first === '--to' && second !== undefined) {
    return migrateStore(dataDir, second);
  }
  if (command === 'reset-password' && first !== undefined) {
    return resetPassword(settings, first, new Date());
  }
  throw new StartError(usage);
}

/** Otherwise the command would use an old embedded store instead of the one in use. */
function refusePostgres({ database_url }: Settings): void {
  if (database_url === undefined) return;
  throw new StartError(
    `DATABASE_URL is set, so the store is ${nameOfDatabase(database_url)}. Back it up and ` +
      'restore it with its own tools, such as pg_dump and pg_restore.',
  );
}

async function backUp(dataDir: string, folder: string): Promise<string> {
  const file = copyStore(dataDir, folder);
  const { lines } = await auditFile(file);
  return `${lines}Backed up ${dataDir} into ${folder}\n`;
}

/** A backup is restored to the folder of the mode in which its store was created. */
async function restore(folder: string, { configured_dir }: Settings): Promise<string> {
  const { lines, mode } = await auditFile(checkStoreFile(folder));
  const dir = openDataDir(dataDirOf(configured_dir, mode));
  try {
    await restoreStore(folder, dir.path, (file) => recordRestore(file, folder));
  } finally {
    dir.release();
  }
  return `${lines}Restored into ${dir.path}\n`;
}

/** Records in the restored store that it was restored, and from when data may be missing. */
async function recordRestore(file: string, folder: string): Promise<void> {
  const madeAt = statSync(storeFileIn(folder)).mtime.toISOString();
  const after = { backup: resolve(folder), backup_made_at: madeAt };
  const change = { action: 'store.restored', account_id: null, target: 'store', after } as const;
  const database = await openSqlite(file, storeThread);
  try {
    await database.transaction((tx) => audit(tx, commandLine, change, Date.now()));
    // Everything must be in the file itself, which is renamed without its write-ahead log.
    await database.run('pragma wal_checkpoint(truncate)');
  } finally {
    await database.close();
  }
}

/** Refuses a backup whose ledger fails the audit. */
async function auditFile(file: string): Promise<{ lines: string; mode: Mode }> {
  const database = await openSqliteReadOnly(file, storeThread);
  const ledger = await auditLedger(database);
  const mode = await readStoreMode(database);
  await database.close();
  const lines = auditLines(file, ledger);
  if (ledger.violations.length > 0) throw new StartError(lines);
  return { lines, mode };
}

async function migrateStore(dataDir: string, url: string): Promise<string> {
  const checked = databaseUrl.safeParse(url);
  if (!checked.success) throw new StartError(`--to ${checked.error.issues[0]?.message ?? ''}.`);
  const dir = openDataDir(dataDir);
  if (!existsSync(dir.storeFile)) {
    dir.release();
    throw new StartError(`There is no store at ${dir.storeFile}. Check TRIVIUM_DATA_DIR.`);
  }
  const from = await openSqlite(dir.storeFile, storeThread);
  const to = await connectPostgres(url);
  try {
    const now = new Date();
    await openSchema(from, now, `The store ${dir.storeFile}`);
    await from.resume?.();
    await openSchema(to, now, 'The database of --to');
    const moved = await moveStore(from, to, now);
    const lines = moved.map(({ table, rows }) => `  ${table.padEnd(18)}${rows} rows\n`);
    return (
      `Moved. All counts and sums are equal, and the audit passed:\n${lines.join('')}` +
      `Now set DATABASE_URL, and TRIVIUM_SECRET to the content of ${dir.path}/secret.\n`
    );
  } finally {
    await from.close();
    await to.close();
    dir.release();
  }
}

function moveStore(from: Database, to: Database, now: Date) {
  return to.transaction(async (tx) => {
    const moved = await copyTables(from, tx);
    await compareAudits(from, tx);
    const after = Object.fromEntries(moved.map(({ table, rows }) => [`${table}_rows`, rows]));
    const change = { action: 'store.moved', account_id: null, target: 'store', after } as const;
    await audit(tx, commandLine, change, now.getTime());
    return moved;
  });
}

async function compareAudits(from: Runner, to: Runner): Promise<void> {
  const [before, after] = [await auditLedger(from), await auditLedger(to)];
  const violations = [...before.violations, ...after.violations];
  if (violations.length > 0) {
    throw new StartError(
      `The audit found violations, so nothing was moved: ${violations.join(' ')}`,
    );
  }
  if (JSON.stringify(before.totals) !== JSON.stringify(after.totals)) {
    throw new StartError('The audits differ after the move. Nothing was moved.');
  }
}
