// How many jobs one gateway on the embedded store carries from enqueuing to done with an instant
// provider, how long a 202 takes beside a search, whether finished jobs slow it down,
// and whether the loop still turns while ten hours of speech are stored and served.
import { SQL } from 'bun';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../server/src/platform/settings.ts';
import { providers } from '../server/src/providers/index.ts';
import { startGateway } from '../server/src/start.ts';
import { benchLongTranscripts } from './long-transcripts.ts';
import { showLoop, watchLoop } from './loop-probe.ts';
import type { LoopFigures } from './loop-probe.ts';

const JOBS = Number(process.env['JOBS'] ?? 3000);
const FINISHED = Number(process.env['FINISHED'] ?? 100_000);
const CALLERS = 32;
const KEY = `sk_live_${'b'.repeat(43)}`;
const WAIT_LIMIT_MS = 120_000;
/** Beyond the deadline of any open job, and before the retention of any finished one. */
const HORIZON_MS = 24 * 60 * 60 * 1000;

const upstream = startUpstream();
const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
const settings = readSettings(
  {
    PORT: '0',
    TRIVIUM_DATA_DIR: folder,
    TRIVIUM_SANDBOX: 'off',
    TRIVIUM_BOOTSTRAP_KEY: KEY,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000000',
    DEEPGRAM_API_KEY: 'bench',
    DEEPGRAM_BASE_URL: upstream.url.origin,
    EXA_API_KEY: 'bench',
    EXA_BASE_URL: upstream.url.origin,
    LOG_LEVEL: 'error',
  },
  Object.values(providers),
);
const gateway = await startGateway(settings, () => undefined);
const store = new SQL({ adapter: 'sqlite', filename: join(folder, 'trivium.sqlite') });
await store.unsafe('pragma busy_timeout = 10000');

const search = () => post('/v1/search', { query: 'tides', provider: 'engine_a' });
const transcribe = () =>
  post('/v1/transcriptions', { audio_url: 'https://x.example/a.wav', provider: 'stt_b' });

await callers(200, search);
say('searches', await callers(JOBS, search));
await callers(200, transcribe);
await drained();
say('jobs, fresh store', await run());
await fillWithFinished();
say(`jobs, ${FINISHED} finished ones in the store`, await run());

await gateway.stop();
await store.close();
await upstream.stop(true);
rmSync(folder, { recursive: true });
await benchLongTranscripts();

type Figures = { per_second: number; p50_ms: number; p99_ms: number; loop?: LoopFigures };

/** From the first request to the last transcript. */
async function run(): Promise<Figures> {
  const began = performance.now();
  const watch = watchLoop();
  const { p50_ms, p99_ms } = await callers(JOBS, transcribe);
  await drained();
  const loop = watch();
  const per_second = JOBS / ((performance.now() - began) / 1000);
  return { per_second, p50_ms, p99_ms, loop };
}

async function callers(count: number, call: () => Promise<void>): Promise<Figures> {
  const times: number[] = [];
  const began = performance.now();
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const start = performance.now();
      await call();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, one));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const per_second = count / ((performance.now() - began) / 1000);
  return { per_second, p50_ms: at(0.5), p99_ms: at(0.99) };
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
}

async function drained(): Promise<void> {
  for (let waited_ms = 0; waited_ms < WAIT_LIMIT_MS; waited_ms += 20) {
    const [row] = (await store.unsafe(
      `select count(*) as open from jobs
       where run_at < ${Date.now() + HORIZON_MS} and finished_at is null`,
    )) as { open: number }[];
    if (row?.open === 0) return;
    await Bun.sleep(20);
  }
  throw new Error('the jobs were not done in time');
}

async function fillWithFinished(): Promise<void> {
  const week_ms = 7 * 24 * 60 * 60 * 1000;
  await store.unsafe(
    `insert into jobs (id, account_id, key_id, request_id, provider, model, request, status,
       attempt, attempt_status, tries, created_at, updated_at, finished_at, deadline_at, run_at)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < ${FINISHED})
     select 'job_filler-' || i, 'acct_default', 'key', 'req', 'stt_b', 'nova-3', '{}', 'completed',
       1, 'completed', 0, ${Date.now()}, ${Date.now()}, ${Date.now()}, ${Date.now()},
       ${Date.now() + week_ms} + i from n`,
  );
}

function say(what: string, { per_second, p50_ms, p99_ms, loop }: Figures): void {
  const block = loop === undefined ? '' : `, ${showLoop(loop)}`;
  process.stdout.write(
    `${what}: ${per_second.toFixed(0)}/s, p50 ${p50_ms.toFixed(1)} ms, ` +
      `p99 ${p99_ms.toFixed(1)} ms${block}\n`,
  );
}

/** Answers at once, as both vendors would. */
function startUpstream() {
  const document = JSON.stringify({
    metadata: { request_id: 'r', duration: 60, channels: 1, model_info: {} },
    results: { channels: [{ alternatives: [{ transcript: 'Hello.', words: [] }] }] },
  });
  const found = JSON.stringify({ results: [], costDollars: { total: 0.007 } });
  const headers = { 'content-type': 'application/json' };
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      await request.arrayBuffer();
      const listen = new URL(request.url).pathname === '/v1/listen';
      return new Response(listen ? document : found, { headers });
    },
  });
}
