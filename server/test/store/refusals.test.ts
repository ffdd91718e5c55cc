// Refused requests on both engines: they count in rate limits, and a limited number is logged.
import { describe, expect, test } from 'bun:test';
import { KeyList, NewKey } from '@trivium/contract';
import { maxRows } from '../../src/requests/core/rate-limit.ts';
import { engines } from './engines.ts';
import { openGatewayOnStore } from './gateway-on-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

const keys = '/accounts/acct_default/keys';

describe.each(engines)('on $name', (engine) => {
  test('refused requests count in the limit of their key and account', async () => {
    await using on = await openGatewayOnStore(engine, '0');
    const { gateway } = on;
    const limited = await newKey(on, { requests_per_minute: 6 });
    const ask = async (body: object, headers = {}) =>
      (await gateway.search({ ...limited, ...headers }, body)).status;
    await startOfMinute();
    const statuses = [
      // Invalid, without money, and with an invalid header.
      await ask({ query: '' }),
      await ask({ query: 'tides', provider: 'engine_a' }),
      await ask({ query: 'tides', provider: 'engine_a' }, { 'x-max-cost-usd': '-1' }),
      ...(await Promise.all([1, 2, 3].map(() => ask({ query: 1 })))),
    ];
    expect(statuses).toEqual([400, 402, 400, 400, 400, 400]);
    expect([await ask({ query: '' }), await ask({ query: 'tides' })]).toEqual([429, 429]);
    // Another key has no limit.
    expect((await gateway.search({}, { query: '' })).status).toBe(400);
  });

  test('a replay that is refused counts once', async () => {
    await using on = await openGatewayOnStore(engine, '1');
    const { gateway } = on;
    const repeated = {
      ...(await newKey(on, { name: 'repeated', requests_per_minute: 4 })),
      'idempotency-key': 'k',
    };
    const [other] = KeyList.parse(await (await gateway.admin('GET', keys)).json()).keys.filter(
      ({ name }) => name === 'repeated',
    );
    await startOfMinute();
    const body = { query: 'tides', provider: 'engine_a' };
    expect((await gateway.search(repeated, body)).status).toBe(200);
    await gateway.admin('PATCH', `/keys/${other?.id}`, { providers: ['engine_b'] });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) {
      statuses.push((await gateway.search(repeated, body)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  // The limit is kept in memory.
  test.each(engine.name === 'SQLite' ? [engine] : [])(
    'many refusals are logged up to a limit, and counted',
    async () => {
      await using on = await openGatewayOnStore(engine, '1');
      const { gateway, store } = on;
      for (let sent = 0; sent < maxRows + 200; sent += 50) {
        await Promise.all(
          Array.from({ length: 50 }, (_, at) =>
            gateway.search(
              { 'x-trivium-tags': `run=${sent + at}` },
              { query: 'q'.repeat(3000), max_results: -1 },
            ),
          ),
        );
      }
      const logged = async () => {
        const [row] = await store.database.run('select count(*) as count from requests');
        return Number(row?.['count']);
      };
      await waitFor(logged, { what: 'rows up to the limit', until: (rows) => rows >= maxRows });
      // Served requests are logged as before.
      expect((await gateway.search({}, { query: 'tides' })).status).toBe(200);
      await waitFor(logged, { what: 'one more row', until: (rows) => rows > maxRows });
      expect(await logged()).toBeLessThan(maxRows + 100);
      const metrics = await gateway.metrics();
      const unlogged = /^trivium_unlogged_refusals_total (\d+)$/m.exec(metrics)?.[1];
      expect(Number(unlogged)).toBeGreaterThan(100);
    },
  );
});

type On = Awaited<ReturnType<typeof openGatewayOnStore>>;

/** The headers of a new key of the only account, with this policy. */
async function newKey({ gateway }: On, policy: object) {
  const made = await gateway.admin('POST', keys, { name: 'k', ...policy });
  const { key } = NewKey.parse(await made.json());
  return { authorization: `Bearer ${key}` };
}

/** The counts of a minute end with it. */
async function startOfMinute(): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < 10_000) await Bun.sleep(leftMs);
}
