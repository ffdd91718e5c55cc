// The access of an agent ends with what it depends on: the person's account, the person, the key.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startPair } from '../harness.ts';
import type { Gateway, GatewayPair } from '../harness.ts';
import {
  callTool,
  codeFor,
  exchange,
  letIn,
  refresh,
  register,
  requestOf,
} from '../oauth-agent.ts';
import type { Tokens } from '../oauth-agent.ts';
import { member, operator } from './visitor.ts';
import type { Visitor } from './visitor.ts';
import { waitFor } from '../wait-for.ts';

let pair: GatewayPair;
let gateways: Gateway[] = [];
let gateway: Gateway;
let ada: Visitor;
let client = '';
let number = 0;
const accounts: string[] = [];
beforeAll(async () => {
  // The second one must learn what was changed at the first.
  pair = await startPair('PostgreSQL');
  ({ gateway } = pair);
  gateways = [...new Set([gateway, pair.other])];
  ada = await operator(gateway);
  client = await register(gateway);
  for (const name of ['one', 'other']) {
    const { id } = await ada.made('/admin/v1/accounts', { name });
    const topUp = { amount_usd: 1, reason: 'test' };
    await ada.ask('POST', `/admin/v1/accounts/${id}/topups`, { body: topUp });
    accounts.push(id);
  }
});
afterAll(() => pair[Symbol.asyncDispose]());

interface Person {
  email: string;
  id: string;
  who: Visitor;
}

async function newMember(): Promise<Person> {
  number += 1;
  const email = `member${number}@example.org`;
  const who = await member(gateway, ada, accounts[0] ?? '', email);
  return { email, who, id: await idOf(email) };
}

async function idOf(email: string): Promise<string> {
  const { people } = (await (await ada.ask('GET', '/admin/v1/people')).json()) as {
    people: { id: string; email: string }[];
  };
  return people.find((one) => one.email === email)?.id ?? '';
}

async function change(path: string, method: string, body: object): Promise<number> {
  return (await ada.ask(method, path, { body })).status;
}

/** In use, and therefore cached, on every gateway. */
async function agentOf({ who }: Pick<Person, 'who'>): Promise<Tokens> {
  const tokens = await letIn(gateway, who, client);
  for (const one of gateways) {
    expect((await callTool(one, tokens.access_token)).status).toBe(200);
  }
  return tokens;
}

/** At once where the change was made; the other gateways notice it soon. */
async function expectEnded({ access_token: access, refresh_token }: Tokens): Promise<void> {
  expect((await callTool(gateway, access)).status).toBe(401);
  for (const one of gateways) {
    await waitFor(() => callTool(one, access), {
      what: 'the token ends',
      until: ({ status }) => status === 401,
    });
    expect(await refresh(one, client, refresh_token)).toMatchObject({
      ...{ status: 400, body: { error: 'invalid_grant' } },
    });
  }
}

const changes: [string, (person: Person) => Promise<number>][] = [
  [
    'moves to another account',
    ({ id }) =>
      change(`/admin/v1/people/${id}`, 'PATCH', { role: 'member', account_id: accounts[1] }),
  ],
  [
    'becomes an operator',
    ({ id }) => change(`/admin/v1/people/${id}`, 'PATCH', { role: 'operator' }),
  ],
  ['is removed', ({ id }) => change(`/admin/v1/people/${id}`, 'DELETE', {})],
];

test.each(changes)(
  'agents of a person who %s lose access, also with a code',
  async (_name, make) => {
    const person = await newMember();
    const [one, other] = [await agentOf(person), await agentOf(person)];
    const code = await codeFor(person.who, requestOf(client));
    expect(await make(person)).toBe(200);
    await expectEnded(one);
    await expectEnded(other);
    const refused = await exchange(gateway, client, code);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  },
);

test('the agents of an operator who becomes a member lose access', async () => {
  const person = await newMember();
  const path = `/admin/v1/people/${person.id}`;
  await change(path, 'PATCH', { role: 'operator' });
  const tokens = await agentOf(person);
  expect(await change(path, 'PATCH', { role: 'member', account_id: accounts[0] })).toBe(200);
  await expectEnded(tokens);
});

test('a code that is exchanged while the person moves gives no lasting access', async () => {
  const person = await newMember();
  const path = `/admin/v1/people/${person.id}`;
  const codes: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    codes.push(await codeFor(person.who, requestOf(client)));
  }
  const [made] = await Promise.all([
    Promise.all(codes.map((code) => exchange(gateway, client, code))),
    change(path, 'PATCH', { role: 'member', account_id: accounts[1] }),
  ]);
  for (const { status, body } of made) {
    expect([200, 400]).toContain(status);
    if (status === 200) await expectEnded(body as unknown as Tokens);
  }
});

test('the key of an agent can be revoked, and cannot be made an API key', async () => {
  const person = await newMember();
  const tokens = await agentOf(person);
  const listed = await person.who.ask('GET', `/admin/v1/accounts/${accounts[0]}/keys`);
  const { keys } = (await listed.json()) as { keys: { id: string; name: string }[] };
  const key = keys.find(({ name }) => name.includes(person.email));
  const path = `/admin/v1/keys/${key?.id}`;
  expect(await change(`${path}/rotate`, 'POST', { overlap_hours: 1 })).toBe(409);
  // A change that keeps the account keeps its agents.
  const same = { role: 'member', account_id: accounts[0] };
  expect(await change(`/admin/v1/people/${person.id}`, 'PATCH', same)).toBe(200);
  expect((await callTool(gateway, tokens.access_token)).status).toBe(200);
  expect((await person.who.ask('DELETE', path, { body: {} })).status).toBe(200);
  await expectEnded(tokens);
});
