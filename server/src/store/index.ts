// The part of the store that capabilities use: statements, pages, filters and group commits.
export { is, readJson } from './columns.ts';
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
  timeFilters,
  type TimeRange,
  whereAll,
} from './filters.ts';
export { groupCommit } from './group-commit.ts';
export { iso, type ListPage, readDateRange, scanPage } from './paging.ts';
export { partitioned } from './postgres/partitions.ts';
export { type Expiring, expiring, makeTrim } from './expiring.ts';
export {
  adding,
  type Column,
  flag,
  inParts,
  json,
  mapOfIds,
  orNull,
  overIds,
  query,
  reader,
  type RowOf,
  sumsTable,
  table,
  text,
  textOf,
  whole,
} from './table.ts';
