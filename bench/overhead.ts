// The overhead of the gateway, compared with peers in one run: `npm run bench [seconds] [rounds]`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../scripts/postgres.ts';
import {
  bareRequest,
  type Peer,
  startLiteLlm,
  startNginx,
  startPortkey,
  startProxy,
  startTrivium,
} from './overhead/peers.ts';
import { measureSync } from './overhead/disk.ts';
import { type Measured, runLoad } from './overhead/load.ts';
import { type Program, startProgram } from './overhead/program.ts';
import { directName, type Line, writeReport } from './overhead/report.ts';

const seconds = Number(process.argv[2] ?? 3);
const rounds = Number(process.argv[3] ?? 5);
const connectionCounts = [1, 32, 256];
const busyConnections = 32;
const warmUpSeconds = 20;
const memoryAnswers = 200_000;
const memorySteps = 4;

const upstream = await startProgram({
  command: [process.execPath, join(import.meta.dir, 'overhead/upstream.ts')],
});
const postgres = await startPostgres();
const peers: Peer[] = [];
const lines: Line[] = [];
let memory: string;
let syncMs: number;
try {
  await addPeer(directName, async () => ({
    name: directName,
    program: upstream,
    request: bareRequest(),
    remove: () => Promise.resolve(),
  }));
  const trivium = await addPeer('Trivium, SQLite', () => startTrivium(upstream.url, undefined));
  await addPeer('Trivium, PostgreSQL', () => startTrivium(upstream.url, postgres.url));
  await addPeer('Portkey gateway', () => startPortkey(upstream.url));
  await addPeer('LiteLLM proxy', () => startLiteLlm(upstream.url));
  await addPeer('nginx, bare proxy', () => startNginx(upstream.url));
  await addPeer('Bun, bare proxy', () => startProxy(upstream.url));
  // Every peer is warmed up, whichever is measured first.
  for (const one of peers) await load(one, busyConnections, warmUpSeconds);
  for (let round = 1; round <= rounds; round += 1) await compare(round);
  syncMs = await measureSync();
  memory = trivium ? await measureMemory(trivium) : '';
} finally {
  for (const one of peers) await one.remove();
  await upstream.end();
  await postgres.stop();
}
const report = writeReport(lines, memory, syncMs, new Date());
writeFileSync(join(import.meta.dir, 'results.md'), report);
process.stdout.write(`\n${report}`);

/** A peer that cannot be started on this machine is skipped. */
async function addPeer(name: string, start: () => Promise<Peer>): Promise<Peer | undefined> {
  try {
    const peer = { ...(await start()), name };
    peers.push(peer);
    return peer;
  } catch (error) {
    process.stdout.write(`${name}: not measured, ${String(error).slice(0, 200)}\n`);
    return undefined;
  }
}

/** One after the other within seconds, because the speed of a machine varies over time. */
async function compare(round: number): Promise<void> {
  for (const connections of connectionCounts) {
    for (const peer of peers) {
      const line = await measure(peer, connections);
      lines.push({ ...line, round });
      process.stdout.write(
        `round ${round}  ${line.name.padEnd(20)} ${String(connections).padStart(4)} connections ` +
          `${Math.round(line.perSecond)} requests/s p50 ${line.p50_ms.toFixed(2)} ` +
          `p99 ${line.p99Ms.toFixed(2)} ms, ${line.cpuUs?.toFixed(0) ?? '-'} us, ` +
          `${line.memoryMb?.toFixed(0) ?? '-'} MB, ${line.failures} failures\n`,
      );
    }
  }
}

async function measure(peer: Peer, connections: number): Promise<Omit<Line, 'round'>> {
  const { name, program } = peer;
  const before = program.cpuMs();
  const measured = await load(peer, connections, seconds);
  const after = program.cpuMs();
  const used = before === undefined || after === undefined ? undefined : after - before;
  const cpuUs = used === undefined ? undefined : (used * 1000) / measured.answers;
  return { name, connections, ...measured, cpuUs, memoryMb: megabytes(program) };
}

async function measureMemory(peer: Peer): Promise<string> {
  const sizes: string[] = [];
  for (let step = 0; step < memorySteps; step += 1) {
    const answers = memoryAnswers / memorySteps;
    await load(peer, busyConnections, 600, answers);
    sizes.push(`${(megabytes(peer.program) ?? NaN).toFixed(0)} MB`);
  }
  const count = memoryAnswers.toLocaleString('en');
  return (
    `- memory on SQLite over ${count} more requests: ${sizes.join(', ')} ` +
    '(target: under 150 MB, flat)'
  );
}

function load(
  { program, request }: Peer,
  connections: number,
  forSeconds: number,
  answers?: number,
): Promise<Measured> {
  const { hostname: host, port } = new URL(program.url);
  const limit = answers === undefined ? {} : { answers };
  return runLoad({
    host,
    port: Number(port),
    requests: [request],
    connections,
    seconds: forSeconds,
    ...limit,
  });
}

function megabytes(program: Program): number | undefined {
  const bytes = program.memoryBytes();
  return bytes === undefined ? undefined : bytes / 1e6;
}
