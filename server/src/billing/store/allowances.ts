// Allowances, on PostgreSQL: money of an account that one gateway may spend without asking again.
// What is granted and not yet booked counts as held. Each change states the version that it is
// based on, so a statement that arrives late changes nothing.
import { allowanceKey } from '../core/book.ts';
import { idStatement, inParts, type Runner, text, whole } from '../../store/index.ts';
import { addToAccounts, lockAccounts } from './ledger.ts';

interface AllowanceRef {
  account_id: string;
  gateway_id: string;
}

export interface AllowanceRow {
  account_id: string;
  granted: number;
  version: number;
  /** Another gateway needs the unused money. */
  recalled: boolean;
}

const storeNow = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';
/** After a recall, the account grants no allowance for this long. */
const exactMs = 5000;

interface Grant extends AllowanceRef {
  /** The version of the row that the gateway knows. Undefined if it knows none. */
  version: number | undefined;
  next_version: number;
  /** Decides how much to add, given what the account has free. */
  decide: (free: number) => number;
}

/** The row after the grant. Undefined if a row exists that the gateway does not know. */
export async function grant(tx: Runner, asked: Grant): Promise<AllowanceRow | undefined> {
  const { account_id, gateway_id, version, next_version } = asked;
  const [account] = await tx.run(
    `select posted - held as free, exact_until > ${storeNow} as exact from accounts
     where id = $1 for update`,
    [account_id],
  );
  if (!account || account['exact'] === true) return undefined;
  const added = asked.decide(Number(account['free']));
  if (added <= 0) return undefined;
  const rows =
    version === undefined
      ? await tx.run(
          `insert into allowances (account_id, gateway_id, granted, booked, version)
           values ($1, $2, $3, 0, $4) on conflict do nothing
           returning account_id, granted, version, recalled`,
          [account_id, gateway_id, added, next_version],
        )
      : await tx.run(
          `update allowances set granted = granted + $3, version = $4
           where account_id = $1 and gateway_id = $2 and version = $5
           returning account_id, granted, version, recalled`,
          [account_id, gateway_id, added, next_version, version],
        );
  const [row] = rows;
  if (!row) return undefined;
  await addToHeld(tx, account_id, added);
  return readAllowance(row);
}

interface Shrink extends AllowanceRef {
  version: number;
  next_version: number;
  /** What remains granted, counted like `granted` from when the row was created. */
  granted: number;
}

/** Returns to the account what is granted beyond this. False if the row has another version. */
export async function shrink(tx: Runner, asked: Shrink): Promise<boolean> {
  const { account_id, gateway_id, version, next_version, granted } = asked;
  await lockAccounts(tx, [account_id]);
  const [row] = await tx.run(
    'select granted from allowances where account_id = $1 and gateway_id = $2 and version = $3',
    [account_id, gateway_id, version],
  );
  if (!row) return false;
  const kept = Math.min(granted, Number(row['granted']));
  await tx.run(
    `update allowances set granted = $3, version = $4, recalled = 0
     where account_id = $1 and gateway_id = $2`,
    [account_id, gateway_id, kept, next_version],
  );
  await addToHeld(tx, account_id, kept - Number(row['granted']));
  return true;
}

/** Ends an allowance, and returns what is left of it. False if the row has another version. */
export async function closeAllowance(
  tx: Runner,
  { account_id, gateway_id, version }: AllowanceRef & { version: number },
): Promise<boolean> {
  await lockAccounts(tx, [account_id]);
  const [row] = await tx.run(
    `delete from allowances where account_id = $1 and gateway_id = $2 and version = $3
     returning granted - booked as left_over`,
    [account_id, gateway_id, version],
  );
  if (!row) return false;
  await addToHeld(tx, account_id, -Number(row['left_over']));
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
export async function countRecalled(
  on: Runner,
  { account_id, gateway_id }: AllowanceRef,
): Promise<number> {
  const [row] = await on.run(
    `select count(*) as waiting from allowances
     where account_id = $1 and gateway_id <> $2 and recalled = 1`,
    [account_id, gateway_id],
  );
  return Number(row?.['waiting'] ?? 0);
}

export async function hasAllowances(on: Runner, accountId: string): Promise<boolean> {
  const rows = await on.run(
    'select 1 from allowances where account_id = $1 and granted > booked limit 1',
    [accountId],
  );
  return rows.length > 0;
}

export async function findAllowances(on: Runner, gatewayId: string): Promise<AllowanceRow[]> {
  const rows = await on.run(
    'select account_id, granted, version, recalled from allowances where gateway_id = $1',
    [gatewayId],
  );
  return rows.map(readAllowance);
}

const findAllowancesOfStatement = idStatement(
  (places) => `select account_id, gateway_id from allowances where account_id in (${places})`,
);

/** By `allowanceKey`. */
export async function findAllowancesOf(
  on: Runner,
  accountIds: readonly string[],
): Promise<Set<string>> {
  const rows = await on.run(...findAllowancesOfStatement(accountIds));
  return new Set(
    rows.map((row) => allowanceKey(String(row['account_id']), String(row['gateway_id']))),
  );
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
  const found = await tx.run(`select distinct account_id from allowances where ${orphaned}`);
  if (found.length === 0) return 0;
  await lockAccounts(
    tx,
    found.map((row) => String(row['account_id'])),
  );
  const rows = await tx.run(
    `delete from allowances where ${orphaned} returning account_id, granted - booked as left_over`,
  );
  for (const row of rows) await addToHeld(tx, String(row['account_id']), -Number(row['left_over']));
  return rows.length;
}

function addToHeld(tx: Runner, accountId: string, amount: number): Promise<void> {
  return addToAccounts(tx, new Map([[accountId, { posted: 0, held: amount }]]));
}

function readAllowance(row: Readonly<Record<string, unknown>>): AllowanceRow {
  return {
    account_id: String(row['account_id']),
    granted: Number(row['granted']),
    version: Number(row['version']),
    recalled: Number(row['recalled']) === 1,
  };
}
