// Stores that look unusual but are valid: the audit must report nothing.
import { give, job, one, settleAt0 } from './tampering.ts';

export interface ValidBooks {
  name: string;
  statements: string[];
}

export const validBooks: ValidBooks[] = [
  { name: 'an unchanged store', statements: [] },
  {
    name: 'a balance below 0 because audio cost more than its hold',
    statements: [
      `update transfers set amount = amount - 100000000, created_at = 9000000000000
       where id = ${job}`,
      `update requests set cost = cost + 100000000 where paid_by = ${job}`,
      `update key_days set spent = spent + 100000000`,
      give(-100_000_000),
    ],
  },
  {
    name: 'a balance below 0 because a reported price exceeded its hold',
    statements: [
      `update transfers set amount = amount - 100000000, created_at = 9000000000000
       where id = ${one}`,
      `update requests set cost = cost + 100000000, reported_cost = cost + 100000000
       where id = ${one}`,
      `update key_days set spent = spent + 100000000`,
      give(-100_000_000),
    ],
  },
  {
    name: 'an answer without results that cost nothing',
    statements: [...settleAt0(one), `update requests set delivered = 0 where id = ${one}`],
  },
  {
    name: 'an answer that the provider reported as free',
    statements: [...settleAt0(one), `update requests set reported_cost = 0 where id = ${one}`],
  },
  { name: 'a job whose audio had no length', statements: settleAt0(job) },
  {
    name: 'an answer of a provider that is free without a credential',
    statements: [
      ...settleAt0(one),
      `update transfers set held = 0 where id = ${one}`,
      `update requests set provider = 'engine_i' where id = ${one}`,
    ],
  },
  {
    name: 'a log of an older version',
    statements: [
      'update requests set paid_by = null, delivered = null',
      'update transfers set held = null',
    ],
  },
  {
    name: 'a log and jobs that were deleted by age',
    statements: ['delete from requests', 'delete from jobs'],
  },
  {
    name: 'a charge behind a 503 that was refunded in full',
    statements: [
      `update requests set status = 503 where id = ${one}`,
      `insert into transfers (id, kind, account_id, amount, hold_id, created_at)
       select 'r_503', 'refund', account_id, 0 - amount, id, 9000000000000
       from transfers where id = ${one}`,
      `update accounts set posted = posted + (select amount from transfers where id = 'r_503')`,
    ],
  },
  { name: 'jobs that were deleted before the log', statements: ['delete from jobs'] },
  {
    name: 'a task that was deferred just now',
    statements: [
      `insert into deferred (task, input, created_at)
       values ('post', '{"batch":[]}', 9000000000000)`,
    ],
  },
];
