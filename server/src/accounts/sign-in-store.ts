// The database adapter of the sign-in library: each operation is one statement.
import { createAdapterFactory } from 'better-auth/adapters';
import type { CleanedWhere, CustomAdapter } from 'better-auth/adapters';
import type { Database, Row } from '../store/database.ts';
import {
  countRows,
  deleteRows,
  insertRow,
  selectRows,
  updateRows,
} from './store/sign-in-tables.ts';
import type { Condition } from './store/sign-in-tables.ts';

export function signInStore(database: Database) {
  return createAdapterFactory({
    config: {
      adapterId: 'trivium',
      supportsDates: false,
      supportsBooleans: false,
      supportsJSON: false,
      transaction: false,
    },
    adapter: ({ getFieldName }) => makeAdapter(database, getFieldName),
  });
}

type ColumnOf = (named: { model: string; field: string }) => string;

function makeAdapter(database: Database, columnOf: ColumnOf): CustomAdapter {
  return {
    create: async ({ model, data }) => as(await insertRow(database, model, data)),
    findOne: async ({ model, where }) =>
      first(await selectRows(database, model, { where: conditions(where), limit: 1 })),
    findMany: async ({ model, where, limit, offset, sortBy }) => {
      // Conditions have column names, and the order has the library's field name.
      const sort = sortBy && { ...sortBy, field: columnOf({ model, field: sortBy.field }) };
      const listing = { where: conditions(where), limit, offset, sort };
      return as(await selectRows(database, model, listing));
    },
    update: async ({ model, where, update }) =>
      first(await updateRows(database, model, conditions(where), { set: update as Row })),
    updateMany: async ({ model, where, update }) =>
      (await updateRows(database, model, conditions(where), { set: update })).length,
    incrementOne: async ({ model, where, increment, set = {} }) =>
      first(await updateRows(database, model, conditions(where), { set, add: increment })),
    consumeOne: async ({ model, where }) =>
      first(await deleteRows(database, model, conditions(where))),
    delete: async ({ model, where }) => void (await deleteRows(database, model, conditions(where))),
    deleteMany: async ({ model, where }) =>
      (await deleteRows(database, model, conditions(where))).length,
    count: ({ model, where }) => countRows(database, model, conditions(where)),
  };
}

function conditions(where: readonly CleanedWhere[] = []): Condition[] {
  return where.map(({ field, operator, value, connector }) => ({
    field,
    operator: operator ?? 'eq',
    value,
    connector: connector ?? 'AND',
  }));
}

/** The library declares the types of its rows; the store does not know them. */
function as<T>(rows: unknown): T {
  return rows as T;
}

function first<T>(rows: readonly Row[]): T | null {
  return rows[0] === undefined ? null : as(rows[0]);
}
