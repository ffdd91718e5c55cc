// What the gateway adds to a call, beside peers in one run: `npm run bench [seconds] [rounds]`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../scripts/postgres.ts';
import {
  bareRequest,
  type Contestant,
  startNginx,
  startPortkey,
  startProxy,
  startTrivium,
} from './overhead/contestants.ts';
import { measureSync } from './overhead/disk.ts';
import { type Measured, runLoad } from './overhead/load.ts';
import { type Program, startProgram } from './overhead/program.ts';
import { direct_name, type Line, writeReport } from './overhead/report.ts';

const seconds = Number(process.argv[2] ?? 3);
const rounds = Number(process.argv[3] ?? 5);
const connection_counts = [1, 32, 256];
const busy_connections = 32;
const warm_up_seconds = 20;
const memory_answers = 200_000;
const memory_steps = 4;

const upstream = await startProgram({
  command: [process.execPath, join(import.meta.dir, 'overhead/upstream.ts')],
});
const postgres = await startPostgres();
const contestants: Contestant[] = [];
const lines: Line[] = [];
let memory: string;
let sync_ms: number;
try {
  await invite(direct_name, async () => ({
    name: direct_name,
    program: upstream,
    request: bareRequest(),
    remove: () => Promise.resolve(),
  }));
  const trivium = await invite('Trivium, SQLite', () => startTrivium(upstream.url, undefined));
  await invite('Trivium, PostgreSQL', () => startTrivium(upstream.url, postgres.url));
  await invite('Portkey gateway', () => startPortkey(upstream.url));
  await invite('nginx, bare proxy', () => startNginx(upstream.url));
  await invite('Bun, bare proxy', () => startProxy(upstream.url));
  // Everybody is given the time to compile what is used most, whatever is measured first.
  for (const one of contestants) await load(one, busy_connections, warm_up_seconds);
  for (let round = 1; round <= rounds; round += 1) await compare(round);
  sync_ms = await measureSync();
  memory = trivium ? await measureMemory(trivium) : '';
} finally {
  for (const one of contestants) await one.remove();
  await upstream.end();
  await postgres.stop();
}
const report = writeReport(lines, memory, sync_ms, new Date());
writeFileSync(join(import.meta.dir, 'results.md'), report);
process.stdout.write(`\n${report}`);

/** Whoever cannot be had on this machine is left out, and the run goes on. */
async function invite(
  name: string,
  start: () => Promise<Contestant>,
): Promise<Contestant | undefined> {
  try {
    const contestant = { ...(await start()), name };
    contestants.push(contestant);
    return contestant;
  } catch (error) {
    process.stdout.write(`${name}: not measured, ${String(error).slice(0, 200)}\n`);
    return undefined;
  }
}

/** One after the other within seconds: a machine's speed changes from minute to minute. */
async function compare(round: number): Promise<void> {
  for (const connections of connection_counts) {
    for (const contestant of contestants) {
      const line = await measure(contestant, connections);
      lines.push({ ...line, round });
      process.stdout.write(
        `round ${round}  ${line.name.padEnd(20)} ${String(connections).padStart(4)} connections ` +
          `${Math.round(line.per_second)} requests/s p50 ${line.p50_ms.toFixed(2)} ` +
          `p99 ${line.p99_ms.toFixed(2)} ms, ${line.cpu_us?.toFixed(0) ?? '-'} us, ` +
          `${line.memory_mb?.toFixed(0) ?? '-'} MB, ${line.failures} failures\n`,
      );
    }
  }
}

async function measure(contestant: Contestant, connections: number): Promise<Omit<Line, 'round'>> {
  const { name, program } = contestant;
  const before = program.cpuMs();
  const measured = await load(contestant, connections, seconds);
  const after = program.cpuMs();
  const used = before === undefined || after === undefined ? undefined : after - before;
  const cpu_us = used === undefined ? undefined : (used * 1000) / measured.answers;
  return { name, connections, ...measured, cpu_us, memory_mb: megabytes(program) };
}

async function measureMemory(contestant: Contestant): Promise<string> {
  const sizes: string[] = [];
  for (let step = 0; step < memory_steps; step += 1) {
    const answers = memory_answers / memory_steps;
    await load(contestant, busy_connections, 600, answers);
    sizes.push(`${(megabytes(contestant.program) ?? NaN).toFixed(0)} MB`);
  }
  const count = memory_answers.toLocaleString('en');
  return (
    `- memory on SQLite over ${count} more requests: ${sizes.join(', ')} ` +
    '(target: under 150 MB, flat)'
  );
}

function load(
  { program, request }: Contestant,
  connections: number,
  for_seconds: number,
  answers?: number,
): Promise<Measured> {
  const { hostname: host, port } = new URL(program.url);
  const limit = answers === undefined ? {} : { answers };
  return runLoad({
    host,
    port: Number(port),
    requests: [request],
    connections,
    seconds: for_seconds,
    ...limit,
  });
}

function megabytes(program: Program): number | undefined {
  const bytes = program.memoryBytes();
  return bytes === undefined ? undefined : bytes / 1e6;
}
