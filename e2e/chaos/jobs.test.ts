// Gateways killed with -9 at random, and providers that drop answers or never accept a job: no job
// is lost, submitted twice or charged twice, and every job ends.
import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { randomBytes } from 'node:crypto';
import { createDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import {
  clearAllFaults,
  runRound,
  slowDownVendors,
  submitUntilAccepted,
  reachDeadlines,
  waitUntilSettled,
  startOn,
  counters,
  waitUntilAllEnded,
  webhookOn,
} from './job-chaos.ts';
import { checkEvents, eventSettings, receiveEvents } from './job-events.ts';
import { isLong, killRounds as rounds } from '../lengths.ts';
import type { Chaos } from './job-chaos.ts';
import { runDeadlines, refuseAlways, unreachableDeepgram } from './job-deadlines.ts';

const jobsPerRound = 6;
const settleLimitMs = 60_000;

// Concurrent, each with its own vendors: they spend most of the time waiting.
test.concurrent('on the embedded store', async () => {
  await using embedded = await onEmbedded();
  await runRounds(embedded.chaos);
  await checkOutcome('embedded', embedded.chaos, embedded.store);
});

test.concurrent('on PostgreSQL with two gateways', async () => {
  await using postgres = await onPostgres();
  await runRounds(postgres.chaos);
  await checkOutcome('PostgreSQL', postgres.chaos, postgres.store);
});

test.concurrent('on the embedded store, with vendors that never finish a job', async () => {
  await using embedded = await onEmbedded(unreachableDeepgram());
  await checkDeadlines('embedded', embedded.chaos, embedded.store);
});

// How a job ends does not depend on the store.
if (isLong) {
  test.concurrent('on PostgreSQL, with vendors that never finish a job', async () => {
    await using postgres = await onPostgres(unreachableDeepgram());
    await checkDeadlines('PostgreSQL', postgres.chaos, postgres.store);
  });
}

type Fixture = AsyncDisposable & { chaos: Chaos; store: SQL };

async function onEmbedded(env: Readonly<Record<string, string>> = {}): Promise<Fixture> {
  const sandbox = await startTestSandbox();
  const port = freePort();
  const webhook = await webhookOn(port, sandbox);
  const gateway = await startOn(port, {
    sandbox: sandbox.url,
    env: { ...eventSettings, ...env, ...webhook },
  });
  const receiver = await receiveEvents([gateway]);
  const filename = `${gateway.store_dir}/trivium.sqlite`;
  const store = new SQL({ adapter: 'sqlite', filename });
  // The gateway writes at the same time.
  await store.unsafe('pragma busy_timeout = 10000');
  return {
    chaos: { sandbox, gateways: [gateway], jobs: new Set(), kills: 0, receiver },
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await gateway.close();
      await receiver[Symbol.asyncDispose]();
      await sandbox.stop();
    },
  };
}

async function onPostgres(given: Readonly<Record<string, string>> = {}): Promise<Fixture> {
  const sandbox = await startTestSandbox();
  const database = await createDatabase();
  const port = freePort();
  const env = {
    TRIVIUM_SECRET: randomBytes(32).toString('base64url'),
    TRIVIUM_BOOTSTRAP_KEY: `sk_live_${randomBytes(32).toString('base64url')}`,
    ...eventSettings,
    ...given,
    ...(await webhookOn(port, sandbox)),
  };
  const options = { sandbox: sandbox.url, database_url: database.url, env };
  const gateways = [await startOn(port, options), await startOn(freePort(), options)];
  const receiver = await receiveEvents(gateways);
  const store = new SQL(database.url, { max: 1 });
  return {
    chaos: { sandbox, gateways, jobs: new Set(), kills: 0, receiver },
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      for (const gateway of gateways) await gateway.close();
      await receiver[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await sandbox.stop();
    },
  };
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
  if (chaos.receiver) await checkEvents(chaos.receiver, store);
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
  if (chaos.receiver) await checkEvents(chaos.receiver, store);
}
