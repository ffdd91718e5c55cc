// Each table is declared once. The module that declares it owns it, and only its SQL names it.
import { tableNames } from '../../src/store/migrations/tables.ts';
import { isTest, placeOf, projectRoot, readProject, type SourceFile } from './source.ts';

const src = 'server/src/';
/** No current version reads these; they have the owner of the tables beside them. */
const unread = { sign_in_limits: 'accounts', cache_claims: 'cache' };
const names = tableNames.join('|');
/** After a word of SQL, as the table of a list, or as the beginning of a part of a statement. */
const named = new RegExp(
  `\\b(?:from|join|into|update|using)\\s+(${names})\\b|\\b(?:t|sumsT)able(?:: |\\(\\s*)'(${names})'|\`(${names})\\$\\{`,
  'g',
);

interface SharedTables {
  files: readonly string[];
  tables: readonly string[];
}

/** SQL that names the tables of another module, and why it cannot call that module. */
const sharedTables: readonly SharedTables[] = [
  // The money of an account and what a key spent of its caps are columns of their rows, which a
  // payment locks and changes in one transaction.
  {
    files: ['allowances', 'ledger'].map((name) => `billing/store/${name}.ts`),
    tables: ['accounts', 'keys'],
  },
  // The audit compares the books with what they are about, row by row in one snapshot of the
  // store.
  {
    files: ['audit', 'audit-checks', 'journal'].map((name) => `billing/store/${name}.ts`),
    tables: ['accounts', 'requests', 'idempotency', 'jobs', 'store_facts'],
  },
  // The thread of the embedded store runs what was deferred, and a backup has what was journaled; on
  // PostgreSQL it is the journal of billing.
  { files: ['store/deferred.ts', 'store/sqlite/backup-files.ts'], tables: ['deferred'] },
  // An upload is deleted only if no unfinished job needs it, which must be one statement.
  { files: ['uploads/store/uploads.ts'], tables: ['jobs'] },
  // Locks the account, so that two requests cannot both add the last endpoint it may have;
  // accounts use events.
  { files: ['events/store/webhooks.ts'], tables: ['accounts'] },
  // Whether there is another account is read with the jobs, on the thread of the store, which
  // does not load accounts.
  { files: ['transcription/store/leases.ts'], tables: ['accounts'] },
];

interface Declared {
  table: string;
  module: string;
}

function declaredIn(files: readonly SourceFile[]): Declared[] {
  return files.flatMap((file) => {
    if (!file.path.startsWith(src) || isTest(file.path)) return [];
    const [module = ''] = file.path.slice(src.length).split('/');
    return [...file.words.matchAll(/\b(?:t|sumsT)able\(\s*'(\w+)'/g)].map(([, table = '']) => ({
      table,
      module,
    }));
  });
}

const tableOwners: ReadonlyMap<string, string> = new Map([
  ...Object.entries(unread),
  ...declaredIn(readProject(projectRoot, ['server/src'])).map(
    ({ table, module }) => [table, module] as const,
  ),
]);

/** Lists tables of the migrations that no module declares, and tables that are declared twice. */
export function checkDeclarations(files: readonly SourceFile[]): string[] {
  const declared = Map.groupBy(declaredIn(files), ({ table }) => table);
  return tableNames.flatMap((table) => {
    const count = declared.get(table)?.length ?? 0;
    return count === 1 || table in unread ? [] : [`${table} is declared ${count} times`];
  });
}

/** Lists SQL that names a table of another module, and exceptions that are not needed. */
export function checkTables(files: SourceFile[], allowed = sharedTables): string[] {
  const needed = new Set<string>();
  const faults = files.flatMap((file) => {
    if (!file.path.startsWith(src) || isTest(file.path)) return [];
    const path = file.path.slice(src.length);
    return [...file.words.matchAll(named)].flatMap((found) => {
      const table = found[1] ?? found[2] ?? found[3] ?? '';
      const owner = tableOwners.get(table) ?? '';
      if (path.startsWith(`${owner}/`)) return [];
      needed.add(`${path} ${table}`);
      if (allowed.some((one) => one.files.includes(path) && one.tables.includes(table))) return [];
      return [`${placeOf(file, found.index)}: names ${table}, a table of ${owner}. Call its API.`];
    });
  });
  const isNeeded = (path: string, table: string) => needed.has(`${path} ${table}`);
  const spare = allowed.flatMap(({ files: paths, tables }) => [
    ...paths.filter((path) => !tables.some((table) => isNeeded(path, table))),
    ...tables.filter((table) => !paths.some((path) => isNeeded(path, table))),
  ]);
  return [
    ...faults,
    ...spare.map((name) => `server/test/tidy/tables.ts: ${name} needs no exception.`),
  ];
}
