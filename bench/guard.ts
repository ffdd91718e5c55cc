// Compares a request of this working tree with one of the last release, in alternating runs, and
// fails when it costs clearly more: `npm run bench -- guard [commit] [rounds]`.
import { $ } from 'bun';
import { join } from 'node:path';
import { makeReleasedVersion, releasedCommit } from '../e2e/released-version.ts';
import { type Peer, startTrivium } from './overhead/peers.ts';
import { runLoad } from './overhead/load.ts';
import { startProgram } from './overhead/program.ts';

const maxCpuRatio = 1.05;
const maxMoreMb = 5;
const connectionCounts = [32, 1];
const warmUpSeconds = 10;
const seconds = 2;
/**
 * What a program costs also depends on where its memory lies and what was compiled first, and that
 * stays until it ends. In a comparison of the same code with itself, the ratios of single starts
 * were from 0.86 to 1.14 (2026-11-18).
 */
const starts = 4;

interface Cost {
  before: number;
  now: number;
}

const [commit = await lastRelease(), rounds = '4'] = process.argv.slice(2);
await using released = await makeReleasedVersion(commit);
const upstream = await startProgram({
  command: [process.execPath, join(import.meta.dir, 'overhead/upstream.ts')],
});
try {
  const costs = new Map(connectionCounts.map((connections) => [connections, [] as Cost[]]));
  const memory: Cost[] = [];
  for (let start = 0; start < starts; start += 1) await measurePair(start, costs, memory);
  const faults: string[] = [];
  for (const [connections, measured] of costs) {
    const ratio = compare(connections, measured);
    if (ratio > maxCpuRatio) {
      faults.push(
        `at ${connections} connections a request costs ${ratio.toFixed(2)} times as much`,
      );
    }
  }
  const moreMb = compareMemory(memory);
  if (moreMb > maxMoreMb) faults.push(`it takes ${moreMb.toFixed(0)} MB more memory`);
  for (const fault of faults) say(`Too expensive: ${fault}. Compared with ${commit}.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await upstream.end();
}

/**
 * Starts both programs, and adds what their requests cost and the memory after each round. The one
 * that is warmed up last has more garbage and less compiled code, so they take turns.
 */
async function measurePair(
  start: number,
  costs: ReadonlyMap<number, Cost[]>,
  memory: Cost[],
): Promise<void> {
  const before = await startTrivium(upstream.url, undefined, {}, [released.program]);
  const now = await startTrivium(upstream.url, undefined);
  try {
    const inTurn = start % 2 === 0 ? [before, now] : [now, before];
    for (const one of inTurn) await load(one, 32, warmUpSeconds);
    for (const [connections, measured] of costs) {
      for (let round = 0; round < Number(rounds); round += 1) {
        measured.push(await measureRound(before, now, connections, start + round));
        memory.push({ before: megabytes(before), now: megabytes(now) });
      }
    }
  } finally {
    for (const one of [before, now]) await one.remove();
  }
}

/** The machine may be in another state for the first of two, so they take turns being first. */
async function measureRound(
  before: Peer,
  now: Peer,
  connections: number,
  turn: number,
): Promise<Cost> {
  const cost = new Map<Peer, number>();
  for (const one of turn % 2 === 0 ? [before, now] : [now, before]) {
    cost.set(one, await costOf(one, connections));
  }
  return { before: cost.get(before) ?? NaN, now: cost.get(now) ?? NaN };
}

/**
 * What a request costs now, as a share of what it cost before: the median of the rounds, or the
 * cheapest round of each if that is less. Other programs can only add to a cost, so a change that
 * really costs more costs more in both.
 */
function compare(connections: number, costs: readonly Cost[]): number {
  const usual = median(costs.map((cost) => cost.now / cost.before));
  const [was, is] = [costs.map((cost) => cost.before), costs.map((cost) => cost.now)];
  const cheapest = Math.min(...is) / Math.min(...was);
  say(
    `${connections} connections: ${median(was).toFixed(0)} us of processor time before, ` +
      `${median(is).toFixed(0)} us now, ratio ${usual.toFixed(3)} ` +
      `(of each start: ${ratiosOfStarts(costs)}), of the cheapest rounds ${cheapest.toFixed(3)}`,
  );
  return Math.min(usual, cheapest);
}

/** The same for memory, which is lowest right after a collection. */
function compareMemory(memory: readonly Cost[]): number {
  const [was, is] = [memory.map(({ before }) => before), memory.map(({ now }) => now)];
  const [usualMb, leastMb] = [median(is) - median(was), Math.min(...is) - Math.min(...was)];
  say(
    `memory: ${median(was).toFixed(0)} MB before, ${median(is).toFixed(0)} MB now; ` +
      `at least ${Math.min(...was).toFixed(0)} and ${Math.min(...is).toFixed(0)} MB`,
  );
  return Math.min(usualMb, leastMb);
}

function ratiosOfStarts(costs: readonly Cost[]): string {
  const each = Number(rounds);
  return Array.from({ length: starts }, (_none, start) =>
    median(
      costs.slice(start * each, (start + 1) * each).map((cost) => cost.now / cost.before),
    ).toFixed(3),
  ).join(', ');
}

async function costOf(one: Peer, connections: number): Promise<number> {
  const began = one.program.cpuMs() ?? NaN;
  const { answers, failures } = await load(one, connections, seconds);
  if (failures > 0) throw new Error(`${failures} requests failed: ${one.program.url}`);
  return (((one.program.cpuMs() ?? NaN) - began) * 1000) / answers;
}

function load({ program, request }: Peer, connections: number, forSeconds: number) {
  const { hostname: host, port } = new URL(program.url);
  const to = { host, port: Number(port), requests: [request] };
  return runLoad({ ...to, connections, seconds: forSeconds });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

function megabytes({ program }: Peer): number {
  return (program.memoryBytes() ?? NaN) / 1e6;
}

/** The newest tag of a release, or the release that the tests know. */
async function lastRelease(): Promise<string> {
  const found = await $`git describe --tags --abbrev=0 --match v*`.nothrow().quiet();
  return found.exitCode === 0 ? found.text().trim() : releasedCommit;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
