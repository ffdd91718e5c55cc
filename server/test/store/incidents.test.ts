// Incidents on both engines: what is noted becomes one row, whichever gateway notes it, and costs
// nothing while everything succeeds.
import { describe, expect, test } from 'bun:test';
import { Incident } from '@trivium/contract';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { bootstrap } from '../../src/audit/audit.ts';
import { followResults } from '../../src/incidents/follow.ts';
import { noteResults } from '../../src/incidents/note-results.ts';
import { changeIncident, readIncidents } from '../../src/incidents/read-incidents.ts';
import { incidentExpiry } from '../../src/incidents/store/incidents.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import type { CurrentRequest } from '../../src/requests/context.ts';
import type { Database } from '../../src/store/database.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const start = Date.parse('2026-11-16T09:40:00Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A gateway at a time that tests set. Each result takes a tick. */
function gatewayOn(database: Database, at = { now: start, ticks: 0 }) {
  const clock: Clock = {
    ...systemClock,
    now: () => new Date(at.now),
    ticks: () => (at.ticks += 1),
  };
  const followed = followResults({ database, clock });
  const notes = noteResults(followed, clock);
  const request = (account: string, outcomes: readonly [provider: string, outcome: string][]) =>
    notes.request({
      caller: { account_id: account, key_id: 'key' },
      started: at.ticks,
      seen: {
        cost: 7,
        attempts: outcomes.map(([provider, outcome]) => ({ provider, outcome, ms: 1 })),
      },
    } as unknown as CurrentRequest);
  return { ...followed, notes, request, clock, at };
}

const list = async (database: Database, account?: string, isOperator = true) => {
  const by = { account_id: account, isOperator, conditions: () => Promise.resolve([]) };
  const { incidents } = await readIncidents({ database }, { limit: 100 }, by);
  return incidents.map((one) => Incident.parse(one));
};

const fail = ['engine_g', 'unavailable'] as [string, string];
const answer = ['engine_g', 'answered'] as [string, string];

describe.each(engines)('on $name', (engine) => {
  test('gateways that note the same outage at once write one incident for each account', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const both = [gatewayOn(database), gatewayOn(database)];
    for (const one of both) {
      for (let time = 0; time < 3; time += 1) one.request('acct_1', [fail]);
    }
    await Promise.all(both.map(({ flush }) => flush()));
    const rows = await database.run('select account_id, requests, ended_at from incidents');
    expect(
      rows.map((row) => [row['account_id'], Number(row['requests']), row['ended_at']]),
    ).toEqual(
      expect.arrayContaining([
        ['', 6, null],
        ['acct_1', 6, null],
      ]),
    );
    expect(rows).toHaveLength(2);
    const [first, second] = both as [(typeof both)[0], (typeof both)[0]];
    first.at.now += 60_000;
    second.at.now += 60_000;
    first.request('acct_1', [answer]);
    await first.flush();
    // The other one hears of the end, and does not open it again with its next success.
    second.at.ticks += 20_000;
    await second.flush();
    expect(second.isEmpty()).toBe(true);
    const [ended, ...others] = await list(database, 'acct_1', false);
    expect(others).toEqual([]);
    expect(ended).toMatchObject({ ended_at: new Date(first.at.now).toISOString(), requests: 6 });
  });

  test('members see their own incidents, and operators each outage once', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const one = gatewayOn(database);
    for (let time = 0; time < 3; time += 1) {
      one.request('mine', [fail]);
      // The other account has it only with another engine, beside many successes of others.
      one.request('theirs', [['engine_a', 'uncertain']]);
      for (let others = 0; others < 3; others += 1)
        one.request('others', [['engine_a', 'answered']]);
    }
    await one.flush();
    const seen = async (...by: [string?, boolean?]) =>
      (await list(database, ...by)).map(({ subject, account_id }) => [subject, account_id]);
    expect(await seen('mine', false)).toEqual([['engine_g', 'mine']]);
    expect(await seen('theirs', false)).toEqual([['engine_a', 'theirs']]);
    expect(await seen('', false)).toEqual([]);
    expect(await seen(undefined, false)).toEqual([]);
    expect(await seen('mine')).toEqual([['engine_g', null]]);
    expect(await seen('theirs')).toEqual(
      expect.arrayContaining([
        ['engine_g', null],
        ['engine_a', 'theirs'],
      ]),
    );
    expect(await seen(undefined)).toHaveLength(2);
  });

  test('what cannot be written is written later, once', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    let isBroken = true;
    const one = gatewayOn({
      ...database,
      transaction: (work) =>
        isBroken ? Promise.reject(new Error('no room')) : database.transaction(work),
    });
    for (let time = 0; time < 3; time += 1) one.request('mine', [fail]);
    const failed = one.flush();
    one.request('mine', [fail]);
    expect(await failed.catch(String)).toContain('no room');
    one.request('mine', [answer]);
    expect(await one.flush().catch(String)).toContain('no room');
    isBroken = false;
    await one.flush();
    await one.flush();
    expect(await list(database, 'mine', false)).toMatchObject([{ requests: 4 }]);
    expect((await list(database, 'mine', false))[0]?.ended_at).not.toBeNull();
    expect(one.isEmpty()).toBe(true);
  });

  test('a clock that jumps back leaves one incident, which ends', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const one = gatewayOn(database);
    const play = async (at: number, ...results: [string, string][]) => {
      one.at.now = at;
      for (const result of results) one.request('mine', [result]);
      await one.flush();
    };
    await play(start, fail, fail, fail);
    await play(start - 5 * hourMs, fail, answer);
    await play(start - 4.5 * hourMs, fail, fail, fail);
    await play(start - 4.4 * hourMs, answer);
    const [found, ...others] = await list(database, 'mine', false);
    expect(others).toEqual([]);
    expect(found?.requests).toBe(7);
    expect(Date.parse(found?.started_at ?? '')).toBeCloseTo(start, -2);
    expect(Date.parse(found?.ended_at ?? '')).toBeGreaterThanOrEqual(start);
  });

  test('marks belong to their incident, and expire after it', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await insertAccount(database, { id: 'mine', name: 'Mine' }, start);
    const one = gatewayOn(database);
    for (let time = 0; time < 3; time += 1) one.request('mine', [fail]);
    await one.flush();
    const [found] = await list(database, 'mine', false);
    const by = { account_id: 'mine', isOperator: false, conditions: () => Promise.resolve([]) };
    const change = (id: string, whose = by) =>
      changeIncident({ database, clock: one.clock }, bootstrap, id, { muted: true }, whose);
    expect(await change(found?.id ?? '')).toMatchObject({ muted: true, changed_by: 'bootstrap' });
    expect((await list(database, 'mine', false))[0]?.muted).toBe(true);
    const [ofAll] = await list(database, 'mine');
    for (const id of [ofAll?.id ?? '', 'inc_none', 'constructor', '']) {
      expect(await change(id).catch(String)).toContain('There is no incident');
    }
    expect(await change(found?.id ?? '', { ...by, account_id: 'other' }).catch(String)).toContain(
      'There is no incident',
    );
    const expire = async (now: number) => {
      for (const { step } of incidentExpiry) await step(database, { now, keptMs: 100 * dayMs }, 10);
      return [await list(database), await database.run('select id from incident_marks')];
    };
    expect((await expire(start + 99 * dayMs)).map(({ length }) => length)).toEqual([1, 1]);
    expect((await expire(start + 101 * dayMs)).map(({ length }) => length)).toEqual([0, 0]);
  });
});

test('while everything succeeds, nothing is kept, read or written', async () => {
  const unused = new Proxy({} as Database, {
    get: (_target, name) => {
      throw new Error(`the store was used: ${String(name)}`);
    },
  });
  const one = gatewayOn(unused);
  for (let time = 0; time < 1000; time += 1) {
    one.request('mine', [answer]);
    one.request('mine', []);
    one.request('mine', [['engine_a', 'rejected']]);
    one.request('mine', [['engine_a', 'overloaded']]);
    one.request('mine', [['constructor', 'toString']]);
  }
  expect(one.isEmpty()).toBe(true);
  // Isolated failures are not written either.
  one.request('mine', [['engine_a', 'unavailable'], answer]);
  expect(one.isEmpty()).toBe(false);
});

test('only the last attempt with a provider counts, and not what a vendor says of a page', async () => {
  const one = gatewayOn({} as Database);
  const page = { provider: 'engine_f', outcome: 'unavailable', ms: 1, excused: true } as const;
  for (let time = 0; time < 5; time += 1) {
    one.request('mine', [fail, answer]);
    const seen = { attempts: [page] };
    one.notes.request({ caller: { account_id: 'mine' }, started: 0, seen } as CurrentRequest);
  }
  expect(one.isEmpty()).toBe(true);
});
