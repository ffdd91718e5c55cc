// Corrupted stores, each with the violation that the audit must report. Where possible the sums
// still match, so that only this one rule finds it.
import { give, hold, insertHold, job, movement, one, settleAt0, unsettle } from './tampering.ts';

export interface Corruption {
  name: string;
  statements: string[];
  expected: RegExp;
}

const unpaid = /Each served answer has a settle, or is free by a rule: account acct_default, req/;

export const corruptions: Corruption[] = [
  {
    name: 'a balance that is not the sum of its transfers',
    statements: [give(1)],
    expected:
      /^The balances are[^]*Each balance is the sum of its transfers: account acct_default, f/,
  },
  {
    name: 'an account that holds more than its holds',
    statements: ['update accounts set held = held + 1'],
    expected: /^The held amounts are[^]*Each account holds the sum[^]*: account acct_default/,
  },
  {
    name: 'a key that has spent more than its transfers',
    statements: ['update key_days set spent = spent + 1'],
    expected:
      /The spending of each key is the sum of its transfers: key \w+, found \S+ USD, expected/,
  },
  {
    name: 'spending of a key without a row',
    statements: ['delete from key_days'],
    expected:
      /The spending of each key is the sum of its transfers: account acct_default, key \w+, ex/,
  },
  {
    name: 'a key that holds more than its holds',
    statements: ['update key_days set held = held + 1'],
    expected: /Each key holds the sum of its open holds: key \w+, found 0\.0\d+ USD, expected 0/,
  },
  {
    name: 'a budget that holds more than its holds',
    statements: ["update tag_days set held = held + 1 where tag = 'team'"],
    expected: /Each budget holds the sum of the[^]*: account acct_default, budget team=search, f/,
  },
  {
    name: 'a budget that has spent less than its transfers',
    statements: ["update tag_days set spent = spent - 1 where tag = 'team'"],
    expected: /The spending of each budget is the[^]*: account acct_default, budget team=search, f/,
  },
  {
    name: 'charges that lost the tag of their budget',
    statements: ["update transfers set tags = 'team=other' where tags is not null"],
    expected: /The spending of each budget is the[^]*: account acct_default, budget team=search, f/,
  },
  {
    name: 'usage by tag that is not what was charged',
    statements: ["update usage_tags set cost = cost + 1 where tag = 'team'"],
    expected: /The usage of each tag with a budget[^]*: account acct_default, budget team=search/,
  },
  {
    name: 'an open job that can cost more than its hold says',
    statements: ['update jobs set finished_at = null, exposure = coalesce(exposure, 0) + 7'],
    expected: /What each account can owe beyond its holds is[^]*: account acct_default, found 0\.0/,
  },
  {
    name: 'a hold that can cost less than it holds',
    statements: [...hold('h_less', 7), "update holds set exposure = -5 where id = 'h_less'"],
    expected: /Only the hold of an open job can cost more[^]*hold h_less, found -0\.000005 USD/,
  },
  {
    name: 'a request that can cost more than it holds',
    statements: [...hold('h_exposed', 7), "update holds set exposure = 5 where id = 'h_exposed'"],
    expected: /Only the hold of an open job can cost more[^]*hold h_exposed, found 0\.000005 USD/,
  },
  {
    name: 'a hold below 0',
    statements: hold('h_below', -999_993_000),
    expected: /No hold is below 0: account acct_default, hold h_below, found -999\.993000 USD/,
  },
  {
    name: 'an account that holds a negative amount',
    statements: hold('h_below', -5),
    expected: /No hold is below 0: account acct_default, found -0\.000005 USD/,
  },
  {
    name: 'a settlement that credits',
    statements: [movement('s_credit', 'settle', 1_000_000_000, "'s_credit'"), give(1_000_000_000)],
    expected: /No settle adds to a balance: account acct_default, transfer s_credit, found 1000/,
  },
  {
    name: 'a top-up that takes',
    statements: [movement('t_takes', 'topup', -7), give(-7)],
    expected: /No top-up or refund takes from a balance: account acct_default, transfer t_takes/,
  },
  {
    name: 'a refund of more than was paid',
    statements: [movement('r_much', 'refund', 5_000_000, one), give(5_000_000)],
    expected:
      /Refunds do not exceed the charge: account acct_default, transfer req_\w+, found 5\.0/,
  },
  {
    name: 'a refund of what was never paid',
    statements: [movement('r_none', 'refund', 5, "'req_none'"), give(5)],
    expected: /Refunds do not exceed the charge: account acct_default, transfer req_none, found/,
  },
  {
    name: 'an open hold that was charged',
    statements: [insertHold(one, 0)],
    expected: /No open hold has been charged: account acct_default, hold req_\w+, found -0\.00/,
  },
  {
    name: 'a second settle of one hold',
    statements: [movement('s_again', 'settle', -7, one), give(-7)],
    expected: /Each hold is charged once, under its own id: account acct_default, transfer s_again/,
  },
  {
    name: 'the hold of a job that does not exist',
    statements: hold('job:job_gone', 5),
    expected:
      /The hold of a job ends with its job: account acct_default, hold job:job_gone, found 0/,
  },
  {
    name: 'a charge above its hold that no provider reported',
    statements: [
      `update requests set reported_cost = null where id = ${one}`,
      `update transfers set held = 1 where id = ${one}`,
    ],
    expected: /only as the provider reports it, or for audio: account acct_default, transfer req_/,
  },
  {
    name: 'an answer kept under an idempotency key that was never charged',
    statements: ["update idempotency set owner = 'req_none' where status = 200"],
    expected:
      /Each answer kept under an idempotency key was charged: account acct_default, idempoten/,
  },
  {
    name: 'an answer under an idempotency key whose API key is not known',
    statements: [`update idempotency set sent_by = null where status = 200`],
    expected: /is found by the API key that sent it: account acct_default, idempotency key \S+\.$/m,
  },
  {
    name: 'an answer under the place of another API key',
    statements: ["update idempotency set key = 'key_none ' || key where status = 200"],
    expected:
      /is found by the API key that sent it: account acct_default, idempotency key key_none/,
  },
  {
    name: 'a request that failed and was charged',
    statements: [
      `update requests set error_type = 'provider_error', status = 502, paid_by = null
       where id = ${one}`,
    ],
    expected:
      /No request that failed was charged: account acct_default, request req_\w+, found 0\.00/,
  },
  {
    name: 'a served answer behind a 503',
    statements: [`update requests set status = 503 where id = ${one}`],
    expected:
      /No answer behind an error of the gateway is charged[^]*: account acct_default, request req/,
  },
  {
    name: 'a charge that is not in the log',
    statements: [
      `delete from requests where id = ${one}`,
      'update requests set created_at = created_at - 100000000',
    ],
    expected: /Each charge of a request is in the log: account acct_default, transfer req_\w+, f/,
  },
  {
    name: 'a log row with another cost',
    statements: [`update requests set cost = cost + 1 where id = ${one}`],
    expected:
      /The cost in the request log is what the ledger charged: account acct_default, request re/,
  },
  {
    name: 'a log row with another cost of a job',
    statements: [`update requests set cost = cost + 1 where paid_by = ${job}`],
    expected:
      /The cost in the request log is what the ledger charged: account acct_default, request re/,
  },
  { name: 'a served answer without a settle', statements: unsettle(one), expected: unpaid },
  {
    name: 'an answer whose caller disconnected, without a settle',
    statements: [`update requests set status = 499 where id = ${one}`, ...unsettle(one)],
    expected: unpaid,
  },
  {
    name: 'an answer that another account paid for',
    statements: [`update requests set account_id = 'acct_other' where id = ${one}`],
    expected: /Each served answer has a settle, or is free by a rule: account acct_other, req/,
  },
  { name: 'a free answer without a reason', statements: settleAt0(one), expected: unpaid },
  {
    name: 'a replay of an answer that was never paid for',
    statements: ["update requests set paid_by = 'replay:req_none' where paid_by like 'replay:%'"],
    expected: unpaid,
  },
  {
    name: 'a replay that cost something',
    statements: [`update requests set cost = 1 where paid_by like 'replay:%'`],
    expected: unpaid,
  },
  { name: 'a completed job without a settle', statements: unsettle(job), expected: unpaid },
  {
    name: 'a completed job with a hold and a charge of 0',
    statements: [...settleAt0(job), `update transfers set held = 0 where id = ${job}`],
    expected: unpaid,
  },
  {
    name: 'an unexplained balance below 0',
    statements: [movement('a_debt', 'adjust', -100_000_000), give(-100_000_000)],
    expected: /A balance below 0 comes from charges above their holds: account acct_default/,
  },
  {
    name: 'a hold above the balance',
    statements: hold('h_much', 100_000_000),
    expected: /A balance below 0 comes from charges above their holds: account acct_default/,
  },
  {
    name: 'a deferred settlement that failed',
    statements: [
      `insert into deferred (task, input, trouble, created_at) values ('post',
        '{"batch":[{"entry":{"id":"req_9","account_id":"acct_9","cost":7000}}]}', 'why', 1)`,
    ],
    expected: /Deferred tasks can be booked: task post; account acct_9, request req_9, 0\.007/,
  },
  {
    name: 'a deferred settlement that was marked although it can be booked',
    statements: [
      `insert into deferred (task, input, trouble, created_at) values ('post',
        '{"batch":[{"account_id":"acct_default","entry":{"kind":"settle","id":"req_9",
          "account_id":"acct_default","cost":7000,"reserved":{"amount":7000}}}]}', 'why', 1)`,
    ],
    expected:
      /No task that can be booked is marked: task post; account acct_default, request req_9/,
  },
  {
    name: 'a deferred settlement that is never booked',
    statements: ["insert into deferred (task, input, created_at) values ('post', 'no JSON', 1)"],
    expected:
      /Deferred tasks are booked at once: task post: waiting since 1970-01-01T00:00:00\.001Z/,
  },
];

export const sqliteCorruptions: Corruption[] = [
  {
    name: 'an amount that is not whole',
    statements: [`update transfers set amount = amount - 0.5 where id = ${one}`],
    expected: /Every amount is a whole number of micro-USD: account acct_default, transfer req_/,
  },
];
