// Idempotency keys through a whole gateway, on both engines: one run, one charge, one answer.
import { describe, expect, test } from 'bun:test';
import { ErrorEnvelope } from '@trivium/contract';
import { proves } from '../../../e2e/verifies.ts';
import { found } from '../exa-upstream.ts';
import { admin_token } from '../gateway.ts';
import { engines } from './engines.ts';
import { balance, eventually, openPlace } from './place.ts';

const keyed = { 'idempotency-key': 'order-1' };

describe.each(engines)('on $name', (engine) => {
  test('the same key and body give the first answer again, free of charge', async () => {
    await using place = await openPlace(engine, '1');
    const first = await place.gateway.search(keyed);
    const again = await place.gateway.search(keyed);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
    expect(again.status).toBe(200);
    expect(place.exa.calls()).toBe(1);
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: 0.993 });
  });

  test('the same key with another body is a 409 and changes nothing', async () => {
    await using place = await openPlace(engine, '1');
    await place.gateway.search(keyed);
    const other = await place.gateway.search(keyed, { query: 'wind' });
    expect(other.status).toBe(409);
    expect(ErrorEnvelope.parse(await other.json()).error.type).toBe('invalid_request');
    expect(place.exa.calls()).toBe(1);
  });

  test('of many at once with one key, one runs and the others are told to wait', async () => {
    await using place = await openPlace(engine, '1');
    place.exa.answer(async () => {
      await Bun.sleep(300);
      return found();
    });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => place.gateway.search(keyed)),
    );
    const statuses = responses.map(({ status }) => status).toSorted((one, two) => one - two);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(409)]);
    expect(place.exa.calls()).toBe(1);
    expect((await place.gateway.search(keyed)).headers.get('idempotent-replayed')).toBe('true');
  });

  test('a request that failed gives its key back', async () => {
    await using place = await openPlace(engine, '1');
    place.exa.answer(() => Response.json({ error: 'no' }, { status: 500 }));
    expect((await place.gateway.search(keyed)).status).toBe(502);
    place.exa.answer(() => found());
    const retried = await place.gateway.search(keyed);
    expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: 0.993 });
  });

  test('a caller who hung up comes back to the answer', async () => {
    await using place = await openPlace(engine, '1');
    const reached = Promise.withResolvers<void>();
    place.exa.answer(async () => {
      reached.resolve();
      await Bun.sleep(100);
      return found();
    });
    const impatience = new AbortController();
    const body = { query: 'solar' };
    const asked = place.gateway.ask('POST', '/v1/search', {
      body,
      headers: keyed,
      signal: impatience.signal,
    });
    const gone = asked.catch(() => 'gone');
    await reached.promise;
    impatience.abort();
    expect(await gone).toBe('gone');
    await eventually(async () => (await place.gateway.search(keyed)).status === 200);
    expect(place.exa.calls()).toBe(1);
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: 0.993, held_usd: 0 });
  });

  test('bodies are compared by what they say, not by how they are spelt', async () => {
    proves('calls.idempotency.parsed-body');
    await using place = await openPlace(engine, '1');
    const spellings = [
      '{"query":"solar","max_results":3,"provider_options":{"engine_a":{"a":1,"b":[2]}}}',
      '{ "provider_options": {"engine_a": {"b": [2.0], "a": 1}},\n' +
        '"max_results":3, "query":"sol\\u0061r" }',
    ];
    const answers = [];
    for (const body of spellings) {
      const answer = await fetch(`${place.gateway.url}/v1/search`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${place.gateway.key}`,
          'content-type': 'application/json',
          ...keyed,
        },
        body,
      });
      expect(answer.status).toBe(200);
      answers.push(await answer.text());
    }
    expect(answers[1]).toBe(answers[0] ?? '');
    expect(place.exa.calls()).toBe(1);
  });

  test('a key of another API key of the same account gets no replay', async () => {
    proves('calls.idempotency.own-key');
    await using place = await openPlace(engine, '1');
    await place.gateway.search(keyed);
    const operator = { authorization: `Bearer ${admin_token}` };
    const created = await place.gateway.ask('POST', '/admin/v1/accounts/acct_default/keys', {
      body: { name: 'second' },
      headers: operator,
    });
    const { key } = (await created.json()) as { key: string };
    expect(key).toStartWith('sk_live_');
    const other = { ...keyed, authorization: `Bearer ${key}` };
    const answers = [await place.gateway.search(other), await place.gateway.search(other)];
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
    ]);
    expect(place.exa.calls()).toBe(2);
    const third = await place.gateway.search(other, { query: 'wind' });
    expect(third.status).toBe(409);
  });

  test('a malformed key is a 400', async () => {
    await using place = await openPlace(engine, '1');
    const refused = await place.gateway.search({ 'idempotency-key': 'two words' });
    expect(refused.status).toBe(400);
    expect(ErrorEnvelope.parse(await refused.json()).error.detail).toMatchObject({
      issues: [{ path: 'idempotency-key' }],
    });
  });

  test('an answer is kept for a day, and forgotten when its time is over', async () => {
    proves('calls.idempotency.kept');
    await using place = await openPlace(engine, '1');
    await place.gateway.search(keyed);
    const database = await place.bench.another();
    const [row] = await database.run('select expires_at from idempotency');
    const left_hours = (Number(row?.['expires_at']) - Date.now()) / 3_600_000;
    expect(left_hours).toBeGreaterThan(23);
    expect(left_hours).toBeLessThanOrEqual(24);
    await database.run('update idempotency set expires_at = 1');
    await database.close();
    const again = await place.gateway.search(keyed);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(place.exa.calls()).toBe(2);
  });
});
