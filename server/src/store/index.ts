// The part of the store that capabilities use: statements, pages, filters and group commits.
export { countChange, readChange } from './facts.ts';
export { checked, is, readJson, shapeOf } from './columns.ts';
export {
  type Database,
  type ReadableDatabase,
  type Row,
  type Runner,
  type Task,
  type Value,
  within,
} from './database.ts';
export type { FailedTask } from './deferred.ts';
export { findFact, insertFact, raiseFact, updateFact } from './facts.ts';
export {
  containing,
  equal,
  type Filter,
  type ListPage,
  literal,
  olderThan,
  timeFilters,
  type TimeRange,
  whereAll,
} from './filters.ts';
export { groupCommit, type Patience } from './group-commit.ts';
export { iso, isoOrNull, nextCursor, pageEnd, readDateRange, readPage } from './paging.ts';
export { deleteOldRows, makePartitions, tooLargeDefault } from './postgres/partitions.ts';
export { type Expiring, expiring } from './expiring.ts';
export { idStatement, lockedIds } from './rows.ts';
export { type ScanLimits, scanPage } from './scan.ts';
export { makeTrim, type Trim } from './trim.ts';
export {
  adding,
  type Column,
  flag,
  inParts,
  json,
  mapOfIds,
  orNull,
  query,
  reader,
  type RowOf,
  sumsTable,
  table,
  text,
  textOf,
  whole,
} from './table.ts';
