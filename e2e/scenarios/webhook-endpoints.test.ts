// The admin API of webhooks: bad input is refused by its path, and the log has pages.
import { describe, expect, test } from 'bun:test';
import { webhookFixture } from '../webhook-fixture.ts';

interface Refused {
  error: { detail?: { issues: { path: string }[] } };
}

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  const fixture = webhookFixture(engine);

  test('bad input gives a 400 with its path, and changes nothing', async () => {
    const { admin, receiver, account } = fixture();
    const url = `${receiver.url}/x`;
    const hook = await admin.create({ url, events: ['job.completed'] }, account);
    const before = (await admin.ask('GET', '/webhooks?limit=500')).text;
    const created = `/webhooks?account_id=${account}`;
    const changed = `/webhooks/${hook.id}`;
    const cases: [string, string, unknown, string][] = [
      ['POST', created, {}, 'url'],
      ['POST', created, { url, events: [] }, 'events'],
      ['POST', created, { url, events: ['__proto__'] }, 'events.0'],
      ['POST', created, { url, events: ['job.failed', 'job.failed'] }, 'events.1'],
      ['POST', created, { url, events: Array<string>(100_000).fill('a') }, 'events'],
      ['POST', created, { url, events: ['provider.unhealthy'] }, 'events.0'],
      ['POST', '/webhooks', { url, events: ['job.completed'] }, 'events.0'],
      ['POST', created, { url, events: ['job.failed'], description: '\0' }, 'description'],
      ['POST', created, { url, events: ['job.failed'], secret: 'mine' }, 'secret'],
      ['POST', `${created}&x=1`, { url, events: ['job.failed'] }, 'x'],
      ['PATCH', changed, { paused: 1 }, 'paused'],
      ['PATCH', changed, { url: 'http://' }, 'url'],
      ['PATCH', changed, { account_id: 'other' }, 'account_id'],
      ['PATCH', changed, { events: ['provider.recovered'] }, 'events.0'],
      ['POST', `${changed}/rotate`, { overlap_hours: -1 }, 'overlap_hours'],
      ['POST', `${changed}/rotate`, { overlap_hours: 1.5 }, 'overlap_hours'],
      ['POST', `${changed}/rotate`, { overlap_hours: 1e9 }, 'overlap_hours'],
      ['GET', '/webhooks/deliveries?state=odd', undefined, 'state'],
      ['GET', '/webhooks/deliveries?cursor=odd', undefined, 'cursor'],
      ['GET', '/webhooks?limit=0', undefined, 'limit'],
    ];
    for (const [method, path, body, place] of cases) {
      const answer = await admin.ask(method, path, body);
      const { error } = answer.body as Refused;
      const shown = [answer.status, error.detail?.issues[0]?.path];
      expect([method, path, ...shown]).toEqual([method, path, 400, place]);
    }
    expect((await admin.ask('GET', '/webhooks?limit=500')).text).toBe(before);
    const unknown = await admin.ask('POST', '/webhooks?account_id=acct_of_no_one', {
      url,
      events: ['job.failed'],
    });
    expect(unknown.status).toBe(404);
    await admin.ask('DELETE', changed);
  });

  test('a change that is repeated under its Idempotency-Key is made once', async () => {
    const { admin, receiver, account } = fixture();
    const twice = async (path: string, body: object | undefined, key: string) => {
      const ask = () => admin.ask('POST', path, body, { 'idempotency-key': `hook-${key}` });
      const [one, two] = await Promise.all([ask(), ask()]);
      const replays = [one, two].map(({ headers }) => headers.get('idempotent-replayed') ?? 'no');
      expect([path, ...replays.toSorted()]).toEqual([path, 'no', 'true']);
      expect([two.status, two.text]).toEqual([one.status, one.text]);
      return { status: one.status, body: one.body as { id: string; secret: string } };
    };
    const path = `/webhooks?account_id=${account}`;
    const request = { url: `${receiver.url}/once`, events: ['job.failed'] };
    const made = await twice(path, request, 'create');
    expect(made.status).toBe(201);
    const { webhooks } = (await admin.ask('GET', `${path}&limit=500`)).body as {
      webhooks: { url: string }[];
    };
    expect(webhooks.filter(({ url }) => url === request.url)).toHaveLength(1);
    const hook = `/webhooks/${made.body.id}`;
    const turned = await twice(`${hook}/rotate`, {}, 'rotate');
    expect([turned.status, turned.body.secret === made.body.secret]).toEqual([200, false]);
    // A second rotation would have made another secret.
    expect((await twice(`${hook}/rotate`, {}, 'rotate-again')).body.secret).not.toBe(
      turned.body.secret,
    );
    const tested = await twice(`${hook}/test`, undefined, 'test');
    expect(tested.status).toBe(201);
    expect(await admin.deliveries(`webhook_id=${made.body.id}`)).toHaveLength(1);
    await admin.settled(`webhook_id=${made.body.id}`, ({ state }) => state === 'delivered');
    const secretPath = `/accounts/${account}/webhook-secret`;
    const own = await twice(`${secretPath}/rotate`, {}, 'account');
    expect([own.status, await admin.secret(account)]).toEqual([200, own.body.secret]);
    // The key names one request: another body, another endpoint or another account is a 409.
    const reused = { 'idempotency-key': 'hook-create' };
    for (const [other, body] of [
      [path, { ...request, description: 'x' }],
      ['/webhooks?account_id=acct_of_no_one', request],
      ['/webhooks', request],
      [`${hook}/test`, undefined],
    ] as const) {
      expect([other, (await admin.ask('POST', other, body, reused)).status]).toEqual([other, 409]);
    }
    for (const key of ['', 'k'.repeat(256)]) {
      const refused = await admin.ask('POST', `${hook}/test`, undefined, {
        'idempotency-key': key,
      });
      expect(refused.status).toBe(400);
    }
    expect(await admin.deliveries(`webhook_id=${made.body.id}`)).toHaveLength(1);
    await admin.ask('DELETE', hook);
  });

  test('the log of deliveries has pages', async () => {
    const { admin, receiver, account } = fixture();
    const hook = await admin.create(
      { url: `${receiver.url}/paged`, events: ['job.completed'] },
      account,
    );
    for (let at = 0; at < 5; at += 1) await admin.test(hook.id);
    await receiver.arrived('/paged', 5);
    const seen: string[] = [];
    let cursor = '';
    do {
      const query = `webhook_id=${hook.id}&limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await admin.ask('GET', `/webhooks/deliveries?${query}`);
      const page = body as { deliveries: { id: string }[]; next_cursor: string | null };
      seen.push(...page.deliveries.map(({ id }) => id));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    expect(new Set(seen).size).toBe(5);
    await admin.ask('DELETE', `/webhooks/${hook.id}`);
  });
});
