// Upgrade with settlements in the journal: this version books at its start what the previous
// version deferred.
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import { storeFileIn } from '../../src/store/sqlite/data-dir.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open.ts';
import { storeThread } from '../../src/app/store-thread-url.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';

const now = new Date('2026-11-16T12:00:00Z');
const previous = migrations.filter(({ version }) => version <= 41);

const request = (id: string) =>
  `{"account_id":"acct_1","key_id":"key_1","tool":"search","provider":"engine_a","status":200,` +
  `"error_type":null,"warnings":0,"cost":0,"reported_cost":null,"latency_ms":1,"created_at":0,` +
  `"id":"${id}","paid_by":"settle","delivered":3}`;
const posting = (id: string, cost: number) =>
  `{"request":${request(id)},"account_id":"acct_1","entry":{"id":"${id}","account_id":"acct_1",` +
  `"cost":${cost},"may_exceed":false,"kind":"settle","reserved":{"account_id":"acct_1",` +
  `"key_id":"key_1","amount":30,"created_at":1794852153059,"expires_at":1794852213059}}}`;

/** Byte for byte as the previous version writes it, except for the ids and costs. */
const written = (id: string, cost: number) =>
  `{"batch":[${posting(id, cost)}],"occasion":{"now":1794852153068}}`;
const writtenNow = (id: string, cost: number) =>
  `{"batch":[${posting(id, cost)}],"context":{"now":1794852153070}}`;

test.each([
  ['of the previous version', [written('r1', 20), written('r2', 5)]],
  ['of both versions', [written('r1', 20), writtenNow('r2', 5)]],
])('settlements %s are booked at start', async (_, inputs) => {
  const dir = mkdtempSync(join(tmpdir(), 'trivium-upgrade-'));
  try {
    await prepareStore(storeFileIn(dir), inputs);
    const failed: unknown[] = [];
    const settings = readSettings({ TRIVIUM_DATA_DIR: dir, TRIVIUM_SANDBOX: 'off' }, []);
    const { database, close } = await openStore(settings, storeThread, now, (task) =>
      failed.push(task),
    );
    expect(failed).toEqual([]);
    expect(await findBalance(database, 'acct_1')).toEqual({ posted: 75, held: 0 });
    expect(await database.run('select id, cost from requests order by id')).toEqual([
      { id: 'r1', cost: 20 },
      { id: 'r2', cost: 5 },
    ]);
    expect(await database.run('select task from deferred')).toEqual([]);
    expect((await auditLedger(database, { now: now.getTime() })).violations).toEqual([]);
    await close();
  } finally {
    rmSync(dir, { recursive: true });
  }
});

/** A store of the previous version after a kill: a balance of 100, and settlements to book. */
async function prepareStore(file: string, inputs: readonly string[]): Promise<void> {
  const database = await openSqlite(file, storeThread);
  await migrate(database, now, previous);
  await database.run(
    "insert into accounts (id, name, created_at, posted) values ('acct_1', 'One', 0, 100)",
  );
  await database.run(
    `insert into transfers (id, kind, account_id, amount, created_at)
     values ('top_1', 'topup', 'acct_1', 100, 0)`,
  );
  for (const input of inputs) {
    await database.run(
      "insert into deferred (task, input, created_at) values ('post', $1, 1794852153069)",
      [input],
    );
  }
  await database.close();
}
