// The program of `npm run simulate`: runs seeds of the simulated world, on all cores, and tells the
// story of the first that fails.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { describeFailure, readCuts, ruleOf, shrink } from './failure.ts';
import type { Cuts } from './plan.ts';
import { openEngine } from './shared/engine.ts';
import { simulate } from './simulate.ts';
import { makeTemplateSoon } from './template.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    without: { type: 'string' },
    callers: { type: 'string' },
    'active-ms': { type: 'string' },
    story: { type: 'boolean', default: false },
    /** Several gateways on PostgreSQL. */
    shared: { type: 'boolean', default: false },
    /** Continues after a failure and only counts. */
    count: { type: 'boolean', default: false },
    /** Runs every n-th seed, beginning with the m-th: `1/2`. */
    part: { type: 'string' },
  },
});

const cuts: Cuts = readCuts(values);
const began = performance.now();

if (values.seed !== undefined) process.exitCode = await repeat(Number(values.seed));
else if (values.part === undefined) process.exitCode = await onAllCores();
else process.exitCode = await runPart(values.part);

/** One seed, with its whole story on demand. */
async function repeat(seed: number): Promise<number> {
  using template = await makeTemplateSoon(values.shared ? await openEngine() : undefined);
  const run = await simulate(seed, template, cuts);
  if (values.story) process.stdout.write(`${run.story.join('\n')}\n`);
  process.stdout.write(
    `${run.faults.length === 0 ? `seed ${seed} holds\n` : describeFailure({ run, cuts })}\n`,
  );
  return run.faults.length === 0 ? 0 : 1;
}

async function onAllCores(): Promise<number> {
  const count = availableParallelism();
  const parts = Array.from({ length: count }, (_, at) =>
    Bun.spawn(
      [
        process.execPath,
        '--no-env-file',
        import.meta.path,
        ...Bun.argv.slice(2),
        '--part',
        `${at + 1}/${count}`,
      ],
      {
        stdout: 'inherit',
        stderr: 'inherit',
      },
    ),
  );
  const codes = await Promise.all(parts.map((part) => part.exited));
  return Math.max(...codes);
}

async function runPart(part: string): Promise<number> {
  const [at = 1, of = 1] = part.split('/').map(Number);
  const [first, last] = [Number(values.from), Number(values.from) + Number(values.seeds) - 1];
  using template = await makeTemplateSoon(values.shared ? await openEngine() : undefined);
  const sums = new Map<string, number>();
  const failed: number[] = [];
  const rules = new Map<string, number>();
  let [runs, simulatedMs, steps] = [0, 0, 0];
  for (let seed = first + at - 1; seed <= last; seed += of) {
    const run = await simulate(seed, template, cuts);
    runs += 1;
    simulatedMs += run.simulatedMs;
    steps += run.steps;
    for (const [what, count] of run.counts) sums.set(what, (sums.get(what) ?? 0) + count);
    if (run.faults.length === 0) continue;
    failed.push(seed);
    for (const rule of new Set(run.faults.map(ruleOf))) {
      rules.set(rule, (rules.get(rule) ?? 0) + 1);
    }
    if (values.count) continue;
    const smallest = await shrink(run, (fewer) => simulate(seed, template, { ...cuts, ...fewer }));
    process.stdout.write(`${describeFailure(smallest)}\n`);
    break;
  }
  report({ runs, simulatedMs, steps, failed, rules }, sums);
  return failed.length === 0 ? 0 : 1;
}

interface Total {
  runs: number;
  simulatedMs: number;
  steps: number;
  failed: readonly number[];
  /** In how many runs each rule was broken. */
  rules: ReadonlyMap<string, number>;
}

function report(
  { runs, simulatedMs, steps, failed, rules }: Total,
  sums: ReadonlyMap<string, number>,
): void {
  const seconds = (performance.now() - began) / 1000;
  const cpu = process.cpuUsage();
  const hours = simulatedMs / 3_600_000;
  process.stdout.write(
    `${JSON.stringify({
      runs,
      failed,
      rules: Object.fromEntries(rules),
      simulated_hours: Number(hours.toFixed(2)),
      hours_per_minute: Number(((hours / seconds) * 60).toFixed(1)),
      steps,
      seconds: Number(seconds.toFixed(1)),
      cpu_seconds: Number(((cpu.user + cpu.system) / 1e6).toFixed(1)),
      counts: Object.fromEntries([...sums].toSorted()),
    })}\n`,
  );
}
