// Idempotency keys through a whole gateway, on both engines: one run, one charge, one answer.
import { describe, test } from 'bun:test';
import { ErrorEnvelope } from '@trivium/contract';
import { expect, proves } from '../../../e2e/proves.ts';
import { found } from '../exa-upstream.ts';
import { engines } from './engines.ts';
import { balance, sharedGatewayOnStore } from './gateway-on-store.ts';

const keyed = { 'idempotency-key': 'order-1' };

describe.each(engines)('on $name', (engine) => {
  const open = sharedGatewayOnStore(engine);

  test('a request that failed frees its key', async () => {
    await using fixture = await open('1');
    fixture.exa.answer(() => Response.json({ error: 'no' }, { status: 500 }));
    expect((await fixture.gateway.search(keyed)).status).toBe(502);
    fixture.exa.answer(() => found());
    const retried = await fixture.gateway.search(keyed);
    expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await balance(fixture.gateway)).toMatchObject({ balance_usd: 0.993 });
  });

  test('bodies are compared by their values, not by their spelling', async () => {
    await using fixture = await open('1');
    const spellings = [
      '{"query":"solar","max_results":3,"provider_options":{"engine_a":{"a":1,"b":[2]}}}',
      '{ "provider_options": {"engine_a": {"b": [2.0], "a": 1}},\n' +
        '"max_results":3, "query":"sol\\u0061r" }',
    ];
    const answers: string[] = [];
    for (const body of spellings) {
      const answer = await fetch(`${fixture.gateway.url}/v1/search`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${fixture.gateway.key}`,
          'content-type': 'application/json',
          ...keyed,
        },
        body,
      });
      expect(answer.status).toBe(200);
      answers.push(await answer.text());
    }
    proves('calls.idempotency.parsed-body', () => {
      expect(answers[1]).toBe(answers[0] ?? '');
      expect(fixture.exa.calls()).toBe(1);
    });
  });

  test('an idempotency key that another API key of the account used gets no replay', async () => {
    await using fixture = await open('1');
    await fixture.gateway.search(keyed);
    const path = `/accounts/${fixture.account}/keys`;
    const created = await fixture.gateway.admin('POST', path, { name: 'second' });
    const { key } = (await created.json()) as { key: string };
    expect(key).toStartWith('sk_live_');
    const other = { ...keyed, authorization: `Bearer ${key}` };
    const answers = [await fixture.gateway.search(other), await fixture.gateway.search(other)];
    proves('calls.idempotency.own-key', () => {
      expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
        null,
        'true',
      ]);
      expect(fixture.exa.calls()).toBe(2);
    });
    const third = await fixture.gateway.search(other, { query: 'wind' });
    expect(third.status).toBe(409);
  });

  test('a malformed key gets a 400', async () => {
    await using fixture = await open('1');
    const refused = await fixture.gateway.search({ 'idempotency-key': 'two words' });
    expect(refused.status).toBe(400);
    expect(ErrorEnvelope.parse(await refused.json()).error.detail).toMatchObject({
      issues: [{ path: 'idempotency-key' }],
    });
  });

  test('an answer is kept for a day, and then deleted', async () => {
    await using fixture = await open('1');
    await fixture.gateway.search(keyed);
    const database = await fixture.store.another();
    const [row] = await database.run('select expires_at from idempotency');
    const leftHours = (Number(row?.['expires_at']) - Date.now()) / 3_600_000;
    proves('calls.idempotency.kept', () => {
      expect(leftHours).toBeGreaterThan(23);
      expect(leftHours).toBeLessThanOrEqual(24);
    });
    await database.run('update idempotency set expires_at = 1');
    await database.close();
    const again = await fixture.gateway.search(keyed);
    proves('calls.idempotency.kept', () => {
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
      expect(fixture.exa.calls()).toBe(2);
    });
  });
});
