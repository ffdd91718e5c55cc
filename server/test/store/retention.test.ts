// Retention on both engines: each kind of row is kept exactly as long as documented, one round deletes
// everything that has expired, in small steps, and the file of SQLite becomes smaller.
import { describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, hourMs, minuteMs } from '@trivium/contract/durations';
import { deleteExpired } from '../../src/app/retention.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { registerRepeated } from '../../src/platform/metrics.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database } from '../../src/store/database.ts';
import { engines, sqliteEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { providers } from '../../src/providers/registry.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { deleteUnownedTexts } from '../../src/transcription/store/callbacks.ts';
import { deleteDue } from '../../src/uploads/store/uploads.ts';
import { makeInsert, type Values } from './any-row.ts';

const rows = 3000;
const texts = 50;
const maxRowsOfOneStep = 500;

const contextOf = (database: Database) => ({
  database,
  clock: systemClock,
  log: makeLog('silent'),
  settings: {
    request_log_days: 90,
    cache_keep_hours: 1,
    webhook_log_days: 30,
    audit_log_days: 365,
  },
});

describe.each(engines.map((engine) => [engine.name, engine] as const))(
  'retention on %s',
  (_name, engine) => {
    test('one round deletes everything that has expired, in small steps, and nothing else', async () => {
      await using store = await fill(engine);
      const { database } = store;
      const steps: number[] = [];
      const counting: Database = {
        ...database,
        run: async <T>(...call: Parameters<Database['run']>) => {
          const found = await database.run<T>(...call);
          if (call[0].startsWith('delete')) steps.push(found.length);
          return found;
        },
      };
      await deleteExpired(contextOf(counting));
      expect(await idsOf(database, 'select id from requests')).toEqual(['new']);
      expect(await idsOf(database, 'select key as id from idempotency')).toEqual(['alive']);
      expect(await idsOf(database, 'select hash as id from kept_texts')).toEqual(['alive']);
      expect(Math.max(...steps)).toBeLessThanOrEqual(maxRowsOfOneStep);
      expect(steps.reduce((sum, count) => sum + count, 0)).toBe(2 * rows + texts);
    });

    test('rounds in which nothing expires run few statements', async () => {
      await using store = await fill(engine);
      const { database } = store;
      const start = Date.now();
      let [ticks, statements] = [0, 0];
      const counting: Database = {
        ...database,
        run: (...call) => {
          statements += 1;
          return database.run(...call);
        },
        transaction: (work) => {
          statements += 1;
          return database.transaction(work);
        },
      };
      const clock = { ...systemClock, ticks: () => ticks, now: () => new Date(start + ticks) };
      const dueAt = new Map<string, number>();
      const runFor = async (ms: number) => {
        for (const end = ticks + ms; ticks < end; ticks += 5000) {
          await deleteExpired({ ...contextOf(counting), clock }, undefined, dueAt);
        }
      };
      const claims = () => idsOf(database, 'select key as id from idempotency order by key');
      await runFor(5000);
      expect(await claims()).toEqual(['alive']);
      // Much of it has expired, so the next round looks again.
      await insertClaim(database, 'expired', start);
      await runFor(5000);
      expect(await claims()).toEqual(['alive']);

      statements = 0;
      await runFor(hourMs);
      // One statement for each kind in each of the 720 rounds would be 14,000.
      expect(statements).toBeLessThan(1000);
      await insertClaim(database, 'expired', start);
      await runFor(10 * minuteMs);
      expect(await claims()).toEqual(['alive']);
    });

    test('a kind that cannot be deleted is named, and the others are deleted', async () => {
      await using store = await fill(engine);
      const { database } = store;
      let fails = true;
      const failing: Database = {
        ...database,
        run: (...call) =>
          fails && call[0].includes('idempotency')
            ? Promise.reject(new Error('broken'))
            : database.run(...call),
      };
      const dueAt = new Map<string, number>();
      const round = () => deleteExpired(contextOf(failing), undefined, dueAt);
      const message = 'rows could not be deleted: claims';
      expect(await round().catch((error: Error) => error.message)).toBe(message);
      expect(await idsOf(database, 'select id from requests')).toEqual(['new']);
      expect(await idsOf(database, 'select hash as id from kept_texts')).toEqual(['alive']);
      const counted = new Map<string, number>();
      registerRepeated({
        total: (name, _help, _labels, read) => {
          for (const { labels, value } of read()) counted.set(`${name} ${labels['task']}`, value);
        },
      });
      const failures = 'trivium_task_failures_total retention_';
      expect(counted.get(`${failures}claims`)).toBeGreaterThan(0);
      expect(counted.get(`${failures}request_log`)).toBe(0);
      fails = false;
      await round();
      expect(await idsOf(database, 'select key as id from idempotency')).toEqual(['alive']);
    });

    test('a round that is stopped leaves the rest to the next', async () => {
      await using store = await fill(engine);
      await deleteExpired(contextOf(store.database), AbortSignal.abort());
      const [left] = await store.database.run('select count(*) as count from requests');
      expect(Number(left?.['count'])).toBe(rows + 1);
    });
  },
);

test('a SQLite file becomes smaller when its rows have expired', async () => {
  await using store = await fill(sqliteEngine, 4000);
  const { database } = store;
  const bytes = async () => {
    await database.run('pragma wal_checkpoint(truncate)');
    return statSync(join(String(store.settings['TRIVIUM_DATA_DIR']), 'trivium.sqlite')).size;
  };
  const full = await bytes();
  await deleteExpired(contextOf(database));
  // Some free pages stay for new rows.
  expect(await bytes()).toBeLessThan(full / 2);
});

async function fill(engine: (typeof engines)[number], answerChars = 10) {
  const store = await makeStore(engine);
  const { database } = store;
  const old = Date.now() - 91 * dayMs;
  const numbers = `with recursive n(i) as
    (select 1 union all select i + 1 from n where i < ${rows})`;
  const columns = 'id, account_id, key_id, tool, status, warnings, cost, latency_ms, created_at';
  await database.run(
    `${numbers} insert into requests (${columns})
     select 'old_' || i, 'a', 'k', 'search', 200, 0, 0, 1, ${old} + i from n`,
  );
  await database.run(
    `insert into requests (${columns})
     values ('new', 'a', 'k', 'search', 200, 0, 0, 1, ${Date.now()})`,
  );
  await database.run(
    `${numbers} insert into idempotency (${claim})
     select 'a', 'old_' || i, 'h', 'o', 'done', $1, ${old} + i from n`,
    ['x'.repeat(answerChars)],
  );
  await insertClaim(database, 'alive', Date.now() + dayMs);
  await database.run(
    `${numbers} insert into kept_texts (account_id, hash, content, bytes, expires_at)
     select 'a', 'old_' || i, 'x', 1, ${old} + i from n where i <= ${texts}`,
  );
  await database.run(
    `insert into kept_texts (account_id, hash, content, bytes, expires_at)
     values ('a', 'alive', 'x', 1, ${Date.now() + dayMs})`,
  );
  return { ...store, [Symbol.asyncDispose]: store.discard };
}

const claim = 'account_id, key, body_hash, owner, state, answer, expires_at';

async function insertClaim(database: Database, key: string, expiresAt: number): Promise<void> {
  await database.run(
    `insert into idempotency (${claim}) values ('a', $1, 'h', 'o', 'done', 'x', $2)`,
    [key, expiresAt],
  );
}

async function idsOf(database: Database, text: string): Promise<unknown[]> {
  return (await database.run(text)).map(({ id }) => id);
}

const now = Date.parse('2026-11-17T10:30:15.250Z');
const settings = readSettings({}, Object.values(providers));
const days = 90;
/** More than two steps of any kind delete. */
const many = 1001;

/** A table, a column of its key, its column of time, and the smallest value that is kept. */
type Kept = readonly [table: string, id: string, time: string, from: number, others?: Values];

const kept: readonly Kept[] = [
  ['requests', 'id', 'created_at', now - days * dayMs],
  ['audit_log', 'id', 'created_at', now - 365 * dayMs],
  ['deliveries', 'id', 'created_at', now - 30 * dayMs],
  ['feedback', 'request_id', 'created_at', now - 8 * dayMs],
  ['cache_entries', 'id', 'stored_at', now - 168 * hourMs],
  ['texts', 'id', 'made_at', now - hourMs, { job_id: null }],
  // What carries its expiry.
  ['logged_answers', 'request_id', 'expires_at', now + 1],
  ['kept_texts', 'hash', 'expires_at', now + 1],
  ['admin_answers', 'id', 'expires_at', now + 1],
  ['uploads', 'id', 'expires_at', now + 1],
  ['oauth_refresh_tokens', 'hash', 'expires_at', now + 1],
  ['oauth_codes', 'hash', 'expires_at', now - hourMs + 1],
  ['invites', 'hash', 'expires_at', now - 30 * dayMs],
  ['idempotency', 'key', 'expires_at', now + 1, { state: 'done' }],
  ['idempotency', 'key', 'expires_at', now - hourMs + 1, { state: 'running' }],
  ['sessions', 'id', 'expires_at', now],
  ['verifications', 'id', 'expires_at', now],
  // Whole minutes, hours and days.
  ['key_minutes', 'key_id', 'minute', Math.floor(now / minuteMs) - 10],
  ['usage_recent', 'key_id', 'hour', Math.floor(now / hourMs) - 48],
  ['provider_hours', 'provider', 'hour', Math.floor(now / hourMs) - 31 * 24],
  ['usage_tags', 'key_id', 'day', Math.floor(now / dayMs) - days],
  ['tag_days', 'value', 'day', Math.floor(now / dayMs) - days],
  ['quality_days', 'engine', 'day', Math.floor(now / dayMs) - 731],
  ['quality_totals', 'engine', 'day', Math.floor(now / dayMs) - 731],
];

describe.each(engines)('on $name', (engine) => {
  test('each kind of row is kept exactly as long as documented', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const insert = await makeInsert(database);
    // The rows that others refer to have the value of every column that is not given.
    for (const table of ['accounts', 'people', 'keys', 'oauth_grants']) await insert(table, {});
    for (const [index, [table, id, time, from, others]] of kept.entries()) {
      for (const at of [from - 1, from]) {
        const ids = Object.fromEntries(['id', 'token', id].map((name) => [name, `${index} ${at}`]));
        // The sweep of uploads has its own steps.
        const count = at === from || table === 'uploads' ? 1 : many;
        await insert(table, { ...ids, [time]: at, ...others }, { count, numbered: id });
      }
    }
    const texts = { asked: 'q', parameters: '{}', created_at: now };
    await insert('requests', { id: 'forgotten', ...texts, forget_at: now }, { count: many });
    await insert('requests', { id: 'known', ...texts, forget_at: now + 1 });

    const clock = { ...systemClock, now: () => new Date(now) };
    await deleteExpired({ database, clock, log: makeLog('silent'), settings });
    await deleteUnownedTexts(database, now - hourMs);
    expect(await deleteDue(database, { now, keepsEnded: false }, 100)).toHaveLength(1);

    for (const [index, [table, id, , from]] of kept.entries()) {
      const rows = await database.run(
        `select ${id} as id from ${table} where ${id} like '${index} %'`,
      );
      expect([table, rows.map((row) => row['id'])]).toEqual([table, [`${index} ${from}`]]);
    }
    const asked = await database.run(
      `select distinct asked, parameters, forget_at from requests where created_at = ${now}
       order by forget_at nulls first`,
    );
    expect(asked.map((row) => Object.values(row).map(String))).toEqual([
      ['null', 'null', 'null'],
      ['q', '{}', String(now + 1)],
    ]);
  });
});
