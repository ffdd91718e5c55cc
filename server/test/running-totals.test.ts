// Sums that are kept during work: after any sequence of operations, each equals the sum of what
// is there.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeReservations } from '../src/billing/core/reservations.ts';
import { makeCacheState } from '../src/cache/fetch-once.ts';
import { boundedQueue } from '../src/platform/bounded-queue.ts';
import { type ByteHold, makeByteBudget } from '../src/platform/byte-budget.ts';
import { readLimits } from '../src/platform/limit-gauges.ts';
import { makeUnchargedAnswers } from '../src/requests/uncharged-answers.ts';
import { makeStoredBytes } from '../src/requests/stored-bytes.ts';
import { amountOf } from './amount-of.ts';

const account = fc.constantFrom('a', 'b');
const id = fc.constantFrom('1', '2', '3', '4');
const mib = 1024 * 1024;

function sumOf(numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, one) => sum + one, 0);
}

function limitOf(limit: string, state: string): number | undefined {
  return readLimits().find(({ labels }) => labels['limit'] === limit && labels['state'] === state)
    ?.value;
}

test('what is reserved and pending for each account', () => {
  type Step = readonly [kind: string, id: string, account: string, amount: number];
  const kinds = ['hold', 'hold', 'begin', 'remove', 'expire', 'free', 'pend', 'end', 'debit'];
  const step = fc.tuple(fc.constantFrom(...kinds), id, account, fc.nat(5));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps: Step[]) => {
      const reservations = makeReservations();
      const held = new Map<string, { account: string; amount: number; endsAt: number }>();
      const pending: { account: string; amount: number; end: () => void }[] = [];
      const free = new Map<string, number>();
      const of = (all: Iterable<{ account: string; amount: number }>, account: string) =>
        sumOf([...all].filter((one) => one.account === account).map(({ amount }) => amount));
      for (const [kind, id, account, amount] of steps) {
        const own = held.get(id)?.account === account ? held.get(id) : undefined;
        if (kind === 'hold') {
          const left = free.get(account);
          const entry = { id, account_id: account, key_id: null, amount: amountOf(amount) };
          const outcome = reservations.hold({ ...entry, expires_at: amount }, 0);
          const before = held.get(id);
          const fits =
            left !== undefined &&
            left - of(held.values(), account) - of(pending, account) >= amount;
          const now = fits ? { kind: 'held', amount, again: false } : undefined;
          expect<unknown>(outcome).toEqual(
            before ? { kind: 'held', amount: before.amount, again: true } : now,
          );
          if (fits && !before) held.set(id, { account, amount, endsAt: amount });
        } else if (kind === 'begin') {
          const isFirst = own !== undefined && own.endsAt !== Infinity;
          expect(reservations.beginSettle(id, account) !== undefined).toBe(isFirst);
          if (own) own.endsAt = Infinity;
        } else if (kind === 'remove') {
          reservations.remove(id);
          held.delete(id);
        } else if (kind === 'expire') {
          reservations.expire(amount);
          for (const [one, { endsAt }] of held) if (endsAt <= amount) held.delete(one);
        } else if (kind === 'free') {
          reservations.setAvailable(account, 4 * amount);
          free.set(account, 4 * amount);
        } else if (kind === 'debit') {
          reservations.debit(account, amount);
          if (free.has(account)) free.set(account, (free.get(account) ?? 0) - amount);
        } else if (kind === 'pend') {
          pending.push({ account, amount, end: reservations.addPending(account, amount) });
        } else pending.shift()?.end();
        for (const [known, budget] of reservations.inspect()) {
          const reserved = of(held.values(), known);
          const wanted = { reserved, counted: reserved, pending: of(pending, known) };
          expect(budget).toEqual({ ...wanted, free: free.get(known) });
          expect(reservations.sumOf(known)).toBe(reserved);
        }
      }
    }),
  );
});

test('an account that holds something is remembered, however many others do', () => {
  const { setAvailable, hold, sumOf } = makeReservations();
  for (let at = 0; at <= 10_000; at += 1) {
    const entry = { id: `r${at}`, account_id: `a${at}`, key_id: null, expires_at: 9 };
    setAvailable(entry.account_id, 10);
    hold({ ...entry, amount: amountOf(1) }, 0);
  }
  expect([sumOf('a0'), sumOf('a10000')]).toEqual([1, 1]);
});

test('the bytes in progress, of an account and in total', async () => {
  const step = fc.tuple(
    fc.constantFrom('open', 'take', 'grow', 'grow', 'add', 'close', 'wait'),
    fc.nat(6),
    account,
    fc.nat(60),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const budget = makeByteBudget(100, () => 0);
      const holds: { hold: ByteHold; weight: number; isOpen: boolean }[] = [];
      const total = () =>
        sumOf(holds.map(({ hold, weight, isOpen }) => (isOpen ? hold.bytes() * weight : 0)));
      for (const [kind, at, account, bytes] of steps) {
        const weight = 1 + (at % 2);
        const one = holds[at % Math.max(1, holds.length)];
        if (kind === 'open' || !one) {
          const maxWaitMs = bytes % 2;
          holds.push({ hold: budget.open(account, { weight, maxWaitMs }), weight, isOpen: true });
        } else if (kind === 'take') one.hold.take(bytes);
        else if (kind === 'grow') void one.hold.grow(bytes);
        else if (kind === 'add') one.hold.add(bytes);
        else if (kind === 'wait') await Bun.sleep(2);
        else {
          one.hold.close();
          one.isOpen = false;
        }
        expect(budget.used()).toBe(total());
        const busy = limitOf('long_texts', 'running') ?? 0;
        expect(busy).toBeLessThanOrEqual(holds.filter(({ isOpen }) => isOpen).length);
      }
      for (const { hold } of holds) hold.close();
      await Promise.resolve();
      expect([budget.used(), limitOf('long_texts', 'running')]).toEqual([0, 0]);
      expect(limitOf('long_texts', 'waiting')).toBe(0);
      // Nothing is left to any account: each gets its half again.
      for (const name of ['a', 'b']) expect(budget.open(name).take(50)).toBeUndefined();
    }),
    // Each run collects garbage.
    { numRuns: 40 },
  );
});

test('the characters of the cache in memory', () => {
  const maxChars = 16 * mib;
  const step = fc.tuple(
    fc.constantFrom(...Array<'put'>(20).fill('put'), 'get', 'get', 'clear'),
    fc.nat(15),
    fc.integer({ min: 7, max: 11 }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
      const settings = { cache_max_entries: 14, cache_max_mb: 1 };
      const { recent } = makeCacheState({ settings } as Parameters<typeof makeCacheState>[0]);
      // In the order of their last use.
      const kept = new Map<string, number>();
      for (const [kind, id, tenths] of steps) {
        const key = String(id);
        const chars = Math.ceil((tenths / 100) * maxChars);
        const before = kept.get(key);
        if (kind === 'clear') {
          recent.clear();
          kept.clear();
        } else if (kind === 'get') {
          expect(recent.get(key)?.text.length).toBe(before as number);
          if (before !== undefined) (kept.delete(key), kept.set(key, before));
        } else {
          recent.put(key, { text: 'x'.repeat(chars), stored_at: 0 });
          kept.delete(key);
          if (chars <= maxChars / 10) kept.set(key, chars);
          for (const [oldest] of kept) {
            if (kept.size <= 14 && sumOf(kept.values()) <= maxChars) break;
            kept.delete(oldest);
          }
        }
        expect(limitOf('cached_in_memory', 'entries')).toBe(kept.size);
      }
      for (const [key, chars] of kept) expect(recent.get(key)?.text.length).toBe(chars);
    }),
    // A shorter failure would take minutes to find, because the texts are long.
    { numRuns: 50, endOnFailure: true },
  );
});

test('the answers that could not be charged', () => {
  const step = fc.tuple(fc.constantFrom('keep', 'keep', 'take', 'later'), fc.nat(9), account);
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat(20)), { maxLength: 60, size: 'max' }), (steps) => {
      let now = 0;
      const answers = makeUnchargedAnswers({ ticks: () => now });
      const kept = new Map<string, { account_id: string; chars: number; until: number }>();
      const drop = () => {
        for (const [key, { until }] of kept) if (until <= now) kept.delete(key);
      };
      for (const [[kind, at, account_id], size] of steps) {
        const [key, chars] = [String(at), size * 2 * mib];
        if (kind === 'later') now += 90_000;
        else if (kind === 'take') {
          drop();
          expect(answers.take(key)).toEqual(kept.has(key) ? { key } : (undefined as never));
          kept.delete(key);
        } else {
          kept.delete(key);
          const isKept = chars <= 32 * mib;
          const answer = { account_id, chars, answer: { key } };
          expect(answers.keep(key, answer as never)).toBe(isKept);
          if (!isKept) continue;
          kept.set(key, { account_id, chars, until: now + 600_000 });
          drop();
          const sums = () =>
            [...Map.groupBy(kept.values(), (one) => one.account_id)].map(
              ([account, own]) => [account, sumOf(own.map((one) => one.chars))] as const,
            );
          while (sumOf(sums().map(([, sum]) => sum)) > 32 * mib) {
            const [first = ['', 0] as const, second = ['', -1] as const] = sums();
            // With equal sums, either account may lose its oldest answer.
            if (first[1] === second[1]) return;
            const largest = first[1] > second[1] ? first[0] : second[0];
            const oldest = [...kept].find(([, one]) => one.account_id === largest)?.[0];
            kept.delete(oldest ?? '');
          }
        }
        if (kind !== 'later') expect(limitOf('uncharged_answers', 'entries')).toBe(kept.size);
      }
    }),
  );
});

test('the size of a queue', async () => {
  const step = fc.tuple(fc.constantFrom('add', 'add', 'add', 'flush', 'fail'), fc.nat(20));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      let [waiting, fails] = [new Array<number>(), false];
      const queue = boundedQueue<number>({
        ...{ name: 'totals', maxWaiting: 50, maxBatch: 3, everyMs: 1e6, sizeOf: (size) => size },
        write: () => (fails ? Promise.reject(new Error('no')) : Promise.resolve()),
      });
      let [written, dropped] = [0, 0];
      for (const [kind, size] of steps) {
        if (kind === 'add') {
          const isAdded = sumOf(waiting) < 50;
          expect(queue.add(size)).toBe(isAdded);
          if (isAdded) waiting.push(size);
          else dropped += 1;
        } else if (kind === 'fail') fails = !fails;
        else {
          await queue.flush();
          if (!fails) {
            written += waiting.length;
            waiting = [];
          }
        }
        expect(limitOf('totals', 'waiting')).toBe(waiting.length);
        expect(queue.counts).toEqual({ written, dropped });
      }
      fails = false;
      await queue.stop();
      expect(queue.counts).toEqual({ written: written + waiting.length, dropped });
    }),
    { numRuns: 50 },
  );
});

test('what an account stores, and what arrives', async () => {
  let [now, stored, fails] = [0, 3 * mib, false];
  const bytes = makeStoredBytes(
    {
      clock: { ticks: () => now },
      log: { warn: () => undefined },
      database: {
        run: () => {
          const row = { uploads: stored - 3, answers: 1, transcripts: 1, tags: 1 };
          return fails ? Promise.reject(new Error('no')) : Promise.resolve([row]);
        },
      },
    } as never,
    { uploads: '', transcripts: '', tags: '' },
    10,
  );
  const keeper = { account_id: 'a' };
  const room = () => {
    let size = 10 * mib;
    while (size > 0 && !bytes.hasRoom(keeper, size)) size -= mib / 2;
    return size / mib;
  };
  // Nothing is known before the first answer of the store, for which no request waits.
  expect(room()).toBe(10);
  const turn = () => new Promise((resolve) => void setImmediate(resolve));
  const readAgain = async () => {
    for (let count = 0; count < 2; count += 1) await turn().then(room);
    await turn();
    return room();
  };
  expect(await readAgain()).toBe(7);
  bytes.add('a', 2 * mib);
  bytes.add('b', 9 * mib);
  bytes.receive('a', mib);
  bytes.receive('a', mib);
  expect(room()).toBe(3);
  bytes.receive('a', -mib);
  expect(room()).toBe(4);
  bytes.receive('a', -mib);
  expect(room()).toBe(5);
  // The sum in the store replaces what was added, ten seconds after it was read last.
  stored = 6 * mib;
  now = 9999;
  expect(await readAgain()).toBe(5);
  now = 10_000;
  fails = true;
  expect(await readAgain()).toBe(5);
  fails = false;
  expect(await readAgain()).toBe(4);
  const policy = { max_stored_mb: 7 };
  expect(bytes.hasRoom({ ...keeper, policy }, mib)).toBe(true);
  expect(bytes.hasRoom({ ...keeper, policy }, mib + 1)).toBe(false);
});
