// The audit on both engines: silent about good books, and precise about tampered ones.
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { auditLedger } from '../../src/services/audit-ledger.ts';
import { engines } from './engines.ts';
import { eventually, openPlace } from './place.ts';

const audit_program = join(import.meta.dir, '..', '..', 'src', 'audit.ts');

const tampering: [string, string][] = [
  ['update accounts set posted = posted + 1', 'Each balance is the sum of its transfers.'],
  ['update accounts set held = held + 1', 'What is held is the sum of open holds.'],
  [
    "delete from transfers where kind = 'settle'",
    'Each request that was charged has its transfer.',
  ],
  [
    `insert into holds (id, account_id, amount, created_at)
     select id, account_id, 0, created_at from transfers where kind = 'settle'`,
    'No open hold has been charged.',
  ],
  ['update key_days set spent = spent + 1', 'The keys have spent what their transfers took.'],
  ['update key_days set held = held + 1', 'Each key holds the sum of its open holds.'],
  ['update requests set cost = cost + 1', 'The request log names what the ledger took.'],
  ["update idempotency set owner = 'req_x'", 'Each answer kept under an idempotency key'],
];

describe.each(engines)('on $name', (engine) => {
  test('books kept by a gateway are right, also while it runs', async () => {
    await using place = await openPlace(engine, '1');
    const searches = Array.from({ length: 40 }, () => place.gateway.search());
    const database = await place.bench.another();
    const during = await auditLedger(database);
    await Promise.all(searches);
    // From outside, the last of them may not be booked yet.
    const settled = async () => (await auditLedger(database)).reading.settles;
    await eventually(async () => (await settled()) === -280_000);
    const after = await auditLedger(database);
    await database.close();
    expect([during.violations, after.violations]).toEqual([[], []]);
    expect(after.reading).toMatchObject({ topups: 1_000_000, settles: -280_000, held: 0 });
  });

  test.each(tampering)('after %p it says: %s', async (statement, sentence) => {
    await using place = await openPlace(engine, '1');
    await place.gateway.search({ 'idempotency-key': 'k' });
    const database = await place.bench.another();
    await database.run(statement);
    const { violations } = await auditLedger(database);
    await database.close();
    expect(violations.join(' ')).toContain(sentence);
  });

  test('the command prints the sums beside a running gateway and exits by verdict', async () => {
    await using place = await openPlace(engine, '1');
    await place.gateway.search();
    const right = await runAudit(place.bench.settings);
    expect([right.code, right.output]).toEqual([0, expect.stringContaining('-0.007000 USD')]);
    const database = await place.bench.another();
    await database.run('update accounts set posted = posted + 1');
    await database.close();
    const wrong = await runAudit(place.bench.settings);
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('These do not hold')]);
  });
});

async function runAudit(settings: Readonly<Record<string, string>>) {
  const child = Bun.spawn([process.execPath, '--no-env-file', audit_program], {
    env: { PATH: process.env['PATH'], ...settings },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return { output, code };
}
