// What a declared table reads is what it wrote, on both engines, and the store refuses invalid amounts
// and what breaks a rule of the books.
import { describe, expect, test } from 'bun:test';
import {
  adding,
  flag,
  inParts,
  json,
  orNull,
  table,
  text,
  textOf,
  whole,
} from '../../src/store/index.ts';
import { type Engine, engines, sqliteEngine } from './engines.ts';
import type { Database } from '../../src/store/database.ts';
import { makeStore } from './migrated-store.ts';
import type { GatewayError } from '@trivium/contract';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { makeLedger } from '../../src/billing/ledger.ts';
import { makeStoppedAccounts } from '../../src/billing/stopped-accounts.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { amountOf } from '../amount-of.ts';
import { plainHold } from './funded-accounts.ts';

const isList = (value: unknown): value is string[] => Array.isArray(value);

const samples = table(
  'samples',
  {
    id: text,
    kind: textOf<'plain' | 'other'>(),
    count: whole,
    open: flag,
    names: json(isList),
    note: orNull(text),
    ended_at: orNull(whole),
    extra: orNull(json(isList)),
  },
  'sample',
);
const insert = samples.insert();
const add = samples.pick('id', 'kind', 'count', 'open', 'names').insert({
  end: adding('samples', 'id', ['count']),
});

async function makeSamples(engine: Engine) {
  const store = await engine.open();
  await store.database.run(
    `create table samples (id text primary key, kind text, count bigint, open bigint, names text,
       note text, ended_at bigint, extra text)`,
  );
  return { ...store, [Symbol.asyncDispose]: store.discard };
}

const row = { id: 'a', kind: 'plain', count: 2 ** 52, open: true, names: ['ü', "'"] } as const;
const mutable = { ...row, names: [...row.names] };

describe.each([...engines])('a declared table on $name', (engine) => {
  test('reads what it wrote, and null for what was left out', async () => {
    await using store = await makeSamples(engine);
    const full = { ...mutable, id: 'b', note: '', ended_at: 0, extra: [] };
    await insert(store.database, [mutable, full]);
    const rows = await store.database.run(`select ${samples.columns} from samples order by id`);
    expect(rows.map(samples.read)).toEqual([
      { ...mutable, note: null, ended_at: null, extra: null },
      full,
    ]);
  });

  test('takes no rows, three rows and more rows than one statement can', async () => {
    await using store = await makeSamples(engine);
    for (const count of [0, 3, 9000]) {
      const rows = Array.from({ length: count }, (_, at) => ({ ...mutable, id: String(at) }));
      await add(store.database, rows);
      const [found] = await store.database.run('select count(*) as count from samples');
      expect(Number(found?.['count'])).toBe(count);
    }
    const [first] = await store.database.run(`select count from samples where id = '1'`);
    expect(Number(first?.['count'])).toBe(2 * row.count);
  });

  test('names the columns of a statement over many rows', async () => {
    await using store = await makeSamples(engine);
    await add(store.database, [mutable, { ...mutable, id: 'b' }, { ...mutable, id: 'c' }]);
    const end = inParts(
      { id: text, at: whole },
      'update samples set ended_at = v.at from v where samples.id = v.id returning samples.id',
    );
    const ended = await end(store.database, [
      { id: 'c', at: 7 },
      { id: 'gone', at: 8 },
    ]);
    expect(ended).toEqual([{ id: 'c' }]);
  });
});

test('a value that cannot be read is an error that names row and column', () => {
  const stored = { id: 'a', kind: 'later', count: '3', open: 0, names: '{}' };
  expect(() => samples.read(stored)).toThrow(
    'The names of sample a in the store cannot be read: a value in it is missing or of another type',
  );
  expect(samples.pick('kind', 'count', 'open', 'note').read(stored)).toEqual({
    kind: 'later' as never,
    count: 3,
    open: false,
    note: null,
  });
});

const forbidden = [
  `insert into holds (id, account_id, amount, created_at) values ('h', 'a', -1, 0)`,
  `insert into holds (id, account_id, amount, created_at) values ('h', 'a', 10000000001, 0)`,
  `update accounts set held = -1`,
  transfer('settle', 1),
  transfer('settle', -10_000_000_001),
  transfer('refund', -1),
  transfer('topup', -1),
  transfer('adjust', 1_000_000_000_001),
  request(-1),
  request(10_000_000_001),
];

describe.each(engines)('on $name', (engine) => {
  test('no statement can write an invalid amount', async () => {
    await using store = await makeStore(engine);
    await addAccount(store.database);
    for (const statement of forbidden) {
      const outcome = await store.database.run(statement).then(
        () => `accepted: ${statement}`,
        () => 'refused',
      );
      expect(outcome).toBe('refused');
    }
  });
});

function transfer(kind: string, amount: number): string {
  return `insert into transfers (id, kind, account_id, amount, created_at)
    values ('${kind}${amount}', '${kind}', 'a', ${amount}, 0)`;
}

function request(cost: number): string {
  return `insert into requests
      (id, account_id, key_id, tool, status, warnings, cost, latency_ms, created_at)
    values ('req${cost}', 'a', 'k', 'search', 200, 0, ${cost}, 1, 0)`;
}

async function addAccount(database: Database): Promise<void> {
  await database.run("insert into accounts (id, name, created_at) values ('a', 'a', 0)");
}

test('the write is refused, the account cannot spend, and others are served', async () => {
  await using store = await makeStore(sqliteEngine);
  const { database } = store;
  const [spoilt, sound] = ['acct_spoilt', 'acct_sound'];
  const log = makeLog('silent');
  const broken: string[] = [];
  const stopped = makeStoppedAccounts(log, (rule) => broken.push(rule));
  const ledger = makeLedger({ database, clock: systemClock, log, stopped });
  for (const id of [spoilt, sound]) {
    await insertAccount(database, { id, name: id }, 0);
    const amount = 5000;
    await ledger.topup({ id: `top_${id}`, account_id: id, amount, reason: 'more' });
  }
  const hold = { ...plainHold, uncapped: false, amount: amountOf(100) };
  await ledger.hold({ ...hold, id: 'req_1', account_id: spoilt });
  // Rows that were changed by hand, or by a defect.
  await database.run(`update accounts set held = 0 where id = '${spoilt}'`);
  const release = ledger.release({ id: 'req_1', account_id: spoilt });
  expect(await release.catch((error: unknown) => String(error))).toContain('held_not_negative');
  expect(broken).toEqual(['held_not_negative']);
  expect(await database.run(`select held from accounts where id = '${spoilt}'`)).toEqual([
    { held: 0 },
  ]);
  const next = async () => ledger.hold({ ...hold, id: 'req_2', account_id: spoilt });
  const refusal = await next().catch((error: unknown) => error);
  expect((refusal as GatewayError).status).toBe(503);
  const other = await ledger.hold({ ...hold, id: 'req_3', account_id: sound });
  expect(other.kind).toBe('held');
  await ledger.close();
});
