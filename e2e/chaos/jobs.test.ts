// Gateways killed with -9 at random, and providers that drop answers or never accept a job: no job
// is lost, submitted twice or charged twice, and every job ends.
import { expect, test } from 'bun:test';
import type { SQL } from 'bun';
import {
  clearAllFaults,
  counters,
  openChaos,
  reachDeadlines,
  runRound,
  slowDownVendors,
  submitUntilAccepted,
  waitUntilAllEnded,
  waitUntilSettled,
} from './job-chaos.ts';
import type { Chaos } from './job-chaos.ts';
import { runDeadlines, refuseAlways, unreachableDeepgram } from './job-deadlines.ts';
import { checkEvents } from './job-events.ts';
import { isLong, killRounds as rounds } from '../lengths.ts';

const jobsPerRound = 6;
const settleLimitMs = 60_000;

// Concurrent, each with its own vendors: they spend most of the time waiting.
test.concurrent('on the embedded store', async () => {
  await using embedded = await openChaos('SQLite', {});
  await runRounds(embedded.chaos);
  await checkOutcome('embedded', embedded.chaos, embedded.store);
});

test.concurrent('on PostgreSQL with two gateways', async () => {
  await using postgres = await openChaos('PostgreSQL', {});
  await runRounds(postgres.chaos);
  await checkOutcome('PostgreSQL', postgres.chaos, postgres.store);
});

test.concurrent('on the embedded store, with vendors that never finish a job', async () => {
  await using embedded = await openChaos('SQLite', { env: unreachableDeepgram() });
  await checkDeadlines('embedded', embedded.chaos, embedded.store);
});

// How a job ends does not depend on the store.
if (isLong) {
  test.concurrent('on PostgreSQL, with vendors that never finish a job', async () => {
    await using postgres = await openChaos('PostgreSQL', { env: unreachableDeepgram() });
    await checkDeadlines('PostgreSQL', postgres.chaos, postgres.store);
  });
}

async function runRounds(chaos: Chaos): Promise<void> {
  await slowDownVendors(chaos.sandbox);
  for (let round = 0; round < rounds; round += 1) await runRound(chaos, jobsPerRound);
  await clearAllFaults(chaos.sandbox);
  // After a few kills every job may have been interrupted; these are not, and complete.
  await Promise.all(Array.from({ length: rounds + 1 }, () => submitUntilAccepted(chaos)));
}

async function checkOutcome(storeName: string, chaos: Chaos, store: SQL): Promise<void> {
  await waitUntilSettled(store, settleLimitMs);
  await reachDeadlines(store);
  await waitUntilAllEnded(store, settleLimitMs);
  const sum = await counters(chaos, store);
  process.stdout.write(`${storeName}, ${rounds} rounds: ${JSON.stringify(sum)}\n`);
  expect(sum.unfinished).toBe(0);
  expect(sum.inStore).toBe(sum.submitted);
  expect(sum.acceptedTwice).toEqual([]);
  expect(sum.lost).toEqual([]);
  expect(sum.completed + sum.unrecoverable).toBe(sum.accepted);
  expect(sum.charged).toBe(sum.completed);
  expect(sum.audit).toEqual([]);
  expect(sum.completed).toBeGreaterThan(rounds);
  await checkEvents(chaos.receiver, store);
}

async function checkDeadlines(storeName: string, chaos: Chaos, store: SQL): Promise<void> {
  await refuseAlways(chaos.sandbox);
  await runDeadlines(chaos, store);
  await waitUntilAllEnded(store, settleLimitMs);
  const sum = await counters(chaos, store);
  process.stdout.write(`${storeName}, deadlines: ${JSON.stringify(sum.failed)}\n`);
  expect(sum.unfinished).toBe(0);
  expect(sum.inStore).toBe(sum.submitted);
  expect(sum.completed).toBe(0);
  expect(sum.charged).toBe(0);
  expect(sum.failed['deadline_exceeded']).toBeGreaterThan(0);
  expect(sum.audit).toEqual([]);
  await checkEvents(chaos.receiver, store);
}
