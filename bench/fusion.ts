// The cost of fusion: the merge alone, and a whole fusion compared with its slowest member alone.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchEngineIds } from '@trivium/contract';
import type { SearchEngineId } from '@trivium/contract';
import { runChild } from '../e2e/child-process.ts';
import { startTestSandbox } from '../e2e/test-sandbox.ts';
import type { TestSandbox } from '../e2e/test-sandbox.ts';
import { vendorSettings } from '../e2e/vendor-settings.ts';
import { fuse } from '../server/src/search/core/merge.ts';
import type { Listed } from '../server/src/search/core/merge.ts';

const mergeRounds = 500;
const warmUp = 100;
const fusionRounds = 15;
const topK = 3;
/** The delays of the members of the default panel; the last one is the slowest. */
const delaysMs = { '/exa': 50, '/parallel': 100, '/you': 150, '/perplexity': 300 } as const;
const slowest: SearchEngineId = 'engine_k';

const lines = ['merge        pages in   out   median ms   limit ms'];
for (const [engines, results, limitMs] of [
  [4, 20, 1],
  [11, 100, 5],
] as const) {
  const { medianMs, out } = measureMerge(engines, results);
  const verdict = medianMs <= limitMs ? 'within' : 'ABOVE';
  const columns = [`${engines} x ${results}`.padEnd(12), String(engines * results).padStart(8)];
  columns.push(
    String(out).padStart(5),
    medianMs.toFixed(3).padStart(11),
    `${limitMs}`.padStart(10),
  );
  lines.push(`${columns.join(' ')}  ${verdict}`);
}
process.stdout.write(`${lines.join('\n')}\n\n`);

const sandbox = await startTestSandbox();
try {
  await measureFusion(sandbox);
} finally {
  await sandbox.stop();
}

/** Lists that share about half of their pages, with the usual differences between URLs. */
function makeLists(engines: number, results: number): Map<SearchEngineId, Listed[]> {
  const panel = searchEngineIds.slice(0, engines);
  return new Map(
    panel.map((engine, position) => [
      engine,
      Array.from({ length: results }, (_, at) => makePage(position, at)),
    ]),
  );
}

function makePage(position: number, at: number): Listed {
  const shared = (at + position) % 2 === 0;
  const host = shared ? `site${at % 17}.example` : `own${position}.example`;
  const prefix = position % 3 === 0 ? 'https://www.' : position % 3 === 1 ? 'http://' : 'https://';
  // Most URLs have no query; half of the others have tracking parameters.
  const queries = ['', '', `?id=${at}`, '', `?utm_source=engine${position}&utm_medium=search`];
  const query = shared ? (queries[(at + position) % queries.length] ?? '') : '';
  return {
    url: `${prefix}${host}/articles/2026/${shared ? 'common' : 'rare'}-${at}/${query}`,
    title: `Page ${at} as engine ${position} knows it`,
    snippets: [`A passage about ${at}.`, `Another one of engine ${position} about ${at}.`],
    published_date: '2026-05-18',
    raw: JSON.stringify({ rank: at, text: 'x'.repeat(500) }),
  };
}

function measureMerge(engines: number, results: number): { medianMs: number; out: number } {
  const panel = searchEngineIds.slice(0, engines);
  const lists = makeLists(engines, results);
  const times: number[] = [];
  let out = 0;
  for (let round = 0; round < warmUp + mergeRounds; round += 1) {
    const started = performance.now();
    out = fuse(panel, lists, { top_k: topK }).results.length;
    if (round >= warmUp) times.push(performance.now() - started);
  }
  return { medianMs: median(times), out };
}

async function measureFusion({ url, fault }: TestSandbox): Promise<void> {
  for (const mount of Object.keys(delaysMs) as (keyof typeof delaysMs)[]) {
    await fault(mount, 'slow', { delay_ms: delaysMs[mount] });
  }
  const home = await mkdtemp(join(tmpdir(), 'trivium-bench-'));
  const key = `sk_live_${randomBytes(32).toString('base64url')}`;
  const gateway = runChild(
    'server/src/main.ts',
    {
      ...vendorSettings(url),
      PORT: '0',
      TRIVIUM_SANDBOX: 'off',
      TRIVIUM_DATA_DIR: join(home, 'data'),
      TRIVIUM_BOOTSTRAP_KEY: key,
      TRIVIUM_BOOTSTRAP_BALANCE_USD: '10',
    },
    home,
  );
  try {
    const address = await gateway.waitFor(/listening on .*?(http:\/\/[^\s/]+)/);
    const alone = await medianOf(address, key, slowest);
    const panel = await medianOf(address, key, 'fusion');
    const delays = Object.values(delaysMs).join(', ');
    process.stdout.write(
      `end to end, members delayed by ${delays} ms, ${fusionRounds} rounds, median:\n` +
        `${slowest} alone  ${alone.toFixed(1)} ms\n` +
        `fusion of four  ${panel.toFixed(1)} ms\n` +
        `overhead        ${(panel - alone).toFixed(1)} ms\n`,
    );
  } finally {
    await gateway.end('SIGKILL');
    await rm(home, { recursive: true, force: true });
  }
}

async function medianOf(address: string, key: string, provider: string): Promise<number> {
  const times: number[] = [];
  for (let round = -2; round < fusionRounds; round += 1) {
    const started = performance.now();
    const response = await fetch(`${address}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'solar energy storage', provider }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${provider}: ${response.status} ${text}`);
    // The first rounds build indexes and warm up the gateway.
    if (round >= 0) times.push(performance.now() - started);
  }
  return median(times);
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
