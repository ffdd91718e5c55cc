// Chaos for jobs: submits jobs continuously to gateways that are killed at random, and counts the
// outcomes.
import { SQL } from 'bun';
import { randomUUID } from 'node:crypto';
import { createDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { startGatewayProcess } from '../harness.ts';
import type { Engine, GatewayProcess } from '../harness.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import type { TestSandbox } from '../test-sandbox.ts';
import { eventSettings, receiveEvents } from './job-events.ts';
import { makeWebhook } from '../webhook.ts';
import type { Receiver } from '../webhook-receiver.ts';
import { waitFor } from '../wait-for.ts';

export type Chaos = {
  sandbox: TestSandbox;
  /** One gateway, or several on one store. */
  gateways: GatewayProcess[];
  /** Ids of the jobs that a gateway acknowledged. */
  jobs: Set<string>;
  kills: number;
  /** Receives the end of every job. */
  receiver: Receiver;
};

export type Counters = {
  kills: number;
  submitted: number;
  inStore: number;
  accepted: number;
  acceptedTwice: string[];
  completed: number;
  charged: number;
  failed: Record<string, number>;
  unfinished: number;
  /** Accepted and transcribed by the provider, but not completed. */
  lost: string[];
  /** Accepted by ElevenLabs, but both its response and its only callback were lost. */
  unrecoverable: number;
  audit: string[];
};

const providers = ['stt_a', 'stt_a', 'stt_b', 'stt_b', 'stt_c'];
const speechMounts = ['/assemblyai', '/deepgram', '/elevenlabs'] as const;
const faults = ['cut', 'dropped', 'rate_limited', 'slow', 'server_error'] as const;
/** No fault loses a callback permanently: a Deepgram job cannot complete without it. */
const callbackFaults = ['callback_late', 'callback_twice', 'callback_forged'] as const;
const slowMs = 150;
const maxLifetimeMs = 250;
/** The share of rounds in which all gateways are killed at once. */
const totalOutageShare = 0.25;
const processingMs = 200;
/** Long enough that no callback is given up while gateways are killed, also on a slow machine. */
const slowRetryMs = 60_000;
const quickRetryMs = 300;
const submitLimitMs = 20_000;

export type ChaosFixture = AsyncDisposable & { chaos: Chaos; store: SQL; receiver: Receiver };

/** Gateways that share a PostgreSQL, or one on the embedded store. */
export async function openChaos(
  engine: Engine,
  { env = {}, count = engine === 'PostgreSQL' ? 2 : 1, hasWebhook = true },
): Promise<ChaosFixture> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startTestSandbox());
  const database = engine === 'PostgreSQL' ? stack.use(await createDatabase()) : undefined;
  const gateways: GatewayProcess[] = [];
  const secrets = {
    TRIVIUM_SECRET: 'one secret for all gateways, which is long enough',
    TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'c'.repeat(43)}`,
  };
  let webhook = {};
  for (let at = 0; at < count; at += 1) {
    const port = freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    if (hasWebhook && at === 0) {
      const made = await makeWebhook(sandbox.url, `${publicUrl}/callbacks/stt_c`);
      webhook = {
        ELEVENLABS_WEBHOOK_ID: made.webhook_id,
        ELEVENLABS_WEBHOOK_SECRET: made.webhook_secret,
      };
    }
    const started = await startGatewayProcess({
      sandbox: sandbox.url,
      ...(database ? { database_url: database.url } : {}),
      env: {
        PORT: String(port),
        TRIVIUM_PUBLIC_URL: publicUrl,
        TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000',
        LOG_LEVEL: 'error',
        ...{ ...secrets, ...eventSettings, ...env, ...webhook },
      },
    });
    gateways.push(stack.use(started));
  }
  const receiver = stack.use(await receiveEvents(gateways));
  const filename = `${gateways[0]?.store_dir}/trivium.sqlite`;
  const store = database
    ? new SQL(database.url, { max: 1 })
    : new SQL({ adapter: 'sqlite', filename });
  stack.defer(() => store.close());
  // The gateway writes at the same time.
  if (!database) await store.unsafe('pragma busy_timeout = 10000');
  const stop = stack.move();
  return {
    chaos: { sandbox, gateways, jobs: new Set(), kills: 0, receiver },
    ...{ store, receiver },
    [Symbol.asyncDispose]: () => stop.disposeAsync(),
  };
}

/** Makes vendors take a moment and repeat a callback until the gateway accepts it. */
export async function slowDownVendors(sandbox: TestSandbox): Promise<void> {
  await configureSpeech(sandbox, { processing_ms: processingMs, retry_every_ms: slowRetryMs });
}

/** Ends all faults and speeds up callback retries, so that waiting jobs finish. */
export async function clearAllFaults(sandbox: TestSandbox): Promise<void> {
  await sandbox.clearFaults();
  await configureSpeech(sandbox, { retry_every_ms: quickRetryMs });
}

export async function configureSpeech({ url }: TestSandbox, rateLimit: object): Promise<void> {
  const response = await fetch(`${url}/__sandbox/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rateLimit),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Submits jobs, injects faults into the provider's answers, and kills gateways in the meantime. */
export async function runRound(chaos: Chaos, jobs: number): Promise<void> {
  const { sandbox, gateways } = chaos;
  const victims = Math.random() < totalOutageShare ? gateways : [oneOf(gateways)];
  for (const mount of speechMounts) {
    await sandbox.fault(mount, oneOf(faults), { times: 1, method: 'POST', delay_ms: slowMs });
    await sandbox.fault(mount, oneOf(callbackFaults), { times: 1 });
  }
  const submissions = Array.from({ length: jobs }, () => submitUntilAccepted(chaos));
  await Bun.sleep(Math.random() * maxLifetimeMs);
  await Promise.all(
    victims.map(async (victim) => {
      await victim.kill9();
      chaos.kills += 1;
      await victim.restart();
    }),
  );
  await Promise.all(submissions);
}

function oneOf<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T;
}

/** Retries under the same key until the gateway accepts; an accepted job must exist. */
export async function submitUntilAccepted(
  { gateways, jobs, receiver }: Chaos,
  provider = oneOf(providers),
): Promise<void> {
  const number = randomUUID();
  const audioUrl = `https://recordings.example/interview.wav?n=${number}`;
  let key = number;
  for (let waitedMs = 0; waitedMs < submitLimitMs; waitedMs += 50) {
    const headers = {
      'idempotency-key': key,
      'x-trivium-webhook': `${receiver.url}/request`,
    };
    const answer = await oneOf(gateways)
      .post('/v1/transcriptions', { audio_url: audioUrl, provider }, headers)
      .catch(() => undefined);
    if (answer?.status === 202) {
      jobs.add((answer.body as { id: string }).id);
      return;
    }
    // The key of a request whose gateway was killed stays claimed for a while, without a job.
    if (answer?.status === 409) key = randomUUID();
    await Bun.sleep(50);
  }
  throw new Error('a job could not be submitted in time');
}

/** Waits until only attempts that cannot be looked up are left in progress. */
export async function waitUntilSettled(store: SQL, limitMs: number): Promise<void> {
  type Row = { provider: string; attempt_status: string; tries: unknown };
  const open = 'select id, provider, attempt_status, tries from jobs where finished_at is null';
  // ElevenLabs offers no lookup.
  const isLooked = ({ provider, tries }: Row) => provider === 'stt_c' || Number(tries) >= 2;
  await waitFor(async () => (await store.unsafe(open)) as Row[], {
    what: 'no job is in progress',
    limitMs,
    until: (rows) => rows.every((row) => row.attempt_status === 'unknown' && isLooked(row)),
  });
}

/**
 * Moves the deadline of all unfinished jobs to now. One row at a time: an update of many rows can
 * deadlock with the gateways, which lock them too.
 */
export async function reachDeadlines(store: SQL): Promise<void> {
  const now = Date.now();
  const open = (await store.unsafe('select id from jobs where finished_at is null')) as JobRow[];
  for (const { id } of open) {
    await store.unsafe(
      `update jobs set deadline_at = ${now}, run_at = ${now}
        where id = '${id}' and finished_at is null`,
    );
  }
}

export async function waitUntilAllEnded(store: SQL, limitMs: number): Promise<void> {
  const open = 'select id, status, attempt_status from jobs where finished_at is null';
  await waitFor(async () => (await store.unsafe(open)) as unknown[], {
    what: 'every job ends',
    limitMs,
    until: ({ length }) => length === 0,
  });
}

type JobRow = {
  id: string;
  provider: string;
  status: string;
  finished_at: unknown;
  error: string | null;
};

export async function counters(chaos: Chaos, store: SQL): Promise<Counters> {
  const rows = (await store.unsafe(
    'select id, provider, status, finished_at, error from jobs',
  )) as JobRow[];
  const ids = new Set(rows.map(({ id }) => id));
  const accepted = new Map<string, number>();
  for (const { token } of await acceptedBy(chaos.sandbox)) {
    const [, id = ''] = /(job_[0-9a-f-]{36})/.exec(token) ?? [];
    if (ids.has(id)) accepted.set(id, (accepted.get(id) ?? 0) + 1);
  }
  const failed: Record<string, number> = {};
  for (const { error } of rows) {
    if (error === null) continue;
    const { type } = JSON.parse(error) as { type: string };
    failed[type] = (failed[type] ?? 0) + 1;
  }
  const completed = rows.filter(({ status }) => status === 'completed').map(({ id }) => id);
  const charges = (await store.unsafe(
    `select hold_id from transfers where kind = 'settle' and hold_id like 'job:%'`,
  )) as { hold_id: string }[];
  return {
    kills: chaos.kills,
    submitted: chaos.jobs.size,
    inStore: [...chaos.jobs].filter((id) => ids.has(id)).length,
    accepted: accepted.size,
    acceptedTwice: [...accepted].filter(([, times]) => times > 1).map(([id]) => id),
    completed: completed.length,
    charged: charges.length,
    failed,
    unfinished: rows.filter(({ finished_at }) => finished_at === null).length,
    lost: rows
      .filter((row) => accepted.has(row.id) && row.status !== 'completed' && !isUnrecoverable(row))
      .map(({ id, error }) => `${id}: ${error}`),
    unrecoverable: rows.filter((row) => accepted.has(row.id) && isUnrecoverable(row)).length,
    audit: await audit(store),
  };
}

function isUnrecoverable({ provider, error }: JobRow): boolean {
  return provider === 'stt_c' && (error ?? '').includes('submission_unknown');
}

async function acceptedBy({ url }: TestSandbox): Promise<{ token: string }[]> {
  const response = await fetch(`${url}/__sandbox/speech`);
  return ((await response.json()) as { accepted: { token: string }[] }).accepted;
}

/** The invariants of the ledger, in SQL that shares no code with it. */
async function audit(store: SQL): Promise<string[]> {
  const one = async (text: string) => {
    const [row] = (await store.unsafe(text)) as { value: unknown }[];
    return Number(row?.value ?? 0);
  };
  const posted = await one('select sum(posted) as value from accounts');
  const moved = await one('select sum(amount) as value from transfers');
  const held = await one('select sum(held) as value from accounts');
  const open = await one(`select sum(amount) as value from holds`);
  const doubled = await one(
    `select count(*) as value from (select hold_id from transfers where kind = 'settle'
     group by hold_id having count(*) > 1) as twice`,
  );
  return [
    ...(posted === moved ? [] : [`balances ${posted} differ from movements ${moved}`]),
    ...(held === open ? [] : [`held ${held} differs from open holds ${open}`]),
    ...(held === 0 ? [] : [`${held} still held`]),
    ...(doubled === 0 ? [] : [`${doubled} holds settled twice`]),
  ];
}
