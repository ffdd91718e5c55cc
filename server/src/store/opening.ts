// The part of the store that only `app` uses: opening it, and its background tasks.
export { checkStoreFile, copyStore, restoreStore } from './sqlite/backup-files.ts';
export { findDataDir, openDataDir, storeFileIn } from './sqlite/data-dir.ts';
export { countFreePages, freePages } from './sqlite/free-pages.ts';
export { openSchema } from './migrations/migrate.ts';
export { migrations } from './migrations/index.ts';
export { openStore } from './open.ts';
export { connectPostgres } from './postgres/postgres.ts';
export { writeProbe } from './probe.ts';
export { openSqlite, openSqliteReadOnly } from './sqlite/sqlite.ts';
export { watchStoreAge } from './store-age.ts';
export { followStoreClock } from './store-clock.ts';
export { columnsOf, copyTable, listTables, sumTable, tableNames } from './migrations/tables.ts';
export { openWriteGate, type WriteGate } from './write-gate.ts';
