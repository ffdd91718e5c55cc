// A PostgreSQL server that hangs behind one address, and the server that the address leads to next.
import { expect, test } from 'bun:test';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { storeTrouble } from '../../src/platform/store-trouble.ts';
import { connectPostgres } from '../../src/store/postgres/postgres.ts';
import { postgresEngine } from './engines.ts';

test('statements on a server that hangs fail, and its late answers are not used', async () => {
  const store = await postgresEngine.open('empty');
  const url = new URL(store.settings['DATABASE_URL'] ?? '');
  await using proxy = await startProxy(Number(url.port || '5432'));
  url.port = String(proxy.port);
  const database = await connectPostgres(url.href);
  try {
    await database.run('create table marks (name text primary key)');
    const insert = (name: string) =>
      database.transaction((tx) => tx.run('insert into marks (name) values ($1)', [name]));
    await insert('before');
    proxy.freeze();
    const outcomes = await Promise.allSettled([
      insert('lost'),
      database.run('select 1 as one'),
      ...Array.from({ length: 40 }, () => database.run('select 2 as two')),
    ]);
    const troubles = outcomes.map((one) =>
      one.status === 'rejected' ? storeTrouble(one.reason) : 'an answer',
    );
    expect(new Set(troubles)).toEqual(new Set(['lost']));
    // New connections reach a server that answers; those to the server that hung are closed.
    proxy.thaw();
    await insert('after');
    const rows = await database.run<{ name: string }>('select name from marks order by name');
    expect(rows.map(({ name }) => name)).toEqual(['after', 'before']);
    expect(proxy.countFrozen()).toBe(0);
  } finally {
    await database.close();
    await store.discard();
  }
}, 60_000);

/** Forwards connections; while it is frozen, existing and new ones forward nothing more. */
async function startProxy(port: number) {
  let isFrozen = false;
  const pairs = new Set<{ caller: Socket; server: Socket; frozen: boolean }>();
  const proxy = createServer((caller) => {
    const server = connect(port, '127.0.0.1');
    const pair = { caller, server, frozen: isFrozen };
    pairs.add(pair);
    caller.on('data', (chunk) => pair.frozen || server.write(chunk));
    server.on('data', (chunk) => pair.frozen || caller.write(chunk));
    for (const [one, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return {
    port: address.port,
    freeze: () => {
      isFrozen = true;
      for (const pair of pairs) pair.frozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
    /** How many frozen connections the gateway still keeps. */
    countFrozen: () => [...pairs].filter(({ frozen }) => frozen).length,
    [Symbol.asyncDispose]: async () => {
      for (const { caller, server } of pairs) {
        caller.destroy();
        server.destroy();
      }
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
