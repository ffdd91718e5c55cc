// A caller who disconnects ends the extraction and pays for the pages requested so far.
import { test } from 'bun:test';
import { readGauge } from '../gauges.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';
import { waitFor } from '../wait-for.ts';

const pair = sharedSandbox({ TRIVIUM_BOOTSTRAP_BALANCE_USD: '10' });
const urls = Array.from({ length: 20 }, (_, at) => `https://pages.example/new-home?n=${at}`);
const slowMs = 400;

type Balance = { balance_usd: number; held_usd: number };

const extract = { urls, provider: 'engine_i' };
const call = { name: 'extract', arguments: extract };

test('a caller who disconnects pays for the pages requested so far only', () =>
  disconnectDuring('/v1/extract', extract));

test('an agent that disconnects pays in the same way', () =>
  disconnectDuring('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }));

async function disconnectDuring(path: string, body: object): Promise<void> {
  const { gateway, sandbox } = pair();
  const balance = async () => (await gateway.get('/v1/balance')).body as Balance;
  await sandbox.fault('/jina-reader', 'slow', { delay_ms: slowMs });
  await sandbox.clearCalls();
  const before = await balance();
  const connection = new AbortController();
  const asked = fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
    signal: connection.signal,
  }).catch(() => 'disconnected');
  const read = async () => (await sandbox.calls('/jina-reader')).length;
  await waitFor(read, { what: 'five pages are requested', until: (pages) => pages >= 5 });
  connection.abort();
  expect(await asked).toBe('disconnected');
  const after = await waitFor(balance, {
    what: 'the hold is settled',
    until: ({ held_usd }) => held_usd === 0,
  });
  expect(await readGauge(gateway, 'trivium_requests_running')).toBe(1);
  const askedFor = await read();
  proves('money.extract.delivered-only', () => {
    expect(askedFor).toBeLessThan(urls.length);
    expect(askedFor).toBeGreaterThanOrEqual(5);
    const paidUsd = before.balance_usd - after.balance_usd;
    expect(paidUsd).toBeGreaterThan(0);
  });
}
