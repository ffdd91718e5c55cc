// Two gateways on one store keep together to what a provider takes at once, and one of them sends.
import { describe, expect, test } from 'bun:test';
import { system_clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { providers } from '../../src/providers/index.ts';
import { makeUnprovenRoom } from '../../src/services/delivery-body.ts';
import { makeGuard } from '../../src/services/guard.ts';
import type { House } from '../../src/services/house.ts';
import type { JobDesk } from '../../src/services/job-desk.ts';
import { makeJobMoves } from '../../src/services/move-job.ts';
import { makeReader } from '../../src/services/read-transcript.ts';
import { countAtWork, insertJob } from '../../src/store/jobs.ts';
import { claimJobs } from '../../src/store/leases.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated.ts';

const jobs = 20;

const upstream = { key: 'key-1', spare_keys: ['key-2'], hosts: {} };
const limits = { most_running: 1, most_waiting: 0, longest_wait_ms: 1 };

function deskOn(database: Database, owner: string): JobDesk {
  const guard = makeGuard(upstream, limits, system_clock);
  const house = {
    settings: { extras: {}, max_request_usd: 10 },
    clock: system_clock,
    database,
    stations: { stt_c: { provider: providers.stt_c, state: 'configured', guard } },
  } as unknown as House;
  const nudge = () => undefined;
  const unproven = makeUnprovenRoom(() => 0);
  return { house, secret: 's', owner, reader: makeReader(), chance: () => 0, nudge, unproven };
}

for (const engine of engines) {
  describe(engine.name, () => {
    test('no more jobs are taken than the provider has room for', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      await database.run(`insert into accounts (id, name, created_at) values ('acct', 'a', 0)`);
      const now = Date.now();
      for (let at = 0; at < jobs; at += 1) {
        const ask = { model: 'scribe_v2', timestamps: 'word' };
        await insertJob(database, {
          id: `job_${at}`,
          account_id: 'acct',
          key_id: 'key',
          request_id: `req_${at}`,
          provider: 'stt_c',
          model: 'scribe_v2',
          request: { audio_url: 'https://x.example/', ask, options: {} },
          created_at: now - 1000,
          deadline_at: now + 60_000,
        });
      }
      const other = await store.another();
      const taken = await Promise.all(
        [deskOn(database, 'one'), deskOn(other, 'two')].map(async (desk) => {
          const moves = makeJobMoves(desk);
          const claim = { owner: desk.owner, now, lease_until: now + 60_000, full: [] };
          const mine = await claimJobs(desk.house.database, { ...claim, limit: jobs / 2 });
          const won = await Promise.all(mine.map((job) => moves.take(job)));
          return won.filter((job) => job !== undefined).length;
        }),
      );
      const room = providers.stt_c.transcribe?.concurrency;
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(room ?? 0);
      // Each gateway uses its credentials in turn, and each job keeps the one it got.
      const names = await database.run(
        `select distinct credential from jobs where credential is not null`,
      );
      expect(names).toHaveLength(2);
      expect(await countAtWork(database)).toEqual(new Map([['stt_c', room ?? 0]]));
      await other.close();
    });
  });
}
