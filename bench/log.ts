// A request log of many million rows on both engines: what an insert, a list and the overview cost,
// how long payments wait while old rows are deleted, while the log is exported, and while an older
// store is upgraded.
// `npm run bench -- log [rows] [seconds]`; 20 million rows need 40 GB of disk and an hour.
import { SQL } from 'bun';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, hourMs } from '@trivium/contract/durations';
import { startPostgres } from '../scripts/postgres.ts';
import { storeThread } from '../server/src/app/store-thread-url.ts';
import { logPartitions } from '../server/src/requests/expiry.ts';
import { writeRequests } from '../server/src/requests/write-requests.ts';
import type { Database } from '../server/src/store/database.ts';
import { migrate } from '../server/src/store/migrations/migrate.ts';
import { migrations } from '../server/src/store/migrations/index.ts';
import { openPostgres } from '../server/src/store/postgres/postgres.ts';
import { openSqlite } from '../server/src/store/sqlite/sqlite.ts';
import { accountId, days, fillPostgres, fillSqlite, smallAccountId } from './log/fill.ts';
import { createDatabase } from './overhead/database.ts';
import { type Peer, startTrivium } from './overhead/peers.ts';
import { startProgram } from './overhead/program.ts';
import { runAtRate } from './overhead/rates.ts';
import { table } from './overhead/report.ts';
import { writeArithmetic } from './arithmetic.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const seconds = Number(process.argv[3] ?? 8);
/** Payments a second, sent whether or not earlier ones were answered, unlike in a closed loop. */
const paymentsPerSecond = 250;
/** A gateway starts to delete old rows five seconds after its start. */
const startedAfterMs = 6000;
const newline = 10;
const [insertedBatches, batchRows] = [60, 256];
const rounds = 9;
const operatorToken = 'operator-token-of-the-benchmark-0815';
const env = { TRIVIUM_ADMIN_TOKEN: operatorToken };
const now = Date.now();
const day = (ago: number) => new Date(now - ago * dayMs).toISOString().slice(0, 10);

/** As a gateway of that schema writes a row. */
const insertOfBefore = `insert into requests
    (id, account_id, key_id, tool, status, warnings, cost, latency_ms, created_at)
  values ($1, '${accountId}', 'key_1', 'search', 200, 0, 0, 1, $2)`;

/** What the dashboard asks for; a filter that matches nothing stops at its limit, with a cursor. */
const reads: Readonly<Record<string, string>> = {
  'newest requests': 'requests',
  'newest of an account': `requests?account_id=${accountId}`,
  'a day two months ago': `requests?account_id=${accountId}&from=${day(60)}&to=${day(60)}`,
  failed: `requests?account_id=${accountId}&outcome=failed`,
  'one key': `requests?account_id=${accountId}&key_id=key_3`,
  'one provider and tool': `requests?account_id=${accountId}&provider=engine_b&tool=extract`,
  'a tag': `requests?account_id=${accountId}&tag=customer=c7`,
  'a text': `requests?account_id=${accountId}&text=question%2012345`,
  'a status that no request has': `requests?account_id=${accountId}&status=418`,
  'a key that no request has, all accounts': 'requests?key_id=key_none',
  'health of providers': 'provider-records',
  'overview of 24 hours': `overview?account_id=${accountId}&span=24h`,
  'overview of 7 days': `overview?account_id=${accountId}&span=7d`,
  'overview of 30 days': `overview?account_id=${accountId}&span=30d`,
  'overview of 90 days': `overview?account_id=${accountId}&span=90d`,
  'overview of 30 days, Tokyo': `overview?account_id=${accountId}&span=30d&zone=Asia/Tokyo`,
  'the same of a small account': `overview?account_id=${smallAccountId}&span=30d&zone=Asia/Tokyo`,
  'usage by day': `usage?account_id=${accountId}&by=day`,
};

interface Figures {
  /** Bytes of the table and its indexes, for each row. */
  bytesPerRow: number;
  /** Microseconds per row in the fastest tenth of the batches, with an empty and a full log. */
  insertEmptyUs: number;
  insertFullUs: number;
  /** Milliseconds by what is read. The fastest is the least disturbed by other programs. */
  reads: Record<string, { fastest: number; middle: number; isBounded: boolean }>;
  /** Payments at a fixed rate: alone, while old rows are deleted, and while the log is exported. */
  alone: Payments;
  retention: Payments & { deleted: number };
  export: Payments & { lines: number };
  upgrade?: { seconds: number; payments: number; longestMs: number; longestBeforeMs: number };
}

interface Payments {
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
  failures: number;
}

/** Without those that the measurement writes. */
const countFilled = `select count(*) as n from requests where created_at < ${now - hourMs / 2}`;

const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-log-'));
const upstream = await startProgram({
  command: [process.execPath, join(import.meta.dir, 'overhead/upstream.ts')],
});
const figures: Record<string, Figures> = {};
try {
  figures['SQLite'] = await measureSqlite();
  figures['PostgreSQL'] = await measurePostgres();
} finally {
  await upstream.end();
  rmSync(folder, { recursive: true, force: true });
}
const measured = { rows, date: new Date(now).toISOString().slice(0, 10), days, ...figures };
writeFileSync(join(import.meta.dir, 'log.json'), `${JSON.stringify(measured, null, 2)}\n`);
const page = pageOf(figures);
writeFileSync(join(import.meta.dir, 'log.md'), page);
writeArithmetic();
process.stdout.write(page);

function note(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

async function measureSqlite(): Promise<Figures> {
  const file = join(folder, 'trivium.sqlite');
  const inStore = { ...env, TRIVIUM_DATA_DIR: folder };
  await (await startTrivium(upstream.url, undefined, inStore)).remove();
  const insertEmptyUs = await insertInto(() => openSqlite(file, storeThread));
  const empty = statSync(file).size;
  note(`filling SQLite with ${rows} rows`);
  fillSqlite(file, rows, now);
  const bytesPerRow = (statSync(file).size - empty) / rows;
  const insertFullUs = await insertInto(() => openSqlite(file, storeThread));
  note('reading');
  const gateway = await startTrivium(upstream.url, undefined, inStore);
  const read = await readAll(gateway);
  const count = async () => {
    const database = await openSqlite(file, storeThread);
    const [row] = await database.run(countFilled);
    await database.close();
    return Number(row?.['n']);
  };
  // A whole day of requests is deleted at once; usually it is the requests of five seconds.
  const start = (kept: number) =>
    startTrivium(upstream.url, undefined, { ...inStore, TRIVIUM_REQUEST_LOG_DAYS: String(kept) });
  const paid = await payBeside(start, count, days - 1);
  return { bytesPerRow, insertEmptyUs, insertFullUs, reads: read, ...paid };
}

async function measurePostgres(): Promise<Figures> {
  const postgres = await startPostgres();
  try {
    const url = await createDatabase(postgres.url, 'log');
    await (await startTrivium(upstream.url, url, env)).remove();
    const insertEmptyUs = await insertInto(() => Promise.resolve(openPostgres(url)));
    // As if gateways had run all the time: the partitions of today exist already.
    const made = openPostgres(url);
    await made.run('drop table requests_before');
    for (const { name, from, before } of await pastWeeks(made)) {
      await made.run(`create table ${name} (like requests_rest including all)`);
      await made.run(
        `alter table requests attach partition ${name} for values from (${from}) to (${before})`,
      );
    }
    await logPartitions.make(made, { now, keptMs: days * dayMs });
    await made.close();
    const sql = new SQL(url, { max: 1 });
    note(`filling PostgreSQL with ${rows} rows`);
    await fillPostgres(sql, rows, now);
    const [size] = (await sql.unsafe(
      `select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits
       where inhparent = 'requests'::regclass`,
    )) as { bytes: string }[];
    const insertFullUs = await insertInto(() => Promise.resolve(openPostgres(url)));
    note('reading');
    const gateway = await startTrivium(upstream.url, url, env);
    const read = await readAll(gateway);
    const count = async () => {
      const [row] = (await sql.unsafe(countFilled)) as { n: string }[];
      return Number(row?.n);
    };
    const start = (kept: number) =>
      startTrivium(upstream.url, url, { ...env, TRIVIUM_REQUEST_LOG_DAYS: String(kept) });
    const paid = await payBeside(start, count, days - 15);
    await sql.close();
    await dropDatabase(postgres.url, 'log');
    const bytesPerRow = Number(size?.bytes) / rows;
    const upgrade = await upgradeOld(await createDatabase(postgres.url, 'old'));
    return { bytesPerRow, insertEmptyUs, insertFullUs, reads: read, ...paid, upgrade };
  } finally {
    await postgres.stop();
  }
}

async function dropDatabase(url: string, name: string): Promise<void> {
  const admin = new SQL(url, { max: 1 });
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.close();
}

/** The partitions that the days before the first one of today would have. */
async function pastWeeks(database: Database) {
  const [first] = await database.run(
    `select min((regexp_match(pg_get_expr(part.relpartbound, part.oid), 'FROM \\(''(\\d+)''\\)'))[1]::bigint) as at
     from pg_inherits join pg_class as part on part.oid = inhrelid
     where inhparent = 'requests'::regclass`,
  );
  const until = Number(first?.['at']);
  const count = Math.ceil((days * dayMs - (now - until)) / (7 * dayMs)) + 1;
  return Array.from({ length: count }, (_, at) => ({
    name: `requests_past_${at}`,
    from: until - (at + 1) * 7 * dayMs,
    before: until - at * 7 * dayMs,
  }));
}

/** Microseconds per row that the store takes: the middle of many batches. */
async function insertInto(open: () => Promise<Database>): Promise<number> {
  const database = await open();
  const times: number[] = [];
  for (let batch = 0; batch < insertedBatches; batch += 1) {
    const at = Date.now();
    const requests = Array.from({ length: batchRows }, () => ({
      request: rowAt(at),
      outcome: undefined,
    }));
    const began = performance.now();
    await database.transaction((tx) => writeRequests(tx, requests, false));
    times.push(((performance.now() - began) * 1000) / batchRows);
  }
  await database.close();
  return at(times, 0.1);
}

function rowAt(now: number) {
  return {
    id: `req_${Bun.randomUUIDv7().replaceAll('-', '')}`,
    ...{ account_id: accountId, key_id: 'key_1', tool: 'search', provider: 'engine_a' },
    ...{ status: 200, error_type: null, warnings: 0, cost: 0, reported_cost: null },
    ...{ latency_ms: 700, created_at: now, paid_by: null, delivered: 10 },
    asked: 'what is the price of solar energy storage',
    forget_at: now + 30 * dayMs,
    detail: '{"attempts":[{"provider":"engine_a","outcome":"answered","ms":650}],"held":7000}',
    tags: 'team=search,customer=c7',
  };
}

async function readAll(gateway: Peer): Promise<Figures['reads']> {
  try {
    return await readEach(gateway.program.url);
  } finally {
    await gateway.remove();
  }
}

async function readEach(url: string): Promise<Figures['reads']> {
  const headers = { authorization: `Bearer ${operatorToken}` };
  const found: Figures['reads'] = {};
  for (const [name, path] of Object.entries(reads)) {
    const times: number[] = [];
    let isBounded = false;
    for (let round = 0; round <= rounds; round += 1) {
      const began = performance.now();
      const response = await fetch(`${url}/admin/v1/${path}`, { headers });
      const body = (await response.json()) as { searched_until?: string | null };
      if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
      isBounded = typeof body.searched_until === 'string';
      // The first one reads from the disk.
      if (round > 0) times.push(performance.now() - began);
    }
    found[name] = { fastest: Math.min(...times), middle: at(times, 0.5), isBounded };
  }
  return found;
}

/** Payments alone, during an export, and while a gateway with a shorter log deletes old rows. */
async function payBeside(
  start: (keptDays: number) => Promise<Peer>,
  count: () => Promise<number>,
  keptDays: number,
): Promise<Pick<Figures, 'alone' | 'export' | 'retention'>> {
  const before = await count();
  const keeping = await start(days);
  note('payments alone');
  const alone = await payFor(keeping);
  note('payments during an export');
  const exporting = exportLog(keeping.program.url);
  const besideExport = await payFor(keeping);
  const lines = await exporting.stop();
  await keeping.remove();
  note('payments while old rows are deleted');
  const ending = await start(keptDays);
  const besideRetention = await payFor(ending);
  await ending.remove();
  return {
    alone,
    export: { ...besideExport, lines },
    retention: { ...besideRetention, deleted: before - (await count()) },
  };
}

async function payFor({ program, request }: Peer): Promise<Payments> {
  const { hostname: host, port } = new URL(program.url);
  const { p50Ms, p99Ms, longestMs, failures } = await runAtRate({
    ...{ host, port: Number(port), request, perSecond: paymentsPerSecond },
    ...{ seconds: 2 * seconds, warmUpMs: startedAfterMs },
  });
  return { p50Ms, p99Ms, longestMs, failures };
}

/** Reads the whole log as `trivium export` does, until it is stopped. */
function exportLog(url: string): { stop: () => Promise<number> } {
  const cli = join(import.meta.dir, '..', 'cli/src/main.ts');
  const program = Bun.spawn([process.execPath, '--no-env-file', cli, 'export', '--jsonl'], {
    env: { PATH: process.env['PATH'], HOME: folder, TRIVIUM_URL: url, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let lines = 0;
  const reading = (async () => {
    for await (const chunk of program.stdout) {
      for (const byte of chunk) if (byte === newline) lines += 1;
    }
  })();
  return {
    stop: async () => {
      program.kill();
      await reading;
      return lines;
    },
  };
}

/** A store of the schema before partitions, while payments of its version are written. */
async function upgradeOld(url: string): Promise<NonNullable<Figures['upgrade']>> {
  const [database, payer] = [openPostgres(url), openPostgres(url)];
  const older = migrations.filter(({ version }) => version < 44);
  await migrate(database, new Date(), older);
  const sql = new SQL(url, { max: 1 });
  note(`filling an older store with ${rows} rows`);
  await fillPostgres(sql, rows, now);
  await sql.close();
  let [isRunning, payments, longestMs] = [true, 0, 0];
  const paying = (async () => {
    while (isRunning) {
      const began = performance.now();
      await payer.run(insertOfBefore, [`req_${Bun.randomUUIDv7()}`, Date.now()]);
      payments += 1;
      longestMs = Math.max(longestMs, performance.now() - began);
    }
  })();
  await Bun.sleep(10_000);
  const longestBeforeMs = longestMs;
  longestMs = 0;
  note('upgrading it');
  const began = performance.now();
  await migrate(database, new Date());
  const took = (performance.now() - began) / 1000;
  isRunning = false;
  await paying;
  await Promise.all([database.close(), payer.close()]);
  return { seconds: took, payments, longestMs, longestBeforeMs };
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}

function shown({ p99Ms, longestMs }: Payments): string {
  return `${p99Ms.toFixed(1)}, ${longestMs.toFixed(0)}`;
}

function pageOf(all: Readonly<Record<string, Figures>>): string {
  const engines = Object.entries(all);
  const line = (name: string, show: (one: Figures) => string) => [
    name,
    ...engines.map(([, one]) => show(one)),
  ];
  const facts = [
    line('bytes of a row with its indexes', (one) => one.bytesPerRow.toFixed(0)),
    line('insert into an empty log, us a row', (one) => one.insertEmptyUs.toFixed(1)),
    line('insert into the full log, us a row', (one) => one.insertFullUs.toFixed(1)),
    line('rows deleted during payments', ({ retention }) => String(retention.deleted)),
    line('rows exported during payments', (one) => String(one.export.lines)),
    line('payments alone: p99, longest, ms', ({ alone }) => shown(alone)),
    line('payments while old rows are deleted', ({ retention }) => shown(retention)),
    line('payments while the log is exported', (one) => shown(one.export)),
    line('failed payments', (one) =>
      String(one.alone.failures + one.retention.failures + one.export.failures),
    ),
    line('upgrade of an older store, s', ({ upgrade }) => upgrade?.seconds.toFixed(1) ?? ''),
    line(
      'longest payment in the 10 s before, ms',
      ({ upgrade }) => upgrade?.longestBeforeMs.toFixed(0) ?? '',
    ),
    line('longest payment meanwhile, ms', ({ upgrade }) => upgrade?.longestMs.toFixed(0) ?? ''),
  ];
  const times = Object.keys(reads).map((name) =>
    line(name, (one) => {
      const { fastest = NaN, middle = NaN, isBounded = false } = one.reads[name] ?? {};
      return `${fastest.toFixed(1)} / ${middle.toFixed(1)}${isBounded ? ', bounded' : ''}`;
    }),
  );
  const names = engines.map(([name]) => name);
  return `# A request log of ${rows.toLocaleString('en')} rows

Generated by \`npm run bench -- log ${rows} ${seconds}\` on ${day(0)}. The rows are of ${days} days.
Load, provider, gateway and database share two cores of one machine. Payments are sent at
${paymentsPerSecond} per second for ${2 * seconds} s, and count from the moment they were due.

${table(['', ...names], facts)}

## Reading, in ms: the fastest and the middle of ${rounds}

\`bounded\` is a page that stopped after the rows that one page may look at, with a cursor for the next.

${table(['', ...names], times)}
`;
}
