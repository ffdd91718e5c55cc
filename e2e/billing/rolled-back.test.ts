// An upgrade from the last released version and a rollback, in both directions, with kills: an
// idempotency key that one version has answered is replayed by the other, and is charged once.
import { SQL } from 'bun';
import { describe, expect } from 'bun:test';
import { join } from 'node:path';
import { auditStore } from '../audit-store.ts';
import { makeKeyedRequests } from '../chaos/keyed-requests.ts';
import { createDatabase } from '../database.ts';
import { emptyFolder } from '../empty-folder.ts';
import { engines, startGatewayProcess } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { testWhere } from '../leave-out.ts';
import { isLong } from '../lengths.ts';
import { makeReleasedVersion, missingHistory } from '../released-version.ts';
import { startTestSandbox } from '../test-sandbox.ts';

const roundMs = isLong ? 1000 : 400;
/** A busy machine answers a panel in less. */
const budgetMs = 2500;
const missing = await missingHistory();

describe.each(engines)('on %s', (engine) => {
  testWhere(missing)(
    'an upgrade, a rollback and an upgrade, each with a kill, charge every key once',
    async () => {
      await using stack = new AsyncDisposableStack();
      const released = stack.use(await makeReleasedVersion());
      const folder = stack.use(await emptyFolder());
      const isShared = engine === 'PostgreSQL';
      const database = isShared ? stack.use(await createDatabase('empty')) : undefined;
      const sandbox = stack.use(await startTestSandbox());
      const start = async (program: string | undefined): Promise<GatewayProcess> =>
        stack.use(
          await startGatewayProcess({
            sandbox: sandbox.url,
            data_dir: folder.path,
            env: {
              TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'v'.repeat(43)}`,
              TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000',
              TRIVIUM_SECRET: 'one secret for both versions, long enough',
              TRIVIUM_KEY_REQUESTS_PER_MINUTE: '1000000',
            },
            ...(database ? { database_url: database.url } : {}),
            ...(program === undefined ? {} : { program }),
          }),
        );
      let gateway = await start(released.program);
      let running = [gateway];
      let turn = 0;
      const keyed = makeKeyedRequests(() => running[turn++ % running.length] ?? gateway, budgetMs);
      for (const program of [undefined, released.program, undefined]) {
        const killed = gateway;
        if (isShared) {
          gateway = await start(program);
          running = [killed, gateway];
        }
        const sending = keyed.send(roundMs);
        await Bun.sleep(roundMs * 0.8);
        await killed.kill9();
        if (isShared) running = [gateway];
        await sending;
        if (!isShared) {
          gateway = await start(program);
          running = [gateway];
        }
        expect(await keyed.findLost()).toEqual([]);
      }
      await keyed.finish();
      expect(await keyed.findLost()).toEqual([]);

      const store = gateway.store;
      if (!isShared) await gateway.stop();
      await using sql = database
        ? new SQL(database.url, { max: 1 })
        : new SQL({ adapter: 'sqlite', filename: join(gateway.store_dir, 'trivium.sqlite') });
      const [paid] = (await sql.unsafe(
        "select count(*) as n from transfers where kind = 'settle' and id like 'req_%'",
      )) as { n: unknown }[];
      expect(keyed.answered()).toBeGreaterThan(0);
      expect(Number(paid?.n)).toBe(keyed.answered());
      await auditStore(store);
    },
  );
});
