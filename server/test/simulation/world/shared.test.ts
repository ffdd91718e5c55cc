// Several gateways on one PostgreSQL in a simulated world: whatever fails, money and jobs are right,
// and a seed gives the same run each time.
import { afterAll, expect, test } from 'bun:test';
import { isLong, limitFor, sharedRuns } from '../../../../e2e/lengths.ts';
import { commandOf, describeFailure, shrink } from './failure.ts';
import { openEngine } from './shared/engine.ts';
import { serverFaultKinds } from './plan.ts';
import { simulate } from './simulate.ts';
import { makeTemplateSoon } from './template.ts';

const { count, first, activeMs } = sharedRuns;
const limitMs = limitFor(600_000);

const engine = await openEngine();
const template = await makeTemplateSoon(engine);
afterAll(async () => {
  template[Symbol.dispose]();
  await engine.close();
});

test(
  'whatever fails, gateways that share a store lose nothing and charge nothing twice',
  async () => {
    const seen = new Set<string>();
    for (let seed = first; seed < first + count; seed += 1) {
      const run = await simulate(seed, template, { activeMs });
      for (const what of run.counts.keys()) seen.add(what);
      if (run.faults.length === 0) continue;
      const smallest = await shrink(run, (cuts) => simulate(seed, template, { activeMs, ...cuts }));
      throw new Error(describeFailure(smallest));
    }
    // What never happened was not tested; a short run has some of the faults.
    const missing = serverFaultKinds.filter((kind) => !seen.has(kind));
    expect(missing.length).toBeLessThan(isLong ? 1 : serverFaultKinds.length / 2);
  },
  limitMs,
);

test(
  'a seed gives the same run twice, to the byte',
  async () => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const cuts = { activeMs: 3000 };
      const [one, other] = [
        await simulate(seed, template, cuts),
        await simulate(seed, template, cuts),
      ];
      expect(other.story.join('\n')).toBe(one.story.join('\n'));
      expect(other.steps).toBe(one.steps);
    }
  },
  limitMs,
);

test('the command that is printed is for the same world', () => {
  expect(commandOf(7, { callers: 3 }, true)).toBe(
    'npm run simulate -- --seed 7 --shared --callers 3',
  );
});
