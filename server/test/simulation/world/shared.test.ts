// Several gateways on one PostgreSQL in a simulated world: whatever fails, money and jobs are right,
// and a seed gives the same run each time.
import type { SQL } from 'bun';
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { isLong, limitFor, sharedRuns } from '../../../../e2e/lengths.ts';
import { testWhere } from '../../../../e2e/leave-out.ts';
import { makeReleasedVersion, missingHistory } from '../../../../e2e/released-version.ts';
import { addressesIn } from '../../../src/settings/index.ts';
import { seededRandom } from '../seeded-random.ts';
import { compareStores } from './compare.ts';
import { keptSeeds } from './coverage.ts';
import { commandOf, describeFailure, shrink } from './failure.ts';
import { openEngine } from './shared/engine.ts';
import { serverFaultKinds } from './plan.ts';
import { makeScheduler } from './scheduler.ts';
import { openSharedStore, type SharedStore } from './shared/servers.ts';
import { loadVersion, thisVersion } from './shared/version.ts';
import { type Run, simulate } from './simulate.ts';
import { makeTemplateSoon } from './template.ts';

const { count, first, activeMs } = sharedRuns;
/** Short runs replay what is known to reach much; long ones look for more. */
const fresh = Array.from({ length: count }, (_, at) => first + at);
const seeds = [...keptSeeds.shared, ...(isLong ? fresh : [])];
const repeatedSeeds = isLong ? 5 : 2;
const comparedSeeds = isLong ? 100 : 2;
const besideRuns = isLong ? 200 : 3;
const besideCuts = isLong ? {} : { activeMs: 1500 };
const limitMs = limitFor(600_000);
setDefaultTimeout(60_000);

const engine = await openEngine();
const empty = engine.save();
const template = await makeTemplateSoon(engine);
afterAll(async () => {
  template[Symbol.dispose]();
  await engine.close();
});

/** The first runs. */
const ran = new Map<number, Run>();

describe('whatever fails, gateways that share a store lose nothing and charge nothing twice', () => {
  const seen = new Set<string>();
  test.each(seeds)(
    'seed %d',
    async (seed) => {
      const run = await simulate(seed, template, { activeMs });
      for (const what of run.counts.keys()) seen.add(what);
      if (ran.size < repeatedSeeds) ran.set(seed, run);
      if (run.faults.length === 0) return;
      const smallest = await shrink(run, (cuts) => simulate(seed, template, { activeMs, ...cuts }));
      throw new Error(describeFailure(smallest, ['--shared']));
    },
    limitMs,
  );

  test('what never happened was not tested; short runs have some of the faults', () => {
    const missing = serverFaultKinds.filter((kind) => !seen.has(kind));
    expect(missing.length).toBeLessThan(isLong ? 1 : serverFaultKinds.length / 2);
  });
});

test(
  'a seed gives the same run twice, to the byte',
  async () => {
    for (const [seed, one] of ran) {
      const other = await simulate(seed, template, { activeMs });
      expect(other.story.join('\n')).toBe(one.story.join('\n'));
      expect(other.steps).toBe(one.steps);
    }
  },
  limitMs,
);

test(
  'the same requests get the same answers on SQLite and on PostgreSQL',
  async () => {
    using alone = await makeTemplateSoon();
    const differences: string[] = [];
    for (let seed = 1; seed <= comparedSeeds; seed += 1) {
      const found = await compareStores(seed, [alone, template]);
      differences.push(...found.map((words) => `seed ${seed}: ${words}`));
    }
    expect(differences).toEqual([]);
  },
  limitMs,
);

testWhere(await missingHistory())(
  'gateways of the last release and of this version share a store during an upgrade',
  async () => {
    await using release = await makeReleasedVersion();
    engine.restore(empty);
    const versions = [thisVersion, await loadVersion(release.program)];
    using mixed = await makeTemplateSoon(engine, versions);
    const started = new Set<string>();
    for (let seed = 1; seed <= besideRuns; seed += 1) {
      const { faults, story } = await simulate(seed, mixed, besideCuts);
      expect([seed, ...faults]).toEqual([seed]);
      for (const line of story)
        if (line.includes(': starts')) started.add(line.split(': ')[1] ?? '');
    }
    expect([...started].toSorted()).toEqual(['starts', 'starts as the release']);
  },
  limitMs,
);

test('the command that is printed is for the same world', () => {
  expect(commandOf(7, { callers: 3 }, ['--shared'])).toBe(
    'npm run simulate -- --seed 7 --shared --callers 3',
  );
});

describe('the servers of the store', () => {
  const seconds = 1000;

  test('a transaction that has only read sees what others commit meanwhile', async () => {
    const seen = await inStore(async ({ sql, sleep }) => {
      const values: unknown[] = [];
      const reading = sql.begin(async (tx) => {
        values.push(await valueIn(tx));
        await sleep(1 * seconds);
        values.push(await valueIn(tx));
      });
      await sleep(100);
      await sql.unsafe("update store_facts set value = 'new' where name = 'tested'");
      await reading;
      return values;
    });
    expect(seen).toEqual(['old', 'new']);
  });

  test('what another transaction has written is waited for, until it ends or its limit', async () => {
    const seen = await inStore(async ({ sql, sleep, now }) => {
      const write = (value: string, ms: number) =>
        sql.begin(async (tx) => {
          await tx.unsafe(`update store_facts set value = '${value}' where name = 'tested'`);
          await sleep(ms);
        });
      const began = now();
      const first = write('first', 2 * seconds);
      await sleep(10);
      const value = await valueIn(sql);
      const waitedMs = now() - began;
      await first;
      const silent = write('silent', 20 * seconds).catch((error: { code: string }) => error.code);
      await sleep(10);
      return {
        value,
        waits: waitedMs >= 2 * seconds,
        after: await valueIn(sql),
        silent: await silent,
      };
    });
    expect(seen).toEqual({
      ...{ value: 'first', waits: true, after: 'first' },
      silent: 'ERR_POSTGRES_CONNECTION_CLOSED',
    });
  });

  test('a connection breaks before or after a commit, and the client cannot tell', async () => {
    const outcomes = await inStore(async ({ sql, store }) => {
      const seen = new Set<string>();
      for (let round = 0; round < 20; round += 1) {
        const lost = sql.begin(async (tx) => {
          await tx.unsafe(`update store_facts set value = '${round}' where name = 'tested'`);
          store.trouble.lostShare = 1;
        });
        const code = await lost.catch((error: { code: string }) => error.code);
        store.trouble.lostShare = 0;
        seen.add(`${code} ${(await valueIn(sql)) === String(round) ? 'new' : 'old'}`);
      }
      return seen;
    });
    const closed = 'ERR_POSTGRES_CONNECTION_CLOSED';
    expect([...outcomes].toSorted()).toEqual([`${closed} new`, `${closed} old`]);
  });

  test.each([
    [0, 'new'],
    [500, 'old'],
  ])('a standby that lags by %p ms has the value %p', async (lagMs, value) => {
    const seen = await inStore(async ({ sql, open, store, sleep }) => {
      store.failOver({ lagMs, wakes: false, promotedAfterMs: 1000, backAfterMs: 1000 });
      if (lagMs > 0) {
        await sleep(100);
        await sql.unsafe("update store_facts set value = 'new' where name = 'tested'");
      }
      await sleep(2 * seconds);
      const next = open(1);
      if (lagMs === 0) {
        await next.unsafe("update store_facts set value = 'new' where name = 'tested'");
      }
      return valueIn(next);
    });
    expect(seen).toBe(value);
  });

  test('a primary that was replaced does not commit alone, unless its standby lags', async () => {
    const replaced = (lagMs: number) =>
      inStore(async ({ sql, open, store, sleep }) => {
        await valueIn(sql);
        store.failOver({ lagMs, wakes: true, promotedAfterMs: 1000, backAfterMs: 1000 });
        await sleep(lagMs + 10);
        const write =
          "update store_facts set value = 'stale' where name = 'tested' returning value";
        const code = (error: { code: string }) => error.code;
        const answer = (await sql.unsafe(write).catch(code)) as unknown;
        await sleep(10 * seconds);
        return { answer, value: await valueIn(open(1)) };
      });
    expect(await replaced(500)).toMatchObject({ answer: [{ value: 'stale' }], value: 'old' });
    expect(await replaced(0)).toEqual({ answer: 'ERR_POSTGRES_CONNECTION_CLOSED', value: 'old' });
  });
});

interface InStore {
  store: SharedStore;
  /** Connections to the first server. */
  sql: SQL;
  open: (server: number) => SQL;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
}

async function valueIn(sql: Pick<SQL, 'unsafe'>): Promise<unknown> {
  const [row] = (await sql.unsafe("select value from store_facts where name = 'tested'")) as {
    value: unknown;
  }[];
  return row?.value;
}

/** In a turn of its own, because the scheduler runs all promises itself. */
function inStore<T>(work: (parts: InStore) => Promise<T>): Promise<T> {
  template.shared?.restore();
  engine.run("insert into store_facts (name, value) values ('tested', 'old')");
  const scheduler = makeScheduler();
  const store = openSharedStore(engine, scheduler, seededRandom(1), () => undefined);
  const life = { name: 'client', isAlive: true, frozenUntil: 0, startedAt: 0 };
  const client = { ...life, clockOffsetMs: 0, atEnd: [] };
  const open = (server: number) => store.open(client, { url: addressesIn(store.url)[server] });
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => void scheduler.after(ms, client, resolve));
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  setImmediate(() => {
    scheduler.after(0, client, () => {
      work({ store, sql: open(0), open, sleep, now: scheduler.now }).then(resolve, reject);
    });
    scheduler.runUntil(60_000);
    store.close();
  });
  return promise;
}
