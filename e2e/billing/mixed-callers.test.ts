// Hostile and honest callers at once on one small balance, on one gateway and on two: together they
// spend at most the balance, unless a vendor reports a charge above the hold.
import { expect, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { engines, startPair } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import type { Answer, Client } from '../http-client.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { startAnyUpstream } from './any-upstream.ts';
import type { AnyUpstream } from './any-upstream.ts';
import { attacked, learnPrices, makeCases, requestFor } from './option-attack.ts';
import { optionsAt } from './option-paths.ts';
import { costIn, makeAccount, micro, moneyOf, operatorToken } from './small-account.ts';
import type { Money, SmallAccount } from './small-account.ts';

const honestCallers = 20;
const hostileCallers = 40;
const callers = 24;
const openingUsd = 0.15;
const honest = { query: 'membranes', provider: 'engine_c' };

type Place = { gateways: readonly [Gateway, ...Gateway[]]; upstream: AnyUpstream };

test.each(engines)('on %s', async (engine) => {
  await using sandbox = await startTestSandbox();
  await using upstream = startAnyUpstream(sandbox.url);
  await using pair = await startPair(engine, { env: envOver(upstream) });
  const { gateway, other } = pair;
  await shareBalances({ gateways: gateway === other ? [gateway] : [gateway, other], upstream });
  await gateway.stop();
  await auditStore(gateway.store);
});

function envOver(upstream: AnyUpstream) {
  return {
    ...upstream.env,
    TRIVIUM_ADMIN_TOKEN: operatorToken,
    LOG_LEVEL: 'error',
  };
}

async function shareBalances(place: Place): Promise<void> {
  const { upstream } = place;
  const [gateway] = place.gateways;
  for (const one of attacked) await learnPrices({ gateway, upstream }, one);
  // The sandbox's own report, then an invalid price, then a price far above every hold.
  for (const value of [undefined, -1, 40]) {
    upstream.priceReport = value === undefined ? undefined : { value };
    const account = await makeAccount(gateway, openingUsd);
    const { answers, balances } = await sendAll(place, account);
    const left = await moneyOf(account.on(gateway));
    const paid = answers.reduce((sum, answer) => sum + costIn(answer), 0);
    expect(left).toEqual({ balance: micro(openingUsd) - paid, held: 0 });
    expect(balances.filter(({ held }) => held < 0)).toEqual([]);
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 400, 402, 502].includes(status))).toEqual([]);
    expect(statuses).toContain(200);
    expect(statuses).toContain(402);
    if (value !== 40) {
      // No report exceeds its hold, so nothing is served beyond the balance.
      expect(left.balance).toBeGreaterThanOrEqual(0);
      // A settlement beside the reading may count as held too.
      expect(balances.filter(({ balance, held }) => balance + held < 0)).toEqual([]);
    } else {
      // Whether these went below zero depends on their order; an expensive answer does, and is the
      // last.
      const one = (await makeAccount(gateway, 0.05)).on(gateway);
      expect((await one.post('/v1/search', honest)).status).toBe(200);
      const again = await one.post('/v1/search', honest);
      expect([(await moneyOf(one)).balance < 0, again.status]).toEqual([true, 402]);
    }
  }
}

/** Sends all requests at once while one more caller polls the balance. */
async function sendAll({ gateways }: Place, account: SmallAccount) {
  const clients = gateways.map((gateway) => account.on(gateway));
  const waiting = mixRequests();
  const answers: Answer[] = [];
  const balances: Money[] = [];
  let finished = false;
  const call = async (client: Client) => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      answers.push(await client.post(...next));
    }
  };
  const pollBalance = async (client: Client) => {
    while (!finished) balances.push(await moneyOf(client));
  };
  const watching = clients.map(pollBalance);
  const pick = (at: number) => clients[at % clients.length] as Client;
  await Promise.all(Array.from({ length: callers }, (_, at) => call(pick(at))));
  finished = true;
  await Promise.all(watching);
  return { answers, balances };
}

/** Two hostile requests for each honest one, mixed from the start. */
function mixRequests(): [path: string, body: object][] {
  const hostile = [...makeCases(hostileCallers, 8)].map(({ of, given }) =>
    requestFor(of, {}, optionsAt(given)),
  );
  const every = hostileCallers / honestCallers;
  return hostile.flatMap((request, at) =>
    at % every === 0 ? [request, ['/v1/search', honest] as [string, object]] : [request],
  );
}
