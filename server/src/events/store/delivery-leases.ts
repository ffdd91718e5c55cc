// Which worker sends a delivery, and until when no other worker may.
import { orNull, overIds, query, reader, type Runner, text, whole } from '../../store/index.ts';
import type { AttemptResult, LoggedAttempt } from '../core/attempt.ts';
import { deliveryColumns, type DeliveryRow, readDelivery } from './deliveries.ts';

const readClaimed = reader({ first_attempt_at: whole, payload: orNull(text) });

/** A delivery that a worker holds. */
export type ClaimedDelivery = DeliveryRow & ReturnType<typeof readClaimed>;

interface DeliveryLease {
  id: string;
  owner: string;
}

interface DeliveryClaim {
  owner: string;
  now: number;
  lease_until: number;
  limit: number;
  /** The maximum per target, and per account, in one claim. */
  perTarget: number;
  perAccount: number;
  /** Targets and accounts at their limit of concurrent deliveries. No target is also an account. */
  busy: readonly string[];
}

/** How many due rows are considered at once. */
const candidates = 500;

/** Leases due deliveries, of each lane only the first. Nothing else claims deliveries. */
export async function claimDeliveries(
  on: Runner,
  claim: DeliveryClaim,
): Promise<ClaimedDelivery[]> {
  const { owner, now, lease_until, limit, perTarget, perAccount, busy } = claim;
  const limits = [perTarget, limit, perAccount];
  // The list must not be empty, and the owner is neither a target nor an account.
  const rows = await claimRows(on, [owner, ...busy], owner, lease_until, now, ...limits);
  return rows.map((row) => ({ ...readDelivery(row), ...readClaimed(row) }));
}

const free = '(lease_until is null or lease_until <= $3)';
const claimRows = overIds(
  (busy, lock) => `update deliveries set
       lease_owner = $1, lease_until = $2, attempts = attempts + 1, last_attempt_at = $3,
       first_attempt_at = coalesce(first_attempt_at, $3)
     where id in (
       select id from deliveries where due_at <= $3 and ${free} and id in (
         select id from (
           select id, row_number() over (partition by target order by due_at, id) as turn,
             row_number() over (partition by account_id order by due_at, id) as turn_of_account
           from (
             select id, target, account_id, due_at from deliveries
             where due_at <= $3 and ${free}
               and target not in (${busy}) and coalesce(account_id, '') not in (${busy})
               and not exists (
                 select 1 from deliveries as earlier
                 where earlier.lane = deliveries.lane and earlier.state = 'pending'
                   and earlier.place < deliveries.place)
             order by due_at limit ${candidates}) as due) as turns
         where turn <= $4 and turn_of_account <= $6)
       order by due_at limit $5${lock})
     returning ${deliveryColumns}, payload`,
  'for update skip locked',
);

const readDue = reader({ due: orNull(whole) });

/** When the next delivery is due, leased or not. Undefined if there is none. */
export async function findNextDelivery(on: Runner): Promise<number | undefined> {
  const select = 'select min(due_at) as due from deliveries where due_at is not null';
  return (await query.row(on, readDue, select))?.due ?? undefined;
}

/**
 * Unless the lease was lost. A delivery that was given up or paused meanwhile stays so, and one that
 * was restarted meanwhile, which has no first attempt, is sent again.
 */
export function putResult(
  on: Runner,
  { id, owner }: DeliveryLease,
  { state, due_at, last_status, last_error }: AttemptResult,
  attempts: readonly LoggedAttempt[],
  now: number,
): Promise<boolean> {
  const number = attempts.at(-1)?.number ?? 0;
  return query.exists(
    on,
    `update deliveries set
       state = case when state = 'pending' and first_attempt_at is not null then $3 else state end,
       due_at = ${unlessRestarted('cast($4 as bigint)')},
       last_status = $5, last_error = $6,
       finished_at = case when $3 = 'pending' or first_attempt_at is null then finished_at else $7 end,
       attempts = $8, attempt_log = $9, lease_owner = null, lease_until = null
     where id = $1 and lease_owner = $2 returning id`,
    [id, owner, state, due_at, last_status, last_error, now, number, JSON.stringify(attempts)],
  );
}

function unlessRestarted(dueAt: string): string {
  return `case when due_at is null or first_attempt_at is null then due_at else ${dueAt} end`;
}

/** If the worker does not write a result, the delivery is due at this time. */
export async function pauseIfLost(
  on: Runner,
  { id, owner }: DeliveryLease,
  dueAt: number,
): Promise<void> {
  await on.run(
    `update deliveries set due_at = ${unlessRestarted('cast($3 as bigint)')}
     where id = $1 and lease_owner = $2`,
    [id, owner, dueAt],
  );
}

/** Returns a delivery as if it had not been claimed, and makes it due later. */
export async function postponeDelivery(
  on: Runner,
  { id, owner }: DeliveryLease,
  dueAt: number,
): Promise<void> {
  await on.run(
    `update deliveries set lease_owner = null, lease_until = null, attempts = attempts - 1,
       first_attempt_at = case when attempts = 1 then null else first_attempt_at end,
       due_at = case when due_at is null then null else cast($3 as bigint) end
     where id = $1 and lease_owner = $2`,
    [id, owner, dueAt],
  );
}

const returning = 'update deliveries set lease_owner = null, lease_until = null';

/** Returns unfinished deliveries, so that another worker can send them at once. */
export async function returnDeliveries(on: Runner, owner: string): Promise<void> {
  await on.run(`${returning} where lease_owner = $1`, [owner]);
}

/** Only for a store that one process owns: when that process starts, no lease has a live owner. */
export async function dropDeliveryLeases(on: Runner): Promise<void> {
  await on.run(`${returning} where lease_until is not null`);
}
