// A store that refuses writes: at most the calls in flight at that moment are lost, those under an
// idempotency key are served and charged by a retry, and no provider is called until it works.
import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditStore } from '../audit-store.ts';
import { createDatabase } from '../database.ts';
import { startGatewayProcess, untilReadyz } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import type { Answer } from '../http-client.ts';
import { testWhere } from '../leave-out.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import type { Upstream } from '../upstream.ts';
import { asOperator, makeAccount, operatorToken, settledMoney } from './small-account.ts';
import type { SmallAccount } from './small-account.ts';
import { waitFor } from '../wait-for.ts';

const price = 7000;
const secret = 'one secret for the gateway and the audit, 32 or more';
const env = { TRIVIUM_ADMIN_TOKEN: operatorToken, TRIVIUM_SECRET: secret, LOG_LEVEL: 'error' };
const withoutFloor = { ...env, TRIVIUM_MIN_FREE_DISK_MB: '0' };
const testOnDisk = testWhere(
  process.getuid?.() === 0 && process.platform === 'linux'
    ? undefined
    : 'run as root on Linux, to mount a small disk',
);

testOnDisk(
  'a full disk loses only what is in flight, and nothing under an idempotency key',
  async () => {
    using disk = mountSmallDisk(24);
    await using upstream = startGatedUpstream();
    await using gateway = await startGatewayProcess({
      data_dir: join(disk.path, 'data'),
      env: { ...upstream.env, ...withoutFloor },
    });
    // The journal has its place on the disk already.
    await refuseAndRecover(gateway, upstream, disk, { journals: true });
    await gateway.stop();
    await auditStore({ TRIVIUM_DATA_DIR: gateway.data_dir, TRIVIUM_SECRET: secret });
  },
);

test('a database that refuses writes loses only what is in flight, and nothing under a key', async () => {
  await using database = await createDatabase();
  await using sql = new Bun.SQL(database.url, { max: 1 });
  await sql.unsafe(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`);
  const tables = ['deferred', 'transfers', 'requests', 'idempotency', 'holds', 'store_facts'];
  const disk = {
    fill: async () => {
      for (const table of tables) {
        await sql.unsafe(`create trigger full_disk before insert or update on ${table}
            execute function refuse()`);
      }
    },
    free: async () => {
      for (const table of tables) await sql.unsafe(`drop trigger full_disk on ${table}`);
    },
  };
  await using upstream = startGatedUpstream();
  await using gateway = await startGatewayProcess({
    database_url: database.url,
    env: { ...upstream.env, ...withoutFloor },
  });
  await refuseAndRecover(gateway, upstream, disk, { journals: false });
  await gateway.stop();
  await auditStore({ DATABASE_URL: database.url, TRIVIUM_SECRET: secret });
});

testOnDisk('below the minimum of free space, paid requests and uploads are refused', async () => {
  using disk = mountSmallDisk(48);
  await using upstream = startGatedUpstream();
  upstream.open();
  await using gateway = await startGatewayProcess({
    data_dir: join(disk.path, 'data'),
    env: {
      ...upstream.env,
      ...env,
      TRIVIUM_MIN_FREE_DISK_MB: '16',
      ASSEMBLYAI_API_KEY: 'not called by this test',
    },
  });
  const account = await makeAccount(gateway, 1);
  expect((await ask(gateway, account, 'before')).status).toBe(200);
  const cached = { 'x-trivium-cache': '60' };
  expect((await ask(gateway, account, 'cached', cached)).status).toBe(200);
  disk.fill(8);
  expect(await untilReadyz(gateway, 503)).toContain('nearly full');
  const refused = await ask(gateway, account, 'below');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(refused.text).toContain('No provider was called');
  // What is in the cache costs nothing, so there is nothing to record.
  expect((await ask(gateway, account, 'cached', cached)).status).toBe(200);
  const audio = { audio_url: 'https://example.org/a.wav' };
  const job = await account.on(gateway).post('/v1/transcriptions', audio);
  expect([job.status, job.text]).toEqual([503, expect.stringContaining('nearly full')]);
  const upload = await fetch(`${gateway.url}/v1/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.key}`, 'content-type': 'audio/wav' },
    body: new Uint8Array(1000),
  });
  expect([upload.status, await upload.text()]).toEqual([
    503,
    expect.stringContaining('accepts no uploads'),
  ]);
  expect(upstream.received).toHaveLength(2);
  const metrics = await gateway.get('/metrics');
  expect(metrics.text).toContain('trivium_store_refuses 1');
  expect(metrics.text).toMatch(/trivium_disk_free_bytes \d+/);
  disk.free();
  await untilReadyz(gateway, 200);
  expect((await ask(gateway, account, 'again')).status).toBe(200);
});

type Disk = { fill: () => void | Promise<void>; free: () => void | Promise<void> };

async function refuseAndRecover(
  gateway: GatewayProcess,
  upstream: GatedUpstream,
  disk: Disk,
  { journals }: { journals: boolean },
): Promise<void> {
  const account = await makeAccount(gateway, 1);
  const names = ['a', 'b', 'c', 'd', 'e'];
  const keyOf = (name: string) => ({ 'idempotency-key': name });
  const both = (prefix: string) => [
    ...names.map((name) => ask(gateway, account, `${prefix} plain ${name}`)),
    ...names.map((name) => ask(gateway, account, `${prefix} keyed ${name}`, keyOf(prefix + name))),
  ];
  const inFlight = both('first');
  const calls = inFlight.length;
  await upstream.receives(calls);
  await disk.fill();
  upstream.open();
  const answers = await Promise.all(inFlight);
  // Those that shared no commit with others may be in the journal.
  const journaled = answers
    .slice(0, journals ? names.length : 0)
    .filter(({ status }) => status === 200);
  for (const { status, text } of answers.filter((one) => !journaled.includes(one))) {
    expect([status, text]).toEqual([503, expect.stringContaining('store')]);
  }
  const served = names.length + journaled.length;
  // From now on no provider is called.
  for (const { status } of await Promise.all(both('second'))) expect(status).toBe(503);
  expect(upstream.received).toHaveLength(calls);
  expect(await untilReadyz(gateway, 503)).toContain('does not accept writes');
  expect((await gateway.get('/metrics')).text).toContain('trivium_store_refuses 1');
  await disk.free();
  await untilReadyz(gateway, 200);
  const [other = '', ...retriedNames] = names;
  for (const name of retriedNames) {
    const retried = await untilServed(() =>
      ask(gateway, account, `first keyed ${name}`, keyOf(`first${name}`)),
    );
    expect([retried.status, retried.headers.has('idempotent-replayed')]).toEqual([200, false]);
    const again = await ask(gateway, account, `first keyed ${name}`, keyOf(`first${name}`));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(retried.text);
  }
  expect(upstream.received).toHaveLength(calls);
  // Another body under such a key does not get the answer of the first one.
  const changed = () => ask(gateway, account, 'another body', keyOf(`first${other}`));
  expect((await untilServed(changed)).status).toBe(200);
  expect(upstream.received).toHaveLength(calls + 1);
  expect(gateway.output()).toContain('the store refused the charge');
  const client = account.on(gateway);
  expect(await settledMoney(client)).toEqual({
    balance: 1_000_000 - served * price,
    held: 0,
  });
  const log = await gateway.get(
    `/admin/v1/requests?account_id=${account.id}&limit=100`,
    asOperator,
  );
  const { requests } = log.body as { requests: { status: number; cost_usd: number }[] };
  const paid = requests.filter(({ cost_usd }) => cost_usd > 0);
  expect(paid.map(({ status }) => status)).toEqual(Array(served).fill(200));
  expect((await ask(gateway, account, 'new')).status).toBe(200);
  expect(upstream.received).toHaveLength(calls + 2);
}

/** A claim that could not be freed on the full disk is freed shortly after. */
async function untilServed(work: () => Promise<Answer>): Promise<Answer> {
  return waitFor(work, { what: 'the key is free', until: ({ status }) => status !== 409 });
}

function ask(
  gateway: GatewayProcess,
  account: SmallAccount,
  query: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return account.on(gateway).post('/v1/search', { query, provider: 'engine_a' }, headers);
}

type GatedUpstream = Upstream & { open: () => void };

/** Answers after it was opened. */
function startGatedUpstream(): GatedUpstream {
  const gate = Promise.withResolvers<void>();
  const results = [{ url: 'https://example.org/', title: 'Example', highlights: ['words'] }];
  const upstream = startUpstream(async () => {
    await gate.promise;
    return exaAnswer(results);
  });
  return { ...upstream, open: gate.resolve };
}

/** A disk in memory of this size. */
function mountSmallDisk(sizeMb: number) {
  const path = mkdtempSync(join(tmpdir(), 'trivium-disk-'));
  const run = (command: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };
  run('mount', '-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', path);
  const filler = join(path, 'filler');
  return {
    path,
    /** Leaves this much free. */
    fill: (leftMb = 0) => {
      for (const bytes of [1024 * 1024, 4096]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes));
        } catch {
          // The disk has not enough space.
        }
      }
      if (leftMb > 0) run('truncate', '-s', `-${leftMb}M`, filler);
    },
    free: () => rmSync(filler),
    [Symbol.dispose]: () => {
      run('umount', '-l', path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
