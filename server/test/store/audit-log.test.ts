// The audit log on both engines: an entry and its change are one transaction, settings are
// recorded when they change, rows are only added, and they are deleted when they expire.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { auditSettings } from '../../src/app/prepare-rows.ts';
import { audit, bootstrap } from '../../src/audit/audit.ts';
import { listEntries } from '../../src/audit/store/audit-log.ts';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { providers } from '../../src/providers/registry.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { accountsContext } from './accounts-context.ts';
import { cleanUp } from './clean-up.ts';
import { engines } from './engines.ts';
import type { TestStore } from './store-pool.ts';
import { makeStore } from './migrated-store.ts';

const now = new Date('2026-11-15T12:00:00Z');
const at = now.getTime();
const dayMs = 86_400_000;
const secret = 'the secret of the gateway under test';
const page = { limit: 500 };

const keys = ['TRIVIUM_BOOTSTRAP_KEY', 'TRIVIUM_SHADOW_KEY'];
/** Settings without which some secrets are refused or have no use. */
const usesAllSecrets = {
  TRIVIUM_S3_URL: 's3://recordings',
  AWS_ACCESS_KEY_ID: 'access',
  TRIVIUM_SHADOW_SHARE: '0.1',
  TRIVIUM_SHADOW_ENGINES: 'engine_a,engine_b',
  TRIVIUM_PUBLIC_URL: 'https://trivium.example',
  TRIVIUM_OIDC_ISSUER: 'https://id.example',
  TRIVIUM_OIDC_CLIENT_ID: 'trivium',
};

describe.each(engines)('on $name', (engine) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await engine.open('migrated');
    await migrate(store.database, now);
    await prepareAccounts(store.database, undefined, now);
  });
  afterAll(() => store.discard());

  test('settings are recorded when they change, and secrets as fingerprints', async () => {
    const { database } = store;
    const record = (env: Record<string, string>) =>
      auditSettings(database, readSettings(env, Object.values(providers)), secret, at);
    const entries = async () =>
      (await listEntries(database, { action: 'settings.changed', ...page })).rows;
    const token = (letter: string) => letter.repeat(40);
    const bucket = { TRIVIUM_S3_URL: 's3://recordings', AWS_ACCESS_KEY_ID: 'access' };
    const shadow = (letter: string) => ({
      TRIVIUM_SHADOW_SHARE: '0.1',
      TRIVIUM_SHADOW_ENGINES: 'engine_a,engine_b',
      TRIVIUM_SHADOW_KEY: `sk_live_${letter.repeat(43)}`,
    });
    await record({ TRIVIUM_ADMIN_TOKEN: token('a'), EXA_API_KEY: 'exa-key-one', PORT: '1000' });
    await record({ TRIVIUM_ADMIN_TOKEN: token('a'), EXA_API_KEY: 'exa-key-one', PORT: '2000' });
    expect(await entries()).toHaveLength(1);
    await record({
      TRIVIUM_ADMIN_TOKEN: token('b'),
      EXA_API_KEY: 'exa-key-two',
      TRIVIUM_FAILOVER: 'on',
    });
    await record({ ...bucket, AWS_SECRET_ACCESS_KEY: 'aws-secret-one', ...shadow('c') });
    await record({ ...bucket, AWS_SECRET_ACCESS_KEY: 'aws-secret-two', ...shadow('d') });
    const all = await entries();
    expect(all).toHaveLength(4);
    const changed = all.find(({ before }) => before?.['failover'] === 'off');
    expect(Object.keys(changed?.after ?? {}).toSorted()).toEqual([
      'admin_token',
      'failover',
      'provider.engine_a',
    ]);
    expect(changed).toMatchObject({ before: { failover: 'off' }, after: { failover: 'on' } });
    const [facts] = await database.run(`select value from store_facts where name = 'settings'`);
    const written = JSON.stringify([all, facts]);
    const secrets = [token('a'), token('b'), 'exa-key-one', 'exa-key-two', secret];
    for (const text of [...secrets, 'aws-secret', 'c'.repeat(40), 'd'.repeat(40)]) {
      expect(written).not.toContain(text);
    }
  });

  test('no setting with the name of a secret is recorded as it is', async () => {
    const { database } = store;
    const declared = Object.values(providers);
    const names = readSettings({}, declared).displayed.filter(({ is_secret }) => is_secret);
    const values = new Map(
      names.map(({ name }, index) => [name, `${index}-secret`.padStart(43, 's')]),
    );
    for (const name of keys) values.set(name, `sk_live_${values.get(name)}`);
    const env = { ...Object.fromEntries(values), ...usesAllSecrets };
    await auditSettings(database, readSettings(env, declared), secret, at);
    const [stored] = await database.run(`select value from store_facts where name = 'settings'`);
    const written = JSON.stringify(stored);
    expect([...values].filter(([, value]) => written.includes(value))).toEqual([]);
    expect(values.size).toBeGreaterThan(15);
  });

  test('gateways that start together record a change once', async () => {
    const { database } = store;
    const settings = readSettings({ TRIVIUM_MAX_REQUESTS: '77' }, Object.values(providers));
    const count = async () =>
      (await listEntries(database, { action: 'settings.changed', ...page })).rows.length;
    const before = await count();
    const starts = [1, 2, 3, 4].map(() => auditSettings(database, settings, secret, at));
    await Promise.all(starts);
    expect(await count()).toBe(before + 1);
  });

  test('secrets that callers send by mistake are hidden', async () => {
    const after = {
      name: `my sk_live_${'k'.repeat(43)}`,
      signing_secret: 'abc',
      password: 'abc',
      key: 'abc',
      nested: { deep: `whsec_${'A'.repeat(32)}` },
      monkey: 'fine',
    };
    const change = { action: 'key.created', account_id: null, target: 'mistake', after } as const;
    await audit(store.database, bootstrap, change, at);
    const { rows } = await listEntries(store.database, { target: 'mistake', ...page });
    const [entry] = rows;
    const hidden = '[secret]';
    expect(entry?.after).toEqual({
      name: hidden,
      signing_secret: hidden,
      password: hidden,
      key: hidden,
      nested: hidden,
      monkey: 'fine',
    });
  });

  test('entries are deleted after the time that the operator sets, and otherwise never', async () => {
    await using fresh = await makeStore(engine);
    const { database } = fresh;
    const add = (target: string, days: number) => {
      const change = { action: 'key.revoked', account_id: null, target, after: {} } as const;
      return audit(database, bootstrap, change, Date.now() - days * dayMs);
    };
    await add('ancient', 366);
    await add('old', 31);
    await add('new', 29);
    const left = async () => (await listEntries(database, page)).rows.map(({ target }) => target);
    await cleanUp(database);
    expect(await left()).toEqual(['new', 'old']);
    await cleanUp(database, { audit_log_days: 30 });
    expect(await left()).toEqual(['new']);
  });

  test('a change whose entry cannot be written is not made', async () => {
    await using fresh = await makeStore(engine);
    const { database } = fresh;
    await prepareAccounts(database, undefined, now);
    const keys = async () => (await database.run('select id from keys')).length;
    const before = await keys();
    await database.run('drop table audit_log');
    const context = accountsContext(database, systemClock);
    const made = createKey(context, bootstrap, 'acct_default', { name: 'lost' });
    expect(await made.catch(() => 'refused')).toBe('refused');
    expect(await keys()).toBe(before);
  });
});

test('no statement changes an entry, and only retention deletes one', () => {
  const source = join(import.meta.dir, '..', '..', 'src');
  const statements = [...new Glob('**/*.{ts,sql}').scanSync(source)].flatMap((path) => {
    const text = readFileSync(join(source, path), 'utf8');
    const found = [
      ...text.matchAll(/\b(update|delete from|drop table|insert into)\s+audit_log\b/g),
      ...text.matchAll(/\b(table(?:\(|: ))\s*'audit_log'/g),
    ];
    return found.map(([, verb]) => `${path}: ${verb}`);
  });
  expect(statements.toSorted()).toEqual([
    'audit/store/audit-log.ts: table(',
    'audit/store/audit-log.ts: table: ',
  ]);
});
