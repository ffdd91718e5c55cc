// Storms in virtual time: what a provider that fails, hangs or is dead leaves to each account.
import { expect, test } from 'bun:test';
import { seededRandom } from '../../../test/simulation/seeded-random.ts';
import { closedCircuits, isPassableFor, passCall, recordResult } from './circuits.ts';

const stormMs = 60_000;
const calmMs = 15_000;
const timeoutMs = 10_000;

interface Storm {
  /** Calls per second of each account. */
  rates: readonly number[];
  /** The share of calls that fail, and the share of these that fail only after the timeout. */
  failing: number;
  hanging: number;
  /** Every call of this account fails, also after the storm. */
  hostile?: number;
}

/** What happened to an account: in the storm, until its end. */
interface Fate {
  passed: number;
  /** How many calls the provider would have served, and how many it served. */
  good: number;
  served: number;
  /** From the end of the storm to the first answer. */
  answerMs: number;
}

/** Plays a storm and a calm after it, in which the provider serves every call. */
function play({ rates, failing, hanging, hostile }: Storm, random: () => number): Fate[] {
  const circuits = closedCircuits(0);
  const steps = Array.from({ length: stormMs + calmMs }, (): (() => void)[] => []);
  const fates = rates.map((): Fate => ({ passed: 0, good: 0, served: 0, answerMs: Infinity }));
  const call = (account: number, fate: Fate, now: number) => {
    const isStorm = now < stormMs;
    const isGood = account !== hostile && (!isStorm || random() >= failing);
    const isPassed = isPassableFor(circuits, `${account}`, now);
    if (isStorm && isGood) fate.good += 1;
    if (!isPassed) return;
    passCall(circuits, `${account}`, now);
    if (isStorm) fate.passed += 1;
    if (isStorm && isGood) fate.served += 1;
    const hangs = !isGood && random() < hanging;
    const at = now + Math.ceil(hangs ? timeoutMs : 300 * random());
    steps[at]?.push(() => {
      recordResult(circuits, `${account}`, isGood ? 'success' : 'failure', now, at);
      if (isGood && at >= stormMs) fate.answerMs = Math.min(fate.answerMs, at - stormMs);
    });
  };
  for (const [account, fate] of fates.entries()) {
    const stepMs = 2000 / (rates[account] ?? 1);
    for (let at = stepMs * random(); at < steps.length; at += stepMs * random()) {
      steps[Math.floor(at)]?.push(() => call(account, fate, Math.floor(at)));
    }
  }
  for (const step of steps) for (const run of step) run();
  return fates;
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed + 1);
/** Each a different kind of account: a call in two seconds, or a hundred in one. */
const rates = [0.5, 1, 3, 10, 30, 100];

test('every account gets most of what a failing provider serves, and answers soon after', () => {
  for (const seed of seeds) {
    const random = seededRandom(seed);
    const storm = { rates, failing: 0.4 * random(), hanging: random(), hostile: seed % 12 };
    for (const [account, fate] of play(storm, random).entries()) {
      if (account === storm.hostile) continue;
      const name = `seed ${seed}, account ${account}`;
      expect([name, fate.served >= 0.6 * fate.good]).toEqual([name, true]);
      if ((rates[account] ?? 0) < 3) continue;
      expect([name, fate.answerMs <= 3000]).toEqual([name, true]);
    }
  }
});

test('at 30 % failures nearly every call is passed on', () => {
  for (const seed of seeds) {
    const fates = play({ rates, failing: 0.3, hanging: 0.5 }, seededRandom(seed));
    const [good, served] = [fates.map((one) => one.good), fates.map((one) => one.served)];
    expect(sumOf(served)).toBeGreaterThan(0.95 * sumOf(good));
  }
});

test('a dead provider is called by each account a few times, whether it fails or hangs', () => {
  for (const seed of seeds) {
    const hanging = seed % 2;
    const fates = play({ rates, failing: 1, hanging }, seededRandom(seed));
    for (const [account, { passed, answerMs }] of fates.entries()) {
      const rate = rates[account] ?? 0;
      // The first calls, those that began before their results, and three probes in each pause.
      const most = 20 + (rate * (hanging ? timeoutMs : 300)) / 1000 + 3 * 9;
      expect(passed).toBeLessThanOrEqual(1.1 * most + 3);
      if (rate >= 3) expect(answerMs).toBeLessThanOrEqual(11_000);
    }
  }
});

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
