// The admin API of webhooks: bad input is refused by its path, and the log has pages.
import { expect, test } from 'bun:test';
import { webhookFixture } from '../webhook-fixture.ts';

interface Refused {
  error: { detail?: { issues: { path: string }[] } };
}

const fixture = webhookFixture('SQLite');

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
