// The program of `npm run simulate`: runs seeds of the simulated world, on all cores, and tells the
// story of the first that fails.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultPoints } from '../../../src/platform/fault-points.ts';
import { compareStores } from './compare.ts';
import { chooseSeeds, keptSeeds } from './coverage.ts';
import { describeFailure, readCuts, ruleOf, shrink } from './failure.ts';
import type { Cuts } from './plan.ts';
import { makeReleasedVersion } from '../../../../e2e/released-version.ts';
import { openEngine } from './shared/engine.ts';
import { loadVersion, thisVersion } from './shared/version.ts';
import { simulate } from './simulate.ts';
import { makeTemplateSoon, type Template } from './template.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    /** The first seed; without it, those that are kept run first. */
    from: { type: 'string' },
    seed: { type: 'string' },
    without: { type: 'string' },
    callers: { type: 'string' },
    'active-ms': { type: 'string' },
    'idle-ms': { type: 'string' },
    story: { type: 'boolean', default: false },
    /** Several gateways on PostgreSQL. */
    shared: { type: 'boolean', default: false },
    /** With `shared`: gateways of this commit, a release, run beside those of this checkout. */
    beside: { type: 'string' },
    /** With `beside`: no gateway runs this checkout, to see which failures belong to the release. */
    'without-this': { type: 'boolean', default: false },
    /** The same requests on SQLite and on PostgreSQL, whose answers must be equal. */
    compare: { type: 'boolean', default: false },
    /** Writes the seeds that are kept: the fewest that reach every fault in every state. */
    keep: { type: 'string' },
    /** Continues after a failure and only counts. */
    count: { type: 'boolean', default: false },
    /** Runs every n-th seed, beginning with the m-th: `1/2`. */
    part: { type: 'string' },
  },
});

const cuts: Cuts = readCuts(values);
/** What a command repeats of these options. */
const others = [
  ...(values.shared ? ['--shared'] : []),
  ...(values.beside === undefined ? [] : [`--beside ${values.beside}`]),
  ...(values['without-this'] ? ['--without-this'] : []),
];
const began = performance.now();
/** So many runs reach every fault point. */
const enoughRuns = 1000;

if (values.compare) process.exitCode = await compare();
else if (values.seed !== undefined) process.exitCode = await repeat(Number(values.seed));
else if (values.part === undefined) process.exitCode = await onAllCores();
else process.exitCode = await runPart(values.part);

/** The first difference of each seed. */
async function compare(): Promise<number> {
  using alone = await makeTemplateSoon();
  using shared = await makeTemplateSoon(await openEngine());
  const [first, count] = [Number(values.seed ?? values.from ?? 1), Number(values.seeds)];
  let failed = 0;
  for (let seed = first; seed < first + (values.seed === undefined ? count : 1); seed += 1) {
    const differences = await compareStores(seed, [alone, shared]);
    if (differences.length === 0) continue;
    failed += 1;
    process.stdout.write(
      `seed ${seed}: ${differences.length} answers differ\n${differences.join('\n')}\n`,
    );
  }
  process.stdout.write(`${failed} seeds differ\n`);
  return failed === 0 ? 0 : 1;
}

/** The store that every run begins with, and the version that made it. */
async function openTemplate(): Promise<AsyncDisposable & { template: Template }> {
  const { shared: isShared, beside: commit } = values;
  if (commit !== undefined && !isShared) throw new Error('--beside needs --shared');
  if (commit === undefined && values['without-this'])
    throw new Error('--without-this needs --beside');
  const release = commit === undefined ? undefined : await makeReleasedVersion(commit);
  const versions = [
    ...(values['without-this'] ? [] : [thisVersion]),
    ...(release ? [await loadVersion(release.program)] : []),
  ];
  const engine = isShared ? await openEngine() : undefined;
  const template = await makeTemplateSoon(engine, versions);
  return {
    template,
    [Symbol.asyncDispose]: async () => {
      template[Symbol.dispose]();
      await engine?.close();
      await release?.[Symbol.asyncDispose]();
    },
  };
}

/** One seed, with its whole story on demand. */
async function repeat(seed: number): Promise<number> {
  await using opened = await openTemplate();
  const { template } = opened;
  const run = await simulate(seed, template, cuts);
  if (values.story) process.stdout.write(`${run.story.join('\n')}\n`);
  process.stdout.write(
    `${run.faults.length === 0 ? `seed ${seed} holds\n` : describeFailure({ run, cuts }, others)}\n`,
  );
  return run.faults.length === 0 ? 0 : 1;
}

/** Each core runs a part of the seeds; what they count is added up. */
async function onAllCores(): Promise<number> {
  const count = availableParallelism();
  const program = [process.execPath, '--no-env-file', import.meta.path, ...Bun.argv.slice(2)];
  const parts = Array.from({ length: count }, async (_, at) => {
    const command = [...program, '--part', `${at + 1}/${count}`];
    const part = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
    const lines = (await new Response(part.stdout).text()).trim().split('\n');
    const { words, total } = readPart(lines);
    if (words !== '') process.stdout.write(`${words}\n`);
    return { total, code: await part.exited };
  });
  const ended = await Promise.all(parts);
  const totals = ended.flatMap(({ total }) => total ?? []);
  const isWhole = totals.length === count && report(totals);
  return Math.max(isWhole ? 0 : 1, ...ended.map(({ code }) => code));
}

/** The last line of a part is its total, the others are the story of a failure. */
function readPart(lines: readonly string[]): { words: string; total: Total | undefined } {
  const last = lines.at(-1) ?? '';
  if (!last.startsWith('{')) return { words: lines.join('\n'), total: undefined };
  return { words: lines.slice(0, -1).join('\n'), total: JSON.parse(last) as Total };
}

async function runPart(part: string): Promise<number> {
  const [at = 1, of = 1] = part.split('/').map(Number);
  const first = Number(values.from ?? 1);
  const fresh = Array.from({ length: Number(values.seeds) }, (_, next) => first + next);
  const kept = values.from === undefined ? keptSeeds[values.shared ? 'shared' : 'alone'] : [];
  const seeds = [...new Set([...kept, ...fresh])];
  await using opened = await openTemplate();
  const { template } = opened;
  const total: Total = {
    ...{ runs: 0, failed: [], simulatedMs: 0, idleMs: 0, steps: 0 },
    ...{ rules: {}, counts: {}, reached: {}, pairs: [] },
  };
  for (const [place, seed] of seeds.entries()) {
    if (place % of !== at - 1) continue;
    const run = await simulate(seed, template, cuts);
    total.runs += 1;
    total.simulatedMs += run.simulatedMs;
    total.idleMs += run.idleMs;
    total.steps += run.steps;
    total.pairs.push({ seed, steps: run.steps, pairs: [...run.pairs] });
    for (const [what, count] of run.counts) {
      add(total.counts, what, count);
      add(total.reached, what, 1);
    }
    if (run.faults.length === 0) continue;
    total.failed.push(seed);
    for (const rule of new Set(run.faults.map(ruleOf))) add(total.rules, rule, 1);
    if (values.count) continue;
    const smallest = await shrink(run, (fewer) => simulate(seed, template, { ...cuts, ...fewer }));
    process.stdout.write(`${describeFailure(smallest, others)}\n`);
    break;
  }
  process.stdout.write(`${JSON.stringify(total)}\n`);
  return total.failed.length === 0 ? 0 : 1;
}

interface Total {
  runs: number;
  failed: number[];
  simulatedMs: number;
  idleMs: number;
  steps: number;
  /** In how many runs each rule was broken. */
  rules: Record<string, number>;
  /** How often what happened. */
  counts: Record<string, number>;
  /** In how many runs it happened. */
  reached: Record<string, number>;
  /** Which faults happened in which states. */
  pairs: { seed: number; steps: number; pairs: string[] }[];
}

function add(sums: Record<string, number>, what: string, count: number): void {
  sums[what] = (sums[what] ?? 0) + count;
}

/** False if a fault point was not reached in a run that is long enough. */
function report(totals: readonly Total[]): boolean {
  const seconds = (performance.now() - began) / 1000;
  const sum = (value: (total: Total) => number) =>
    totals.reduce((all, total) => all + value(total), 0);
  const merged = (value: (total: Total) => Record<string, number>) => {
    const sums: Record<string, number> = {};
    for (const total of totals) {
      for (const [what, count] of Object.entries(value(total))) add(sums, what, count);
    }
    return Object.fromEntries(Object.entries(sums).toSorted());
  };
  const hours = (ms: number) => ms / 3_600_000;
  const [runs, simulated] = [sum((one) => one.runs), hours(sum((one) => one.simulatedMs))];
  const reached = merged((one) => one.reached);
  const points = Object.fromEntries(
    faultPoints.map((point) => [point, reached[`point ${point}`] ?? 0]),
  );
  process.stdout.write(
    `${JSON.stringify({
      runs,
      failed: totals.flatMap(({ failed }) => failed).toSorted((one, other) => one - other),
      rules: merged((one) => one.rules),
      seconds: rounded(seconds),
      simulated_hours: rounded(simulated),
      idle_hours: rounded(hours(sum((one) => one.idleMs))),
      hours_per_minute: rounded((simulated / seconds) * 60),
      steps: sum((one) => one.steps),
      pairs_of_fault_and_state: new Set(
        totals.flatMap((one) => one.pairs.flatMap(({ pairs }) => pairs)),
      ).size,
      runs_that_reach: points,
      counts: merged((one) => one.counts),
    })}\n`,
  );
  const reachedBy = totals.flatMap((one) => one.pairs);
  const chosen = chooseSeeds(
    reachedBy.map((one) => ({ ...one, pairs: new Set(one.pairs) })),
    Number(values.keep ?? 0),
  );
  if (values.keep !== undefined) {
    const name = values.shared ? 'shared' : 'alone';
    const place = join(import.meta.dir, 'kept-seeds.json');
    writeFileSync(place, `${JSON.stringify({ ...keptSeeds, [name]: chosen.seeds })}\n`);
  }
  const missing = Object.keys(points).filter((point) => points[point] === 0);
  if (runs < enoughRuns || missing.length === 0) return true;
  process.stdout.write(`never reached: ${missing.join(', ')}\n`);
  return false;
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
