// Allowances, on PostgreSQL. What is granted and not yet booked counts as held. Each change states
// the version that it is based on, so a statement that arrives late changes nothing.
import { allowanceKey } from '../core/book.ts';
import {
  flag,
  inParts,
  query,
  reader,
  type Runner,
  table,
  text,
  whole,
} from '../../store/index.ts';
import { addToAccounts, lockAccounts } from './ledger.ts';

interface AllowanceRef {
  account_id: string;
  gateway_id: string;
}

const allowances = table('allowances', {
  account_id: text,
  gateway_id: text,
  granted: whole,
  booked: whole,
  version: whole,
  /** Another gateway needs the unused money. */
  recalled: flag,
});
const shown = allowances.omit('gateway_id', 'booked');
const insertNew = allowances.omit('recalled').insertNew('account_id, gateway_id');

export type AllowanceRow = ReturnType<typeof shown.read>;

/** Money of an account that is not booked: what it has free, or what is left of an allowance. */
const readUnused = reader({ account_id: text, unused: whole });

const storeNow = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';
/** After a recall, the account grants no allowance for this long. */
const exactMs = 5000;

/**
 * The row after the grant. Undefined if a row exists that the gateway does not know. `version` is
 * the one that it knows, and `sizeOf` decides how much to add, given what the account has free.
 */
export async function grant(
  tx: Runner,
  { account_id, gateway_id }: AllowanceRef,
  [version, next]: readonly [number | undefined, number],
  sizeOf: (free: number) => number,
): Promise<AllowanceRow | undefined> {
  const [account] = await tx.run(
    `select id as account_id, posted - held as unused, exact_until > ${storeNow} as exact from accounts
     where id = $1 for update`,
    [account_id],
  );
  if (!account || account['exact'] === true) return undefined;
  const granted = sizeOf(readUnused(account).unused);
  if (granted <= 0) return undefined;
  const added = { account_id, gateway_id, granted, booked: 0, version: next };
  const row =
    version === undefined
      ? (await insertNew(tx, added)) && { ...added, recalled: false }
      : await shown.change(
          tx,
          `update allowances set granted = granted + $3, version = $4
           where account_id = $1 and gateway_id = $2 and version = $5`,
          [account_id, gateway_id, granted, next, version],
        );
  if (!row) return undefined;
  await addToHeld(tx, account_id, granted);
  return row;
}

/**
 * Returns to the account what is granted beyond `granted`, which counts from when the row was
 * created. False if the row has another version.
 */
export async function shrink(
  tx: Runner,
  { account_id, gateway_id }: AllowanceRef,
  [version, next]: readonly [number, number],
  granted: number,
): Promise<boolean> {
  await lockAccounts(tx, [account_id]);
  const row = await shown.find(tx, 'where account_id = $1 and gateway_id = $2 and version = $3', [
    account_id,
    gateway_id,
    version,
  ]);
  if (!row) return false;
  const left = Math.min(granted, row.granted);
  await tx.run(
    `update allowances set granted = $3, version = $4, recalled = 0
     where account_id = $1 and gateway_id = $2`,
    [account_id, gateway_id, left, next],
  );
  await addToHeld(tx, account_id, left - row.granted);
  return true;
}

/** Ends an allowance, and returns what is left of it. False if the row has another version. */
export async function closeAllowance(
  tx: Runner,
  { account_id, gateway_id, version }: AllowanceRef & { version: number },
): Promise<boolean> {
  await lockAccounts(tx, [account_id]);
  const row = await query.row(
    tx,
    readUnused,
    `delete from allowances where account_id = $1 and gateway_id = $2 and version = $3
     returning account_id, granted - booked as unused`,
    [account_id, gateway_id, version],
  );
  if (!row) return false;
  await addToHeld(tx, account_id, -row.unused);
  return true;
}

/** Asks all other gateways for unused money. Returns how many were asked. */
export async function recall(
  tx: Runner,
  { account_id, gateway_id }: AllowanceRef,
): Promise<number> {
  await lockAccounts(tx, [account_id]);
  await tx.run(`update accounts set exact_until = ${storeNow} + ${exactMs} where id = $1`, [
    account_id,
  ]);
  const asked = await tx.run(
    `update allowances set recalled = 1
     where account_id = $1 and gateway_id <> $2 and granted > booked returning gateway_id`,
    [account_id, gateway_id],
  );
  return asked.length;
}

/** How many gateways have not answered a recall yet. */
export function countRecalled(
  on: Runner,
  { account_id, gateway_id }: AllowanceRef,
): Promise<number> {
  return query.number(
    on,
    `select count(*) from allowances
     where account_id = $1 and gateway_id <> $2 and recalled = 1`,
    [account_id, gateway_id],
  );
}

export function hasAllowances(on: Runner, accountId: string): Promise<boolean> {
  return query.exists(
    on,
    'select 1 from allowances where account_id = $1 and granted > booked limit 1',
    [accountId],
  );
}

export function findAllowances(on: Runner, gatewayId: string): Promise<AllowanceRow[]> {
  return shown.list(on, 'where gateway_id = $1', [gatewayId]);
}

const listRefs = allowances.pick('account_id', 'gateway_id').ofIds('account_id');

/** By `allowanceKey`. */
export async function findAllowancesOf(
  on: Runner,
  accountIds: readonly string[],
): Promise<Set<string>> {
  const rows = await listRefs(on, accountIds);
  return new Set(rows.map(({ account_id, gateway_id }) => allowanceKey(account_id, gateway_id)));
}

export const addToBooked = inParts(
  { account_id: text, gateway_id: text, booked: whole },
  `update allowances set booked = allowances.booked + v.booked from v
   where allowances.account_id = v.account_id and allowances.gateway_id = v.gateway_id`,
);

/** Returns the allowances of removed gateways whose journal is booked. */
export async function returnOrphans(tx: Runner): Promise<number> {
  const orphaned = `gateway_id not in (select id from gateways)
    and not exists (select 1 from deferred
      where deferred.gateway_id = allowances.gateway_id and trouble is null)`;
  const found = await query.texts(
    tx,
    `select distinct account_id from allowances where ${orphaned}`,
  );
  if (found.length === 0) return 0;
  await lockAccounts(tx, found);
  const rows = await query.rows(
    tx,
    readUnused,
    `delete from allowances where ${orphaned} returning account_id, granted - booked as unused`,
  );
  for (const { account_id, unused } of rows) await addToHeld(tx, account_id, -unused);
  return rows.length;
}

async function addToHeld(tx: Runner, id: string, held: number): Promise<void> {
  await addToAccounts(tx, [{ id, posted: 0, held }]);
}
