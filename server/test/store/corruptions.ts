// Ways in which books can be wrong, each with what the audit has to say of it. Where it can be
// done, the sums are kept in order, so that the one rule alone finds it.
import { give, hold, insertHold, job, movement, one, settleAt0, unsettle } from './tampering.ts';

export interface Corruption {
  name: string;
  statements: string[];
  told: RegExp;
}

const unpaid = /Each served answer has its settle, or is free by a rule: account acct_default, req/;

export const corruptions: Corruption[] = [
  {
    name: 'a balance that its transfers do not add up to',
    statements: [give(1)],
    told: /^The balances are[^]*Each balance is the sum of its transfers: account acct_default, f/,
  },
  {
    name: 'an account that holds more than its holds',
    statements: ['update accounts set held = held + 1'],
    told: /^What is held is[^]*Each account holds the sum of its open holds: account acct_default/,
  },
  {
    name: 'a key that has spent more than its transfers',
    statements: ['update key_days set spent = spent + 1'],
    told: /Each key has spent what its transfers took: key \w+, found \S+ USD, expected \S+ USD/,
  },
  {
    name: 'spending of a key that no day knows',
    statements: ['delete from key_days'],
    told: /Each key has spent what its transfers took: account acct_default, key \w+, expected/,
  },
  {
    name: 'a key that holds what is not held',
    statements: ['update key_days set held = held + 1'],
    told: /Each key holds the sum of its open holds: key \w+, found 0\.0\d+ USD, expected 0/,
  },
  {
    name: 'a hold below 0',
    statements: hold('h_below', -999_993_000),
    told: /No hold is below 0: account acct_default, hold h_below, found -999\.993000 USD/,
  },
  {
    name: 'an account that holds less than nothing',
    statements: hold('h_below', -5),
    told: /No hold is below 0: account acct_default, found -0\.000005 USD/,
  },
  {
    name: 'a settle that credits',
    statements: [movement('s_credit', 'settle', 1_000_000_000, "'s_credit'"), give(1_000_000_000)],
    told: /No settle adds to a balance: account acct_default, transfer s_credit, found 1000/,
  },
  {
    name: 'a top-up that takes',
    statements: [movement('t_takes', 'topup', -7), give(-7)],
    told: /No top-up or refund takes from a balance: account acct_default, transfer t_takes/,
  },
  {
    name: 'a refund of more than was paid',
    statements: [movement('r_much', 'refund', 5_000_000, one), give(5_000_000)],
    told: /No more is given back than was paid: account acct_default, transfer req_\w+, found 5\.0/,
  },
  {
    name: 'a refund of what was never paid',
    statements: [movement('r_none', 'refund', 5, "'req_none'"), give(5)],
    told: /No more is given back than was paid: account acct_default, transfer req_none, found/,
  },
  {
    name: 'an open hold that was charged',
    statements: [insertHold(one, 0)],
    told: /No open hold has been charged: account acct_default, hold req_\w+, found -0\.00/,
  },
  {
    name: 'a second settle of one hold',
    statements: [movement('s_again', 'settle', -7, one), give(-7)],
    told: /Each hold is charged once, under its own id: account acct_default, transfer s_again/,
  },
  {
    name: 'the hold of a job that is no more',
    statements: hold('job:job_gone', 5),
    told: /The hold of a job ends with its job: account acct_default, hold job:job_gone, found 0/,
  },
  {
    name: 'a charge above its hold that no provider reported',
    statements: [
      `update requests set reported_cost = null where id = ${one}`,
      `update transfers set held = 1 where id = ${one}`,
    ],
    told: /only as the provider reports it, or for audio: account acct_default, transfer req_/,
  },
  {
    name: 'an answer kept under an idempotency key that was never charged',
    statements: ["update idempotency set owner = 'req_none' where status = 200"],
    told: /Each answer kept under an idempotency key was charged: account acct_default, idempoten/,
  },
  {
    name: 'a request that failed and was charged',
    statements: [
      `update requests set error_type = 'provider_error', status = 502, paid_by = null
       where id = ${one}`,
    ],
    told: /No request that failed was charged: account acct_default, request req_\w+, found 0\.00/,
  },
  {
    name: 'a log that names another cost',
    statements: [`update requests set cost = cost + 1 where id = ${one}`],
    told: /The request log names what the ledger took: account acct_default, request req_\w+, f/,
  },
  {
    name: 'a log that names another cost of a job',
    statements: [`update requests set cost = cost + 1 where paid_by = ${job}`],
    told: /The request log names what the ledger took: account acct_default, request req_\w+, f/,
  },
  { name: 'a served answer without a settle', statements: unsettle(one), told: unpaid },
  {
    name: 'an answer whose caller had left, without a settle',
    statements: [`update requests set status = 499 where id = ${one}`, ...unsettle(one)],
    told: unpaid,
  },
  {
    name: 'an answer that another account paid for',
    statements: [`update requests set account_id = 'acct_other' where id = ${one}`],
    told: /Each served answer has its settle, or is free by a rule: account acct_other, req/,
  },
  { name: 'an answer at no cost for no reason', statements: settleAt0(one), told: unpaid },
  {
    name: 'a replay of an answer that was never paid for',
    statements: ["update requests set paid_by = 'replay:req_none' where paid_by like 'replay:%'"],
    told: unpaid,
  },
  {
    name: 'a replay that cost something',
    statements: [`update requests set cost = 1 where paid_by like 'replay:%'`],
    told: unpaid,
  },
  { name: 'a completed job without a settle', statements: unsettle(job), told: unpaid },
  {
    name: 'a completed job that was held for and charged at nothing',
    statements: [...settleAt0(job), `update transfers set held = 0 where id = ${job}`],
    told: unpaid,
  },
  {
    name: 'a balance below 0 that nothing explains',
    statements: [movement('a_debt', 'adjust', -100_000_000), give(-100_000_000)],
    told: /A balance below 0 comes from reports or audio above their holds: account acct_default/,
  },
  {
    name: 'more set aside than there is',
    statements: hold('h_much', 100_000_000),
    told: /A balance below 0 comes from reports or audio above their holds: account acct_default/,
  },
  {
    name: 'a deferred settlement that failed',
    statements: [
      `insert into deferred (task, input, trouble, created_at) values ('post',
        '{"batch":[{"entry":{"id":"req_9","account_id":"acct_9","cost":7000}}]}', 'why', 1)`,
    ],
    told: /What was deferred can be booked: task post; account acct_9, request req_9, 0\.007/,
  },
  {
    name: 'a deferred settlement that is not booked',
    statements: ["insert into deferred (task, input, created_at) values ('post', 'no JSON', 1)"],
    told: /What was deferred is booked soon: task post: waits since 1970-01-01T00:00:00\.001Z/,
  },
];

export const embeddedCorruptions: Corruption[] = [
  {
    name: 'an amount that is not whole',
    statements: [`update transfers set amount = amount - 0.5 where id = ${one}`],
    told: /Every amount is a whole number of micro-USD: account acct_default, transfer req_/,
  },
];
