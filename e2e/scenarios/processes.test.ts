// Several processes behind one port: they share the load, one that dies is replaced, their metrics
// are one, and they stop together.
import { afterAll, beforeAll, test } from 'bun:test';
import { createDatabase } from '../database.ts';
import { readGauge } from '../gauges.ts';
import { startGatewayProcess, startRefused } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { runJob } from '../jobs.ts';
import { expect, proves } from '../proves.ts';
import { waitFor } from '../wait-for.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const clients = 8;

let database: Awaited<ReturnType<typeof createDatabase>>;
let gateway: GatewayProcess;
/** How many were answered. */
let searches = 0;
beforeAll(async () => {
  database = await createDatabase();
  const env = { TRIVIUM_PROCESSES: '2', LOG_LEVEL: 'debug', TRIVIUM_BOOTSTRAP_KEY: undefined };
  gateway = await startGatewayProcess({ database_url: database.url, env });
});
afterAll(async () => {
  await gateway.close();
  await database[Symbol.asyncDispose]();
});

test('two processes serve on one port, and the start-up output is printed once', async () => {
  await untilRunning(2);
  const searchAndCount = async () => {
    expect(await search()).toBe(200);
    return new Set(served()).size;
  };
  await waitFor(searchAndCount, { what: 'both serve', until: (count) => count === 2 });
  proves('settings.log-level', () => expect(new Set(served())).toEqual(new Set([1, 2])));
  expect(gateway.output()).not.toMatch(/^\{.*solar energy storage/m);
  expect(gateway.output().match(/is listening on/g)).toHaveLength(1);
  expect(gateway.output().match(/Your API key/g)).toHaveLength(1);
  expect(gateway.output().match(/Your operator token/g)).toHaveLength(1);
  expect(gateway.output()).toContain('processes  2');
});

test('any process answers with the metrics of all', async () => {
  const before = await searchesCounted();
  expect(before).toBe(searches);
  await Promise.all(Array.from({ length: 20 }, search));
  for (let i = 0; i < clients; i += 1) expect(await searchesCounted()).toBe(before + 20);
  const buckets = 'trivium_request_seconds_count{route="POST /v1/search"}';
  expect(await readGauge(gateway, buckets)).toBe(before + 20);
  // Not the sum of the values of both.
  expect(await readGauge(gateway, 'trivium_circuit_state{provider="engine_a"}')).toBe(0);
});

test('a process that is killed is replaced while the other one serves', async () => {
  const before = await searchesCounted();
  const [victim = 0] = await childrenOf(gateway.pid());
  let isOver = false;
  const answers = Array.from({ length: clients }, () => searchUntil(() => isOver));
  process.kill(victim, 'SIGKILL');
  await untilLogged(gateway, 'a process ended unexpectedly and is replaced');
  await untilRunning(2);
  isOver = true;
  const statuses = (await Promise.all(answers)).flat();
  expect(statuses.length).toBeGreaterThan(clients);
  // The connections of the killed process are reset; every other search is served.
  expect(statuses.filter((status) => status !== 200 && status !== 'reset')).toEqual([]);
  expect(statuses.filter((status) => status === 'reset').length).toBeLessThanOrEqual(clients);
  expect(await childrenOf(gateway.pid())).not.toContain(victim);
  expect(await readGauge(gateway, 'trivium_process_restarts_total')).toBe(1);
  // What the killed process had counted is not lost.
  expect(await searchesCounted()).toBeGreaterThan(before);
  expect(gateway.output().match(/is listening on/g)).toHaveLength(1);
});

test('jobs of the sandbox are finished by any process', async () => {
  const run = () => runJob(gateway, { provider: 'stt_a' });
  const jobs = await Promise.all(Array.from({ length: 4 }, run));
  expect(jobs.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
});

test('SIGTERM lets requests in progress finish and ends all processes', async () => {
  await slowDown();
  const answers = Array.from({ length: clients }, search);
  const running = 'trivium_upstream_running{provider="engine_a"}';
  await waitFor(() => readGauge(gateway, running), { what: 'requests are in progress' });
  const children = await childrenOf(gateway.pid());
  expect(children).toHaveLength(2);
  expect(await gateway.stop('SIGTERM')).toBe(0);
  expect(await Promise.all(answers)).toEqual(Array(clients).fill(200));
  expect(await Promise.all(children.map(isRunning))).toEqual([false, false]);
});

test('processes whose supervisor is killed stop as well', async () => {
  await gateway.restart();
  await untilRunning(2);
  const children = await childrenOf(gateway.pid());
  expect(await Promise.all(children.map(isRunning))).toEqual([true, true]);
  await gateway.kill9();
  await waitFor(async () => !(await Promise.all(children.map(isRunning))).includes(true), {
    what: 'both processes end',
  });
});

test('a port in use, or a store that cannot be opened, ends the start with a readable error', async () => {
  const occupied = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    reusePort: true,
    fetch: () => new Response(),
  });
  const env = { TRIVIUM_PROCESSES: '2', PORT: String(occupied.port) };
  const port = await startRefused({ database_url: database.url, env });
  await occupied.stop();
  expect(port).toMatchObject({ exitCode: 1, output: expect.stringContaining('is in use') });
  const store = await startRefused({
    database_url: 'postgres://nobody@127.0.0.1:1/none',
    env: { TRIVIUM_PROCESSES: '2' },
  });
  expect(store.exitCode).toBe(1);
  expect(store.output.match(/cannot be used/g)).toHaveLength(1);
});

test('with the watchdog a single process that freezes is replaced, and no payment is lost', async () => {
  await using single = await startGatewayProcess({ env: { TRIVIUM_WATCHDOG: 'on' } });
  expect((await single.post('/v1/search', question)).status).toBe(200);
  const [frozen = 0] = await childrenOf(single.pid());
  process.kill(frozen, 'SIGSTOP');
  await untilLogged(single, 'a process that stays silent is killed');
  await waitFor(() => single.get('/readyz').catch(() => undefined), {
    what: 'the new process is ready',
    until: (answer) => answer?.status === 200,
  });
  expect(await childrenOf(single.pid())).not.toContain(frozen);
  const { body } = await single.get('/v1/balance');
  expect(body).toMatchObject({ balance_usd: 9.993, held_usd: 0 });
  expect(await single.stop('SIGTERM')).toBe(0);
});

test('SQLite cannot be shared, and the refusal says what to do', async () => {
  const { exitCode, output } = await startRefused({ env: { TRIVIUM_PROCESSES: 'auto' } });
  expect(exitCode).toBe(1);
  expect(output).toContain('TRIVIUM_PROCESSES=auto needs PostgreSQL');
  expect(output).toContain('DATABASE_URL');
});

async function search(): Promise<number> {
  // Without it, the client would stay on one connection and so with one process.
  const { status } = await gateway.post('/v1/search', question, { connection: 'close' });
  searches += 1;
  return status;
}

async function searchUntil(isOver: () => boolean): Promise<(number | 'reset')[]> {
  const statuses: (number | 'reset')[] = [];
  while (!isOver()) statuses.push(await search().catch(() => 'reset' as const));
  return statuses;
}

/** The process of each search, as the log names it. */
function served(): number[] {
  return gateway
    .output()
    .split('\n')
    .filter((line) => line.includes('"route":"POST /v1/search"'))
    .map((line) => (JSON.parse(line) as { process: number }).process);
}

function searchesCounted(): Promise<number> {
  return readGauge(gateway, 'trivium_requests_total{route="POST /v1/search",status="200"}');
}

/** The vendor of engine_a takes longer, in the sandbox that both processes use. */
async function slowDown(): Promise<void> {
  const [, sandbox] = /simulated on (http:[^;]+);/.exec(gateway.output()) ?? [];
  const { ok } = await fetch(`${sandbox}/__sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mount: '/exa', fault: 'slow', delay_ms: 1000 }),
  });
  expect(ok).toBe(true);
}

async function untilRunning(count: number): Promise<void> {
  // A process that gets no answer from the supervisor in time shows only its own metrics.
  await waitFor(async () => (await gateway.get('/metrics')).text, {
    what: `${count} processes run`,
    until: (metrics) => metrics.includes(`\ntrivium_processes ${count}\n`),
  });
}

async function untilLogged({ output }: GatewayProcess, words: string): Promise<void> {
  await waitFor(() => output().includes(words), { what: `the log has: ${words}` });
}

async function childrenOf(pid: number): Promise<number[]> {
  const list = await Bun.file(`/proc/${pid}/task/${pid}/children`).text();
  return list.split(' ').filter(Boolean).map(Number);
}

/** A process that has ended stays in the table until its parent has read its exit code. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => 'State: X');
  return !/^State:\s+[ZX]/m.test(status);
}
