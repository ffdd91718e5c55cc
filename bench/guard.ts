// Compares a request of this working tree with one of the last release, in alternating runs, and
// fails when it costs clearly more: `npm run bench:guard [commit] [rounds]`.
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

const [commit = await lastRelease(), rounds = '12'] = process.argv.slice(2);
await using released = await makeReleasedVersion(commit);
const upstream = await startProgram({
  command: [process.execPath, join(import.meta.dir, 'overhead/upstream.ts')],
});
const before = await startTrivium(upstream.url, undefined, {}, [released.program]);
const now = await startTrivium(upstream.url, undefined);
try {
  for (const one of [before, now]) await load(one, 32, warmUpSeconds);
  const faults: string[] = [];
  for (const connections of connectionCounts) {
    const ratio = await compare(connections);
    if (ratio > maxCpuRatio) {
      faults.push(
        `at ${connections} connections a request costs ${ratio.toFixed(2)} times as much`,
      );
    }
  }
  const moreMb = megabytes(now) - megabytes(before);
  say(`memory: ${megabytes(before).toFixed(0)} MB before, ${megabytes(now).toFixed(0)} MB now`);
  if (moreMb > maxMoreMb) faults.push(`it takes ${moreMb.toFixed(0)} MB more memory`);
  for (const fault of faults) say(`Too expensive: ${fault}. Compared with ${commit}.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  for (const one of [before, now]) await one.remove();
  await upstream.end();
}

/**
 * What a request costs now, as a share of what it cost before: the median of the rounds, or the
 * cheapest round of each if that is less. Other programs can only add to a cost, so a change that
 * really costs more costs more in both.
 */
async function compare(connections: number): Promise<number> {
  const costs: { before: number; now: number }[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    // The machine may be in another state for the first of two, so they take turns being first.
    const order = round % 2 === 0 ? ([before, now] as const) : ([now, before] as const);
    const cost = new Map<Peer, number>();
    for (const one of order) cost.set(one, await costOf(one, connections));
    costs.push({ before: cost.get(before) ?? NaN, now: cost.get(now) ?? NaN });
  }
  const [was, is] = [costs.map((cost) => cost.before), costs.map((cost) => cost.now)];
  const usual = median(costs.map((cost) => cost.now / cost.before));
  const cheapest = Math.min(...is) / Math.min(...was);
  say(
    `${connections} connections: ${median(was).toFixed(0)} us of processor time before, ` +
      `${median(is).toFixed(0)} us now, ratio ${usual.toFixed(3)}, ` +
      `of the cheapest rounds ${cheapest.toFixed(3)}`,
  );
  return Math.min(usual, cheapest);
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
