// The part of the store that capabilities use: statements, pages, filters and group commits.
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
export { changes, facts } from './facts.ts';
export {
  containing,
  equal,
  type Filter,
  type ListPage,
  literal,
  timeFilters,
  type TimeRange,
  whereAll,
} from './filters.ts';
export { groupCommit, type Patience } from './group-commit.ts';
export {
  iso,
  isoOrNull,
  pageEnd,
  readDateRange,
  readPage,
  type ScanLimits,
  scanPage,
} from './paging.ts';
export { partitioned } from './postgres/partitions.ts';
export { type Expiring, expiring, makeTrim, type Trim } from './expiring.ts';
export {
  adding,
  type Column,
  flag,
  idStatement,
  inParts,
  json,
  lockedIds,
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
