// Books that look odd and are explained: the audit has no word for them.
import { give, job, one, settleAt0 } from './tampering.ts';

export interface Explained {
  name: string;
  statements: string[];
}

export const harmless: Explained[] = [
  { name: 'a store that was left alone', statements: [] },
  {
    name: 'a balance below 0 by audio longer than its hold',
    statements: [
      `update transfers set amount = amount - 100000000, created_at = 9000000000000
       where id = ${job}`,
      `update requests set cost = cost + 100000000 where paid_by = ${job}`,
      `update key_days set spent = spent + 100000000`,
      give(-100_000_000),
    ],
  },
  {
    name: 'a balance below 0 by a report above its hold',
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
    name: 'what an older version logged',
    statements: [
      'update requests set paid_by = null, delivered = null',
      'update transfers set held = null',
    ],
  },
  {
    name: 'a log and jobs that were cleared by their age',
    statements: ['delete from requests', 'delete from jobs'],
  },
  {
    name: 'jobs that were cleared before the log',
    statements: ['delete from jobs'],
  },
  {
    name: 'what was deferred just now',
    statements: [
      `insert into deferred (task, input, created_at)
       values ('post', '{"batch":[]}', 9000000000000)`,
    ],
  },
];
