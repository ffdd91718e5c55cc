// Two gateways on one store share a provider's concurrency limit, and each job is taken by one.
import { describe, expect, test } from 'bun:test';
import type { Database } from '../../src/store/database.ts';
import { providers } from '../../src/providers/registry.ts';
import type { JobContext } from '../../src/transcription/job-context.ts';
import { maxOfOneAccount } from '../../src/transcription/core/job.ts';
import { createJobTransitions } from '../../src/transcription/job-transitions.ts';
import { insertJobs } from '../../src/transcription/store/jobs.ts';
import { claimJobs, countAtWork } from '../../src/transcription/store/leases.ts';
import { engines } from './engines.ts';
import { makeJobContext } from './job-context.ts';
import { makeStore } from './migrated-store.ts';

const jobs = 20;

function jobContextOn(database: Database, owner: string): JobContext {
  return makeJobContext(database, owner, { ELEVENLABS_API_KEY: 'key-1,key-2' });
}

for (const engine of engines) {
  describe(engine.name, () => {
    test('a provider gets jobs up to its limit, and no account takes all of them', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      await database.run(
        `insert into accounts (id, name, created_at) values ('acct', 'a', 0), ('acct_2', 'b', 0)`,
      );
      const now = Date.now();
      for (let at = 0; at < jobs; at += 1) {
        const ask = { model: 'scribe_v2', timestamps: 'word' };
        await insertJobs(database, [
          {
            id: `job_${at}`,
            // The second account comes last, and no place stays unused.
            account_id: at < jobs - 2 ? 'acct' : 'acct_2',
            key_id: 'key',
            request_id: `req_${at}`,
            provider: 'stt_c',
            model: 'scribe_v2',
            request: { audio_url: 'https://x.example/', ask, options: {} },
            created_at: now - 1000,
            deadline_at: now + 60_000,
          },
        ]);
      }
      const other = await store.another();
      const taken = await Promise.all(
        [jobContextOn(database, 'one'), jobContextOn(other, 'two')].map(async (context) => {
          const moves = createJobTransitions(context);
          const room = [{ provider: 'stt_c', perAccount: jobs }];
          const claim = { owner: context.owner, now, lease_until: now + 60_000, room };
          const mine = await claimJobs(context.database, { ...claim, limit: jobs / 2 });
          const won = await Promise.all(mine.map((job) => moves.take(job)));
          return won.filter((job) => job !== undefined).length;
        }),
      );
      const limit = providers.stt_c.transcribe?.concurrency;
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(limit ?? 0);
      // Each gateway rotates its credentials, and each job keeps its own.
      const names = await database.run(
        `select distinct credential from jobs where credential is not null`,
      );
      expect(names).toHaveLength(2);
      const counts = await countAtWork(database, now);
      expect(counts.get('stt_c')).toBe(limit ?? 0);
      expect(counts.get('stt_c acct')).toBeLessThanOrEqual(maxOfOneAccount(limit ?? 0, false));
      expect(counts.get('stt_c acct_2')).toBeGreaterThan(0);
      await other.close();
    });
  });
}
