// A gateway behind PgBouncer, with its defaults in both modes. Left out where it is not installed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { startGateway } from '../harness.ts';
import { testWhere } from '../leave-out.ts';
import { optionsOver, startSearches } from '../chaos/searches.ts';
import { waitFor } from '../wait-for.ts';

const pgbouncer = Bun.which('pgbouncer');
const searches = 40;

if (pgbouncer === null) testWhere('install pgbouncer')('behind PgBouncer', () => {});
else {
  describe.each(['session', 'transaction'] as const)('behind PgBouncer in %s mode', (mode) => {
    let pooler: Awaited<ReturnType<typeof startPooler>>;
    beforeAll(async () => {
      pooler = await startPooler(pgbouncer, mode);
    });
    afterAll(() => pooler.stop());

    test('searches are served and charged', async () => {
      await using upstream = startSearches();
      const query = mode === 'transaction' ? '?prepare=false' : '';
      const { env } = optionsOver(upstream);
      const gateway = await startGateway({
        env: { ...env, TRIVIUM_SECRET: 'the secret of a gateway behind a pooler' },
        database_url: `${pooler.url}${query}`,
      });
      try {
        const question = { query: 'solar', provider: 'engine_a' };
        const answers = await Promise.all(
          Array.from({ length: searches }, () => gateway.post('/v1/search', question)),
        );
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        const { body } = await gateway.get('/v1/balance');
        expect(body).toMatchObject({ balance_usd: 1000 - searches * 0.007, held_usd: 0 });
      } finally {
        await gateway.close();
      }
    });

    if (mode === 'transaction') {
      test('prepared statements are refused with an error that names the solution', async () => {
        const env = { TRIVIUM_SECRET: 'the secret of a gateway behind a pooler', EXA_API_KEY: 'k' };
        const started = startGateway({ env, database_url: pooler.url });
        const reason = await started.then(() => '', String);
        expect(reason).toContain('add ?prepare=false to DATABASE_URL');
      });
    }
  });
}

async function startPooler(program: string, mode: string) {
  const server = new URL(String(process.env['TRIVIUM_TEST_DATABASE_URL']));
  const name = `pooled_${mode}_${Date.now()}`;
  const admin = new Bun.SQL(server.href, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'trivium-pooler-'));
  chmodSync(folder, 0o755);
  const port = freePort();
  writeFileSync(join(folder, 'users.txt'), `"${server.username}" ""\n`);
  const settings = [
    '[databases]',
    `${name} = host=127.0.0.1 port=${server.port} user=${server.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    `auth_file = ${join(folder, 'users.txt')}`,
    'unix_socket_dir =',
    `pool_mode = ${mode}`,
    'default_pool_size = 20',
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = Bun.spawn([program, ...user, join(folder, 'pgbouncer.ini')], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const url = `postgres://${server.username}@127.0.0.1:${port}/${name}`;
  await waitFor(() => isReady(url), { what: 'PgBouncer starts' });
  return {
    url,
    stop: async () => {
      child.kill();
      await child.exited;
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const sql = new Bun.SQL(url, { max: 1, prepare: false, connectionTimeout: 1 });
  const answered = sql.unsafe('select 1').then(
    () => true,
    () => false,
  );
  await answered;
  await sql.close({ timeout: 0 }).catch(() => undefined);
  return answered;
}
