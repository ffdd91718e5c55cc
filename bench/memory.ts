// All attacks on the memory of a gateway at once, against one process: does it stay below what the
// deployment files give it? `npm run bench -- memory` writes bench/memory.json and the figure in the
// documents.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAccount, operatorToken } from '../e2e/billing/small-account.ts';
import { startGatewayProcess } from '../e2e/harness.ts';
import { count, memoryLimit, mib, peakDuring } from '../e2e/memory.ts';
import { hasEnded, submitJob, waitForJob } from '../e2e/jobs.ts';
import { startTestSandbox } from '../e2e/test-sandbox.ts';
import { startUpstream, upstreamKey } from '../e2e/upstream.ts';
import { type MemoryFigures, readResults, writeFigures } from './figures.ts';

const runs = 3;
const lecture = { audio_url: 'https://recordings.example/lecture.wav', provider: 'stt_a' };
const word = 'word ';

await using sandbox = await startTestSandbox();
await using upstream = startUpstream(({ body }) => {
  const { urls = [] } = body as { urls?: string[] };
  const chars = urls.length > 1 ? 700_000 : 14 * mib;
  const text = word.repeat(urls[0]?.includes('honest') ? 10 : chars / word.length);
  return Response.json({
    requestId: 'r',
    results: urls.map((url) => ({ id: url, url, title: 'A page', text })),
    statuses: urls.map((id) => ({ id, status: 'success' })),
    costDollars: { total: 0.001 },
  });
});
const peaksMib: number[] = [];
for (let run = 0; run < runs; run += 1) peaksMib.push(await attack());
const figures: MemoryFigures = { date: new Date().toISOString().slice(0, 10), peaksMib };
writeFileSync(join(import.meta.dir, 'memory.json'), `${JSON.stringify(figures, null, 1)}\n`);
const results = readResults();
if (results) writeFigures(results);
process.stdout.write(`peaks ${peaksMib.join(', ')} MiB of ${memoryLimit / mib} MiB\n`);
process.exitCode = Math.max(...peaksMib) * mib < memoryLimit ? 0 : 1;

/** Returns the peak in MiB. */
async function attack(): Promise<number> {
  await using gateway = await startGatewayProcess({
    sandbox: sandbox.url,
    env: {
      TRIVIUM_ADMIN_TOKEN: operatorToken,
      TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000',
      EXA_API_KEY: upstreamKey,
      EXA_BASE_URL: upstream.url,
    },
  });
  const other = await makeAccount(gateway, 1);
  const extract = (urls: readonly string[], headers: Record<string, string> = {}) =>
    gateway.post('/v1/extract', { urls, provider: 'engine_a' }, headers);
  /** A client that reads too slowly is cut off. */
  const isCut = () => ({ status: 'cut' });
  const many = (length: number, make: (at: number) => Promise<{ status: number | string }>) =>
    Promise.all(Array.from({ length }, (_, at) => make(at).catch(isCut)));
  const cached = { 'x-trivium-cache': '3600' };
  const pages = Array.from({ length: 20 }, (_, at) => `https://cached.example/${at}`);

  await extract(pages, cached);
  const { id } = await submitJob(gateway, lecture);
  await waitForJob(gateway, id, hasEnded);
  const agent = { name: 'get_job', arguments: { id } };
  const rpc = (at: number) => ({ jsonrpc: '2.0', id: at, method: 'tools/call', params: agent });
  const accept = { accept: 'application/json, text/event-stream' };

  const { peak, value } = await peakDuring(gateway, async () => {
    const attacks = {
      'vendor answers of 14 MB': many(60, (at) => extract([`https://long.example/${at}`])),
      'cache hits of 28 MB': many(60, () => extract(pages, cached)),
      'MCP batches of 100': many(3, () =>
        gateway.post(
          '/mcp',
          Array.from({ length: 100 }, (_, at) => rpc(at)),
          accept,
        ),
      ),
      batches: many(15, () => gateway.post('/v2/batch/scrape', { urls: pages }, cached)),
      'jobs of ten hours': many(4, async () => ({
        ...(await submitJob(gateway, lecture)),
        status: 202,
      })),
      'searches of another account': many(20, async (at) => {
        await Bun.sleep(at * 200);
        return extract([`https://honest.example/${at}`], other.headers);
      }),
    };
    const shown: string[] = [];
    for (const [name, answers] of Object.entries(attacks)) {
      const statuses = (await answers).map(({ status }) => status);
      shown.push(`${name}: ${JSON.stringify(count(statuses))}`);
    }
    return shown;
  });
  process.stdout.write([...value, ''].join('\n'));
  return Math.round(peak / mib);
}
