// An answer that can no longer be settled is one request, counted as a failure.
import { expect, test } from 'bun:test';
import { found } from '../exa-upstream.ts';
import { engines } from './engines.ts';
import { openGatewayOnStore } from './gateway-on-store.ts';

test.each(engines)(
  'an answer whose hold is gone is counted as one 503 on $name',
  async (engine) => {
    await using fixture = await openGatewayOnStore(engine, '1');
    const other = await fixture.store.another();
    fixture.exa.answer(async () => {
      await other.run('delete from holds');
      return found();
    });
    const { status, headers } = await fixture.gateway.search({ 'idempotency-key': 'k' });
    await other.close();
    const metrics = await (await fixture.gateway.ask('GET', '/metrics')).text();
    const counted = metrics.split('\n').filter((line) => line.startsWith('trivium_served_total'));
    expect([status, headers.get('retry-after'), counted]).toEqual([
      503,
      '1',
      ['trivium_served_total{tool="search",provider="engine_a",status="503"} 1'],
    ]);
  },
);
