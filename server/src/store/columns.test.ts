// Values of columns that another version, or a person, may have written.
import { expect, test } from 'bun:test';
import { z } from 'zod';
import { policy } from '../accounts/store/accounts.ts';
import { joinBatches } from '../billing/book-batch.ts';
import { readDetail } from '../requests/request-detail.ts';
import { readJson } from './columns.ts';
import { orNull, text, whole } from './table.ts';

test('an error names the value and what is wrong with it', () => {
  const read = (text: string) => () =>
    readJson('The limit of a key', z.object({ perMinute: z.number() }).parse, text);
  expect(read('{"perMinute":3,"later":1}')()).toEqual({ perMinute: 3 });
  expect(read('{"perMinute":')).toThrow('The limit of a key in the store cannot be read');
  expect(read('{"perMinute":"3"}')).toThrow(/The limit of a key .*perMinute/s);
});

test('whole numbers are read whatever type the engine returns', () => {
  const name = () => 'a column';
  const read = (value: unknown) => orNull(whole).read(value, name);
  expect([null, undefined, 7, '7', 7n].map(read)).toEqual([null, null, 7, 7, 7]);
  expect([null, 'a', ''].map((value) => orNull(text).read(value, name))).toEqual([null, 'a', '']);
});

test('a policy that cannot be read is an error and not a policy without limits', () => {
  const read = (text: string) => policy.read(text, () => 'The policy of key key_1');
  expect(read('{"providers":["engine_z"],"requests_per_minute":5}')).toMatchObject({
    providers: ['engine_z'],
    requests_per_minute: 5,
    tools: null,
  });
  for (const text of ['{"providers":"engine_a"}', '{"requests_per_minute":"5"}', '[]', '{']) {
    expect(() => read(text)).toThrow('The policy of key key_1 in the store cannot be read');
  }
});

test('details of a request with a warning of a newer version are read', () => {
  const warning = { code: 'param_deferred', message: 'later' };
  const text = JSON.stringify({ a: [['engine_a', 'answered', 5]], w: [warning] });
  expect(readDetail(text)).toMatchObject({
    attempts: [{ provider: 'engine_a', outcome: 'answered', ms: 5 }],
    warnings: [warning],
  });
  expect(() => readDetail('{"a":[["engine_a"]]}')).toThrow();
});

test('a batch of the journal is booked only if all of it can be read', () => {
  const posting = { account_id: 'acct_1', entry: { kind: 'settle', id: 'req_1', cost: 5 } };
  const joined = joinBatches([
    { batch: [posting], context: { now: 3 } },
    { batch: [posting], occasion: { now: 2 } },
  ]);
  expect(joined).toMatchObject({ batch: [{ now: 3 }, { now: 2 }], context: { now: 3 } });
  for (const input of [
    null,
    {},
    { batch: [posting] },
    { batch: posting, context: { now: 1 } },
    { batch: [{ ...posting, account_id: 1 }], context: { now: 1 } },
    { batch: [{ ...posting, entry: {} }], context: { now: 1 } },
    { batch: [null], context: { now: 1 } },
  ]) {
    expect(() => joinBatches([input])).toThrow('a batch in the journal cannot be read');
  }
});
