// The whole gateway in a simulated world: whatever fails in it, money and jobs are right, and a seed
// gives the same run each time.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong, limitFor, simulatedRuns } from '../../../../e2e/lengths.ts';
import { faultPoints } from '../../../src/platform/fault-points.ts';
import { keptSeeds } from './coverage.ts';
import { commandOf, describeFailure, readCuts, shrink, storyOf } from './failure.ts';
import { planOf } from './plan.ts';
import { removeLeftFolders } from './scratch.ts';
import { simulate } from './simulate.ts';
import { makeTemplateSoon } from './template.ts';

/** Short runs replay what is known to reach much; long ones look for more. */
const fresh = Array.from({ length: simulatedRuns.count }, (_, at) => simulatedRuns.first + at);
const seeds = [...keptSeeds.alone, ...(isLong ? fresh : [])];
const limitMs = limitFor(600_000);

const repeatedSeeds = isLong ? 20 : 8;

const faultKindsOfShortRuns = [
  ...['kill', 'power_loss', 'stop', 'freeze', 'clock_jump'],
  ...['slow_disk', 'full_disk', 'bucket_fails', 'at_commit'],
];

const template = await makeTemplateSoon();
afterAll(() => template[Symbol.dispose]());

describe('whatever fails, nothing is lost, charged twice or wrongly, and everything ends', () => {
  const seen = new Set<string>();
  test.each(seeds)(
    'seed %d',
    async (seed) => {
      const run = await simulate(seed, template);
      for (const what of run.counts.keys()) seen.add(what);
      if (run.faults.length === 0) return;
      const smallest = await shrink(run, (cuts) => simulate(seed, template, cuts));
      throw new Error(describeFailure(smallest));
    },
    limitMs,
  );

  test('what never happened was not tested', () => {
    const wanted = [...faultPoints.map((point) => `point ${point}`), ...faultKindsOfShortRuns];
    expect(wanted.filter((what) => !seen.has(what))).toEqual([]);
  });
});

test(
  'a seed gives the same run twice, to the byte',
  async () => {
    for (let seed = 1; seed <= repeatedSeeds; seed += 1) {
      const cuts = { activeMs: 4000, idleMs: 3_600_000 };
      const [first, second] = [
        await simulate(seed, template, cuts),
        await simulate(seed, template, cuts),
      ];
      expect(second.story.join('\n')).toBe(first.story.join('\n'));
      expect(second.steps).toBe(first.steps);
    }
  },
  limitMs,
);

test('the command that is printed repeats the same run', () => {
  const cuts = { without: ['kill', 'freeze'] as const, callers: 3, activeMs: 500, idleMs: 0 };
  expect(commandOf(7, cuts)).toBe(
    'npm run simulate -- --seed 7 --without kill,freeze --callers 3 --active-ms 500 --idle-ms 0',
  );
  const read = readCuts({
    without: 'kill,freeze',
    callers: '3',
    'active-ms': '500',
    'idle-ms': '0',
  });
  expect(planOf(7, read)).toEqual(planOf(7, cuts));
});

test('a story has the last events of each actor', () => {
  const story = Array.from(
    { length: 60 },
    (_, at) => `${`${at}.000`.padStart(9)} ${at % 2 ? 'vendor' : 'caller'}: ${at}`,
  );
  expect(storyOf({ story }).split('\n')).toEqual(story.slice(20));
});

test('folders of processes that were interrupted are removed', () => {
  const home = mkdtempSync(join(tmpdir(), 'trivium-scratch-'));
  const { pid: ended } = Bun.spawnSync([process.execPath, '--version']);
  const names = [
    `trivium-sim-${ended}-a`,
    `trivium-sim-${process.pid}-b`,
    'trivium-sim-x',
    'other',
  ];
  for (const name of names) mkdirSync(join(home, name, 'within'), { recursive: true });
  removeLeftFolders(home);
  expect(readdirSync(home).toSorted()).toEqual(names.slice(1).toSorted());
  rmSync(home, { recursive: true });
});
