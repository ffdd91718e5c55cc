// Idempotency keys: a request runs once and is never charged twice, and its answer is replayed.
import { conflict, GatewayError } from '@trivium/contract';
import { backoff } from '../platform/backoff.ts';
import { takeRoom } from '../platform/byte-budget.ts';
import { happens } from '../platform/fault-points.ts';
import { sha256Hex } from '../platform/ids.ts';
import { asStoreUnavailable } from '../platform/store-trouble.ts';
import { longestRequestMs, unheldClaimMs } from '../platform/time-limits.ts';
import { openAnswer, storedParts, readParts, sizeOf } from './answer-parts.ts';
import type { Runner } from '../store/index.ts';
import type { Caller, CurrentRequest, RequestsContext, Served } from './context.ts';
import {
  type ClaimOutcome,
  type ClaimRef,
  type StoredAnswer,
  canonicalJson,
  isSentBy,
  placesOf,
} from './core/idempotency-claims.ts';
import { rateLimitError } from './core/rate-limit.ts';
import { checkStoredPages } from './policy-checks.ts';
import { requestRow } from './request-log.ts';
import { deleteRunningClaims, endClaimsOf, findAnswer, findClaims } from './store/idempotency.ts';

/** The request that a key belongs to. Requests are the same if path and body are equal. */
interface Keyed {
  key: string;
  path: string;
  /** Bodies are compared by value. */
  body: unknown;
}

/** Only this 409 has the header, because here waiting helps. */
const retryAfterS = '1';

/** The key now belongs to this request, or already has an answer. */
type Claimed = { kind: 'claimed'; claim: ClaimRef; currentRequest: CurrentRequest } | Replay;
type Replay = Extract<ClaimOutcome, { kind: 'replay' }>;

/**
 * The request that claimed a key stores its answer in the transaction that charges for it, or frees
 * the key.
 */
export async function claimKey(
  context: RequestsContext,
  currentRequest: CurrentRequest,
  keyed: Keyed,
): Promise<Claimed> {
  const { key, path, body } = keyed;
  const { request_id: owner, caller, signal: _signal, ...rest } = currentRequest;
  const { account_id, key_id, policy } = caller;
  const entry = {
    ...{ account_id, key, key_id, owner },
    value_hash: sha256Hex(`${path}\n${canonicalJson(body)}`),
    expires_at: context.clock.now().getTime() + unheldClaimMs,
    limits: policy?.limits,
  };
  const outcome = await context.ledger.claim(entry);
  switch (outcome.kind) {
    case 'other_body':
      throw conflict(
        `The Idempotency-Key ${key} was used with a different body or path. Use a new key.`,
      );
    case 'running':
      throw conflict(`The first request with the Idempotency-Key ${key} is still running.`, {
        'retry-after': retryAfterS,
      });
    case 'rate_limited':
      throw rateLimitError(outcome);
    case 'replay':
      currentRequest.seen.counted = true;
      return outcome;
    case 'claimed': {
      const claim: ClaimRef = { account_id, key: outcome.key, owner };
      const retryId = `${key_id} ${key} ${entry.value_hash}`;
      // The caller may fetch the answer later, so disconnecting does not stop the work.
      const running = { ...rest, request_id: owner, caller, claim, retry_id: retryId };
      return { kind: 'claimed', claim, currentRequest: running };
    }
  }
}

/** A failure costs nothing, so the key may be used again at once. */
export async function freeKey(context: RequestsContext, claim: ClaimRef): Promise<void> {
  await orLater(context, 'an idempotency key could not be freed', () =>
    context.ledger.freeClaim(claim),
  );
}

/** The requests of a removed gateway have ended, or all if one process owns the store. */
export function endClaims(on: Runner, removed?: { gateway: string; now: number }): Promise<void> {
  return removed ? endClaimsOf(on, removed.gateway, removed.now) : deleteRunningClaims(on);
}

/**
 * The answer that this API key got under an idempotency key, with its long parts still in the
 * store. Undefined if there is none; `read` is undefined if the answer was not stored.
 */
export async function openStoredAnswer(
  { database, clock }: Pick<RequestsContext, 'database' | 'clock'>,
  { account_id, key_id }: Caller,
  key: string,
) {
  const places = placesOf({ key, key_id }).map((place) => ({ account_id, key: place }));
  const now = clock.now().getTime();
  const found = (await findClaims(database, places)).find(
    (state) => state.expires_at > now && isSentBy(state, { key_id }),
  );
  if (found === undefined || found.state === 'running') return found && ('running' as const);
  const answer = await findAnswer(database, found);
  const { owner, expires_at } = found;
  return (
    answer && { expires_at, read: await openAnswer({ database }, { account_id }, answer, owner) }
  );
}

/**
 * The answer is read after the ledger's transaction, so that no account waits for it. `refusal` is
 * the error if the caller's current rules no longer allow the request.
 */
export async function replay(
  context: RequestsContext,
  currentRequest: CurrentRequest,
  { key, status, owner: first, is_held: isHeld }: Replay,
  refusal: Error | undefined,
): Promise<Served> {
  const { request_id: id, caller } = currentRequest;
  const { account_id, policy } = caller;
  try {
    if (refusal) throw refusal;
    const stored = await findAnswer(context.database, { account_id, key, owner: first });
    // The answer expired a moment ago.
    if (!stored) throw conflict('The stored answer has expired.', { 'retry-after': retryAfterS });
    const body = await wholeAnswer(context, currentRequest, stored, first);
    if (body === undefined) {
      throw conflict(
        'The first answer under this Idempotency-Key was not stored: it is too long, or ' +
          'the account has used up its storage.',
      );
    }
    checkStoredPages(policy, body);
    const paidBy = `replay:${first}` as const;
    const known = { error_type: null, warnings: [], reported_cost: null, delivered: null };
    const row = { ...known, status, paid_by: paidBy };
    context.ledger.record(requestRow(context, currentRequest, row));
    return { status, text: body, headers: { 'idempotent-replayed': 'true' } };
  } finally {
    if (isHeld) {
      await orLater(context, 'the hold of a replay could not be released', () =>
        context.ledger.release({ id, account_id }),
      );
    }
  }
}

/** The request outlived its claim, and another request with the same key charges for the answer. */
export function takenOver(): GatewayError {
  const message =
    'Another request with this Idempotency-Key was made, because this one took too long. ' +
    'Try again with the same key to get its answer.';
  return conflict(message, { 'retry-after': retryAfterS });
}

async function wholeAnswer(
  context: RequestsContext,
  { room, caller: { account_id } }: CurrentRequest,
  stored: Pick<StoredAnswer, 'body' | 'parts'>,
  owner: string,
): Promise<string | undefined> {
  if (stored.body !== null) {
    takeRoom(room, stored.body.length);
    return stored.body;
  }
  const parts = storedParts(stored, owner);
  if (!parts) return undefined;
  takeRoom(room, sizeOf(parts));
  return readParts(context, account_id, parts);
}

const pauseAfter = backoff(250, 2, 2000);
/** After this time the affected row has expired. */
const limitMs = longestRequestMs;

/** Resolves after the first attempt. Later attempts run in the background. */
export async function orLater(
  context: Pick<RequestsContext, 'clock' | 'log'>,
  what: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (happens('cleanup_lost')) return;
  try {
    await work();
  } catch (error) {
    context.log.warn({ err: error }, `${what}; it is tried again`);
    if (isUnavailable(error)) void repeat(context, what, work);
  }
}

async function repeat(
  { clock, log }: Pick<RequestsContext, 'clock' | 'log'>,
  what: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const giveUpAt = clock.ticks() + limitMs;
  for (let failures = 1; clock.ticks() < giveUpAt; failures += 1) {
    await clock.sleep(pauseAfter(failures));
    try {
      await work();
      return;
    } catch (error) {
      if (!isUnavailable(error)) {
        log.warn({ err: error }, what);
        return;
      }
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof GatewayError || asStoreUnavailable(error) !== undefined;
}
