// A rolling upgrade: the new version migrates while the old one serves, then both serve together.
import { SQL } from 'bun';
import { expect, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { createDatabase } from '../database.ts';
import { startGatewayProcess } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { runJob } from '../jobs.ts';
import { isLong } from '../lengths.ts';
import { makeNewerVersion } from '../newer-version.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { makeKeyedRequests } from './keyed-requests.ts';
import { waitFor } from '../wait-for.ts';

const openingUsd = 1000;
const roundMs = isLong ? 700 : 300;
const operatorToken = 'operator-token-of-both-versions-0815';

// Several that migrate at once: server/test/store/migrations.test.ts.
test('a newer gateway migrates under load while an older one serves, without loss', async () => {
  await using newer = await makeNewerVersion();
  await using database = await createDatabase('empty');
  await using sandbox = await startTestSandbox();
  const options = {
    sandbox: sandbox.url,
    database_url: database.url,
    env: {
      TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'u'.repeat(43)}`,
      TRIVIUM_BOOTSTRAP_BALANCE_USD: String(openingUsd),
      TRIVIUM_SECRET: 'one secret for both versions, long enough',
      TRIVIUM_ADMIN_TOKEN: operatorToken,
      TRIVIUM_KEY_REQUESTS_PER_MINUTE: '1000000',
    },
  };
  await using older = await startGatewayProcess(options);
  const running: GatewayProcess[] = [older];
  let turn = 0;
  const keyedRequests = makeKeyedRequests(() => running[turn++ % running.length] ?? older);
  // The older gateway must still be able to use statements that it prepared before the migration.
  const before = await exercise(older);
  await keyedRequests.send(roundMs);

  const [started] = await Promise.all([
    startGatewayProcess({ ...options, program: newer.program }),
    keyedRequests.send(roundMs),
  ]);
  await using one = started;
  expect(await schemaVersion(database.url)).toBe(newer.schema_version);
  running.push(one);
  await keyedRequests.send(roundMs);
  for (const gateway of running) {
    expect(await exercise(gateway)).toEqual(before);
  }

  // A rollback is possible: the older version starts on the newer schema.
  await older.restart();
  expect(await exercise(older)).toEqual(before);
  await keyedRequests.finish();
  expect(await keyedRequests.findLost()).toEqual([]);
  await auditStore({ DATABASE_URL: database.url, TRIVIUM_SECRET: options.env.TRIVIUM_SECRET });
});

const operator = { authorization: `Bearer ${operatorToken}` };

/** Uses every table that a gateway reads or writes, and returns the answers. */
async function exercise(gateway: GatewayProcess): Promise<Record<string, unknown>> {
  const search = await searchPatiently(gateway);
  const extract = await gateway.post('/v1/extract', { urls: ['https://gridlines.example/gone'] });
  const job = await runJob(gateway, {});
  const key = await gateway.post(
    '/admin/v1/accounts/acct_default/keys',
    { name: 'short-lived' },
    operator,
  );
  const { id } = key.body as { id: string };
  const revoked = await gateway.ask('DELETE', `/admin/v1/keys/${id}`, undefined, operator);
  const seen: Record<string, unknown> = {
    search: search.status === 200 ? 200 : search.body,
    extract: extract.status,
    job: job.status,
    key: key.status,
    revoked: revoked.status,
  };
  const { body } = await gateway.get('/openapi.json');
  for (const [path, verbs] of Object.entries((body as { paths: object }).paths)) {
    if (!('get' in (verbs as object)) || path.includes('{')) continue;
    const answer = await gateway.get(path, path.startsWith('/admin/') ? operator : {});
    seen[path] = answer.status;
  }
  return seen;
}

/**
 * On a slow machine the short time budgets of the keyed requests cause failures, and these would
 * open the circuit of a provider.
 */
function searchPatiently(gateway: GatewayProcess) {
  const search = () => gateway.post('/v1/search', { query: 'membranes', provider: 'engine_a' });
  return waitFor(search, { what: 'a provider is called', until: ({ status }) => status !== 502 });
}

async function schemaVersion(databaseUrl: string): Promise<number> {
  await using sql = new SQL(databaseUrl, { max: 1 });
  const [row] = (await sql`select version from schema_version`) as { version: unknown }[];
  return Number(row?.version);
}
