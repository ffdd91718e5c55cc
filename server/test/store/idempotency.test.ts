// Idempotency keys through a whole gateway, on both engines: one run, one charge, one answer.
import { describe, expect, test } from 'bun:test';
import { ErrorEnvelope } from '@trivium/contract';
import { proves } from '../../../e2e/verifies.ts';
import { found } from '../exa-upstream.ts';
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
