// A caller who goes away in the middle of an extraction stops it, and pays for no page unread.
import { expect } from 'bun:test';
import { sharedSandbox } from '../shared-sandbox.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox({ TRIVIUM_BOOTSTRAP_BALANCE_USD: '10' });
const urls = Array.from({ length: 20 }, (_, at) => `https://pages.example/new-home?n=${at}`);
const SLOW_MS = 400;
const LONGEST_WAIT_MS = 10_000;

type Balance = { balance_usd: number; held_usd: number };

scenario(
  'a caller who goes away stops the pages to come, pays for none of them, and leaves no hold',
  ['money.extract.delivered-only'],
  async () => {
    const { gateway, sandbox } = pair();
    const balance = async () => (await gateway.get('/v1/balance')).body as Balance;
    await sandbox.fault('/jina-reader', 'slow', { delay_ms: SLOW_MS });
    const before = await balance();
    const leaving = new AbortController();
    const asked = fetch(`${gateway.url}/v1/extract`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ urls, provider: 'engine_i' }),
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
    expect(await read()).toBeLessThan(urls.length);
    // Nothing had been delivered when the caller left.
    expect(after.balance_usd).toBe(before.balance_usd);
  },
);
