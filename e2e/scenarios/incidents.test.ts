// Incidents of running gateways: what begins and ends one, whom it concerns, what people note about
// it, and that gateways on one store agree.
import { describe, expect, test } from 'bun:test';
import { AuditList, Incident, IncidentList } from '@trivium/contract';
import { engines, startPair } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { makeSide, newKey } from '../security/sides.ts';
import { member, operator } from '../security/visitor.ts';
import type { Visitor } from '../security/visitor.ts';
import { waitFor } from '../wait-for.ts';
import { startReceiver } from '../webhook-receiver.ts';

const search = { query: 'solar energy storage', provider: 'engine_a' };
const html = '<img src=x onerror=alert(1)> “quoted” & more';

async function list(who: Visitor, query: string): Promise<Incident[]> {
  const response = await who.ask('GET', `/admin/v1/incidents?${query}`);
  if (!response.ok) throw new Error(`The incidents were refused: ${await response.text()}`);
  return IncidentList.parse(await response.json()).incidents;
}

function one(who: Visitor, query: string, until: (found: Incident) => boolean): Promise<Incident> {
  const find = async () => (await list(who, query)).find(until);
  return waitFor(find, { what: `an incident of ${query}` }) as Promise<Incident>;
}

const isExa = ({ kind, subject }: Incident) =>
  kind === 'provider_failing' && subject === 'engine_a';

async function fail(gateway: Gateway, key: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const answer = await gateway.post('/v1/search', search, { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(502);
  }
}

describe.each(engines)('on %s', (engine) => {
  test('a provider that fails is one incident, which the success through another gateway ends', async () => {
    await using sandbox = await startTestSandbox();
    await using pair = await startPair(engine, { sandbox: sandbox.url });
    const { gateway, other } = pair;
    const ada = await operator(gateway);
    const mine = await makeSide(gateway, ada, 'Mine', 'bob@example.org');
    const theirs = await makeSide(gateway, ada, 'Theirs', 'eve@example.org');
    const [own, foreign] = [`account_id=${mine.account_id}`, `account_id=${theirs.account_id}`];
    await sandbox.fault('/exa', 'server_error');
    await fail(gateway, mine.key, 4);
    await fail(gateway, theirs.key, 2);
    const failing = await one(mine.person, own, isExa);
    expect(failing).toMatchObject({
      ...{ account_id: mine.account_id, severe: true, message: 'Exa failing' },
      ...{ reason: 'status 500', ended_at: null, gaps: [], cost_usd: 0, muted: false },
    });
    // The whole gateway, for operators only: with the requests of the other account.
    const all = await one(ada, own, (found) => isExa(found) && found.requests === 6);
    expect(all.account_id).toBeNull();
    expect((await list(ada, own)).filter(isExa)).toHaveLength(1);
    expect((await one(mine.person, own, isExa)).requests).toBe(4);
    expect((await list(theirs.person, foreign)).filter(isExa)).toEqual([]);

    await sandbox.clearFaults();
    const found = await other.post('/v1/search', search, { authorization: `Bearer ${mine.key}` });
    expect(found.status).toBe(200);
    // The other gateway hears of open incidents from the store, so a later success may be the first.
    const ended = await waitFor(
      async () => {
        await other.post('/v1/search', search, { authorization: `Bearer ${mine.key}` });
        const [first] = await list(mine.person, `${own}&state=ended`);
        return first;
      },
      { what: 'the incident has ended' },
    );
    expect(ended).toMatchObject({ id: failing.id, requests: 4, started_at: failing.started_at });
    expect(Date.parse(ended?.ended_at ?? '')).toBeGreaterThan(Date.parse(ended?.started_at ?? ''));
    expect((await list(mine.person, `${own}&state=open`)).filter(isExa)).toEqual([]);
    const before = `${own}&to=${ended?.started_at ?? ''}`;
    expect((await list(mine.person, before)).filter(isExa)).toEqual([]);
    const during = `${own}&from=${ended?.started_at ?? ''}&to=${new Date().toISOString()}`;
    expect((await list(mine.person, during)).filter(isExa)).toHaveLength(1);
  }, 120_000);

  test('an incident outlives a restart, and what was muted or noted is seen by others', async () => {
    await using sandbox = await startTestSandbox();
    const env = { EXA_API_KEY: 'good,bad' };
    await using pair = await startPair(engine, { sandbox: sandbox.url, env });
    const { gateway } = pair;
    const ada = await operator(gateway);
    const mine = await makeSide(gateway, ada, 'Mine', 'bob@example.org');
    const theirs = await makeSide(gateway, ada, 'Theirs', 'eve@example.org');
    const own = `account_id=${mine.account_id}`;
    const viewer = await member(gateway, ada, mine.account_id, 'vic@example.org', 'viewer');
    // One of two credentials is refused, so every request is served.
    const ask = () => gateway.post('/v1/search', search);
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const isRefused = ({ kind }: Incident) => kind === 'credential_refused';
    const refused = await one(ada, own, isRefused);
    expect(refused).toMatchObject({
      ...{ account_id: null, subject: 'engine_a', severe: false, reason: 'status 401' },
      ...{ message: 'Credential 2 of Exa refused', requests: null, cost_usd: null },
    });
    expect((await list(mine.person, own)).filter(isRefused)).toEqual([]);
    await gateway.restart();
    expect((await one(ada, own, isRefused)).id).toBe(refused.id);

    const isLow = ({ kind }: Incident) => kind === 'balance_low';
    expect((await list(mine.person, own)).filter(isLow)).toEqual([]);
    await ada.ask('PATCH', `/admin/v1/accounts/${mine.account_id}`, {
      body: { low_balance_usd: 100 },
    });
    const { id } = await one(mine.person, own, isLow);
    const change = (who: Visitor, of: string, body: unknown, account = mine.account_id) =>
      who.ask('PATCH', `/admin/v1/incidents/${of}?account_id=${account}`, { body });
    const hostile = [
      { note: 'x'.repeat(100_000) },
      { note: 'a\0b' },
      { note: 7 },
      { muted: 'yes' },
    ];
    for (const body of [...hostile, { colour: 'red' }, [], null]) {
      expect((await change(mine.person, id, body)).status).toBe(400);
    }
    expect((await change(viewer, id, { muted: true })).status).toBe(403);
    expect((await change(theirs.person, id, { muted: true })).status).toBe(403);
    expect((await change(theirs.person, id, { muted: true }, theirs.account_id)).status).toBe(404);
    expect((await change(mine.person, refused.id, { muted: true })).status).toBe(404);
    expect((await change(ada, refused.id, { note: 'being replaced' })).status).toBe(200);
    const changed = await change(mine.person, id, { muted: true, note: `  ${html}  ` });
    expect(Incident.parse(await changed.json())).toMatchObject({ id, muted: true, note: html });
    const seen = await one(viewer, own, isLow);
    expect(seen).toMatchObject({ id, muted: true, note: html, changed_by: 'bob@example.org' });
    // An omitted field keeps its value, and an empty note removes it.
    expect((await change(ada, id, { note: '' })).status).toBe(200);
    expect(await one(viewer, own, isLow)).toMatchObject({ muted: true, note: null });
    const log = await mine.person.ask('GET', `/admin/v1/audit?${own}&action=incident.changed`);
    const { entries } = AuditList.parse(await log.json());
    expect(entries.map(({ actor, after }) => [actor.name, after])).toEqual([
      ['ada@example.org', { note: null }],
      ['bob@example.org', { muted: true, note: html }],
    ]);
    // Money that is added ends it; if the balance is low again, that is another incident.
    await ada.made(`/admin/v1/accounts/${mine.account_id}/topups`, { amount_usd: 1, reason: 'r' });
    expect(await one(viewer, own, isLow)).toMatchObject({ muted: false, note: null });
    expect((await one(viewer, own, isLow)).id).not.toBe(id);
  }, 120_000);
});

test('a receiver that fails is an incident until it answers, or until the endpoint is removed', async () => {
  await using receiver = startReceiver();
  const env = { TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: 'on' };
  await using pair = await startPair('SQLite', { env });
  const ada = await operator(pair.gateway);
  const { id: account } = await ada.made('/admin/v1/accounts', { name: 'Hooked' });
  const own = `account_id=${account}`;
  const add = (path: string) =>
    ada.made(`/admin/v1/webhooks?${own}`, { url: receiver.url + path, events: ['key.created'] });
  const [first, second] = [await add('/first'), await add('/second')];
  for (const path of ['/first', '/second']) receiver.answer(path, 500);
  const isOf =
    (id: string) =>
    ({ kind, subject }: Incident) =>
      kind === 'endpoint_failing' && subject === id;
  // Each key is another subject, so that the events do not wait for each other.
  for (const name of ['one', 'two', 'three']) await newKey(ada, account, name);
  expect(await one(ada, own, isOf(first.id))).toMatchObject({
    ...{ account_id: account, severe: false, reason: 'status 500', requests: 3, ended_at: null },
    message: `Deliveries to ${receiver.url}/first failing`,
  });
  receiver.answer('/first', 200);
  await one(ada, own, isOf(second.id));
  await newKey(ada, account, 'four');
  await ada.ask('DELETE', `/admin/v1/webhooks/${second.id}`);
  for (const { id } of [first, second]) {
    const ended = await one(ada, `${own}&state=ended`, isOf(id));
    expect(ended.ended_at).not.toBeNull();
  }
  expect(
    (await list(ada, `${own}&state=open`)).filter(({ kind }) => kind === 'endpoint_failing'),
  ).toEqual([]);
}, 120_000);
