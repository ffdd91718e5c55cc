// Moves an embedded store to PostgreSQL: in one transaction, kept only if nothing was lost.
import type { Database, Runner } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';
import { columnsOf, copyTable, listTables, sumTable, table_names } from '../store/tables.ts';
import { auditLedger } from './audit-ledger.ts';

export interface Moved {
  table: string;
  rows: number;
}

/** Both stores have the same schema; the new one must be empty. */
export async function moveStore(from: Database, to: Database): Promise<Moved[]> {
  await checkTables(from);
  return to.transaction(async (tx) => {
    await checkEmpty(tx);
    const moved: Moved[] = [];
    for (const table of table_names) {
      const columns = await columnsOf(from, table);
      const rows = await copyTable(from, tx, table, columns);
      const [before, after] = [
        await sumTable(from, table, columns),
        await sumTable(tx, table, columns),
      ];
      compare(table, before, after);
      moved.push({ table, rows });
    }
    await compareBooks(from, tx);
    return moved;
  });
}

/** A table that nobody told the move about must not be left behind. */
async function checkTables(from: Runner): Promise<void> {
  const known = new Set<string>(table_names);
  const forgotten = (await listTables(from)).filter((table) => !known.has(table));
  if (forgotten.length > 0) throw new Error(`the move does not know ${forgotten.join(', ')}`);
}

async function checkEmpty(to: Runner): Promise<void> {
  const [row] = await to.run<{ count: unknown }>('select count(*) as count from accounts');
  if (Number(row?.count) === 0) return;
  throw new StartError(
    'The PostgreSQL database already has accounts. Move into a new, empty database.',
  );
}

function compare(
  table: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): void {
  const off = Object.keys(before).filter((name) => before[name] !== after[name]);
  if (off.length === 0) return;
  throw new StartError(
    `${table} is not the same after the move (${off.join(', ')}). Nothing was kept.`,
  );
}

async function compareBooks(from: Runner, to: Runner): Promise<void> {
  const [before, after] = [await auditLedger(from), await auditLedger(to)];
  const violations = [...before.violations, ...after.violations];
  if (violations.length > 0) {
    throw new StartError(`The books do not hold, so nothing was kept: ${violations.join(' ')}`);
  }
  if (JSON.stringify(before.reading) !== JSON.stringify(after.reading)) {
    throw new StartError('The books are not the same after the move. Nothing was kept.');
  }
}
