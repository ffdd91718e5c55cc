// The cache of searches, on both stores and between gateways: what is shared, what it costs, and
// what no other account can see.
import { test } from 'bun:test';
import { asOperator, makeAccount, micro, moneyOf } from '../billing/small-account.ts';
import { engines, startPairOfProcesses } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import type { Client } from '../http-client.ts';
import { expect, proves } from '../proves.ts';
import {
  ask,
  cost,
  haveLookedUp,
  how,
  idIn,
  oneHour,
  price,
  resultsIn,
  openFixture,
  openPair,
} from './cache-fixture.ts';
import { waitFor } from '../wait-for.ts';

const callers = 20;

test.each(engines)(
  'on %s, a repeated search is free, byte for byte, and shared by gateways',
  async (engine) => {
    await using fixture = await openFixture(engine);
    const { exa, gateways } = fixture;
    const account = await makeAccount(gateways[0], 1);
    const [one, two] = gateways.map(account.on) as [Client, Client];
    const first = await ask(one, {});
    expect([how(first), cost(first)]).toEqual(['miss', price]);
    for (const client of [one, two, one]) {
      const again = await ask(client, {});
      proves('cache.free', () => {
        expect([again.status, how(again), cost(again)]).toEqual([200, 'hit; age=N', 0]);
        expect(resultsIn(again)).toBe(resultsIn(first));
      });
      expect(idIn(again)).not.toBe(idIn(first));
    }
    // Keys in another order are the same request; other values are not.
    expect(how(await ask(one, { max_results: 10, strict: false }))).toBe('hit; age=N');
    expect(how(await ask(one, { max_results: 9 }))).toBe('miss');
    expect(how(await ask(one, { strict: true }))).toBe('miss');
    // Without the header, and with 0, the provider is called, and nothing is stored.
    await proves('cache.only-on-request', async () => {
      expect(how(await ask(one, { query: 'sun' }, {}))).toBeUndefined();
      expect(how(await ask(one, { query: 'sun' }, { 'x-trivium-cache': '0' }))).toBeUndefined();
      expect(how(await ask(one, { query: 'sun' }))).toBe('miss');
    });
    // Another account has its own entries.
    const otherAccount = await makeAccount(gateways[0], 1);
    await proves('cache.account-only', async () => {
      expect(how(await ask(otherAccount.on(gateways[0]), {}))).toBe('miss');
    });
    expect(exa.received).toHaveLength(7);
    const spent = 6 * price;
    expect((await moneyOf(one)).balance).toBe(1_000_000 - spent);
    await emptied(gateways[0], account.id, 4);
    // The other gateway notices within half a second.
    await waitFor(async () => how(await ask(two, {})), {
      what: 'the other gateway forgets the entry',
      until: (now) => now === 'miss',
    });
    expect(how(await ask(otherAccount.on(gateways[0]), {}))).toBe('hit; age=N');
  },
);

async function emptied(gateway: Gateway, accountId: string, deleted: number): Promise<void> {
  const path = `/admin/v1/cache?account_id=${accountId}`;
  const answer = await gateway.ask('DELETE', path, undefined, asOperator);
  expect(answer.body).toEqual({ deleted });
}

test('a hit needs no balance, counts in the limits of its key, and is logged', async () => {
  await using fixture = await openFixture('PostgreSQL', { TRIVIUM_KEY_REQUESTS_PER_MINUTE: '6' });
  const { gateways } = fixture;
  const account = await makeAccount(gateways[0], 0.007);
  const client = account.on(gateways[0]);
  await ask(client, {});
  expect((await moneyOf(client)).balance).toBe(0);
  await proves('cache.no-balance', async () => {
    expect((await ask(client, { query: 'unknown' })).status).toBe(402);
    expect(how(await ask(client, {}))).toBe('hit; age=N');
  });
  const keyed = { ...oneHour, 'idempotency-key': 'again' };
  const first = await ask(client, {}, keyed);
  expect([how(first), cost(first)]).toEqual(['hit; age=N', 0]);
  const replayed = await ask(client, {}, keyed);
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(replayed.text).toBe(first.text);
  const statuses: number[] = [];
  for (let left = 4; left > 0; left -= 1) statuses.push((await ask(client, {})).status);
  expect(statuses).toContain(429);
  const log = await gateways[0].get(`/admin/v1/requests?account_id=${account.id}`, asOperator);
  const { requests } = log.body as { requests: { status: number; cost_usd: number }[] };
  const served = requests.filter(({ status }) => status === 200);
  expect(served.map(({ cost_usd }) => micro(cost_usd)).filter((paid) => paid > 0)).toEqual([price]);
  expect(served.length).toBeGreaterThanOrEqual(4);
});

test('every hit is in the usage at once, and after the gateway was stopped', async () => {
  await using fixture = await openFixture('SQLite');
  const [gateway] = fixture.gateways;
  const account = await makeAccount(gateway, 1);
  const client = account.on(gateway);
  await ask(client, {});
  const hits = async (count: number) => {
    await Promise.all(Array.from({ length: count }, () => ask(client, {})));
  };
  const counted = async () => {
    const { usage } = (await client.get('/v1/usage?by=tool')).body as {
      usage: { requests: number }[];
    };
    return usage.map(({ requests }) => requests);
  };
  await hits(30);
  expect(await counted()).toEqual([31]);
  await hits(30);
  await gateway.restart();
  expect(await counted()).toEqual([61]);
});

test('equal requests at the same time call the provider once per gateway, and one of them pays', async () => {
  const gate = Promise.withResolvers<void>();
  await using fixture = await openFixture('PostgreSQL', {}, () => gate.promise);
  const { exa, gateways } = fixture;
  const account = await makeAccount(gateways[0], 10);
  const clients = gateways.map(account.on);
  const asked = Array.from({ length: callers }, (_, at) => ask(clients[at % 2] as Client, {}));
  const running = new Set(gateways).size;
  await exa.receives(running);
  for (const gateway of new Set(gateways)) await haveLookedUp(gateway, callers / running);
  gate.resolve();
  const answers = await Promise.all(asked);
  proves('cache.single-flight', () => {
    expect(exa.received).toHaveLength(running);
    const counts = answers.map((answer) => `${how(answer)} ${cost(answer)}`).toSorted();
    const fetched = counts.filter((one) => one !== 'joined 0' && !one.startsWith('hit'));
    expect(fetched).toEqual(Array.from({ length: running }, () => `miss ${price}`));
  });
  expect(new Set(answers.map(resultsIn)).size).toBe(1);
  expect((await moneyOf(clients[0] as Client)).balance).toBe(10_000_000 - running * price);
});

test('a gateway that is killed while it fetches delays no caller of another one', async () => {
  const dying = Promise.withResolvers<void>();
  let calls = 0;
  await using fixture = await openPair(startPairOfProcesses, 'PostgreSQL', {}, () => {
    calls += 1;
    return calls === 1 ? dying.promise : Promise.resolve();
  });
  const { exa, gateways } = fixture;
  const account = await makeAccount(gateways[0], 1);
  const killed = ask(account.on(gateways[0]), {}).catch(() => undefined);
  await exa.receives(1);
  await gateways[0].kill9();
  const served = await ask(account.on(gateways[1]), {});
  expect([served.status, how(served), cost(served)]).toEqual([200, 'miss', price]);
  expect(exa.received).toHaveLength(2);
  const { balance, held } = await moneyOf(account.on(gateways[1]));
  expect(balance + held).toBe(1_000_000 - price);
  dying.resolve();
  await killed;
}, 30_000); // A claim of the killed gateway would last longer.

test('with the setting of the operator, each of them pays', async () => {
  const gate = Promise.withResolvers<void>();
  await using fixture = await openFixture(
    'SQLite',
    { TRIVIUM_CACHE_JOINED: 'each' },
    () => gate.promise,
  );
  const { exa, gateways } = fixture;
  const account = await makeAccount(gateways[0], 10);
  const client = account.on(gateways[0]);
  const asked = [ask(client, {}), ask(client, {}), ask(client, {})];
  await haveLookedUp(gateways[0], asked.length);
  gate.resolve();
  expect((await Promise.all(asked)).map(cost)).toEqual([price, price, price]);
  expect(exa.received).toHaveLength(1);
  expect(cost(await ask(client, {}))).toBe(0);
});

test('a caller who disconnects pays, and the answer serves the other callers', async () => {
  const gate = Promise.withResolvers<void>();
  await using fixture = await openFixture('SQLite', {}, () => gate.promise);
  const { exa, gateways } = fixture;
  const account = await makeAccount(gateways[0], 1);
  const client = account.on(gateways[0]);
  const leaving = new AbortController();
  const left = fetch(`${gateways[0].url}/v1/search`, {
    method: 'POST',
    headers: {
      ...oneHour,
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ provider: 'engine_a', query: 'wind' }),
    signal: leaving.signal,
  }).catch(() => 'left');
  await exa.receives(1);
  const waiting = ask(client, {});
  await haveLookedUp(gateways[0], 2);
  leaving.abort();
  expect(await left).toBe('left');
  gate.resolve();
  const served = await waiting;
  expect([how(served), cost(served)]).toEqual(['joined', 0]);
  expect(exa.received).toHaveLength(1);
  // The others do not wait for the charge of the one that left.
  await waitFor(() => moneyOf(client), {
    what: 'the caller who left has paid',
    until: ({ balance }) => balance === 1_000_000 - price,
  });
});
