// An answer that is ready and cannot be paid for any more is one request, counted as a failure.
import { expect, test } from 'bun:test';
import { found } from '../exa-upstream.ts';
import { engines } from './engines.ts';
import { openPlace } from './place.ts';

test.each(engines)('an answer whose hold is gone is counted as a 503 on $name', async (engine) => {
  await using place = await openPlace(engine, '1');
  const other = await place.bench.another();
  place.exa.answer(async () => {
    await other.run('delete from holds');
    return found();
  });
  const { status } = await place.gateway.search({ 'idempotency-key': 'k' });
  await other.close();
  const metrics = await (await place.gateway.ask('GET', '/metrics')).text();
  const counted = metrics.split('\n').filter((line) => line.startsWith('trivium_served_total'));
  expect([status, counted]).toEqual([
    503,
    ['trivium_served_total{tool="search",provider="engine_a",status="503"} 1'],
  ]);
});
