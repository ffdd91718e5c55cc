// A caller who leaves during an extraction ends it, and pays for the pages asked for so far.
import { expect } from 'bun:test';
import { readGauge } from '../gauges.ts';
import { sharedSandbox } from '../shared-sandbox.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox({ TRIVIUM_BOOTSTRAP_BALANCE_USD: '10' });
const urls = Array.from({ length: 20 }, (_, at) => `https://pages.example/new-home?n=${at}`);
const SLOW_MS = 400;
const LONGEST_WAIT_MS = 10_000;

type Balance = { balance_usd: number; held_usd: number };

const extract = { urls, provider: 'engine_i' };
const call = { name: 'extract', arguments: extract };

scenario(
  'a caller who leaves pays for the pages asked for so far, and for no page after them',
  ['money.extract.delivered-only'],
  () => leaveDuring('/v1/extract', extract),
);

scenario(
  'an agent that leaves pays in the same way',
  ['money.extract.delivered-only', 'surface.mcp'],
  () => leaveDuring('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
);

async function leaveDuring(path: string, body: object): Promise<void> {
  const { gateway, sandbox } = pair();
  const balance = async () => (await gateway.get('/v1/balance')).body as Balance;
  await sandbox.fault('/jina-reader', 'slow', { delay_ms: SLOW_MS });
  await sandbox.clearCalls();
  const before = await balance();
  const leaving = new AbortController();
  const asked = fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
    signal: leaving.signal,
  }).catch(() => 'left');
  const read = async () => (await sandbox.calls('/jina-reader')).length;
  for (let waited = 0; (await read()) < 5 && waited < LONGEST_WAIT_MS; waited += 20) {
    await Bun.sleep(20);
  }
  leaving.abort();
  expect(await asked).toBe('left');
  let after = await balance();
  for (let waited = 0; after.held_usd > 0 && waited < LONGEST_WAIT_MS; waited += 50) {
    await Bun.sleep(50);
    after = await balance();
  }
  expect(after.held_usd).toBe(0);
  expect(await readGauge(gateway, 'trivium_requests_running')).toBe(1);
  const asked_for = await read();
  expect(asked_for).toBeLessThan(urls.length);
  expect(asked_for).toBeGreaterThanOrEqual(5);
  const paid_usd = before.balance_usd - after.balance_usd;
  expect(paid_usd).toBeGreaterThan(0);
}
