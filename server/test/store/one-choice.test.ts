// A request chooses its provider once: a circuit that opens while the cache is read changes neither
// the provider that is called nor its price.
import { expect, test } from 'bun:test';
import { waitFor } from '../../../e2e/wait-for.ts';
import { startExa } from '../exa-upstream.ts';
import { openGateway } from '../gateway.ts';
import { postgresEngine } from './engines.ts';
import { balance } from './gateway-on-store.ts';
import { makeStore } from './migrated-store.ts';

const url = 'https://example.org/page';
const headers = { 'x-trivium-cache': '3600' };
const requests = [
  ['/v1/search', { query: 'solar' }],
  ['/v1/extract', { urls: [url] }],
] as const;
const answer = {
  requestId: 'r',
  results: [{ id: url, url, title: 'Page', text: 'Text', highlights: ['words'] }],
  statuses: [{ id: url, status: 'success' }],
  costDollars: { total: 0.001 },
};
const waiting = `select 1 as one from pg_locks
  where relation = 'cache_entries'::regclass and not granted`;
/** More than a circuit needs to open. */
const failures = 30;

// Only PostgreSQL can hold one read while other requests use the store.
test('on PostgreSQL', async () => {
  await using store = await makeStore(postgresEngine);
  using exa = startExa();
  using other = startExa();
  exa.answer(() => Response.json(answer));
  const settings = {
    ...store.settings,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '5',
    TRIVIUM_AUTO_SEARCH: 'engine_a,engine_b',
    TRIVIUM_AUTO_EXTRACT: 'engine_a,engine_b',
    PARALLEL_API_KEY: 'key',
    PARALLEL_BASE_URL: other.url,
  };
  {
    await using gateway = await openGateway(exa.url, settings);
    for (const [path, body] of requests) {
      const stored = await gateway.ask('POST', path, { body, headers });
      expect(stored.headers.get('x-trivium-cache')).toStartWith('miss');
    }
  }
  for (const [path, body] of requests) {
    // A new process has neither entries in memory nor open circuits.
    await using gateway = await openGateway(exa.url, settings);
    const held = Promise.withResolvers<void>();
    const locked = store.database.transaction(async (tx) => {
      await tx.run('set local idle_in_transaction_session_timeout = 0');
      await tx.run('lock table cache_entries in access exclusive mode');
      await held.promise;
    });
    const asked = gateway.ask('POST', path, { body, headers });
    await waitFor(() => store.database.run(waiting), {
      what: 'the cache is being read',
      until: (rows) => rows.length > 0,
    });
    exa.answer(() => new Response('down', { status: 500 }));
    const plain = { ...body, provider: 'engine_a' };
    await Promise.all(
      Array.from({ length: failures }, () => gateway.ask('POST', path, { body: plain })),
    );
    // The circuit is open: `auto` now calls the other provider.
    await gateway.ask('POST', path, { body });
    const [before, calls] = [await balance(gateway), other.calls()];
    expect(calls).toBeGreaterThan(0);
    held.resolve();
    await locked;
    const served = await asked;
    expect([served.status, await served.json()]).toMatchObject([200, { provider: 'engine_a' }]);
    expect(served.headers.get('x-trivium-cache')).toStartWith('hit');
    expect([other.calls(), await balance(gateway)]).toEqual([calls, before]);
  }
});
