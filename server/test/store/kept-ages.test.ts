// How long each kind of row is kept: with the settings that a gateway has by default, the youngest row
// that has expired goes, and the oldest one that has not stays, however many have expired.
import { describe, expect, test } from 'bun:test';
import { dayMs, hourMs, minuteMs } from '@trivium/contract/durations';
import { deleteExpired } from '../../src/app/retention.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { providers } from '../../src/providers/registry.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { deleteUnownedTexts } from '../../src/transcription/store/callbacks.ts';
import { deleteDue } from '../../src/uploads/store/uploads.ts';
import { makeInsert, type Values } from './any-row.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

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
    expect(await deleteDue(database, now, 100)).toHaveLength(1);

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
