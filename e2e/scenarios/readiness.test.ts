// /readyz on real stores: 503 while the store is read-only, locked or does not respond.
import { Database as Sqlite } from 'bun:sqlite';
import { SQL } from 'bun';
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../scripts/postgres.ts';
import { createDatabase } from '../database.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';

const limitMs = 120_000;
const pollMs = 50;

test('a gateway on a locked SQLite store is not ready until the lock is gone', async () => {
  await using gateway = await startGateway();
  await untilReadyz(gateway, 200);
  using other = new Sqlite(join(gateway.store_dir, 'trivium.sqlite'));
  other.run('begin immediate');
  expect(await untilReadyz(gateway, 503)).toContain('does not take writes');
  other.run('rollback');
  await untilReadyz(gateway, 200);
});

test('a gateway on a read-only PostgreSQL is not ready until it may write', async () => {
  await using database = await createDatabase();
  await using gateway = await startGateway({ database_url: database.url });
  await untilReadyz(gateway, 200);
  await setReadOnly(database.url, 'on');
  expect(await untilReadyz(gateway, 503)).toContain('does not take writes');
  await setReadOnly(database.url, 'off');
  await untilReadyz(gateway, 200);
});

test(
  'a gateway is not ready while PostgreSQL hangs, and is ready again afterwards',
  async () => {
    const server = await startPostgres({ fsync: false });
    const url = server.url;
    const processes = await processesOf(url);
    try {
      await using gateway = await startGateway({ database_url: url });
      await untilReadyz(gateway, 200);
      const all = [...processes, ...childrenOf(processes)];
      for (const pid of all) process.kill(pid, 'SIGSTOP');
      try {
        // Without a response this test fails at its time limit.
        expect(await untilReadyz(gateway, 503)).toContain('does not take writes');
        const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.get('/readyz')));
        expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 503));
      } finally {
        for (const pid of all) process.kill(pid, 'SIGCONT');
      }
      await untilReadyz(gateway, 200);
      // The gateway has opened other connections.
      const now = [...processes, ...childrenOf(processes)];
      for (const pid of now) process.kill(pid, 'SIGSTOP');
      try {
        expect(await gateway.stop('SIGTERM')).toBe(1);
        expect(gateway.output()).toMatch(/The store (did not answer within|cannot be used)/);
      } finally {
        for (const pid of now) process.kill(pid, 'SIGCONT');
      }
    } finally {
      await server.stop();
    }
  },
  limitMs,
);

/** Polls /readyz until it returns this status, and returns the response text. */
async function untilReadyz(gateway: Gateway, status: number): Promise<string> {
  for (;;) {
    const answer = await gateway.get('/readyz', { authorization: null });
    if (answer.status === status) return answer.text;
    expect([200, 503]).toContain(answer.status);
    await Bun.sleep(pollMs);
  }
}

async function setReadOnly(url: string, value: 'on' | 'off'): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  const name = new URL(url).pathname.slice(1);
  await sql.begin('read write', async (tx) => {
    await tx.unsafe(`alter database ${name} set default_transaction_read_only = ${value}`);
  });
  // The setting applies to new connections.
  await sql.unsafe(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = '${name}' and pid <> pg_backend_pid()`,
  );
}

/** The process id of the server. */
async function processesOf(url: string): Promise<number[]> {
  await using sql = new SQL(url, { max: 1 });
  const [row] = (await sql`show data_directory`) as { data_directory: string }[];
  const [first] = readFileSync(join(row?.data_directory ?? '', 'postmaster.pid'), 'utf8').split(
    '\n',
  );
  return [Number(first)];
}

function childrenOf(parents: readonly number[]): number[] {
  const listed = Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid=']).stdout.toString();
  return listed
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parents.includes(parent ?? 0))
    .map(([pid]) => pid ?? 0);
}
