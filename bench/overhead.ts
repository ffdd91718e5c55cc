// The overhead of the gateway, compared with peers in one run: `npm run bench [seconds] [rounds]`. The
// results are in bench/results.json, and bench/figures.ts writes them into pages.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../scripts/postgres.ts';
import {
  bareRequest,
  buildTrivium,
  type Peer,
  startGoModel,
  startLiteLlm,
  startNginx,
  startPortkey,
  startProxy,
  startTrivium,
} from './overhead/peers.ts';
import { measureSync } from './overhead/disk.ts';
import { type Measured, runLoad } from './overhead/load.ts';
import { type Program, startProgram } from './overhead/program.ts';
import { measureRates, type Rates } from './overhead/rates.ts';
import { apart, describeMachine, directName, type Line, type Results } from './overhead/report.ts';
import { writeFigures } from './figures.ts';

const seconds = Number(process.argv[2] ?? 3);
const rounds = Number(process.argv[3] ?? 5);
const connectionCounts = [1, 32, 256];
const busyConnections = 32;
const warmUpSeconds = 20;
const memoryAnswers = 200_000;
const memorySteps = 4;
/** A start leaves garbage behind, which is collected within this time. */
const settleMs = 5000;

const upstream = await startProgram({
  command: [process.execPath, join(import.meta.dir, 'overhead/upstream.ts')],
});
const postgres = await startPostgres();
const built = await buildTrivium();
const peers: Peer[] = [];
const lines: Line[] = [];
const rates: Rates[] = [];
const missing: { name: string; why: string }[] = [];
let memory: Results['memory'] = { startMb: NaN, requests: memoryAnswers, afterMb: [] };
let syncMs: number;
try {
  await addPeer(directName, async () => ({
    name: directName,
    program: upstream,
    request: bareRequest(),
    remove: () => Promise.resolve(),
  }));
  const trivium = await addPeer('Trivium, SQLite', () =>
    startTrivium(upstream.url, undefined, {}, built.program),
  );
  await Bun.sleep(settleMs);
  const startMb = (trivium && megabytes(trivium.program)) ?? NaN;
  await addPeer('Trivium, PostgreSQL', () =>
    startTrivium(upstream.url, postgres.url, {}, built.program),
  );
  await addPeer('Portkey gateway', () => startPortkey(upstream.url));
  await addPeer('GoModel', () => startGoModel(upstream.url));
  await addPeer('LiteLLM proxy', () => startLiteLlm(upstream.url, 'search'));
  await addPeer('nginx, bare proxy', () => startNginx(upstream.url));
  await addPeer('Bun, bare proxy', () => startProxy(upstream.url));
  const [inPython = '', inRust = ''] = apart;
  await addPeer(inPython, () => startLiteLlm(upstream.url, 'messages'));
  await addPeer(inRust, () => startLiteLlm(upstream.url, 'messages in Rust'));
  // Every peer is warmed up, whichever is measured first.
  for (const one of peers) await load(one, busyConnections, warmUpSeconds);
  for (let round = 1; round <= rounds; round += 1) await compare(round);
  syncMs = await measureSync();
  if (trivium) memory = { ...memory, startMb, afterMb: await measureMemory(trivium) };
  for (const one of peers.filter(({ name }) => !apart.includes(name)))
    rates.push(await measureRates(one.name, toRun(one), seconds, say));
  for (const one of peers) await one.audit?.();
} finally {
  for (const one of peers) await one.remove();
  await upstream.end();
  await postgres.stop();
  built.remove();
}
const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(),
  ...{ isBuilt: true, lines, rates, syncMs, memory, missing },
  versions: Object.fromEntries(
    peers.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version]])),
  ),
};
writeFileSync(join(import.meta.dir, 'results.json'), `${JSON.stringify(results, undefined, 1)}\n`);
writeFigures(results);

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A peer that cannot be started on this machine is skipped, and the report says why. */
async function addPeer(name: string, start: () => Promise<Peer>): Promise<Peer | undefined> {
  try {
    const peer = { ...(await start()), name };
    peers.push(peer);
    return peer;
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).slice(0, 200);
    missing.push({ name, why: why.replaceAll(/\s+/g, ' ') });
    say(`${name}: not measured, ${why}`);
    return undefined;
  }
}

/** One after the other within seconds, because the speed of a machine varies over time. */
async function compare(round: number): Promise<void> {
  for (const connections of connectionCounts) {
    for (const peer of peers) {
      if (connections > busyConnections && apart.includes(peer.name)) continue;
      const line = await measure(peer, connections);
      lines.push({ ...line, round });
      say(
        `round ${round}  ${line.name.padEnd(20)} ${String(connections).padStart(4)} connections ` +
          `${Math.round(line.perSecond)} requests/s p50 ${line.p50_ms.toFixed(2)} ` +
          `p99 ${line.p99Ms.toFixed(2)} ms, ${line.cpuUs?.toFixed(0) ?? '-'} us, ` +
          `${line.memoryMb?.toFixed(0) ?? '-'} MB, ${line.failures} failures`,
      );
    }
  }
}

async function measure(peer: Peer, connections: number): Promise<Omit<Line, 'round'>> {
  const { name, program } = peer;
  const before = [program.cpuMs(), program.compilerMs()];
  const measured = await load(peer, connections, seconds);
  const [cpuUs, compilerUs] = [program.cpuMs(), program.compilerMs()].map((after, at) => {
    const used = (after ?? NaN) - (before[at] ?? NaN);
    return Number.isNaN(used) ? undefined : (used * 1000) / measured.answers;
  });
  return { name, connections, ...measured, cpuUs, compilerUs, memoryMb: megabytes(program) };
}

/** The memory after each of several equal parts of the requests. */
async function measureMemory(peer: Peer): Promise<number[]> {
  const sizes: number[] = [];
  for (let step = 0; step < memorySteps; step += 1) {
    await load(peer, busyConnections, 600, memoryAnswers / memorySteps);
    sizes.push(megabytes(peer.program) ?? NaN);
  }
  return sizes;
}

function toRun({ program, request }: Peer): { host: string; port: number; request: string } {
  const { hostname: host, port } = new URL(program.url);
  return { host, port: Number(port), request };
}

function load(
  peer: Peer,
  connections: number,
  forSeconds: number,
  answers?: number,
): Promise<Measured> {
  const { request, ...to } = toRun(peer);
  const limit = answers === undefined ? {} : { answers };
  return runLoad({ ...to, requests: [request], connections, seconds: forSeconds, ...limit });
}

function megabytes(program: Program): number | undefined {
  const bytes = program.memoryBytes();
  return bytes === undefined ? undefined : bytes / 1e6;
}
