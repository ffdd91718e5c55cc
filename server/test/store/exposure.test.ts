// What open jobs can cost beyond their holds, in the store: random jobs on one ledger and on two
// that share a PostgreSQL, and holds that an older gateway closes.
import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../e2e/random.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { type Ledger, makeLedger } from '../../src/billing/ledger.ts';
import { findExposed } from '../../src/billing/store/ledger.ts';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { type JobChange, jobRows } from '../../src/transcription/job-changes.ts';
import type { NewJob } from '../../src/transcription/store/jobs.ts';
import { amountOf } from '../amount-of.ts';
import { type Engine, engines } from './engines.ts';

const accountId = 'a';
const who = { account_id: accountId };
const overdraft = 500;

async function open(engine: Engine, count: number) {
  const store = await engine.open('migrated');
  await migrate(store.database, new Date());
  await insertAccount(store.database, { id: accountId, name: 'a' }, 0);
  const databases = [store.database];
  if (engine.name === 'PostgreSQL' && count > 1) databases.push(await store.another());
  const ledgers = databases.map((database) =>
    makeLedger({ database, clock: systemClock, log: makeLog('silent'), linkedRows: jobRows }),
  );
  for (const ledger of ledgers) await ledger.open();
  return {
    database: store.database,
    ledgers,
    [Symbol.asyncDispose]: async () => {
      for (const ledger of ledgers) await ledger.close();
      for (const other of databases.slice(1)) await other.close();
      await store.discard();
    },
  };
}

const begin = (ledger: Ledger, id: string, hold: number, worst: number) => {
  const job: NewJob = {
    id,
    ...who,
    key_id: 'k',
    request_id: `r_${id}`,
    provider: 'stt_a',
    model: 'm',
    request: {
      audio_url: 'https://recordings.example/a.wav',
      ask: { model: 'm', timestamps: 'word' },
      options: {},
    },
    created_at: 1,
    deadline_at: 2,
    exposure: worst - hold,
  };
  const linked: JobChange = { kind: 'begins', job };
  return ledger.hold(
    {
      id: `job:${id}`,
      ...who,
      key_id: null,
      amount: amountOf(hold),
      worst_case: amountOf(worst),
      overdraft: amountOf(overdraft),
      expires_at: null,
    },
    { linked },
  );
};

async function postedIn(database: Database): Promise<number> {
  const [row] = await database.run('select posted from accounts');
  return Number(row?.['posted']);
}

describe.each(engines)('on $name', (engine) => {
  test('random jobs within their highest cost never exceed the overdraft limit', async () => {
    await using fixture = await open(engine, 2);
    const { database, ledgers } = fixture;
    const { below } = makeRandom(7);
    const pick = () => ledgers[below(ledgers.length)] as Ledger;
    const openJobs = new Map<string, number>();
    let number = 0;
    let accepted = 0;
    for (let round = 0; round < 25; round += 1) {
      const topup = { id: `t${round}`, ...who, amount: below(400), reason: 'test' };
      await pick().topup(topup);
      const asked = Array.from({ length: 8 }, () => {
        number += 1;
        const hold = below(60);
        return { id: `j${number}`, hold, worst: hold + below(400) };
      });
      const outcomes = await Promise.all(
        asked.map(({ id, hold, worst }) => begin(pick(), id, hold, worst)),
      );
      for (const [at, { kind }] of outcomes.entries()) {
        const one = asked[at];
        if (kind === 'held' && one) openJobs.set(one.id, one.worst);
        if (kind === 'held') accepted += 1;
      }
      for (const [id, worst] of [...openJobs].filter(() => below(3) > 0)) {
        const ended = { id: `job:${id}`, ...who };
        if (below(4) === 0) await pick().release(ended);
        else await pick().settle({ ...ended, cost: amountOf(below(worst + 1)), may_exceed: true });
        openJobs.delete(id);
        expect(await postedIn(database)).toBeGreaterThanOrEqual(-overdraft);
      }
    }
    for (const [id, worst] of openJobs) {
      const cost = amountOf(worst);
      await pick().settle({ id: `job:${id}`, ...who, cost, may_exceed: true });
    }
    expect(accepted).toBeGreaterThan(20);
    expect(await postedIn(database)).toBeGreaterThanOrEqual(-overdraft);
    expect(await findExposed(database, [accountId])).toEqual(new Map());
  });

  test('a hold that an older gateway closes no longer adds to the exposure', async () => {
    await using fixture = await open(engine, 1);
    const [ledger] = fixture.ledgers;
    if (!ledger) throw new Error('There is a ledger.');
    await ledger.topup({ id: 't', ...who, amount: 100, reason: 'test' });
    expect((await begin(ledger, 'one', 10, 600)).kind).toBe('held');
    expect(await begin(ledger, 'two', 10, 600)).toMatchObject({
      because: 'exposure',
      exposed: 590,
    });
    expect((await auditLedger(fixture.database)).violations).toEqual([]);
    await fixture.database.transaction(async (tx) => {
      await tx.run("delete from holds where id = 'job:one'");
      await tx.run("update accounts set held = held - 10 where id = 'a'");
      await tx.run("update jobs set finished_at = 5, status = 'failed' where id = 'one'");
    });
    expect((await begin(ledger, 'two', 10, 600)).kind).toBe('held');
    expect((await auditLedger(fixture.database)).violations).toEqual([]);
  });
});
