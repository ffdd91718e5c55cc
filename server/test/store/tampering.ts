// Statements that change the store without the ledger, for tests of the audit.

const acct = "'acct_default'";

/** A search with its own settlement and without a refund. */
export const one = `(select min(requests.id)
  from requests join transfers on transfers.id = requests.id
  where tool = 'search' and paid_by = 'settle' and provider = 'engine_a' and not exists
    (select 1 from transfers as refunds where refunds.hold_id = requests.id
      and refunds.kind = 'refund') and not exists
    (select 1 from idempotency where owner = requests.id))`;
export const job = `(select min(id) from transfers where id like 'job:%')`;

export const movement = (id: string, kind: string, amount: number, holdId = 'null') =>
  `insert into transfers (id, kind, account_id, amount, hold_id, created_at)
   values ('${id}', '${kind}', ${acct}, ${amount}, ${holdId}, 9000000000000)`;
export const give = (amount: number) => `update accounts set posted = posted + ${amount}`;
/** `id` as SQL. */
export const insertHold = (id: string, amount: number) =>
  `insert into holds (id, account_id, amount, created_at) values (${id}, ${acct}, ${amount}, 1)`;
export const hold = (id: string, amount: number) => [
  insertHold(`'${id}'`, amount),
  `update accounts set held = held + ${amount}`,
];
/** Deletes a settlement, and adjusts the sums. */
export const unsettle = (id: string) => [
  `update accounts set posted = posted - (select amount from transfers where id = ${id})`,
  `update key_days set spent = spent + (select amount from transfers where id = ${id})
   where key_id = (select key_id from transfers where id = ${id})`,
  `delete from transfers where id = ${id}`,
];
/** Changes a charge to 0, and adjusts the sums. */
export const settleAt0 = (id: string) => [
  `update accounts set posted = posted - (select amount from transfers where id = ${id})`,
  `update key_days set spent = spent + (select amount from transfers where id = ${id})
   where key_id = (select key_id from transfers where id = ${id})`,
  `update requests set cost = 0, reported_cost = null where id = ${id} or paid_by = ${id}`,
  `update transfers set amount = 0 where id = ${id}`,
];
