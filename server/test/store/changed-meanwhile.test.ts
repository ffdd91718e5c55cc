// A change during an await, on both engines: an answer that was on its way when something changed does
// not undo the change.
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setBudget } from '../../src/accounts/budgets.ts';
import { changeAccount } from '../../src/accounts/accounts.ts';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { makeAuthenticator } from '../../src/accounts/keys/authenticate.ts';
import { changeKey, revokeApiKey } from '../../src/accounts/keys/keys.ts';
import { bootstrap } from '../../src/audit/audit.ts';
import { makeCache } from '../../src/cache/index.ts';
import { changeWebhook, removeWebhook } from '../../src/events/endpoints.ts';
import { writeEvent } from '../../src/events/write-event.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database } from '../../src/store/database.ts';
import { insertUploads } from '../../src/uploads/store/uploads.ts';
import { openUpload, removeUpload } from '../../src/uploads/stored-uploads.ts';
import { makeUploadContext } from '../upload-context.ts';
import { accountsContext } from './accounts-context.ts';
import { engines } from './engines.ts';
import { accountId, makeFixture } from './event-fixture.ts';
import { makeStore } from './migrated-store.ts';

const clock = systemClock;

/** The same database, whose first answer to a statement that names the table waits for the change. */
function changedDuring(
  database: Database,
  table: string,
  change: () => Promise<unknown>,
): Database {
  let isChanged = false;
  const run: Database['run'] = async (text, values) => {
    const answer = await database.run<never>(text, values);
    if (isChanged || !text.includes(table)) return answer;
    isChanged = true;
    await change();
    return answer;
  };
  return { ...database, run };
}

const caller = { account_id: 'acct_default' };
const cap = { tag: 'team', value: 'a', daily_cap_usd: 1, monthly_cap_usd: null };
type Change = (on: Database, keyId: string) => Promise<unknown>;

/** What changes while a key is looked up, and what its next request is then. */
const ofKeys: Readonly<
  Record<string, readonly [table: string, Change, wanted: object | undefined]>
> = {
  'it is revoked': [
    'keys',
    (on, id) => revokeApiKey(accountsContext(on, clock), bootstrap, id),
    undefined,
  ],
  'it expires': [
    'keys',
    (on, id) =>
      changeKey(accountsContext(on, clock), bootstrap, id, {
        expires_at: new Date(1).toISOString(),
      }),
    undefined,
  ],
  'its account gets a policy': [
    'keys',
    (on) =>
      changeAccount(accountsContext(on, clock), bootstrap, 'acct_default', { max_stored_mb: 7 }),
    { ...caller, policy: { max_stored_mb: 7 } },
  ],
  'a budget is set': [
    'budgets',
    (on) => setBudget(accountsContext(on, clock), bootstrap, 'acct_default', cap),
    { ...caller, budgets: new Set(['team=a']) },
  ],
};

describe.each(engines)('on $name', (engine) => {
  test.each(Object.entries(ofKeys))('while a key is looked up, %s', async (_name, one) => {
    const [table, change, wanted] = one;
    await using store = await makeStore(engine);
    const { database } = store;
    const { newKey = '' } = await prepareAccounts(database, undefined, new Date());
    const [row] = await database.run('select id from keys');
    const { identify, refresh } = makeAuthenticator(
      changedDuring(database, table, async () => {
        await change(database, String(row?.['id']));
        await refresh();
      }),
    );
    await refresh();
    // A request that began before the change may still be served.
    expect(await identify(newKey)).toMatchObject(caller);
    const next = await identify(newKey);
    if (wanted === undefined) expect(next).toBeUndefined();
    else expect(next).toMatchObject(wanted);
  });

  test('while an entry of the cache is read, the cache is cleared', async () => {
    await using store = await makeStore(engine);
    const settings = { cache_joined: 'each', cache_max_entries: 10, cache_max_mb: 1 } as const;
    const open = (on: Database) =>
      makeCache({ database: on, clock, log: makeLog('silent'), settings });
    const use = (cache: ReturnType<typeof open>) => {
      const current = { cache_seconds: 60, tool: 'search', caller };
      const used = cache.useFor(current as Parameters<typeof cache.useFor>[0], JSON.parse);
      if (!used) throw new Error('The request uses the cache.');
      return used;
    };
    const id = use(open(store.database)).idOf('engine_a', {});
    await use(open(store.database)).fill([id], async () => new Map([[id, '1']]), 0);
    const cache = open(
      changedDuring(store.database, 'cache_entries', () => cache.clear(bootstrap, undefined)),
    );
    await use(cache).look([id]);
    const next = use(cache);
    await next.look([id]);
    expect(next.knows(id)).toBe(false);
  });

  test('while an upload is opened, it is deleted', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await prepareAccounts(database, undefined, new Date());
    const folder = mkdtempSync(join(tmpdir(), 'trivium-uploads-'));
    const context = makeUploadContext(database, folder);
    const id = `upl_${'1'.repeat(32)}`;
    const about = { ...caller, type: 'audio/wav', bytes: 4, seconds: null };
    const times = { created_at: 1, expires_at: Date.now() + 60_000 };
    await insertUploads(database, [{ id, ...about, ...times }]);
    const writer = await context.files.create(id, 'audio/wav');
    await writer.write(new Uint8Array(4));
    await writer.finish();
    expect(await openUpload(context, id)).toBeDefined();
    const remove = () => removeUpload(context, caller, id);
    const during = { ...context, database: changedDuring(database, 'uploads', remove) };
    expect(await openUpload(during, id)).toBeUndefined();
    rmSync(folder, { recursive: true });
  });

  test('while the address of an endpoint answers 410, the endpoint gets another address', async () => {
    await using store = await makeStore(engine);
    const { context, subscribe, send } = await makeFixture(store.database);
    const { id } = await subscribe(['job.failed']);
    await writeJobEvent(store.database);
    await send(async () => {
      await changeWebhook(context, bootstrap, id, { url: 'https://new.example/' });
      return { status: 410 };
    });
    await writeJobEvent(store.database);
    const sent = await send(() => Promise.resolve({ status: 200 }));
    expect(sent.map(({ url }) => url)).toContain('https://new.example/');
  });

  test('while an event is sent, its endpoint is paused or removed', async () => {
    await using store = await makeStore(engine);
    const { context, subscribe, send, rows, at } = await makeFixture(store.database);
    const { id } = await subscribe(['job.failed']);
    await writeJobEvent(store.database);
    await send(async () => {
      await changeWebhook(context, bootstrap, id, { paused: true });
      return { status: 500 };
    });
    at.now += 3_600_000;
    expect(await send(() => Promise.resolve({ status: 200 }))).toEqual([]);
    await changeWebhook(context, bootstrap, id, { paused: false });
    await send(async () => {
      await removeWebhook(context, bootstrap, id);
      return { status: 500 };
    });
    at.now += 3_600_000;
    expect(await send(() => Promise.resolve({ status: 200 }))).toEqual([]);
    expect((await rows()).map(({ state }) => state)).toEqual(['failed']);
  });
});

function writeJobEvent(database: Database): Promise<void> {
  const event = { type: 'job.failed', account_id: accountId, subject: 'job_1' } as const;
  return database.transaction((tx) => writeEvent(tx, { ...event, at: 1 }));
}
