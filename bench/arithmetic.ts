// Writes the arithmetic of 10,000 requests a second into docs/growing.md, from the figures in
// bench/scale.json and bench/log.json: `npm run bench -- figures`. Measurements and calculations are
// separate tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const page = join(root, 'docs/growing.md');

const perSecond = 10_000;
/** Assumptions: how long vendors take, and how busy a process may be. */
const vendorSeconds = 0.5;
const busyShare = 0.6;
const bytesInProgress = 20_000;
const connectionsEach = 18;
const secondsPerDay = 86_400;

/** For each request, by gateways and connections in total. */
interface ScaleFigures {
  date: string;
  measured: readonly {
    store?: string;
    gateways: number;
    processes?: number;
    connections: number;
    requestsPerSecond: number;
    gatewayCpuMs: number;
    databaseCpuMs: number;
    walBytes: number;
    commits: number;
    memoryMb: number;
  }[];
}

export interface LogFigures {
  date: string;
  rows: number;
  PostgreSQL: EngineFigures;
  SQLite: EngineFigures;
}

interface EngineFigures {
  bytesPerRow: number;
  insertEmptyUs: number;
  insertFullUs: number;
  reads: Record<string, { fastest: number }>;
}

export function arithmetic(scale: ScaleFigures, log: LogFigures): string {
  const single = busyGateway(scale);
  const { PostgreSQL: postgres, SQLite: sqlite } = log;
  const count = (value: number, digits = 0) =>
    value.toLocaleString('en', { maximumFractionDigits: digits });
  const inScale = `\`bench/scale.json\`, ${scale.date}`;
  const inLog = `\`bench/log.json\`, ${log.date}`;
  const ofLog = `of a log of ${count(log.rows)} rows`;
  const read = (name: string) =>
    `${count(postgres.reads[name]?.fastest ?? Number.NaN)} ms, ${count(sqlite.reads[name]?.fastest ?? Number.NaN)} ms on SQLite`;
  const measured = [
    ['CPU time in the gateway', `${count(single.gatewayCpuUs)} us a request`, inScale],
    ['CPU time in PostgreSQL', `${count(single.databaseCpuUs)} us a request`, inScale],
    ['log of PostgreSQL', `${count(single.walBytes / 1000, 2)} kB a request`, inScale],
    ['commits', `${count(single.commits, 3)} a request`, inScale],
    ['memory of a gateway under load', `${count(single.memoryMb)} MB`, inScale],
    [
      'row of the request log, with indexes',
      `${count(postgres.bytesPerRow)} bytes, ${count(sqlite.bytesPerRow)} on SQLite`,
      inLog,
    ],
    [
      `insert of a row, into an empty log and ${ofLog.replace('of a', 'a')}`,
      `${count(postgres.insertEmptyUs)} and ${count(postgres.insertFullUs)} us, ${count(sqlite.insertEmptyUs)} and ${count(sqlite.insertFullUs)} us on SQLite`,
      inLog,
    ],
    [`newest page ${ofLog}`, read('newest of an account'), inLog],
    [`overview of 30 days ${ofLog}`, read('overview of 30 days'), inLog],
  ];
  const cores = (us: number) => (perSecond * us) / 1e6;
  const processes = Math.ceil(cores(single.gatewayCpuUs) / busyShare) + 1;
  const running = perSecond * vendorSeconds;
  const memoryGb = (processes * single.memoryMb + (running * bytesInProgress) / 1e6) / 1000;
  const database = cores(single.databaseCpuUs);
  const bytesADay = perSecond * secondsPerDay * postgres.bytesPerRow;
  const rate = count(perSecond);
  const extrapolated = [
    [
      'gateways',
      `${rate} × ${count(single.gatewayCpuUs)} us = ${count(cores(single.gatewayCpuUs), 1)} cores; at most ${busyShare * 100} % busy, and one to spare`,
      `${processes} processes`,
    ],
    [
      'in progress',
      `${rate} × ${vendorSeconds} s that vendors take (assumed)`,
      `${count(running)} requests`,
    ],
    [
      'memory',
      `${processes} × ${count(single.memoryMb)} MB, and about ${bytesInProgress / 1000} kB for each request in progress (assumed)`,
      `${count(memoryGb, 1)} GB`,
    ],
    [
      'connections',
      `${processes} × ${connectionsEach} to the database`,
      count(processes * connectionsEach),
    ],
    [
      'database',
      `${rate} × ${count(single.databaseCpuUs)} us = ${count(database, 2)} cores; at most ${busyShare * 100} % busy`,
      coresText(Math.ceil(database / busyShare)),
    ],
    [
      'log of database',
      `${rate} × ${count(single.walBytes / 1000, 2)} kB`,
      `${count((perSecond * single.walBytes) / 1e6)} MB/s`,
    ],
    [
      'request log',
      `${rate} × ${count(secondsPerDay)} s × ${count(postgres.bytesPerRow)} bytes`,
      `${count(bytesADay / 1e9)} GB a day, ${count(bytesADay / 24 / 1e9)} GB an hour`,
    ],
    ['vendors', 'limited by your contracts: see `trivium_upstream_waiting`', 'ask your vendors'],
  ];
  return `## The arithmetic of ${rate} requests a second

This section is generated from the latest measurements (\`npm run bench -- figures\`). No run reached ${rate} requests a second: the busiest gateway served
${count(single.requestsPerSecond)}, with the load generator, the provider and the database on the same two cores. Measured with one gateway and ${single.connections} connections:

${alignedTable(['What', 'Measured', 'Source'], measured)}

The next table calculates the needs of ${rate} requests a second from these figures. With more gateways, each request needs more CPU time, because fewer requests
share a commit and a turn of the event loop (\`bench/scale.md\`): use a few busy processes rather than many idle ones.

${alignedTable(['What', 'Calculation', 'Result'], extrapolated)}

At this rate the request log needs the most resources. Deleting old rows costs nothing, because the gateway drops whole partitions. Keep the log only as long as
you need it (\`TRIVIUM_REQUEST_LOG_DAYS\`), or [export](observability.md#request-events) it and keep an hour (\`TRIVIUM_REQUEST_LOG_HOURS=1\`). Hourly and daily totals
are kept independently.

`;
}

/** One gateway with the most connections. */
function busyGateway({ measured }: ScaleFigures) {
  const alone = measured.filter(
    ({ store, gateways, processes = 1 }) => store !== 'SQLite' && gateways === 1 && processes === 1,
  );
  const [found] = alone.toSorted((one, other) => other.connections - one.connections);
  if (!found) throw new Error('bench/scale.json has no gateway alone: npm run bench -- scale');
  const { gatewayCpuMs, databaseCpuMs } = found;
  return { ...found, gatewayCpuUs: gatewayCpuMs * 1000, databaseCpuUs: databaseCpuMs * 1000 };
}

function coresText(cores: number): string {
  return cores === 1 ? '1 core' : `${cores} cores`;
}

/** Padded as the formatter pads it. */
export function alignedTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = head.map((_, at) =>
    Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const section = /^## The arithmetic of [^\n]*\n.*?(?=^## )/ms;

/** The page with the section generated from the measurements. */
export function growingPage(): string {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(import.meta.dir, name), 'utf8'));
  const text = readFileSync(page, 'utf8');
  if (!section.test(text)) throw new Error(`${page} has no section about the arithmetic`);
  const made = arithmetic(read('scale.json') as ScaleFigures, read('log.json') as LogFigures);
  return text.replace(section, () => made);
}

export function writeArithmetic(): void {
  writeFileSync(page, growingPage());
}
