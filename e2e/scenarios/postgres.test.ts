// The same gateway on PostgreSQL: it answers, survives a crash, and shares its keys.
import { expect } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createDatabase, serverAddress } from '../database.ts';
import { startGateway, startRefused } from '../harness.ts';
import { scenario } from '../verifies.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };

scenario(
  'with DATABASE_URL the gateway keeps its keys in PostgreSQL, through a kill -9 as well',
  ['settings.database-url'],
  async () => {
    await using database = await createDatabase();
    await using gateway = await startGateway({
      database_url: database.url,
      env: { TRIVIUM_BOOTSTRAP_KEY: undefined },
    });
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
    const stranger = { authorization: `Bearer sk_live_${randomBytes(32).toString('base64url')}` };
    expect((await gateway.post('/v1/search', question, stranger)).status).toBe(401);
    expect(await Bun.file(`${gateway.data_dir}/trivium.sqlite`).exists()).toBe(false);

    await gateway.kill9();
    await gateway.restart();
    expect(gateway.output()).not.toMatch(/sk_live_[\w-]{43}/);
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
    expect(await gateway.stop()).toBe(0);
  },
);

scenario(
  'two gateways share one database, and the key of one opens the other',
  ['settings.database-url.shared'],
  async () => {
    await using database = await createDatabase();
    const env = { TRIVIUM_SECRET: randomBytes(32).toString('base64url') };
    await using first = await startGateway({ database_url: database.url, env });
    // With another bootstrap key the second would replace the first one's.
    const same = { ...env, TRIVIUM_BOOTSTRAP_KEY: first.key };
    await using second = await startGateway({ database_url: database.url, env: same });
    const foreign = { authorization: `Bearer ${first.key}` };
    expect((await first.post('/v1/search', question)).status).toBe(200);
    expect((await second.post('/v1/search', question, foreign)).status).toBe(200);
  },
);

scenario(
  'PostgreSQL without a secret is a fault of the settings that is named',
  ['settings.database-url.needs-secret'],
  async () => {
    const { exit_code, output } = await startRefused({
      database_url: serverAddress(),
      env: { TRIVIUM_SECRET: undefined },
    });
    expect(exit_code).toBe(1);
    expect(output).toContain('TRIVIUM_SECRET');
  },
);
