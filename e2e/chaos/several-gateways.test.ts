// Three gateways behind a load balancer on one PostgreSQL: gateways are killed and the database
// stops, and no request, job or charge is lost.
import { expect, test } from 'bun:test';
import { startPostgres } from '../../scripts/postgres.ts';
import { auditStore } from '../audit-store.ts';
import { startBalancer } from '../balancer.ts';
import { settledMoney } from '../billing/small-account.ts';
import { createDatabase } from '../database.ts';
import { startGatewayProcess, untilReadyz } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { hasEnded, interview, waitForJob } from '../jobs.ts';
import { makeRandom } from '../random.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { ErrorAnswer } from '../shapes.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { makeKeyedRequests } from './keyed-requests.ts';
import { isLong, killRounds } from '../lengths.ts';
import { waitFor } from '../wait-for.ts';

const kills = killRounds;
const roundMs = isLong ? 700 : 300;
const openingUsd = 1000;
const priceUsd = 0.007;
const settleLimitMs = 120_000;
const secret = 'one secret for all three gateways, long enough';
const question = { query: 'membranes', provider: 'engine_a' };

test('gateways that are killed and restarted share answers and jobs', async () => {
  await using database = await createDatabase();
  await using upstream = startUpstream(() => exaAnswer([], priceUsd));
  await using sandbox = await startTestSandbox();
  const speech = {
    ASSEMBLYAI_API_KEY: 'key-of-the-service-for-audio',
    ASSEMBLYAI_BASE_URL: `${sandbox.url}/assemblyai`,
  };
  const env = { ...upstream.env, ...speech };
  await using three = await startSeveral(3, database.url, env);
  const { gateways, first } = three;
  using balancer = startBalancer(gateways);
  const keyedRequests = requestsThrough(balancer.url, first);
  const random = makeRandom(3);
  const jobs: Promise<string>[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = random.pick(gateways);
    const killed = victim.kill9().then(() => victim.restart());
    jobs.push(submitUntilAccepted(balancer.url, first.key, `job-${kill}`));
    await Promise.all([keyedRequests.send(roundMs), killed]);
  }
  await keyedRequests.finish();
  expect(await keyedRequests.findLost()).toEqual([]);
  const ids = await Promise.all(jobs);
  expect(new Set(ids).size).toBe(kills);
  let paidForJobs = 0;
  for (const [at, id] of ids.entries()) {
    const reader = gateways[at % gateways.length] ?? first;
    const { status, result } = await waitForJob(reader, id, hasEnded);
    expect([id, status]).toEqual([id, 'completed']);
    paidForJobs += result?.usage?.cost_usd ?? Number.NaN;
  }
  const spent = openingUsd - (await settledMoney(first)).balance / 1e6;
  expect(spent).toBeCloseTo(keyedRequests.answered() * priceUsd + paidForJobs, 6);
  await auditStore({ DATABASE_URL: database.url, TRIVIUM_SECRET: secret });
});

test('every gateway returns 503 while the database is down, and nothing is lost afterwards', async () => {
  const server = await startPostgres({ fsync: false });
  try {
    await using upstream = startUpstream(() => exaAnswer([], priceUsd));
    await using two = await startSeveral(2, server.url, upstream.env);
    const { gateways, first } = two;
    using balancer = startBalancer(gateways);
    const keyedRequests = requestsThrough(balancer.url, first);
    await keyedRequests.send(roundMs);
    await server.stopServer();
    for (const gateway of gateways) {
      await untilReadyz(gateway, 503);
      expect((await gateway.get('/healthz')).status).toBe(200);
      const refused = await gateway.post('/v1/search', question);
      expect(refused.status).toBe(503);
      expect(ErrorAnswer.parse(refused.body).error.type).toBe('provider_not_available');
    }
    await server.startServer();
    for (const gateway of gateways) {
      await untilReadyz(gateway, 200);
    }
    await keyedRequests.send(roundMs);
    await keyedRequests.finish();
    expect(await keyedRequests.findLost()).toEqual([]);
    const spent = openingUsd - (await settledMoney(first)).balance / 1e6;
    expect(spent).toBeCloseTo(keyedRequests.answered() * priceUsd, 6);
    await auditStore({ DATABASE_URL: server.url, TRIVIUM_SECRET: secret });
  } finally {
    await server.stop();
  }
});

async function startSeveral(count: number, databaseUrl: string, upstream: Record<string, string>) {
  await using stack = new AsyncDisposableStack();
  const env = {
    ...upstream,
    TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'t'.repeat(43)}`,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: String(openingUsd),
    TRIVIUM_SECRET: secret,
    LOG_LEVEL: 'silent',
  };
  const start = async () =>
    stack.use(await startGatewayProcess({ database_url: databaseUrl, env }));
  const first = await start();
  const gateways = [first, ...(await Promise.all(Array.from({ length: count - 1 }, start)))];
  const stop = stack.move();
  return { first, gateways, [Symbol.asyncDispose]: () => stop.disposeAsync() };
}

function requestsThrough(url: string, first: GatewayProcess) {
  return makeKeyedRequests(() => ({ ...first, url, key: first.key }));
}

/** One idempotency key for all attempts, so that they create one job. */
async function submitUntilAccepted(url: string, key: string, name: string): Promise<string> {
  const submit = () =>
    fetch(`${url}/v1/transcriptions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': name,
      },
      body: JSON.stringify({ audio_url: interview, provider: 'stt_a' }),
    });
  const accepted = await waitFor(submit, {
    what: `${name} is accepted`,
    limitMs: settleLimitMs,
    until: ({ status }) => status === 202,
  });
  return ((await accepted.json()) as { id: string }).id;
}
