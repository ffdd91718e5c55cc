// One simulated run: a few jobs, two processes that crash and restart, and vendors that misbehave
// until the run's second half.
import type { TranscriberId } from '@trivium/contract';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database, Row } from '../../src/store/database.ts';
import type { Send } from '../../src/platform/http-client.ts';
import { auditRun, forbiddenMoves, forgottenDeliveries } from './audit.ts';
import { seededRandom } from './seeded-random.ts';
import type { Random } from './seeded-random.ts';
import { createCallbackSender } from './callback-sender.ts';
import { jobDeadlineMinutes, leaseMs, startProcess } from './process.ts';
import type { Circumstances, SimulatedProcess } from './process.ts';
import { simulateVendors } from './vendors.ts';
import type { Behaviour } from './vendors.ts';
import type { VendorJob } from './vendor-job.ts';

const jobsPerRun = 3;
const maxRounds = 3000;
const roundsWithDeaths = 60;
const longestPauseMs = 2000;
const runMs = 1_000_000_000;
const asked: readonly TranscriberId[] = ['stt_a', 'stt_b', 'stt_c'];

/** Returns the faults it found; `sums` counts what happened. */
export async function simulate(
  database: Database,
  seed: number,
  sums: Map<string, number>,
): Promise<string[]> {
  const since = seed * runMs;
  const count = (what: string, times = 1) => sums.set(what, (sums.get(what) ?? 0) + times);
  const world = makeWorld(database, seed, since, count);
  const { random, callbacks, vendors } = world;
  for (let job = 0; job < jobsPerRun; job += 1) {
    const provider = asked[Math.floor(random() * asked.length)] ?? 'stt_a';
    await world.use(0, (process) => process.submit(`req_${seed}_${job}`, provider));
  }
  const outage = random() < 0.1 ? Math.floor(random() * roundsWithDeaths) : undefined;
  const forgotten: string[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    if (round === roundsWithDeaths) world.calm();
    if (round === outage) {
      count('outage over the deadline');
      world.leap(Math.max(world.now(), since + jobDeadlineMinutes * 60_000 + longestPauseMs));
    }
    const delivered = await world.deliver();
    const next = Math.min(callbacks.nextDue(), nextTurn(await readRows(database, since)));
    if (next === Infinity) break;
    if (next <= world.now()) await world.use(round % 2, (process) => process.round());
    else if (!delivered) world.leap(next);
    forgotten.push(...(await forgottenDeliveries(database, vendors.accepted)));
    if (forgotten.length > 0) break;
  }
  const rows = await readRows(database, since);
  for (const row of rows) count(endOf(row));
  for (const [kind, times] of callbacks.kinds) count(kind, times);
  const forbidden = await forbiddenMoves(database);
  // A faulty adapter finds nothing, and an outage may leave time for a single poll. Such jobs must
  // still end, and no callback that was received may be lost.
  const surely = world.adapters === 'working' ? vendors.accepted : [];
  const findable = outage === undefined ? surely : surely.filter(isDelivered);
  const faults = await auditRun(database, rows, vendors.accepted, findable);
  for (const table of ['jobs', 'texts', 'callbacks']) await database.run(`delete from ${table}`);
  return [...callbacks.faults, ...forgotten, ...forbidden, ...faults];
}

/** A simulated clock, the vendors, their callbacks, and two processes on one store. */
function makeWorld(database: Database, seed: number, since: number, count: (what: string) => void) {
  const random = seededRandom(seed);
  let [now, births, killing, interrupted] = [since, 0, true, false];
  const clock: Clock = {
    now: () => new Date(now),
    ticks: () => now,
    sleep: async (ms) => void (now += ms),
  };
  const callbacks = createCallbackSender(random, () => now, since + jobDeadlineMinutes * 60_000);
  const { manner, adapters, reachable } = conditionsOf(random, count);
  const vendors = simulateVendors(random, () => now, callbacks.plan, manner);
  /** A process that crashes is replaced. */
  const use = async <T>(at: number, act: (process: SimulatedProcess) => Promise<T>, where = '') => {
    const process = pair[at] ?? startFresh();
    const result = await act(process);
    if (process.alive()) return result;
    count(`deaths${where}`);
    pair[at] = startFresh();
    return result;
  };
  const deliver = () =>
    use(
      Math.floor(random() * 2),
      ({ listener }) => callbacks.deliver(listener, (token) => isOpen(database, token)),
      ' while receiving a callback',
    );
  /** The store is slow now and then, and a callback may arrive meanwhile. */
  const meanwhile = async () => {
    if (interrupted || random() > 0.2) return;
    interrupted = true;
    now += random() * longestPauseMs;
    await deliver();
    interrupted = false;
  };
  const send: Send = async (outgoing) => {
    const sent = vendors.send(outgoing);
    // A vendor may call back before it has answered.
    if (random() < 0.5) await deliver();
    // A sender that stalls this long has lost its lease, and another one finds its job.
    if (killing && random() < 0.1) {
      now += leaseMs + 1;
      await pair[1]?.round();
    }
    return sent;
  };
  const startFresh = (): SimulatedProcess => {
    births += 1;
    const livesFor = killing && random() < 0.7 ? 1 + Math.floor(random() * 40) : Infinity;
    const name = `s${seed}p${births}`;
    const dependencies = { database, clock, random, send, meanwhile, isCalm: () => !killing };
    return startProcess({ name, ...dependencies, reachable, adapters, livesFor });
  };
  const pair = [startFresh(), startFresh()];
  return {
    random,
    callbacks,
    vendors,
    adapters,
    use,
    deliver,
    now: () => now,
    leap: (to: number) => void (now = to),
    calm: () => {
      killing = false;
      vendors.calm();
      callbacks.calm();
      pair.splice(0, 2, startFresh(), startFresh());
    },
  };
}

/** AssemblyAI delivers no transcript, only word that there is one. */
function isDelivered({ received, provider }: VendorJob): boolean {
  return received && provider !== 'stt_a';
}

/** What stays the same for a whole life. */
function conditionsOf(random: Random, count: (what: string) => void) {
  const [manner, adapters] = [mannerBy(random()), adaptersBy(random())];
  for (const condition of [manner, `adapters ${adapters}`]) count(condition);
  return { manner, adapters, reachable: random() < 0.85 };
}

function mannerBy(roll: number): Behaviour {
  if (roll < 0.04) return 'always busy';
  return roll < 0.08 ? 'never there' : 'usual';
}

function adaptersBy(roll: number): Circumstances['adapters'] {
  if (roll < 0.01) return 'fail to ask';
  return roll < 0.02 ? 'fail to read' : 'working';
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
