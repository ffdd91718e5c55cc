// A pool of connections to the simulated servers of a store, with the part of Bun's `SQL` that the
// gateway uses. Everything that it sends and receives travels through the scheduler.
import type { SQL } from 'bun';
import type { Row } from '../../../../src/store/database.ts';
import type { Life } from '../scheduler.ts';
import { accept, endSession, isHanging } from './session.ts';
import type { Result, Server, Session, Store } from './session.ts';

interface Connection {
  session: Session;
  isOpen: boolean;
  /** Rejects what waits for an answer. */
  waiting: Set<(error: Error) => void>;
  /** When the last statement arrives, and the last answer: each way keeps its order. */
  sentAt: number;
  answeredAt: number;
}

interface Pool {
  store: Store;
  life: Life;
  server: Server;
  max: number;
  timeoutMs: number;
  isClosed: boolean;
  count: number;
  free: Connection[];
  all: Set<Connection>;
  /** Those who wait for a connection. */
  queue: PromiseWithResolvers<Connection>[];
}

export function openPool(
  store: Store,
  life: Life,
  options: { url?: string | URL; max?: number; connectionTimeout?: number },
): SQL {
  const host = new URL(options.url ?? '').hostname;
  const server = store.servers.find((one) => one.host === host);
  if (!server) throw new Error(`the simulation has no server ${host}`);
  const pool: Pool = {
    ...{ store, life, server, max: options.max ?? 10, isClosed: false, count: 0 },
    timeoutMs: (options.connectionTimeout ?? 30) * 1000,
    ...{ free: [], all: new Set(), queue: [] },
  };
  life.atEnd.push(() => hangUp(pool));
  const sql = {
    unsafe: (text: string, values: readonly unknown[] = []) =>
      lazily(() => using(pool, (connection) => ask(pool, connection, text, values))),
    begin: <T>(work: (tx: unknown) => Promise<T>) =>
      using(pool, (connection) => transact(pool, connection, work)),
    reserve: async () => {
      const connection = await acquire(pool);
      return { ...runnerOf(pool, connection), release: async () => release(pool, connection) };
    },
    close: ({ timeout = 0 }: { timeout?: number } = {}) => close(pool, timeout * 1000),
  };
  return sql as unknown as SQL;
}

function runnerOf(pool: Pool, connection: Connection) {
  return {
    unsafe: (text: string, values: readonly unknown[] = []) =>
      lazily(() => ask(pool, connection, text, values)),
  };
}

/** A statement of Bun's client is sent when its result is asked for. */
function lazily<T>(start: () => Promise<T>) {
  let running: Promise<T> | undefined;
  const run = () => (running ??= start());
  const query = {
    execute: () => {
      // Its error is seen by the one who asks for its result.
      run().catch(() => undefined);
      return query;
    },
    then: (...args: Parameters<Promise<T>['then']>) => run().then(...args),
    catch: (...args: Parameters<Promise<T>['catch']>) => run().catch(...args),
    finally: (...args: Parameters<Promise<T>['finally']>) => run().finally(...args),
  };
  return query;
}

async function transact<T>(
  pool: Pool,
  connection: Connection,
  work: (tx: unknown) => Promise<T>,
): Promise<T> {
  await ask(pool, connection, 'begin', []);
  try {
    const result = await work(runnerOf(pool, connection));
    await ask(pool, connection, 'commit', []);
    return result;
  } catch (error) {
    if (connection.isOpen) await ask(pool, connection, 'rollback', []).catch(() => undefined);
    throw error;
  }
}

async function using<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await acquire(pool);
  try {
    return await work(connection);
  } finally {
    release(pool, connection);
  }
}

function acquire(pool: Pool): Promise<Connection> {
  if (pool.isClosed) return Promise.reject(lost('CLOSED'));
  const known = pool.free.pop();
  if (known) return Promise.resolve(known);
  const waiting = Promise.withResolvers<Connection>();
  pool.queue.push(waiting);
  if (pool.count < pool.max) connect(pool);
  return waiting.promise;
}

function release(pool: Pool, connection: Connection): void {
  if (!connection.isOpen) return;
  const next = pool.queue.shift();
  if (next) next.resolve(connection);
  else pool.free.push(connection);
}

function connect(pool: Pool): void {
  const { store, life, server, timeoutMs } = pool;
  const { scheduler } = store;
  pool.count += 1;
  let isOver = false;
  const fail = (error: Error) => {
    if (isOver) return;
    isOver = true;
    pool.count -= 1;
    pool.queue.shift()?.reject(error);
  };
  scheduler.after(timeoutMs, life, () => fail(lost('TIMEOUT')));
  const arrive = () => {
    if (server.isDown) return void scheduler.after(wireMs(store), life, () => fail(lost('CLOSED')));
    if (isHanging(store, server)) return void scheduler.after(pollMs, undefined, arrive);
    const session = newSession(store, server, life);
    server.sessions.add(session);
    scheduler.after(wireMs(store), life, () => {
      if (isOver || pool.isClosed) return endSession(store, session);
      isOver = true;
      const connection: Connection = {
        session,
        isOpen: true,
        waiting: new Set(),
        sentAt: 0,
        answeredAt: 0,
      };
      session.onClosed = () => scheduler.after(wireMs(store), life, () => drop(pool, connection));
      if (!session.isOpen) return void session.onClosed();
      pool.all.add(connection);
      release(pool, connection);
    });
  };
  scheduler.after(wireMs(store), undefined, arrive);
}

const pollMs = 100;

function newSession(store: Store, server: Server, life: Life): Session {
  store.sessions += 1;
  return {
    ...{ id: store.sessions, server, life, isOpen: true, queue: [], isBusy: false, stage: 'none' },
    ...{
      idle: undefined,
      unsent: undefined,
      movesMoney: false,
      statements: '',
      advisory: [],
      onClosed: () => undefined,
    },
  };
}

/** Its place in the pool is free again, and what waits for its answers fails. */
function drop(pool: Pool, connection: Connection): void {
  if (!connection.isOpen) return;
  connection.isOpen = false;
  pool.count -= 1;
  pool.all.delete(connection);
  pool.free = pool.free.filter((one) => one !== connection);
  for (const reject of connection.waiting) reject(lost('CLOSED'));
  if (pool.queue.length > 0 && !pool.isClosed) connect(pool);
}

function ask(
  { store, life }: Pool,
  connection: Connection,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { scheduler } = store;
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
  const { session, waiting } = connection;
  if (!connection.isOpen) return Promise.reject(lost('CLOSED'));
  waiting.add(reject);
  const answer = (result: Result) => {
    connection.answeredAt = Math.max(connection.answeredAt, scheduler.now() + wireMs(store));
    scheduler.after(connection.answeredAt - scheduler.now(), life, () => {
      waiting.delete(reject);
      if ('rows' in result) resolve(result.rows);
      else reject(result.error);
    });
  };
  connection.sentAt = Math.max(connection.sentAt, scheduler.now() + wireMs(store));
  scheduler.after(connection.sentAt - scheduler.now(), undefined, () =>
    accept(store, session, { text, values, answer }),
  );
  return promise;
}

/** Between a gateway and a server. */
function wireMs({ random }: Store): number {
  return 0.05 + random() * 0.5;
}

/** What Bun's client throws when a connection fails. */
function lost(how: 'CLOSED' | 'TIMEOUT'): Error {
  const code = `ERR_POSTGRES_CONNECTION_${how}`;
  return Object.assign(new Error(`connection ${how.toLowerCase()}`), { code });
}

/** The server sees that the connections of a process have ended. */
function hangUp({ store, all, life }: Pool): void {
  if (store.silent.has(life)) return;
  for (const { session } of all) {
    store.scheduler.after(wireMs(store), undefined, () => endSession(store, session));
  }
}

/** Statements that run may end within the time. */
async function close(pool: Pool, timeoutMs: number): Promise<void> {
  const { store, life, all } = pool;
  const { scheduler } = store;
  pool.isClosed = true;
  for (const { reject } of pool.queue.splice(0)) reject(lost('CLOSED'));
  const endsAt = scheduler.now() + timeoutMs;
  const isBusy = () => all.size > pool.free.length;
  while (isBusy() && scheduler.now() < endsAt) {
    await new Promise<void>((resolve) => void scheduler.after(10, life, () => resolve()));
  }
  for (const connection of all) {
    drop(pool, connection);
    scheduler.after(wireMs(store), undefined, () => endSession(store, connection.session));
  }
}
