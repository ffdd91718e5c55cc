// Limits on rows on both engines: keys, agents, invitations, test events, and rows of ended
// sessions and invitations.
import { describe, expect, test } from 'bun:test';
import { createKey, readKeys, revokeApiKey } from '../../src/accounts/keys/keys.ts';
import { invite, withdrawInvite } from '../../src/accounts/people/invitations.ts';
import { countGrantsOf, deleteUsedRefreshTokens } from '../../src/accounts/store/oauth.ts';
import { bootstrap } from '../../src/audit/audit.ts';
import { redeliver } from '../../src/events/deliveries.ts';
import { createWebhook, sendTestEvent } from '../../src/events/endpoints.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/store/database.ts';
import { accountsContext } from './accounts-context.ts';
import { cleanUp } from './clean-up.ts';
import { engines } from './engines.ts';
import { makeEventsContext } from './event-fixture.ts';
import { makeStore } from './migrated-store.ts';

const dayMs = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-11-17T12:00:00Z');
const clock = { ...systemClock, now: () => new Date(now) };

/** Numbers from 1, to insert many rows with one statement. */
const upTo = (count: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;

async function open(engine: (typeof engines)[number]) {
  const store = await makeStore(engine);
  const { database } = store;
  await database.run(
    `insert into accounts (id, name, created_at) values ('a', 'a', 0), ('b', 'b', 0)`,
  );
  await database.run(
    `insert into people (id, name, email, email_verified, role, created_at, updated_at)
     values ('p', 'Ada', 'a@b.example', 1, 'operator', 'x', 'x')`,
  );
  return store;
}

function addKeys(database: Database, count: number, name: string, revokedAt: number | null) {
  return database.run(
    `${upTo(count)} insert into keys (id, account_id, name, hash, display, created_at, revoked_at,
       expires_at) select '${name}' || i, 'a', 'k', '${name}' || i, 'd', i, ${revokedAt}, ${now}
     from n`,
  );
}

/** The status and the text of a refusal; undefined when it is allowed. */
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown as { status: number; message: string },
  );
  return error && `${error.status} ${error.message}`;
}

const sent = { url: 'https://receiver.example/', description: '' };

describe.each(engines)('on $name', (engine) => {
  test('an account has at most 500 keys, and 10,000 with revoked ones', async () => {
    await using store = await open(engine);
    const { database } = store;
    const make = (account = 'a') =>
      createKey(accountsContext(database, clock), bootstrap, account, { name: 'k' });
    await addKeys(database, 499, 'active', null);
    // Keys of agents have their own limit.
    await addKeys(database, 5, 'agent', null);
    await database.run(
      `insert into oauth_grants (id, client, person_id, created_at)
       select id, 'c', 'p', 0 from keys where id like 'agent%'`,
    );
    const { id } = await make();
    expect(await refusal(make())).toBe(
      '409 This account has 500 keys, which is the limit. Revoke one.',
    );
    expect(await refusal(make('b'))).toBeUndefined();
    await revokeApiKey(accountsContext(database, clock), bootstrap, id);
    expect(await refusal(make())).toBeUndefined();
    await database.run('update keys set revoked_at = 1');
    await addKeys(database, 9493, 'old', 1);
    expect(await refusal(make())).toBeUndefined();
    expect(await refusal(make())).toStartWith('409 10000 keys were created');
  });

  test('no key is missing from the list, and revoked ones do not displace older active ones', async () => {
    await using store = await open(engine);
    const { database } = store;
    const context = accountsContext(database, clock);
    await addKeys(database, 9800, 'b-revoked', 1);
    await addKeys(database, 400, 'a-active', null);
    await database.run(`update keys set expires_at = null, daily_cap = 5 where id = 'a-active1'`);
    const { keys } = await readKeys(context, 'a');
    expect(keys).toHaveLength(10_000);
    expect(keys.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(400);
    const capped = await readKeys(context, 'a', 'capped');
    expect(capped.keys.map(({ id }) => id)).toEqual(['a-active1']);
  });

  test('the grants of a person count while they are valid, and few used tokens are kept', async () => {
    await using store = await open(engine);
    const { database } = store;
    await addKeys(database, 4, 'agent', null);
    await database.run(`update keys set expires_at = ${now - 31 * dayMs} where id = 'agent1'`);
    await database.run(`update keys set revoked_at = 1 where id = 'agent2'`);
    await database.run(
      `insert into oauth_grants (id, client, person_id, created_at)
       select id, 'c', 'p', 0 from keys`,
    );
    expect(await countGrantsOf(database, 'p', now - 30 * dayMs)).toBe(2);
    await database.run(
      `${upTo(50)} insert into oauth_refresh_tokens (hash, grant_id, expires_at, used_at)
       select 't' || i, 'agent3', i, case when i = 50 then null else i end from n`,
    );
    await deleteUsedRefreshTokens(database, 'agent3', 3);
    const left = await database.run('select hash from oauth_refresh_tokens order by expires_at');
    expect(left.map(({ hash }) => hash)).toEqual(['t47', 't48', 't49', 't50']);
  });

  test('there are at most 500 open invitations', async () => {
    await using store = await open(engine);
    const { database } = store;
    const add = (count: number, expiresAt: number) =>
      database.run(
        `${upTo(count)} insert into invites (hash, id, role, created_at, expires_at)
         select 'h${expiresAt}-' || i, 'i${expiresAt}-' || i, 'operator', i, ${expiresAt} from n`,
      );
    await add(600, now - 1);
    await add(499, now + dayMs);
    const one = () => invite(accountsContext(database, clock), bootstrap, { role: 'operator' });
    expect(await refusal(one())).toBeUndefined();
    expect(await refusal(one())).toStartWith('409 There are 500 open invitations');
    const withdraw = (id: string) =>
      refusal(withdrawInvite(accountsContext(database, clock), bootstrap, id));
    const id = `i${now + dayMs}-7`;
    expect([await withdraw(id), await withdraw(id)]).toEqual([
      undefined,
      `404 There is no open invitation ${id}.`,
    ]);
    expect(await refusal(one())).toBeUndefined();
  });

  test('test events and redeliveries of an account are limited in an hour', async () => {
    await using store = await open(engine);
    const { database } = store;
    const context = makeEventsContext(database, { clock });
    const [mine, other] = await Promise.all(
      ['a', 'b'].map((account) =>
        createWebhook(context, bootstrap, account, { ...sent, events: ['job.failed'] }),
      ),
    );
    // Accounts and the gateway itself have different events.
    for (const [account, events, whose] of [
      ['a', ['provider.unhealthy'], 'an account'],
      [undefined, ['job.failed'], 'the gateway itself'],
    ] as const) {
      const asked = { ...sent, events: [...events] };
      expect(await refusal(createWebhook(context, bootstrap, account, asked))).toStartWith(
        `400 An endpoint of ${whose} receives only `,
      );
    }
    const { id: delivery } = await sendTestEvent(context, bootstrap, mine?.id ?? '');
    const noted = (action: string, count: number, at: number) =>
      database.run(
        `${upTo(count)} insert into audit_log
           (id, created_at, actor_kind, account_id, action, target)
         select '${action}${at}' || i, ${at}, 'person', 'a', '${action}', 't' from n`,
      );
    const hourMs = 3_600_000;
    await noted('webhook.tested', 300, now - hourMs - 1);
    await noted('webhook.tested', 198, now - hourMs + 1);
    const test = (id = '') => refusal(sendTestEvent(context, bootstrap, id));
    expect(await test(mine?.id)).toBeUndefined();
    expect(await test(mine?.id)).toStartWith('429 An account can do this 200 times');
    expect(await test(other?.id)).toBeUndefined();
    await noted('webhook.redelivered', 1999, now - 1);
    const again = () => refusal(redeliver(context, bootstrap, delivery));
    expect(await again()).toBeUndefined();
    expect(await again()).toStartWith('429 An account can do this 2000 times');
  });

  test('ended sessions and invitations are deleted, and a used set-up link is not', async () => {
    await using store = await open(engine);
    const { database } = store;
    const iso = (at: number) => new Date(at).toISOString();
    await database.run(
      `insert into sessions (id, person_id, token, expires_at, created_at, updated_at) values
         ('old', 'p', 't1', '${iso(now - 1)}', 'x', 'x'),
         ('new', 'p', 't2', '${iso(now + 1)}', 'x', 'x')`,
    );
    await database.run(
      `insert into verifications (id, identifier, value, expires_at, created_at, updated_at) values
         ('old', 'i', 'v', '${iso(now - 1)}', 'x', 'x'),
         ('new', 'i', 'v', '${iso(now + 1)}', 'x', 'x')`,
    );
    await database.run(
      `insert into invites (hash, id, role, created_at, expires_at, used_at) values
         ('1', 'set-up', 'operator', 1, null, 2), ('2', 'old', 'member', 1, ${now - 31 * dayMs}, 2),
         ('3', 'new', 'member', 1, ${now - dayMs}, null)`,
    );
    await database.run(
      `insert into sign_in_limits (id, key, count, last_request) values ('1', 'k', 1, 1)`,
    );
    await cleanUp(database, {}, now);
    const ids = async (table: string) =>
      (await database.run(`select id from ${table} order by id`)).map(({ id }) => id);
    expect(await ids('sessions')).toEqual(['new']);
    expect(await ids('verifications')).toEqual(['new']);
    expect(await ids('invites')).toEqual(['new', 'set-up']);
    expect(await ids('sign_in_limits')).toEqual([]);
  });
});
