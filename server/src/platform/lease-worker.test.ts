// The worker on leased rows: what it claims and when, that one failure fails nothing else, that
// leases are renewed while work lasts, and what a stop returns.
import { expect, test } from 'bun:test';
import { waitFor } from '../../../e2e/wait-for.ts';
import { startLeaseWorker } from './lease-worker.ts';

interface Row {
  id: string;
}

type Work = Parameters<typeof startLeaseWorker<Row>>[0];

/** Work on rows that are due at once, and that lasts until the test ends it. */
function makeWork(waiting: string[], change: Partial<Work> = {}) {
  const happened: string[] = [];
  const logged: string[] = [];
  const running = new Map<string, PromiseWithResolvers<void>>();
  const warn = (_facts: object, message: string) => logged.push(message);
  const work: Work = {
    name: 'rows',
    clock: { now: () => new Date(0), ticks: () => 0, sleep: () => Promise.resolve() },
    log: { warn } as never,
    atOnce: 2,
    maxIdleMs: 1e9,
    dropLeases: undefined,
    findNextDue: () => Promise.resolve(waiting.length > 0 ? 0 : undefined),
    claim: (free) => {
      const rows = waiting.splice(0, free).map((id) => ({ id }));
      happened.push(`claimed ${rows.map(({ id }) => id).join(' ')} of ${free}`);
      return Promise.resolve({ rows, hasMore: rows.length === free });
    },
    run: ({ id }) => {
      const ends = Promise.withResolvers<void>();
      running.set(id, ends);
      return ends.promise;
    },
    wakesAtEnd: false,
    returnLeases: async (ids) => void happened.push(`returned ${ids.join(' ')}`),
    ...change,
  };
  return { work, waiting, happened, logged, running };
}

const until = (what: string, isSo: () => boolean) =>
  waitFor(() => Promise.resolve(isSo()), { what, until: (value) => value });

/** Enough turns for a round that should not happen to have happened. */
async function afterRounds(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await Bun.sleep(10);
}

test('holds as many rows as it may, and claims again when a full worker has a free place', async () => {
  const { work, happened, running } = makeWork(['a', 'b', 'c', 'd'], {
    dropLeases: async () => void happened.push('dropped'),
  });
  const worker = startLeaseWorker(work);
  await until('two rows are worked on', () => running.size === 2);
  worker.nudge();
  await afterRounds();
  expect(happened).toEqual(['dropped', 'claimed a b of 2']);
  running.get('a')?.resolve();
  await until('a third row is worked on', () => running.has('c'));
  expect(happened).toEqual(['dropped', 'claimed a b of 2', 'claimed c of 1']);
  await worker.stop();
});

test('claims nothing while no row is due, and at once when it is told of one', async () => {
  const { work, waiting, happened, running } = makeWork([]);
  const worker = startLeaseWorker(work);
  await afterRounds();
  expect(happened).toEqual([]);
  waiting.push('a');
  worker.nudge();
  await until('the row is worked on', () => running.has('a'));
  running.get('a')?.resolve();
  await worker.stop();
  expect(happened).toEqual(['claimed a of 2']);
});

test('a claim that found as many rows as it asked for is followed by another', async () => {
  const { work, running } = makeWork(['a', 'b', 'c'], {
    atOnce: 10,
    claim: () => {
      const rows = rest.splice(0, 1).map((id) => ({ id }));
      return Promise.resolve({ rows, hasMore: rows.length > 0 });
    },
    findNextDue: () => Promise.resolve(0),
  });
  const rest = ['a', 'b', 'c'];
  const worker = startLeaseWorker(work);
  await until('all rows are worked on', () => running.size === 3);
  await worker.stop();
});

test('work that fails is logged, and frees its place', async () => {
  const { work, logged, running, happened } = makeWork(['a', 'b', 'c'], { atOnce: 1 });
  const worker = startLeaseWorker(work);
  await until('the first row is worked on', () => running.has('a'));
  running.get('a')?.reject(new Error('the row is at fault'));
  await until('the next row is worked on', () => running.has('b'));
  expect(logged).toEqual(['work on rows failed']);
  running.get('b')?.resolve();
  await until('the last row is worked on', () => running.has('c'));
  await worker.stop();
  expect(happened.at(-1)).toBe('returned c');
});

test('a store that fails ends a round and not the worker', async () => {
  let failures = 2;
  const { work, logged, running } = makeWork(['a'], {
    findNextDue: () => {
      failures -= 1;
      return failures < 0 ? Promise.resolve(0) : Promise.reject(new Error('no store'));
    },
  });
  const worker = startLeaseWorker(work);
  await until('the failure is logged', () => logged.length === 1);
  worker.nudge();
  await until('the second one too', () => logged.length === 2);
  worker.nudge();
  await until('the row is worked on', () => running.has('a'));
  expect(new Set(logged)).toEqual(new Set(['rows could not be claimed']));
  running.get('a')?.resolve();
  await worker.stop();
});

test('the end of work wakes a worker whose rows wait for each other', async () => {
  let looks = 0;
  const { work, waiting, happened, running } = makeWork(['a'], {
    atOnce: 10,
    wakesAtEnd: true,
    findNextDue: () => {
      looks += 1;
      return Promise.resolve(waiting.length > 0 ? 0 : undefined);
    },
  });
  const worker = startLeaseWorker(work);
  await until('the worker has found nothing else, and rests', () => looks === 2);
  waiting.push('b');
  running.get('a')?.resolve();
  await until('the next row is worked on', () => running.has('b'));
  expect(happened).toEqual(['claimed a of 10', 'claimed b of 10']);
  await worker.stop();
});

test('leases are renewed as long as their rows are worked on', async () => {
  const renewed: string[] = [];
  const leases = async (ids: readonly string[]) => void renewed.push(ids.join(' '));
  const { work, running } = makeWork(['a', 'b'], { renew: { everyMs: 1, leases } });
  const worker = startLeaseWorker(work);
  await until('both leases are renewed', () => renewed.includes('a b'));
  running.get('a')?.resolve();
  await until('the other lease is renewed', () => renewed.at(-1) === 'b');
  running.get('b')?.resolve();
  await afterRounds();
  const before = renewed.length;
  await afterRounds();
  expect(renewed).toHaveLength(before);
  await worker.stop();
});

test('a stop claims nothing more, and returns what does not end in time', async () => {
  const { work, waiting, happened, running } = makeWork(['a', 'b'], {
    clock: { now: () => new Date(0), ticks: () => 0, sleep: () => afterRounds() },
  });
  const worker = startLeaseWorker(work);
  await until('both rows are worked on', () => running.size === 2);
  waiting.push('c');
  const stopped = worker.stop();
  running.get('a')?.resolve();
  await stopped;
  worker.nudge();
  await afterRounds();
  expect(happened).toEqual(['claimed a b of 2', 'returned b']);
});
