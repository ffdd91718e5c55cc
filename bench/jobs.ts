// Job throughput of one gateway on SQLite with an instant provider, the latency of a 202 compared
// with a search, the effect of finished jobs, and the event loop while ten hours of speech are
// stored and served.
import { SQL } from 'bun';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../server/src/settings/settings.ts';
import { providers } from '../server/src/providers/registry.ts';
import { startGateway } from '../server/src/app/start.ts';
import { benchLongTranscripts } from './long-transcripts.ts';
import { showLoop, watchLoop } from './loop-probe.ts';
import type { LoopFigures } from './loop-probe.ts';

const jobs = Number(process.env['JOBS'] ?? 3000);
const finished = Number(process.env['FINISHED'] ?? 100_000);
const callerCount = 32;
const key = `sk_live_${'b'.repeat(43)}`;
const waitLimitMs = 120_000;
/** After the deadline of any open job, and before the end of the retention of a finished one. */
const horizonMs = 24 * 60 * 60 * 1000;

const upstream = startUpstream();
const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
const settings = readSettings(
  {
    PORT: '0',
    TRIVIUM_DATA_DIR: folder,
    TRIVIUM_SANDBOX: 'off',
    TRIVIUM_BOOTSTRAP_KEY: key,
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
say('searches', await callers(jobs, search));
await callers(200, transcribe);
await drained();
say('jobs, fresh store', await run());
await fillWithFinished();
say(`jobs, ${finished} finished ones in the store`, await run());

await gateway.stop();
await store.close();
await upstream.stop(true);
rmSync(folder, { recursive: true });
await benchLongTranscripts();

type Figures = { perSecond: number; p50_ms: number; p99Ms: number; loop?: LoopFigures };

/** From the first request to the last transcript. */
async function run(): Promise<Figures> {
  const began = performance.now();
  const metrics = watchLoop();
  const { p50_ms, p99Ms } = await callers(jobs, transcribe);
  await drained();
  const loop = metrics();
  const perSecond = jobs / ((performance.now() - began) / 1000);
  return { perSecond, p50_ms, p99Ms, loop };
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
  await Promise.all(Array.from({ length: callerCount }, one));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const perSecond = count / ((performance.now() - began) / 1000);
  return { perSecond, p50_ms: at(0.5), p99Ms: at(0.99) };
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
}

async function drained(): Promise<void> {
  for (let waitedMs = 0; waitedMs < waitLimitMs; waitedMs += 20) {
    const [row] = (await store.unsafe(
      `select count(*) as open from jobs
       where run_at < ${Date.now() + horizonMs} and finished_at is null`,
    )) as { open: number }[];
    if (row?.open === 0) return;
    await Bun.sleep(20);
  }
  throw new Error('the jobs were not done in time');
}

async function fillWithFinished(): Promise<void> {
  const weekMs = 7 * 24 * 60 * 60 * 1000;
  await store.unsafe(
    `insert into jobs (id, account_id, key_id, request_id, provider, model, request, status,
       attempt, attempt_status, tries, created_at, updated_at, finished_at, deadline_at, run_at)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < ${finished})
     select 'job_filler-' || i, 'acct_default', 'key', 'req', 'stt_b', 'nova-3', '{}', 'completed',
       1, 'completed', 0, ${Date.now()}, ${Date.now()}, ${Date.now()}, ${Date.now()},
       ${Date.now() + weekMs} + i from n`,
  );
}

function say(what: string, { perSecond, p50_ms, p99Ms, loop }: Figures): void {
  const block = loop === undefined ? '' : `, ${showLoop(loop)}`;
  process.stdout.write(
    `${what}: ${perSecond.toFixed(0)}/s, p50 ${p50_ms.toFixed(1)} ms, ` +
      `p99 ${p99Ms.toFixed(1)} ms${block}\n`,
  );
}

/** Responds at once, like both vendors. */
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
