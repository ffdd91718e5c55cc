// Deliveries on both engines: claimed once, in order within a lane, and retried for 24 hours.
import { describe, expect, test } from 'bun:test';
import type { GatewayError } from '@trivium/contract';
import { bootstrap } from '../../src/audit/audit.ts';
import { readDelivery, redeliver } from '../../src/events/deliveries.ts';
import { changeWebhook, sendTestEvent } from '../../src/events/endpoints.ts';
import type { PostWebhook } from '../../src/events/post-webhook.ts';
import { type NewEvent, writeEvent } from '../../src/events/write-event.ts';
import { dropDeliveryLeases, returnDeliveries } from '../../src/events/store/delivery-leases.ts';
import type { Database } from '../../src/store/database.ts';
import { engines } from './engines.ts';
import { accountId, makeFixture, start } from './event-fixture.ts';
import { makeStore } from './migrated-store.ts';

const hourMs = 60 * 60 * 1000;
const ok = () => Promise.resolve({ status: 200 });
const broken = () => Promise.resolve({ status: 500 });

function event(subject: string, more: Partial<NewEvent> = {}): NewEvent {
  return { type: 'job.completed', account_id: accountId, subject, at: start, ...more };
}

const write = (database: Database, ...events: NewEvent[]) =>
  database.transaction(async (tx) => {
    for (const one of events) await writeEvent(tx, one);
  });

describe.each(engines)('on $name', (engine) => {
  test('an event without an endpoint or an address writes nothing', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    await fixture.subscribe(['job.failed']);
    await write(store.database, event('job_1'));
    expect(await fixture.rows()).toEqual([]);
  });

  test('an event is written with its cause, or not at all', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    await fixture.subscribe(['job.completed']);
    const failing = store.database.transaction(async (tx) => {
      await writeEvent(tx, event('job_1'));
      throw new Error('the cause is rolled back');
    });
    expect(await failing.catch(String)).toContain('rolled back');
    expect(await fixture.rows()).toEqual([]);
    await write(store.database, event('job_1', { url: 'https://request.example/a' }));
    const rows = await fixture.rows();
    expect(rows.map(({ url }) => new URL(url).host).toSorted()).toEqual([
      'job.completed.example',
      'request.example',
    ]);
    expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(1);
  });

  test('an endpoint that does not answer collects few test events', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    const { id } = await fixture.subscribe(['job.completed']);
    const send = () => sendTestEvent(fixture.context, bootstrap, id).then(() => 'queued', typeOf);
    const outcomes = await Promise.all(Array.from({ length: 30 }, send));
    expect(outcomes.filter((outcome) => outcome === 'queued')).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(10);
    await fixture.send(ok);
    expect(await send()).toBe('queued');
    const [{ id: first = '' } = {}] = await fixture.rows();
    const { payload } = await readDelivery({ database: store.database }, first);
    expect(payload).toEqual({ webhook_id: id });
  });

  test('deliveries to a receiver that always fails are retried for 24 hours, then fail', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    await fixture.subscribe(['job.completed']);
    await write(store.database, event('job_1'));
    const ids = new Set<string | undefined>();
    let sent = 0;
    for (;;) {
      const posts = await fixture.send(broken);
      sent += posts.length;
      for (const { headers } of posts) ids.add(headers['webhook-id']);
      const [row] = await fixture.rows();
      if (row?.state !== 'pending') break;
      expect(await fixture.claim()).toEqual([]);
      fixture.at.now = row.due_at ?? Number.NaN;
    }
    const [row] = await fixture.rows();
    expect(row).toMatchObject({ state: 'failed', attempts: sent, last_status: 500, due_at: null });
    expect(row?.finished_at).toBe(start + 24 * hourMs);
    expect(ids.size).toBe(1);
    fixture.at.now += 48 * hourMs;
    expect(await fixture.send(ok)).toEqual([]);
  });

  test('the latest twenty attempts are logged with their answers', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    await fixture.subscribe(['job.completed']);
    await write(store.database, event('job_1'));
    const [{ id = '' } = {}] = await fixture.rows();
    const attempts = async () =>
      (await readDelivery({ database: store.database }, id)).attempt_details;
    expect(await attempts()).toEqual([]);
    const answers: PostWebhook[] = [
      () => Promise.resolve({ status: 503, text: 'We are being deployed. ☕' }),
      () => Promise.resolve({ error: 'No answer within 10 seconds.' }),
      () => Promise.resolve({ status: 204 }),
    ];
    for (const answer of answers) {
      await fixture.send(answer);
      fixture.at.now += hourMs;
    }
    expect(await attempts()).toMatchObject([
      {
        number: 1,
        status: 503,
        error: 'Answered 503, not a status from 200 to 299.',
        response_body: 'We are being deployed. ☕',
      },
      { number: 2, status: null, error: 'No answer within 10 seconds.', response_body: null },
      { number: 3, status: 204, error: null, response_body: null },
    ]);
    for (let round = 0; round < 19; round += 1) {
      await redeliver(fixture.context, bootstrap, id);
      await fixture.send(ok);
      fixture.at.now += hourMs;
    }
    expect((await attempts()).map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, place) => place + 3),
    );
  });

  test('events about the same subject are sent one after the other', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    await fixture.subscribe(['job.completed', 'job.failed']);
    await write(
      store.database,
      event('one', { data: { at: 1 } }),
      event('one', { data: { at: 2 }, type: 'job.failed' }),
      event('two', { data: { at: 3 } }),
      event('one', { data: { at: 4 } }),
    );
    const bodies = async (answer: typeof ok) =>
      (await fixture.send(answer))
        .map(({ body }) => (JSON.parse(body) as { data: { at: number } }).data.at)
        .toSorted();
    expect(await bodies(broken)).toEqual([1, 3]);
    // The later ones wait, although they are due.
    expect(await bodies(ok)).toEqual([]);
    fixture.at.now += 10_000;
    expect(await bodies(ok)).toEqual([1, 3]);
    expect(await bodies(ok)).toEqual([2]);
    expect(await bodies(ok)).toEqual([4]);
    expect(await bodies(ok)).toEqual([]);
  });

  test('two workers never hold one delivery, and an expired lease is taken over', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    await fixture.subscribe(['job.completed']);
    const jobs = Array.from({ length: 60 }, (_, at) => event(`job_${at}`));
    await write(store.database, ...jobs);
    const claims = await Promise.all(
      ['a', 'b', 'a', 'b'].map((owner) => fixture.claim(owner, { limit: 20, perTarget: 20 })),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(19);
    const all = { limit: 100, perTarget: 100 };
    await fixture.claim('c', all);
    expect(await fixture.claim('d', all)).toEqual([]);
    await returnDeliveries(store.database, 'a');
    const returned = claims.filter((_, at) => at % 2 === 0).flat().length;
    expect(await fixture.claim('d', all)).toHaveLength(returned);
    fixture.at.now += 14_999;
    expect(await fixture.claim('e', all)).toEqual([]);
    fixture.at.now += 1;
    const taken = await fixture.claim('e', all);
    expect(taken.map(({ attempts }) => attempts > 1)).toEqual(Array.from(jobs, () => true));
    expect(await fixture.claim('b', all)).toEqual([]);
    await dropDeliveryLeases(store.database);
    expect(await fixture.claim('f', all)).toHaveLength(60);
  });

  test('claims that were lost with their process use up no pause of the plan', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    await fixture.subscribe(['job.completed']);
    await write(store.database, event('job_1'));
    for (let kill = 0; kill < 10; kill += 1) {
      expect(await fixture.claim()).toHaveLength(1);
      fixture.at.now += 15_000;
    }
    await fixture.send(broken);
    const [row] = await fixture.rows();
    expect(row).toMatchObject({ state: 'pending', attempts: 1 });
    expect((row?.due_at ?? 0) - fixture.at.now).toBe(5000);
  });

  test('a delivery whose attempts end the process is tried less and less, then fails', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    await fixture.subscribe(['job.completed']);
    await write(store.database, event('job_1'));
    let begun = 0;
    for (;;) {
      const dies = Promise.withResolvers<void>();
      const sending = fixture.send(() => {
        begun += 1;
        dies.resolve();
        return new Promise(() => undefined);
      });
      await Promise.race([dies.promise, sending]);
      // A new process finds the lease of the dead one.
      await dropDeliveryLeases(store.database);
      const [row] = await fixture.rows();
      if (row?.state !== 'pending') break;
      fixture.at.now = Math.max(fixture.at.now + 1, row.due_at ?? 0);
    }
    expect(begun).toBeLessThan(25);
    expect(fixture.at.now).toBe(start + 24 * hourMs);
    const [row] = await fixture.rows();
    expect(row).toMatchObject({ state: 'failed', attempts: 0, due_at: null });
    expect(row?.last_error).toContain('The gateway stopped during each of the last');
    // A person may try again.
    await redeliver(fixture.context, bootstrap, row?.id ?? '');
    expect(await fixture.send(ok)).toHaveLength(1);
  });

  test.each<[string, Awaited<ReturnType<PostWebhook>>]>([
    ['arrives', { status: 204 }],
    ['fails', { status: 503 }],
  ])('a delivery that is restarted during an attempt that %s is sent again', async (_, answer) => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    await fixture.subscribe(['job.completed']);
    await write(store.database, event('job_1'));
    await fixture.send(async () => {
      const [{ id = '' } = {}] = await fixture.rows();
      await redeliver(fixture.context, bootstrap, id);
      return answer;
    });
    expect(await fixture.rows()).toMatchObject([{ state: 'pending', due_at: fixture.at.now }]);
    expect(await fixture.send(ok)).toHaveLength(1);
    expect(await fixture.rows()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    expect(await fixture.send(ok)).toEqual([]);
  });

  test('a delivery to a paused endpoint is not sent again until it is resumed', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    const { id } = await fixture.subscribe(['job.completed']);
    await write(store.database, event('job_1'));
    await fixture.send(() => Promise.resolve({ status: 410 }));
    const [{ id: delivery = '' } = {}] = await fixture.rows();
    const again = () => redeliver(fixture.context, bootstrap, delivery);
    const refused = await again().catch((error: unknown) => error as GatewayError);
    expect(refused).toMatchObject({ status: 409 });
    expect(String(refused)).toContain('paused. Resume it first');
    expect(await fixture.send(ok)).toEqual([]);
    await changeWebhook(fixture.context, bootstrap, id, { paused: false });
    await again();
    expect(await fixture.send(ok)).toHaveLength(1);
  });

  test('a claim has a limited number of deliveries per target, and none for busy targets', async () => {
    await using store = await makeStore(engine);
    const fixture = await makeFixture(store.database);
    const slow = await fixture.subscribe(['job.completed']);
    await write(store.database, ...Array.from({ length: 700 }, (_, at) => event(`job_${at}`)));
    await write(store.database, event('job_x', { url: 'https://request.example/a' }));
    expect(await fixture.claim('a')).toHaveLength(8);
    const next = await fixture.claim('a', { busy: [slow.id] });
    expect(next.map(({ target }) => target)).toEqual([`${accountId} request.example`]);
    expect(await fixture.claim('a', { busy: [accountId] })).toEqual([]);
  });
});

const typeOf = (error: unknown) => (error as GatewayError).type;
