// A database whose n-th statement fails, to show that a change is made completely or not at all.
import type { Database, Runner } from '../../src/store/database.ts';

/** Every table, as text: two equal texts mean that nothing was written in between. */
export async function contentsOf(database: Database): Promise<string> {
  const tables = [
    ...['accounts', 'keys', 'people', 'credentials', 'invites', 'operator_tokens', 'audit_log'],
    ...['oauth_codes', 'oauth_grants', 'oauth_refresh_tokens', 'changes', 'store_facts'],
    ...['transfers', 'deliveries'],
  ];
  const rows = [];
  for (const table of tables) {
    rows.push([table, await database.run(`select * from ${table} order by 1, 2`)]);
  }
  return JSON.stringify(rows);
}

interface Failing {
  database: Database;
  /** Whether the work has reached the statement that fails. */
  hasFailed: () => boolean;
}

/** The statement with this number fails, counted from zero, also inside a transaction. */
function failAt(database: Database, number: number): Failing {
  let seen = 0;
  const failing = (on: Runner): Runner => ({
    lock: on.lock,
    run: (text, values) => {
      seen += 1;
      if (seen === number + 1) return Promise.reject(new Error('this statement fails'));
      return on.run(text, values);
    },
  });
  return {
    database: {
      ...database,
      ...failing(database),
      transaction: (work) => database.transaction((tx) => work(failing(tx))),
    },
    hasFailed: () => seen > number,
  };
}

const maxStatements = 60;

/**
 * Runs the work with a failure at its first statement, at its second, and so on until it succeeds.
 * Returns the numbers of the statements whose failure changed something.
 */
export async function halfMade(
  database: Database,
  work: (database: Database) => Promise<unknown>,
): Promise<{ statements: number; leftRows: number[] }> {
  const leftRows: number[] = [];
  for (let number = 0; number < maxStatements; number += 1) {
    const before = await contentsOf(database);
    const failing = failAt(database, number);
    const failed = await work(failing.database).then(
      () => false,
      () => true,
    );
    if (!failing.hasFailed()) return { statements: number, leftRows };
    if (!failed || (await contentsOf(database)) !== before) leftRows.push(number);
  }
  throw new Error('The work has too many statements.');
}
