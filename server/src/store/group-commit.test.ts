// Group commit: what shares a batch, what is retried, and which items a failure rejects.
import { describe, expect, test } from 'bun:test';
import { GatewayError } from '@trivium/contract';
import fc from 'fast-check';
import { noteUncommitted } from '../platform/store-trouble.ts';
import { groupCommit, maxBatch } from './group-commit.ts';

const lost = Object.assign(new Error('connection closed'), {
  code: 'ERR_POSTGRES_CONNECTION_CLOSED',
});
const broken = Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });

type Perform = (batch: readonly number[], repeated: boolean) => Promise<number[]>;

/** The clock advances only in `sleep`. */
function makeGroup(
  perform: Perform,
  sizeOf?: (item: number) => number,
  more: Pick<Parameters<typeof groupCommit<number, number>>[0], 'isCertain' | 'patienceOf'> = {},
) {
  let ticks = 0;
  const clock = {
    now: () => new Date(0),
    ticks: () => ticks,
    sleep: async (ms: number) => {
      ticks += ms;
    },
  };
  return groupCommit<number, number>({
    clock,
    perform,
    ...(sizeOf ? { sizeOf } : {}),
    ...more,
  });
}

const double: Perform = async (batch) => batch.map((item) => item * 2);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('batches', () => {
  test('hold what arrived together, in order, up to their limit', async () => {
    const sizes: number[] = [];
    const group = makeGroup((batch, repeated) => {
      sizes.push(batch.length);
      return double(batch, repeated);
    });
    const items = Array.from({ length: maxBatch + 10 }, (_, at) => at);
    const results = await Promise.all(items.map((item) => group.add(item)));
    expect(results).toEqual(items.map((item) => item * 2));
    expect(sizes).toEqual([maxBatch, 10]);
  });

  test('are shorter when their items are large, but never empty', async () => {
    const sizes: number[] = [];
    const half = 8 * 1024 * 1024;
    const group = makeGroup(
      (batch, repeated) => {
        sizes.push(batch.length);
        return double(batch, repeated);
      },
      (item) => item * half,
    );
    await Promise.all([1, 1, 1, 5, 1].map((item) => group.add(item)));
    expect(sizes).toEqual([2, 1, 1, 1]);
  });

  test('run one at a time, and what arrives meanwhile is the next', async () => {
    const seen: number[][] = [];
    let running = 0;
    const group = makeGroup(async (batch, repeated) => {
      running += 1;
      expect(running).toBe(1);
      seen.push([...batch]);
      await Bun.sleep(5);
      running -= 1;
      return double(batch, repeated);
    });
    const first = group.add(1);
    await Bun.sleep(1);
    const others = [group.add(2), group.add(3)];
    await Promise.all([first, ...others]);
    expect(seen).toEqual([[1], [2, 3]]);
  });

  test('without a caller gather what arrives in a time, until a reader needs them', async () => {
    const sizes: number[] = [];
    const sleeps: { wake: () => void }[] = [];
    const group = groupCommit<number, number>({
      clock: {
        now: () => new Date(0),
        ticks: () => 0,
        sleep: (_ms, signal) =>
          new Promise((wake, reject) => {
            sleeps.push({ wake });
            signal?.addEventListener('abort', () => reject(new Error('aborted')));
          }),
      },
      perform: (batch, repeated) => {
        sizes.push(batch.length);
        return double(batch, repeated);
      },
      gatherMs: 50,
      maxItems: 3,
    });
    const first = group.add(1);
    await Bun.sleep(0);
    const second = group.add(2);
    await Bun.sleep(0);
    expect(sizes).toEqual([]);
    sleeps[0]?.wake();
    expect(await Promise.all([first, second])).toEqual([2, 4]);
    // All that was added before a reader asks is written, in several batches if need be.
    const more = [1, 2, 3, 4, 5].map((item) => group.add(item));
    group.hurry();
    await Promise.all(more);
    expect(sizes).toEqual([2, 3, 2]);
    // The next items gather again.
    const later = group.add(6);
    await Bun.sleep(0);
    expect(sizes).toEqual([2, 3, 2]);
    await group.idle();
    expect(await later).toBe(12);
  });

  test('are all finished when it is idle', async () => {
    const group = makeGroup(double);
    let finished = 0;
    for (let at = 0; at < 600; at += 1) void group.add(at).then(() => (finished += 1));
    await group.idle();
    expect(finished).toBe(600);
  });
});

describe('a lost connection', () => {
  test('retries the same items, and marks the retry', async () => {
    const tries: [readonly number[], boolean][] = [];
    const group = makeGroup((batch, repeated) => {
      tries.push([batch, repeated]);
      return tries.length < 3 ? Promise.reject(lost) : double(batch, repeated);
    });
    expect(await Promise.all([group.add(1), group.add(2)])).toEqual([2, 4]);
    expect(tries).toEqual([
      [[1, 2], false],
      [[1, 2], true],
      [[1, 2], true],
    ]);
  });

  test('that lasts ends as a 503 for all waiting items, and the next item succeeds', async () => {
    let unavailable = true;
    const done: number[] = [];
    const group = makeGroup((batch, repeated) => {
      if (unavailable) return Promise.reject(lost);
      done.push(...batch);
      return double(batch, repeated);
    });
    const errors = await Promise.all([failure(group.add(1)), failure(group.add(2))]);
    for (const error of errors) {
      expect(error).toBeInstanceOf(GatewayError);
      expect(error).toMatchObject({ type: 'provider_not_available', status: 503 });
    }
    unavailable = false;
    expect(await group.add(3)).toBe(6);
    expect(done).toEqual([3]);
  });
});

describe('an item whose outcome must be known', () => {
  const patienceOf = (item: number) => (item < 10 ? ('known' as const) : undefined);

  test('waits for a store that is lost for long, while the others are given up', async () => {
    let tries = 0;
    let later: Promise<unknown> | undefined;
    const group = makeGroup(
      (batch, repeated) => {
        tries += 1;
        // It waits for a batch, and is given up before one begins.
        if (tries === 2) later = failure(group.add(11));
        return tries < 500 ? Promise.reject(lost) : double(batch, repeated);
      },
      undefined,
      { patienceOf },
    );
    const settled = group.add(1);
    const held = failure(group.add(10));
    expect(await settled).toBe(2);
    expect(await held).toMatchObject({ status: 503 });
    expect(await later).toMatchObject({ status: 503 });
    expect(tries).toBe(500);
    expect(group.isLate()).toBe(false);
  });

  test('or waits from its first attempt on, and is given up before', async () => {
    let tries = 0;
    let later: Promise<unknown> | undefined;
    const group = makeGroup(
      (batch, repeated) => {
        tries += 1;
        if (tries === 2) later = failure(group.add(2));
        return tries < 100 ? Promise.reject(lost) : double(batch, repeated);
      },
      undefined,
      { patienceOf: () => 'attempted' },
    );
    expect(await group.add(1)).toBe(2);
    expect(await later).toMatchObject({ status: 503 });
  });

  test('is refused at once by a store that is full, if nothing can have been written', async () => {
    const refused = makeGroup(() => Promise.reject(broken), undefined, { patienceOf });
    expect(await failure(refused.add(1))).toMatchObject({ status: 503 });
    expect(refused.isLate()).toBe(true);
    // A store that was busy has written nothing either, if it is certain of its failures.
    let tries = 0;
    const full = () => {
      tries += 1;
      return Promise.reject(tries === 1 ? lost : broken);
    };
    const certain = makeGroup(full, undefined, { patienceOf, isCertain: true });
    expect(await failure(certain.add(1))).toMatchObject({ status: 503 });
    expect(tries).toBe(2);
  });

  test('waits for a full store if an earlier attempt may have been committed', async () => {
    let tries = 0;
    const group = makeGroup(
      (batch, repeated) => {
        tries += 1;
        if (tries === 1) return Promise.reject(lost);
        return tries < 10 ? Promise.reject(broken) : double(batch, repeated);
      },
      undefined,
      { patienceOf },
    );
    expect(await group.add(1)).toBe(2);
    expect(tries).toBe(10);
  });

  test('that is faulty is found, also after a lost attempt', async () => {
    let tries = 0;
    const group = makeGroup(
      async (batch, repeated) => {
        tries += 1;
        if (tries === 1) throw lost;
        if (batch.includes(3)) throw new RangeError('three');
        expect(repeated).toBe(true);
        return double(batch, repeated);
      },
      undefined,
      { patienceOf },
    );
    const results = await Promise.allSettled([1, 3].map((item) => group.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

test('whatever happens to attempts, no caller that must know is told the wrong outcome', async () => {
  const end = fc.constantFrom('ok', 'lost', 'lost', 'lost', 'committed', 'uncommitted', 'broken');
  const item = fc.record({
    patience: fc.constantFrom('known' as const, 'attempted' as const, undefined),
    isFaulty: fc.boolean(),
  });
  const few = fc.array(item, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(end, { maxLength: 50, size: 'max' }), few, async (ends, items) => {
      const committed = new Set<number>();
      const perform: Perform = async (batch, repeated) => {
        const next = ends.shift() ?? 'ok';
        if (next === 'lost') throw lost;
        if (next === 'broken') throw broken;
        if (next === 'uncommitted') {
          const error = Object.assign(new Error('no commit was sent'), { code: lost.code });
          noteUncommitted(error);
          throw error;
        }
        if (batch.some((at) => items[at]?.isFaulty)) throw new RangeError('faulty');
        for (const at of batch) committed.add(at);
        if (next === 'committed') throw lost;
        return double(batch, repeated);
      };
      const patienceOf = (at: number) => items[at]?.patience;
      const group = makeGroup(perform, undefined, { patienceOf });
      const told = await Promise.allSettled(items.map((_, at) => group.add(at)));
      for (const [at, { status }] of told.entries()) {
        if (status === 'fulfilled') expect(committed).toContain(at);
        else if (items[at]?.patience) expect(committed).not.toContain(at);
      }
    }),
  );
});

describe('a failure', () => {
  test('of one item rejects that item alone, with its own error', async () => {
    const group = makeGroup(async (batch, repeated) => {
      if (batch.includes(13)) throw new RangeError('thirteen');
      return double(batch, repeated);
    });
    const results = await Promise.allSettled([1, 13, 3].map((item) => group.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(RangeError) as unknown });
  });

  test('of the store itself is a 503 at once, without a retry', async () => {
    let tries = 0;
    const group = makeGroup(() => {
      tries += 1;
      return Promise.reject(broken);
    });
    expect(await failure(group.add(1))).toMatchObject({ status: 503 });
    expect(tries).toBe(1);
  });

  test('to keep up is a 503 for the items that do not fit the queue', async () => {
    const group = makeGroup(double);
    const all = Array.from({ length: 10_001 }, (_, at) => failure(group.add(at)));
    const errors = (await Promise.all(all)).filter((error) => error !== undefined);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ status: 503 });
  });
});
