// Moves an embedded store to PostgreSQL in one transaction, which commits only if nothing was lost.
import { audit, commandLine } from '../../audit/index.ts';
import type { Database, Runner } from '../../store/index.ts';
import { StartError } from '../../platform/start-error.ts';
import { columnsOf, copyTable, listTables, sumTable, tableNames } from '../../store/opening.ts';
import { auditLedger } from '../../billing/index.ts';

interface MovedTable {
  table: string;
  rows: number;
}

/** Both stores have the same schema. The new one must be empty. */
export async function moveStore(from: Database, to: Database, now: Date): Promise<MovedTable[]> {
  await checkTables(from);
  return to.transaction(async (tx) => {
    await checkEmpty(tx);
    const moved: MovedTable[] = [];
    for (const table of tableNames) {
      const columns = await columnsOf(from, table);
      const rows = await copyTable(from, tx, table, columns);
      const [before, after] = [
        await sumTable(from, table, columns),
        await sumTable(tx, table, columns),
      ];
      compare(table, before, after);
      moved.push({ table, rows });
    }
    await compareAudits(from, tx);
    const after = Object.fromEntries(moved.map(({ table, rows }) => [`${table}_rows`, rows]));
    const change = { action: 'store.moved', account_id: null, target: 'store', after } as const;
    await audit(tx, commandLine, change, now.getTime());
    return moved;
  });
}

/** Throws for a table that this command does not know, so that none is left behind. */
async function checkTables(from: Runner): Promise<void> {
  const known = new Set<string>(tableNames);
  const unknown = (await listTables(from)).filter((table) => !known.has(table));
  if (unknown.length > 0) throw new Error(`the move does not know ${unknown.join(', ')}`);
}

async function checkEmpty(to: Runner): Promise<void> {
  const { row_count } = await sumTable(to, 'accounts', []);
  if (row_count === 0) return;
  throw new StartError(
    'The PostgreSQL database already has accounts. Move into a new, empty database.',
  );
}

function compare(
  table: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): void {
  const different = Object.keys(before).filter((name) => before[name] !== after[name]);
  if (different.length === 0) return;
  throw new StartError(
    `${table} is not the same after the move (${different.join(', ')}). Nothing was moved.`,
  );
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
