// The database adapter of the sign-in library. Each operation is one statement, in the same
// transaction as its audit entry, if it has one.
import { createAdapterFactory } from 'better-auth/adapters';
import type { CleanedWhere, CustomAdapter } from 'better-auth/adapters';
import type { Clock } from '../platform/clock.ts';
import type { Database, Row, Runner } from '../store/index.ts';
import { writeAudited } from './sign-in-audit.ts';
import {
  countRows,
  deleteRows,
  insertRow,
  selectRows,
  updateRows,
} from './store/sign-in-tables.ts';
import type { Condition } from './store/sign-in-tables.ts';

interface SignInStore {
  database: Database;
  clock: Clock;
}

export function signInStore(store: SignInStore) {
  return createAdapterFactory({
    config: {
      adapterId: 'trivium',
      supportsDates: false,
      supportsBooleans: false,
      supportsJSON: false,
      transaction: false,
    },
    adapter: ({ getFieldName }) => makeAdapter(store, getFieldName),
  });
}

type ColumnOf = (named: { model: string; field: string }) => string;

function makeAdapter(store: SignInStore, columnOf: ColumnOf): CustomAdapter {
  const { database } = store;
  const update = (model: string, where: readonly CleanedWhere[], set: Row) =>
    writeAudited(store, 'update', model, (on) => updateRows(on, model, conditions(where), { set }));
  const remove = (model: string, where: readonly CleanedWhere[]) =>
    writeAudited(store, 'delete', model, (on) => deleteRows(on, model, conditions(where)));
  return {
    create: async ({ model, data }) => {
      const insert = (on: Runner) => insertRow(on, model, data);
      return as((await writeAudited(store, 'insert', model, async (on) => [await insert(on)]))[0]);
    },
    findOne: async ({ model, where }) =>
      first(await selectRows(database, model, { where: conditions(where), limit: 1 })),
    findMany: async ({ model, where, limit, offset, sortBy }) => {
      // Conditions use column names, but the order uses the library's field name.
      const sort = sortBy && { ...sortBy, field: columnOf({ model, field: sortBy.field }) };
      const listing = { where: conditions(where), limit, offset, sort };
      return as(await selectRows(database, model, listing));
    },
    update: async ({ model, where, update: set }) => first(await update(model, where, set as Row)),
    updateMany: async ({ model, where, update: set }) => (await update(model, where, set)).length,
    incrementOne: async ({ model, where, increment, set = {} }) =>
      first(await updateRows(database, model, conditions(where), { set, add: increment })),
    consumeOne: async ({ model, where }) => first(await remove(model, where)),
    delete: async ({ model, where }) => void (await remove(model, where)),
    deleteMany: async ({ model, where }) => (await remove(model, where)).length,
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

/** The library declares the types of its rows. The store does not know them. */
function as<T>(rows: unknown): T {
  return rows as T;
}

function first<T>(rows: readonly Row[]): T | null {
  return rows[0] === undefined ? null : as(rows[0]);
}
