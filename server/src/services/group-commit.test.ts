// Group commit: what shares a batch, what is repeated, and who hears of a failure.
import { describe, expect, test } from 'bun:test';
import { GatewayError } from '@trivium/contract';
import { groupCommit, max_batch } from './group-commit.ts';

const lost = Object.assign(new Error('connection closed'), { trouble: 'lost' });
const broken = Object.assign(new Error('disk full'), { trouble: 'broken' });

type Perform = (batch: readonly number[], repeated: boolean) => Promise<number[]>;

/** The clock moves only when somebody sleeps. */
function makeGroup(perform: Perform, weigh?: (item: number) => number) {
  let ticks = 0;
  const clock = {
    now: () => new Date(0),
    ticks: () => ticks,
    sleep: async (ms: number) => {
      ticks += ms;
    },
  };
  const troubleOf = (error: unknown) => (error as { trouble?: 'lost' | 'broken' }).trouble;
  return groupCommit<number, number>({
    clock,
    perform,
    troubleOf,
    ...(weigh ? { weigh } : {}),
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
    const items = Array.from({ length: max_batch + 10 }, (_, at) => at);
    const results = await Promise.all(items.map((item) => group.add(item)));
    expect(results).toEqual(items.map((item) => item * 2));
    expect(sizes).toEqual([max_batch, 10]);
  });

  test('are shorter when their items are heavy, but never empty', async () => {
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
    let under_way = 0;
    const group = makeGroup(async (batch, repeated) => {
      under_way += 1;
      expect(under_way).toBe(1);
      seen.push([...batch]);
      await Bun.sleep(5);
      under_way -= 1;
      return double(batch, repeated);
    });
    const first = group.add(1);
    await Bun.sleep(1);
    const others = [group.add(2), group.add(3)];
    await Promise.all([first, ...others]);
    expect(seen).toEqual([[1], [2, 3]]);
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
  test('repeats the very same items, and says that it does', async () => {
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

  test('that stays away ends as a 503 for all who waited, and the next is served', async () => {
    let away = true;
    const group = makeGroup((batch, repeated) =>
      away ? Promise.reject(lost) : double(batch, repeated),
    );
    const errors = await Promise.all([failure(group.add(1)), failure(group.add(2))]);
    for (const error of errors) {
      expect(error).toBeInstanceOf(GatewayError);
      expect(error).toMatchObject({ type: 'provider_not_available', status: 503 });
    }
    away = false;
    expect(await group.add(3)).toBe(6);
  });
});

describe('a failure', () => {
  test('of one item is told to that item alone, and as it was', async () => {
    const group = makeGroup(async (batch, repeated) => {
      if (batch.includes(13)) throw new RangeError('thirteen');
      return double(batch, repeated);
    });
    const results = await Promise.allSettled([1, 13, 3].map((item) => group.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(RangeError) as unknown });
  });

  test('of the store itself is a 503 at once, without a repeat', async () => {
    let tries = 0;
    const group = makeGroup(() => {
      tries += 1;
      return Promise.reject(broken);
    });
    expect(await failure(group.add(1))).toMatchObject({ status: 503 });
    expect(tries).toBe(1);
  });

  test('to keep up is a 503 for what does not fit', async () => {
    const group = makeGroup(double);
    const all = Array.from({ length: 10_001 }, (_, at) => failure(group.add(at)));
    const errors = (await Promise.all(all)).filter((error) => error !== undefined);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ status: 503 });
  });
});
