// Care of a deployment: `settings`, `backup <folder>`, `restore <folder>`, `migrate --to <url>`.
import { checkStoreFile, copyStore, putBack } from './platform/backup-files.ts';
import { openDataDir } from './platform/data-dir.ts';
import { openPostgres } from './platform/database.ts';
import { readSettings, SettingsError } from './platform/settings.ts';
import { openSqlite, openSqliteToRead } from './platform/sqlite.ts';
import { StartError } from './platform/start-error.ts';
import { providers } from './providers/index.ts';
import { auditLedger, auditLines } from './services/audit-ledger.ts';
import { moveStore } from './services/move-store.ts';
import { migrate } from './store/migrate.ts';

const usage = `Use one of:
  settings                    checks the settings
  backup <folder>             copies the store while the gateway runs
  restore <folder>            puts a backup into an empty data directory
  migrate --to postgres://…   moves the store to PostgreSQL; stop the gateway first`;

try {
  const [command, ...rest] = process.argv.slice(2);
  const { data_dir } = readSettings(process.env, Object.values(providers));
  process.stdout.write(await perform(command, rest, data_dir));
} catch (error) {
  if (!(error instanceof StartError || error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function perform(
  command: string | undefined,
  [first, second]: readonly string[],
  data_dir: string,
): Promise<string> {
  // Whoever comes this far has settings without a fault.
  if (command === 'settings') return 'The settings are in order.\n';
  if (command === 'backup' && first !== undefined) return backUp(data_dir, first);
  if (command === 'restore' && first !== undefined) return restore(first, data_dir);
  if (command === 'migrate' && first === '--to' && second !== undefined) {
    return move(data_dir, second);
  }
  throw new StartError(usage);
}

async function backUp(data_dir: string, folder: string): Promise<string> {
  const file = copyStore(data_dir, folder);
  checkStoreFile(folder);
  return `${await audited(file)}Backed up into ${folder}\n`;
}

async function restore(folder: string, data_dir: string): Promise<string> {
  const lines = await audited(checkStoreFile(folder));
  const dir = openDataDir(data_dir);
  try {
    putBack(folder, dir.path);
  } finally {
    dir.release();
  }
  return `${lines}Restored into ${dir.path}\n`;
}

/** Books that do not hold are no backup to rely on. */
async function audited(file: string): Promise<string> {
  const database = await openSqliteToRead(file);
  const audit = await auditLedger(database);
  await database.close();
  const lines = auditLines(file, audit);
  if (audit.violations.length > 0) throw new StartError(lines);
  return lines;
}

async function move(data_dir: string, url: string): Promise<string> {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new StartError('--to must begin with postgres://');
  const dir = openDataDir(data_dir);
  const from = await openSqlite(dir.store_file);
  const to = openPostgres(url);
  try {
    const now = new Date();
    await migrate(from, now);
    await from.resume?.();
    await migrate(to, now);
    const moved = await moveStore(from, to);
    const lines = moved.map(({ table, rows }) => `  ${table.padEnd(18)}${rows} rows\n`);
    return (
      `Moved, with all counts and sums equal and the books in order:\n${lines.join('')}` +
      `Now set DATABASE_URL, and TRIVIUM_SECRET to the content of ${dir.path}/secret.\n`
    );
  } finally {
    await from.close();
    await to.close();
    dir.release();
  }
}
