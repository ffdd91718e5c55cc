// Gateways killed with -9 at random, a provider that drops answers: nothing is lost, sent twice or
// charged twice.
import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { randomBytes } from 'node:crypto';
import { createDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import {
  calmDown,
  playRound,
  preparePace,
  reachDeadlines,
  settleDown,
  startOn,
  tally,
  waitUntilAllEnded,
} from './job-chaos.ts';
import type { Chaos } from './job-chaos.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 40);
const JOBS_A_ROUND = 6;
const TEST_LIMIT_MS = 600_000;
const SETTLE_LIMIT_MS = 60_000;

// Side by side, each with vendors of its own: most of the time they wait.
test.concurrent(
  'on the embedded store',
  async () => {
    await using sandbox = await startSandboxProcess();
    await using gateway = await startOn(freePort(), { sandbox: sandbox.url });
    const chaos: Chaos = { sandbox, gateways: [gateway], jobs: new Set(), kills: 0 };
    await playRounds(chaos);
    const filename = `${gateway.data_dir}/trivium.sqlite`;
    await judge('embedded', chaos, new SQL({ adapter: 'sqlite', filename }));
  },
  TEST_LIMIT_MS,
);

test.concurrent(
  'on PostgreSQL with two gateways',
  async () => {
    await using sandbox = await startSandboxProcess();
    await using database = await createDatabase();
    const env = {
      TRIVIUM_SECRET: randomBytes(32).toString('base64url'),
      TRIVIUM_BOOTSTRAP_KEY: `sk_live_${randomBytes(32).toString('base64url')}`,
    };
    const options = { sandbox: sandbox.url, database_url: database.url, env };
    await using first = await startOn(freePort(), options);
    await using second = await startOn(freePort(), options);
    const chaos: Chaos = { sandbox, gateways: [first, second], jobs: new Set(), kills: 0 };
    await playRounds(chaos);
    await judge('PostgreSQL', chaos, new SQL(database.url, { max: 1 }));
  },
  TEST_LIMIT_MS,
);

async function playRounds(chaos: Chaos): Promise<void> {
  await preparePace(chaos.sandbox);
  for (let round = 0; round < ROUNDS; round += 1) await playRound(chaos, JOBS_A_ROUND);
  await calmDown(chaos.sandbox);
}

async function judge(store_name: string, chaos: Chaos, store: SQL): Promise<void> {
  await settleDown(store, SETTLE_LIMIT_MS);
  await reachDeadlines(store);
  await waitUntilAllEnded(store, SETTLE_LIMIT_MS);
  const sum = await tally(chaos, store);
  await store.close();
  process.stdout.write(`${store_name}, ${ROUNDS} rounds: ${JSON.stringify(sum)}\n`);
  expect(sum.unfinished).toBe(0);
  expect(sum.in_store).toBe(sum.submitted);
  expect(sum.accepted_twice).toEqual([]);
  expect(sum.lost).toEqual([]);
  expect(sum.completed).toBe(sum.accepted);
  expect(sum.charged).toBe(sum.completed);
  expect(sum.audit).toEqual([]);
  expect(sum.completed).toBeGreaterThan(ROUNDS);
}
