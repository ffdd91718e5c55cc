// Writes store-<version>.json: a store as the last released version leaves it when it is killed, with
// keys, jobs in every state, holds, the journal and sessions. It is run after a release.
import { Database } from 'bun:sqlite';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGatewayProcess } from '../harness.ts';
import { submitJob } from '../jobs.ts';
import { lastRelease, makeReleasedVersion } from '../released-version.ts';
import { operator } from '../security/visitor.ts';
import { startUpstream } from '../upstream.ts';
import { releasedEnv, releasedRequest, vendorOf } from './fixture.ts';
import type { ReleasedStore } from './fixture.ts';

const settleMs = 4000;

await using released = await makeReleasedVersion();
const hanging = Promise.withResolvers<never>();
const vendor = startUpstream(vendorOf({ isUp: false, hang: hanging.promise }));
const gateway = await startGatewayProcess({
  program: released.program,
  env: { ...releasedEnv, EXA_BASE_URL: vendor.url, ASSEMBLYAI_BASE_URL: vendor.url },
  sandbox: vendor.url,
});
const ada = await operator(gateway);
const jobs: Record<string, string> = {};
for (const name of ['done', 'fails', 'waits', 'hangs', 'lost', 'busy']) {
  const audioUrl = `https://recordings.example/${name}.wav`;
  jobs[name] = (await submitJob(gateway, { audio_url: audioUrl, provider: 'stt_a' })).id;
}
const post = (key: string, query: string) =>
  fetch(`${gateway.url}/v1/search`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      ...(key === '' ? {} : { 'idempotency-key': key }),
    },
    body: releasedRequest(query),
  });
const answered = await (await post('answered', 'tides')).text();
await Bun.sleep(settleMs);
const cut = post('running', 'hang').catch(() => undefined);
await Bun.sleep(500);
await Promise.all([post('', 'plain one'), post('', 'plain two')]);
await gateway.kill9();
const madeAt = Date.now();
hanging.reject(new Error('the vendor ends'));
await cut;

const file = join(gateway.store_dir, 'trivium.sqlite');
const sqlite = new Database(file);
const names = sqlite
  .query("select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'")
  .all() as { name: string; sql: string }[];
const schema = sqlite
  .query("select sql from sqlite_master where sql is not null and name not like 'sqlite_%'")
  .all() as { sql: string }[];
const store: ReleasedStore = {
  made_at: madeAt,
  answered,
  cookie: ada.headers()['cookie'] ?? '',
  jobs,
  schema: schema.map(({ sql }) => sql),
  tables: Object.fromEntries(
    names.map(({ name }) => [name, sqlite.query(`select * from ${name}`).all() as never]),
  ),
};
writeFileSync(
  join(import.meta.dir, `store-${lastRelease}.json`),
  `${JSON.stringify(store, null, 2)}\n`,
);
sqlite.close();
await gateway.close();
await vendor[Symbol.asyncDispose]();
process.exit(0);
