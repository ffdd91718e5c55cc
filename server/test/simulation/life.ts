// One life in a simulation: a few jobs, two processes that die and are born again, and vendors that
// misbehave until they are told to be calm.
import type { TranscriberId } from '@trivium/contract';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database, Row } from '../../src/platform/database.ts';
import type { Send } from '../../src/platform/http.ts';
import { auditLife, forbiddenMoves, forgottenDeliveries } from './audit.ts';
import { dice } from './dice.ts';
import type { Chance } from './dice.ts';
import { makePostman } from './postman.ts';
import { job_deadline_minutes, lease_ms, startProcess } from './process.ts';
import type { Circumstances, SimulatedProcess } from './process.ts';
import { simulateVendors } from './vendors.ts';
import type { Manner } from './vendors.ts';
import type { Work } from './work.ts';

const jobs_per_life = 3;
const max_rounds = 3000;
const rounds_with_deaths = 60;
const longest_pause_ms = 2000;
const life_ms = 1_000_000_000;
const asked: readonly TranscriberId[] = ['stt_a', 'stt_b', 'stt_c'];

/** What was wrong with it; `sums` counts what happened. */
export async function live(
  database: Database,
  seed: number,
  sums: Map<string, number>,
): Promise<string[]> {
  const since = seed * life_ms;
  const count = (what: string, times = 1) => sums.set(what, (sums.get(what) ?? 0) + times);
  const world = makeWorld(database, seed, since, count);
  const { chance, postman, vendors } = world;
  for (let job = 0; job < jobs_per_life; job += 1) {
    const provider = asked[Math.floor(chance() * asked.length)] ?? 'stt_a';
    await world.use(0, (process) => process.submit(`req_${seed}_${job}`, provider));
  }
  const outage = chance() < 0.1 ? Math.floor(chance() * rounds_with_deaths) : undefined;
  const forgotten: string[] = [];
  for (let round = 0; round < max_rounds; round += 1) {
    if (round === rounds_with_deaths) world.calm();
    if (round === outage) {
      count('outage over the deadline');
      world.leap(Math.max(world.now(), since + job_deadline_minutes * 60_000 + longest_pause_ms));
    }
    const delivered = await world.deliver();
    const next = Math.min(postman.nextDue(), nextTurn(await readRows(database, since)));
    if (next === Infinity) break;
    if (next <= world.now()) await world.use(round % 2, (process) => process.round());
    else if (!delivered) world.leap(next);
    forgotten.push(...(await forgottenDeliveries(database, vendors.accepted)));
    if (forgotten.length > 0) break;
  }
  const rows = await readRows(database, since);
  for (const row of rows) count(endOf(row));
  for (const [kind, times] of postman.kinds) count(kind, times);
  const forbidden = await forbiddenMoves(database);
  // A faulty adapter finds nothing, and an outage may leave time for a single question; such jobs
  // must end all the same, and nothing that was delivered may be lost.
  const surely = world.adapters === 'sound' ? vendors.accepted : [];
  const findable = outage === undefined ? surely : surely.filter(isDelivered);
  const faults = await auditLife(database, rows, vendors.accepted, findable);
  for (const table of ['jobs', 'texts', 'callbacks']) await database.run(`delete from ${table}`);
  return [...postman.faults, ...forgotten, ...forbidden, ...faults];
}

/** A clock that leaps, vendors, their postman, and two processes on one store. */
function makeWorld(database: Database, seed: number, since: number, count: (what: string) => void) {
  const chance = dice(seed);
  let [now, births, killing, interrupted] = [since, 0, true, false];
  const clock: Clock = {
    now: () => new Date(now),
    ticks: () => now,
    sleep: async (ms) => void (now += ms),
  };
  const postman = makePostman(chance, () => now, since + job_deadline_minutes * 60_000);
  const { manner, adapters, reachable } = conditionsOf(chance, count);
  const vendors = simulateVendors(chance, () => now, postman.plan, manner);
  /** Whoever dies over it is replaced. */
  const use = async <T>(at: number, act: (process: SimulatedProcess) => Promise<T>, where = '') => {
    const process = pair[at] ?? born();
    const result = await act(process);
    if (process.alive()) return result;
    count(`deaths${where}`);
    pair[at] = born();
    return result;
  };
  const deliver = () =>
    use(
      Math.floor(chance() * 2),
      ({ door }) => postman.deliver(door, (token) => isOpen(database, token)),
      ' at the door',
    );
  /** The store is slow now and then, and in that time somebody may call. */
  const meanwhile = async () => {
    if (interrupted || chance() > 0.2) return;
    interrupted = true;
    now += chance() * longest_pause_ms;
    await deliver();
    interrupted = false;
  };
  const send: Send = async (outgoing) => {
    const sent = vendors.send(outgoing);
    // A vendor may call back before it has answered.
    if (chance() < 0.5) await deliver();
    // A sender that stalls this long has lost its lease, and another one finds its job.
    if (killing && chance() < 0.1) {
      now += lease_ms + 1;
      await pair[1]?.round();
    }
    return sent;
  };
  const born = (): SimulatedProcess => {
    births += 1;
    const lives_for = killing && chance() < 0.7 ? 1 + Math.floor(chance() * 40) : Infinity;
    const name = `s${seed}p${births}`;
    const devices = { database, clock, chance, send, meanwhile };
    return startProcess({ name, ...devices, reachable, adapters, lives_for });
  };
  const pair = [born(), born()];
  return {
    chance,
    postman,
    vendors,
    adapters,
    use,
    deliver,
    now: () => now,
    leap: (to: number) => void (now = to),
    calm: () => {
      killing = false;
      vendors.calm();
      postman.calm();
      pair.splice(0, 2, born(), born());
    },
  };
}

/** AssemblyAI delivers no transcript, only word that there is one. */
function isDelivered({ heard, provider }: Work): boolean {
  return heard && provider !== 'stt_a';
}

/** What stays the same for a whole life. */
function conditionsOf(chance: Chance, count: (what: string) => void) {
  const [manner, adapters] = [mannerBy(chance()), adaptersBy(chance())];
  for (const condition of [manner, `adapters ${adapters}`]) count(condition);
  return { manner, adapters, reachable: chance() < 0.85 };
}

function mannerBy(roll: number): Manner {
  if (roll < 0.04) return 'always busy';
  return roll < 0.08 ? 'never there' : 'usual';
}

function adaptersBy(roll: number): Circumstances['adapters'] {
  if (roll < 0.01) return 'fail to ask';
  return roll < 0.02 ? 'fail to read' : 'sound';
}

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

async function isOpen(database: Database, token: string): Promise<boolean> {
  const [row] = await database.run('select finished_at from jobs where id = $1', [
    token.split('.')[0] ?? '',
  ]);
  return row?.['finished_at'] === null;
}
