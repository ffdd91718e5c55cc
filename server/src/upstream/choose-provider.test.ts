// Plans of several providers in turn, and the order that operators are shown.
import { expect, test } from 'bun:test';
import { GatewayError } from '@trivium/contract';
import { amountOf } from '../../test/amount-of.ts';
import { explainOrder, performInTurn, planInTurn } from './choose-provider.ts';

const request = { caller: {}, seen: {} } as never;
const ready = (...ids: string[]) => ids.map((id) => ({ provider: { id } })) as never;
const planOf = (provider: string, maxCost: number) =>
  ({ provider, calls: [], maxCost: amountOf(maxCost), time: { sumMs: 1 } }) as never as Plan;
type Plan = Parameters<typeof planInTurn>[2];

test.each([
  ['empty', ['first', 'cheap'], 9],
  ['errors', ['first', 'dear', 'cheap'], 8],
])('with failover from %s, %p are asked, for at most %d', (failover, providers, maxCost) => {
  const context = { settings: { failover, max_request_usd: 0.000_01 } } as never;
  const prices: Record<string, number> = { dear: 8, cheap: 4 };
  const plan = planInTurn(
    context,
    request,
    planOf('first', 5),
    ready('dear', 'cheap', 'unable'),
    ({ provider: { id } }) => {
      if (id in prices) return planOf(id, prices[id] ?? 0);
      throw new GatewayError('invalid_request', 'It cannot serve this.');
    },
  );
  expect(plan.inTurn.map(({ provider }) => provider)).toEqual(providers);
  expect([plan.maxCost, plan.asksAfterEmpty]).toEqual([amountOf(maxCost), failover === 'empty']);
});

test('after an empty answer the next provider is asked, and both are paid', async () => {
  const perform = performInTurn(
    { settings: { max_request_usd: 1 } } as never,
    async (_context, { provider }) =>
      ({ delivered: provider === 'first' ? 0 : 3, cost: { amount: amountOf(2) } }) as never,
    (_plan, _request, done) => done,
  );
  const inTurn = [planOf('first', 5), planOf('second', 5), planOf('third', 5)] as const;
  const planned = { ...inTurn[0], inTurn, asksAfterEmpty: true };
  expect(await perform(planned, request)).toMatchObject({ delivered: 3, cost: { amount: 4 } });
});

test('of weighted providers the one with the largest weight is shown first', () => {
  const ids = ['engine_a', 'engine_b', 'engine_c'] as const;
  const configured = ids.map((id) => [id, { provider: { id }, state: 'configured', upstream: {} }]);
  const search = { kind: 'weighted', weights: { engine_a: 1, engine_b: 5, engine_c: 3 } };
  const context = {
    providers: Object.fromEntries(configured) as never,
    settings: { auto_routing: { search } as never },
  };
  const { order } = explainOrder(context, 'search', ids, () => 1);
  expect(order.map(({ provider }) => provider)).toEqual(['engine_b', 'engine_c', 'engine_a']);
});
