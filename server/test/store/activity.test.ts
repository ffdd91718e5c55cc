// The version of an account's activity on both engines: it changes with what its pages show.
import { describe, expect, test } from 'bun:test';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { writeRequests } from '../../src/requests/write-requests.ts';
import { readActivity } from '../../src/reporting/reports.ts';
import { insertJobs } from '../../src/transcription/store/jobs.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';

const now = new Date('2026-11-16T12:00:00Z');
const clock = { ...systemClock, now: () => now };

const job = {
  id: 'job_1',
  account_id: 'mine',
  key_id: 'key_1',
  request_id: 'req_1',
  provider: 'stt_a',
  model: 'm',
  request: {
    audio_url: 'https://recordings.example/one.wav',
    ask: { model: 'm', timestamps: 'word' },
    options: {},
  },
  created_at: now.getTime(),
  deadline_at: now.getTime() + 1,
} as const;

describe.each(engines)('on $name', (engine) => {
  test('a request, a late request, its cost, a job and money change the version; nothing else does', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    for (const id of ['mine', 'other']) await insertAccount(database, { id, name: id }, 0);
    const seen = new Set<string>();
    const isNew = async () => {
      const { version } = await readActivity({ database, clock }, { account_id: 'mine' });
      const before = seen.size;
      return seen.add(version).size > before;
    };
    const log = (id: string, account: string, ageMs: number) => {
      const request = { ...requestRow(account), id, created_at: now.getTime() - ageMs };
      return writeRequests(database, [{ request, outcome: undefined }], false);
    };
    expect([await isNew(), await isNew()]).toEqual([true, false]);
    await log('first', 'mine', 0);
    expect([await isNew(), await isNew()]).toEqual([true, false]);
    await log('booked late', 'mine', 60_000);
    expect(await isNew()).toBe(true);
    const costs = { ...requestRow('mine'), id: 'first', created_at: now.getTime() };
    const outcome = { kind: 'settled', cost: 7000, again: false };
    await writeRequests(database, [{ costs_request: costs, outcome }], false);
    expect(await isNew()).toBe(true);
    await insertJobs(database, [job]);
    expect(await isNew()).toBe(true);
    await database.run("update accounts set posted = posted + 1 where id = 'mine'", []);
    expect(await isNew()).toBe(true);
    await log('foreign', 'other', 0);
    await database.run("update accounts set posted = posted + 1 where id = 'other'", []);
    expect(await isNew()).toBe(false);
  });

  test('an account that does not exist has no activity', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const read = () => readActivity({ database, clock }, { account_id: 'nowhere' });
    expect((await read()).version).toBe((await read()).version);
  });
});
