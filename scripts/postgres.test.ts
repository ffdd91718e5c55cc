// A PostgreSQL for tests starts, answers, restarts, and leaves nothing behind.
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { postgresSources } from './postgres-binaries.ts';
import { startPostgres } from './postgres.ts';

const cleanedLimitMs = 20_000;
const pollMs = 50;
const npmSource = postgresSources.filter((source) => source.name === 'the package of npm');

async function ask<T>(url: string, question: (sql: SQL) => Promise<T>): Promise<T> {
  const sql = new SQL(url, { max: 1 });
  try {
    return await question(sql);
  } finally {
    await sql.close();
  }
}

/** Asks the server for its data directory and its process id. */
async function traceOf(url: string): Promise<{ folder: string; pid: number }> {
  const [row] = await ask(url, (sql) => sql`select current_setting('data_directory') as data`);
  const lock = readFileSync(join(row.data, 'postmaster.pid'), 'utf8');
  return { folder: join(row.data, '..'), pid: Number(lock.split('\n')[0]) };
}

// A process that has ended but was not yet reaped by its parent counts as gone.
function isRunning(pid: number): boolean {
  if (existsSync('/proc/self/stat')) {
    const path = `/proc/${pid}/stat`;
    return existsSync(path) && !/\) Z /.test(readFileSync(path, 'utf8'));
  }
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a PostgreSQL for tests', () => {
  test('answers, keeps its data across a restart, and is removed by stop', async () => {
    const postgres = await startPostgres();
    const trace = await traceOf(postgres.url);
    await ask(postgres.url, (sql) => sql`create table kept as select 42 as answer`);
    await postgres.restart();
    expect([...(await ask(postgres.url, (sql) => sql`select answer from kept`))]).toEqual([
      { answer: 42 },
    ]);
    const [settings] = await ask(
      postgres.url,
      (sql) => sql`select current_setting('fsync') as fsync, current_setting('port') as port`,
    );
    expect(settings).toEqual({ fsync: 'on', port: new URL(postgres.url).port });
    expect(readdirSync(trace.folder)).toContain('data');
    await postgres.stop();
    expect(existsSync(trace.folder)).toBe(false);
    expect(isRunning(trace.pid)).toBe(false);
  });

  test('can be stopped and started again', async () => {
    const postgres = await startPostgres({ fsync: false });
    await postgres.stopServer();
    const answer = await ask(postgres.url, (sql) => sql`select 1`).catch((error: unknown) => error);
    expect(answer).toBeInstanceOf(Error);
    await postgres.startServer();
    const [row] = await ask(postgres.url, (sql) => sql`select current_setting('fsync') as fsync`);
    expect(row).toEqual({ fsync: 'off' });
    await postgres.stop();
  });

  test('starts from the npm package alone', async () => {
    const postgres = await startPostgres({ sources: npmSource });
    const [row] = await ask(postgres.url, (sql) => sql`select 1 as one`);
    expect(row).toEqual({ one: 1 });
    await postgres.stop();
  });

  test('is removed when the process that started it is killed', async () => {
    const module = JSON.stringify(join(import.meta.dir, 'postgres.ts'));
    const text = `const { startPostgres } = await import(${module});
      process.stdout.write((await startPostgres()).url);
      setInterval(() => {}, 1000);`;
    // The test runner normally cleans up; here only the watcher may.
    const env = { ...process.env, BUN_FEATURE_FLAG_NO_ORPHANS: undefined };
    const child = Bun.spawn([process.execPath, '-e', text], { stdout: 'pipe', env });
    const { value } = await child.stdout.getReader().read();
    const trace = await traceOf(new TextDecoder().decode(value));
    child.kill('SIGKILL');
    for (let waitedMs = 0; waitedMs < cleanedLimitMs; waitedMs += pollMs) {
      if (!existsSync(trace.folder) && !isRunning(trace.pid)) break;
      await Bun.sleep(pollMs);
    }
    expect(existsSync(trace.folder)).toBe(false);
    expect(isRunning(trace.pid)).toBe(false);
  });

  test('reports the reason of every source if none works', async () => {
    const broken = { name: 'a broken source', find: async () => ['/nowhere/bin'] };
    const empty = { name: 'an empty source', find: () => Promise.reject(new Error('sold out')) };
    const start = startPostgres({ sources: [broken, empty] });
    const message = await start.then(
      () => 'it started',
      (error: unknown) => String(error),
    );
    expect(message).toContain('No PostgreSQL could be started');
    expect(message).toContain('/nowhere/bin: initdb failed');
    expect(message).toContain('an empty source: sold out');
  });
});
