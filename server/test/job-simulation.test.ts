// Thousands of lives of jobs under processes that die at every step: sent at most once, charged at
// most once, always ended.
import { expect, test } from 'bun:test';
import { openSqlite } from '../src/platform/sqlite.ts';
import type { Database } from '../src/platform/database.ts';
import type { Clock } from '../src/platform/clock.ts';
import { prepareAccounts } from '../src/services/first-start.ts';
import { migrate } from '../src/store/migrate.ts';
import { simulateProvider } from './simulated-provider.ts';
import { lease_ms, startProcess } from './simulated-process.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** `SEED=17` replays one life; `RUNS=20000` lives more of them. */
const one_seed = process.env['SEED'];
const runs = Number(process.env['RUNS'] ?? 300);
const seeds =
  one_seed === undefined ? Array.from({ length: runs }, (_, at) => at + 1) : [Number(one_seed)];
const jobs_per_life = 3;
const max_rounds = 3000;
const rounds_with_deaths = 60;

test('no job is sent twice, charged twice or lost, wherever processes die', async () => {
  const database = await openSqlite(':memory:');
  await migrate(database, new Date(0));
  await prepareAccounts(database, undefined, new Date(0), 1_000_000);
  const ends = new Map<string, number>();
  for (const seed of seeds) {
    const faults = await live(database, seed, ends).catch((error: unknown) => [String(error)]);
    if (faults.length > 0) throw new Error(`SEED=${seed}: ${faults.join('; ')}`);
  }
  await database.close();
  process.stdout.write(`${seeds.length} lives: ${JSON.stringify(Object.fromEntries(ends))}\n`);
  if (seeds.length > 100) {
    // The dice must have led everywhere, or nothing was shown.
    for (const end of ['completed', 'provider_error', 'submission_unknown', 'deaths']) {
      expect(ends.get(end) ?? 0).toBeGreaterThan(0);
    }
  }
}, 900_000);

async function live(
  database: Database,
  seed: number,
  ends: Map<string, number>,
): Promise<string[]> {
  const chance = dice(seed);
  let now = seed * 1_000_000_000;
  const clock: Clock = {
    now: () => new Date(now),
    ticks: () => now,
    sleep: (ms) => {
      now += ms;
      return Promise.resolve();
    },
  };
  const provider = simulateProvider(chance, () => now);
  const count = (what: string) => ends.set(what, (ends.get(what) ?? 0) + 1);
  const watch = watchMoves();
  let births = 0;
  let killing = true;
  let pair: SimulatedProcess[] = [];
  const born = (): SimulatedProcess => {
    births += 1;
    return startProcess({
      name: `s${seed}p${births}`,
      database,
      clock,
      chance,
      lives_for: killing && chance() < 0.7 ? 1 + Math.floor(chance() * 40) : Infinity,
      send: async (outgoing) => {
        const sent = provider.send(outgoing);
        // A sender that stalls this long has lost its lease, and another one finds its job.
        if (killing && chance() < 0.1) {
          now += lease_ms + 1;
          await pair.at(1)?.round();
        }
        return sent;
      },
    });
  };
  pair = [born(), born()];
  for (let job = 0; job < jobs_per_life; job += 1) {
    await pair[0]?.submit(`req_${seed}_${job}`);
    if (pair[0]?.alive() !== true) pair[0] = born();
  }
  const since = seed * 1_000_000_000;
  for (let round = 0; round < max_rounds; round += 1) {
    if (round === rounds_with_deaths) {
      killing = false;
      provider.calm();
      pair = [born(), born()];
    }
    const at = round % 2;
    const worked = (await pair[at]?.round()) ?? false;
    if (pair[at]?.alive() !== true) {
      count('deaths');
      pair[at] = born();
    }
    const rows = await readRows(database, since);
    watch.look(rows);
    if (rows.every((row) => row['finished_at'] !== null)) break;
    if (!worked) now = Math.max(now + 1, nextTurn(rows));
  }
  const rows = await readRows(database, since);
  for (const row of rows) count(endOf(row));
  const faults = [...watch.faults, ...(await audit(database, rows, provider.accepted()))];
  await database.run('delete from jobs');
  return faults;
}

type Row = Record<string, unknown>;

function endOf({ status, error }: Row): string {
  if (typeof error !== 'string') return String(status);
  return (JSON.parse(error) as { type: string }).type;
}

/** When the next of them is due, or its lease is over. */
function nextTurn(rows: readonly Row[]): number {
  const open = rows.filter((row) => row['finished_at'] === null);
  return Math.min(
    ...open.map((row) => Math.max(Number(row['run_at']), Number(row['lease_until'] ?? 0))),
  );
}

function readRows(database: Database, since: number): Promise<Row[]> {
  return database.run('select * from jobs where created_at >= $1', [since]);
}

/** Everything that must hold when a life is over. */
async function audit(
  database: Database,
  rows: readonly Row[],
  accepted: readonly { token: string; succeeds: boolean }[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const row of rows) {
    const id = String(row['id']);
    const taken = accepted.filter(({ token }) => token.startsWith(`${id}.`));
    if (taken.length > 1) faults.push(`${id} was accepted ${taken.length} times`);
    if (row['finished_at'] === null) faults.push(`${id} never ended: ${row['attempt_status']}`);
    const open = await database.run('select id from holds where id = $1', [`job:${id}`]);
    const settled = await database.run(`select id from transfers where hold_id = $1`, [
      `job:${id}`,
    ]);
    const completed = row['status'] === 'completed';
    if (settled.length !== (completed ? 1 : 0)) faults.push(`${id} has ${settled.length} charges`);
    if (open.length > 0) faults.push(`${id} is ${String(row['status'])} with an open hold`);
    if (completed && taken.length === 0) faults.push(`${id} completed without being accepted`);
    if (!completed && taken.some(({ succeeds }) => succeeds)) {
      faults.push(`${id} was transcribed, but ended as ${String(row['error'])}`);
    }
  }
  const [account] = await database.run<{ held: unknown }>('select held from accounts');
  if (Number(account?.held) !== 0) faults.push(`${String(account?.held)} are still held`);
  return faults;
}

const moves: Readonly<Record<string, string>> = {
  queued: 'submitting waiting unknown completed failed',
  submitting: 'queued waiting unknown completed failed',
  unknown: 'waiting completed failed',
  waiting: 'completed failed',
  completed: '',
  failed: '',
};
const status_moves: Readonly<Record<string, string>> = {
  queued: 'running completed failed',
  running: 'completed failed',
  completed: '',
  failed: '',
};

/**
 * Looks at jobs between rounds; a round may make several moves, so a chain of allowed ones is
 * allowed.
 */
function watchMoves() {
  const last = new Map<string, Row>();
  const faults: string[] = [];
  return {
    faults,
    look: (rows: readonly Row[]) => {
      for (const row of rows) {
        const before = last.get(String(row['id']));
        last.set(String(row['id']), row);
        if (!before) continue;
        const step = (name: string, table: Readonly<Record<string, string>>) => {
          const [from, to] = [String(before[name]), String(row[name])];
          if (from !== to && !(table[from] ?? '').split(' ').includes(to)) {
            faults.push(`${String(row['id'])} went from ${name} ${from} to ${to}`);
          }
        };
        step('status', status_moves);
        step('attempt_status', moves);
      }
    },
  };
}

/** A small generator of even numbers from 0 to 1 that a seed decides. */
function dice(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
