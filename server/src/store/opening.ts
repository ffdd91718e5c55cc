// The part of the store that only `app` uses: opening it, and its background tasks.
export { checkStoreFile, copyStore, readUnbooked, restoreStore } from './sqlite/backup-files.ts';
export { findDataDir, openDataDir, storeFileIn } from './sqlite/data-dir.ts';
export { freedPages } from './sqlite/free-pages.ts';
export { openSchema } from './migrations/migrate.ts';
export { migrations } from './migrations/index.ts';
export { openStore } from './open.ts';
export { connectPostgres } from './postgres/postgres.ts';
export { writeProbe } from './facts.ts';
export { openSqlite, openSqliteReadOnly } from './sqlite/sqlite.ts';
export { watchStoreAge } from './store-age.ts';
export { followStoreClock } from './store-clock.ts';
export { copyTables } from './migrations/tables.ts';
export { openWriteGate, type WriteGate } from './write-gate.ts';
