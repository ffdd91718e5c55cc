// How cost grows: with keys and accounts, with rows in the log, with gateways on one PostgreSQL.
import { SQL } from 'bun';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../scripts/postgres.ts';
import { type Contestant, post, searchRequest, startTrivium } from './overhead/contestants.ts';
import { type Measured, runLoad } from './overhead/load.ts';
import { startProgram } from './overhead/program.ts';
import { table } from './overhead/report.ts';
import { addLogRows, makeKeys } from './overhead/grow.ts';

const seconds = Number(process.argv[2] ?? 5);
const warm_up_seconds = 4;
const reference_seconds = 1.5;
const connections = 32;
const key_counts = [1, 10, 1000];
const log_rows = [0, 10_000, 100_000, 1_000_000];
const gateway_counts = [1, 2, 3, 4];
const operator_token = 'operator-token-of-the-benchmark-0815';

const upstream = await startProgram({
  command: [process.execPath, join(import.meta.dir, 'overhead/upstream.ts')],
});
const postgres = await startPostgres();
const sections: string[] = [];
try {
  sections.push(await growKeys(), await growLog(), await growGateways());
} finally {
  await upstream.end();
  await postgres.stop();
}
const page = `# How cost grows

Made by \`npm run bench:growth\` on ${new Date().toISOString().slice(0, 10)},
${connections} connections in all, ${seconds} s a row.
Load, provider, database and gateways share one machine, whose speed changes by the minute: \`of
direct\` compares with what the provider answered without us just before and after.

${sections.join('\n\n')}
`;
writeFileSync(join(import.meta.dir, 'growth.md'), page);
process.stdout.write(page);

async function growKeys(): Promise<string> {
  const rows: string[][] = [];
  for (const count of key_counts) {
    const gateway = await startTrivium(upstream.url, undefined, {
      TRIVIUM_ADMIN_TOKEN: operator_token,
    });
    try {
      const keys = await makeKeys(gateway.program.url, operator_token, count);
      const measured = await loadAll([gateway], keys.map(searchRequest));
      rows.push([String(count), ...figures(measured)]);
    } finally {
      await gateway.remove();
    }
  }
  return section('Keys, each of an account of its own (SQLite)', 'keys and accounts', rows);
}

async function growLog(): Promise<string> {
  const rows: string[][] = [];
  const url = await makeDatabase('growth_log');
  const gateway = await startTrivium(upstream.url, url);
  try {
    for (const count of log_rows) {
      await addLogRows(url, count);
      rows.push([String(count), ...figures(await loadAll([gateway], [gateway.request]))]);
    }
  } finally {
    await gateway.remove();
  }
  return section('Rows in the request log (PostgreSQL)', 'rows', rows);
}

async function growGateways(): Promise<string> {
  const rows: string[][] = [];
  const url = await makeDatabase('growth_gateways');
  const gateways: Contestant[] = [];
  try {
    for (const count of gateway_counts) {
      while (gateways.length < count) gateways.push(await startTrivium(upstream.url, url));
      const requests = gateways.map(({ request }) => request);
      rows.push([String(count), ...figures(await loadAll(gateways, requests))]);
    }
  } finally {
    for (const gateway of gateways) await gateway.remove();
  }
  return section('Gateways on one PostgreSQL, one hot account', 'gateways', rows);
}

interface Grown extends Omit<Measured, 'answers'> {
  /** Requests a second, as a part of what the provider answers without us. */
  of_direct: number;
}

/** Spreads the connections over gateways and requests, and adds up. */
async function loadAll(gateways: readonly Contestant[], requests: string[]): Promise<Grown> {
  const share = Math.ceil(connections / gateways.length);
  const loads = gateways.map(({ program }) => {
    const { hostname: host, port } = new URL(program.url);
    return { host, port: Number(port), requests, connections: share, seconds };
  });
  // A gateway that has just begun is slower than it will be.
  await Promise.all(loads.map((load) => runLoad({ ...load, seconds: warm_up_seconds })));
  const before = await askDirectly();
  const measured = await Promise.all(loads.map(runLoad));
  const direct = (before + (await askDirectly())) / 2;
  const worst = (pick: (one: Measured) => number) => Math.max(...measured.map(pick));
  const per_second = measured.reduce((sum, one) => sum + one.per_second, 0);
  return {
    per_second,
    of_direct: per_second / direct,
    p50_ms: worst((one) => one.p50_ms),
    p99_ms: worst((one) => one.p99_ms),
    failures: measured.reduce((sum, one) => sum + one.failures, 0),
  };
}

/** How many a second the provider answers itself: a machine is not equally fast all the time. */
async function askDirectly(): Promise<number> {
  const { hostname: host, port } = new URL(upstream.url);
  const requests = [post('/search', { 'x-api-key': 'bench' }, { query: 'solar energy storage' })];
  const load = { host, port: Number(port), requests, connections, seconds: reference_seconds };
  return (await runLoad(load)).per_second;
}

async function makeDatabase(name: string): Promise<string> {
  const server = new SQL(postgres.url, { max: 1 });
  await server.unsafe(`create database ${name}`);
  await server.close();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

function figures({ per_second, of_direct, p50_ms, p99_ms, failures }: Grown): string[] {
  const rate = Math.round(per_second).toLocaleString('en');
  const share = `${(of_direct * 100).toFixed(1)}%`;
  return [rate, share, p50_ms.toFixed(2), p99_ms.toFixed(2), String(failures)];
}

function section(title: string, first: string, rows: string[][]): string {
  const head = [first, 'requests/s', 'of direct', 'p50 ms', 'p99 ms', 'failures'];
  return `## ${title}\n\n${table(head, rows)}`;
}
