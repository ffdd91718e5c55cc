// Gateways killed with -9 at random, a provider that drops answers: nothing is lost, sent twice or
// charged twice.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { randomBytes } from 'node:crypto';
import { createDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import type { SandboxProcess } from '../sandbox-process.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import {
  playRound,
  reachDeadlines,
  settleDown,
  startOn,
  tally,
  waitUntilAllEnded,
} from './job-chaos.ts';
import type { Chaos } from './job-chaos.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 22);
const JOBS_A_ROUND = 6;
const TEST_LIMIT_MS = 300_000;
const SETTLE_LIMIT_MS = 60_000;

let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
  await fetch(`${sandbox.url}/__sandbox/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ processing_ms: 200, retry_every_ms: 4000 }),
  });
});
afterAll(() => sandbox.stop());

test(
  'on the embedded store',
  async () => {
    const port = freePort();
    const gateway = await startOn(port, { sandbox: sandbox.url });
    const chaos: Chaos = { sandbox, gateways: [gateway], jobs: new Set() };
    try {
      await runRounds(chaos);
      const store = new SQL({ adapter: 'sqlite', filename: `${gateway.data_dir}/trivium.sqlite` });
      await judge(chaos, store);
    } finally {
      await gateway.close();
    }
  },
  TEST_LIMIT_MS,
);

test(
  'on PostgreSQL with two gateways',
  async () => {
    await using database = await createDatabase();
    const secret = randomBytes(32).toString('base64url');
    const env = {
      TRIVIUM_SECRET: secret,
      TRIVIUM_BOOTSTRAP_KEY: `sk_live_${randomBytes(32).toString('base64url')}`,
    };
    const options = { sandbox: sandbox.url, database_url: database.url, env };
    const first = await startOn(freePort(), options);
    const second = await startOn(freePort(), options);
    const chaos: Chaos = { sandbox, gateways: [first, second], jobs: new Set() };
    try {
      await runRounds(chaos);
      await judge(chaos, new SQL(database.url, { max: 1 }));
    } finally {
      await first.close();
      await second.close();
    }
  },
  TEST_LIMIT_MS,
);

async function runRounds(chaos: Chaos): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await playRound(chaos, JOBS_A_ROUND);
  await sandbox.clearFaults();
}

async function judge(chaos: Chaos, store: SQL): Promise<void> {
  await settleDown(store, SETTLE_LIMIT_MS);
  await reachDeadlines(store);
  await waitUntilAllEnded(store, SETTLE_LIMIT_MS);
  const sum = await tally(chaos, store);
  await store.close();
  process.stdout.write(`${ROUNDS} kills: ${JSON.stringify(sum)}\n`);
  expect(sum.unfinished).toBe(0);
  expect(sum.in_store).toBe(sum.submitted);
  expect(sum.accepted_twice).toEqual([]);
  expect(sum.lost).toEqual([]);
  expect(sum.completed).toBe(sum.accepted);
  expect(sum.charged).toBe(sum.completed);
  expect(sum.audit).toEqual([]);
  expect(sum.completed).toBeGreaterThan(ROUNDS);
}
