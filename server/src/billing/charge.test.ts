// What refuses a request before anything is held or performed.
import { expect, test } from 'bun:test';
import { runPaid } from './charge.ts';

test('a request is refused while too many answers wait for memory', async () => {
  const tool = {
    plan: () => ({ provider: 'engine_a', calls: [], maxCost: 1, time: { sumMs: 1 } }),
    perform: () => expect.unreachable(),
  };
  const context = { bytes: { isCrowded: (id: string) => (id === 'a' ? 'account' : undefined) } };
  const request = { caller: { account_id: 'a' }, seen: {} };
  const refused = runPaid(context as never, tool as never, {}, request as never);
  expect(await refused.catch((error: unknown) => error)).toMatchObject({ status: 429 });
});
