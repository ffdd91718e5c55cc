// Idempotency keys: runs a request once, replays its answer, and never charges twice.
import { GatewayError } from '@trivium/contract';
import { canonicalJson } from './core/canonical-json.ts';
import type { ClaimOutcome, ClaimRef, StoredAnswer } from './core/idempotency-claims.ts';
import { sha256Hex } from '../platform/ids.ts';
import { unheldClaimMs } from '../platform/time-limits.ts';
import type { BalanceContext, BillingContext } from './context.ts';
import type { Caller, RequestContext, Served } from './request-context.ts';
import { findClaims } from './store/idempotency.ts';
import { requestRow } from './request-log.ts';
import { orLater } from './retry-later.ts';

interface Keyed {
  /** The Idempotency-Key, if there is one. */
  key: string | undefined;
  /** A key means the same request when path and body are equal; bodies compare by value. */
  path: string;
  body: unknown;
}

/** How long an answer is stored. */
const keptMs = 24 * 60 * 60 * 1000;
/** Only this 409 has the header: waiting helps. */
const retryAfterS = '1';
const maxAnswerChars = 4 * 1024 * 1024;
/** For an answer that its caller can read only from the store. */
const maxLongAnswerChars = 32 * 1024 * 1024;

/** `run` stores its answer under the claim in the same transaction as what it charges. */
export async function runOnce(
  context: BillingContext,
  requestContext: RequestContext,
  keyed: Keyed,
  run: (requestContext: RequestContext) => Promise<Served>,
): Promise<Served> {
  const { key, path, body } = keyed;
  if (key === undefined) return run(requestContext);
  const owner = requestContext.request_id;
  const { account_id, key_id } = requestContext.caller;
  // A key belongs to the API key that sent it: another key of the account gets no replay.
  const claim: ClaimRef = { account_id, key: claimName(key_id, key), owner };
  const outcome = await context.ledger.claim({
    ...claim,
    body_hash: sha256Hex(`${path}\n${canonicalJson(body)}`),
    expires_at: context.clock.now().getTime() + unheldClaimMs,
  });
  switch (outcome.kind) {
    case 'other_body':
      throw conflict(
        `The Idempotency-Key ${key} was used with another body or path. Use a new key.`,
      );
    case 'running':
      throw conflict(`The first request with the Idempotency-Key ${key} is still running.`, {
        'retry-after': retryAfterS,
      });
    case 'replay':
      return replay(context, requestContext, outcome);
    case 'claimed':
      return runUnder(context, { ...requestContext, claim }, run);
  }
}

/** A very long answer is not stored; its key then only prevents a second charge. */
export function answerToKeep(
  context: Pick<BillingContext, 'clock'>,
  status: number,
  body: string,
  isLong = false,
): StoredAnswer {
  const expiresAt = context.clock.now().getTime() + keptMs;
  const maxChars = isLong ? maxLongAnswerChars : maxAnswerChars;
  return { status, body: body.length > maxChars ? null : body, expires_at: expiresAt };
}

/** The answer that this API key got under an idempotency key; undefined if there is none. */
export async function findStoredAnswer(
  { database, clock }: Pick<BalanceContext, 'database'> & Pick<BillingContext, 'clock'>,
  { account_id, key_id }: Caller,
  key: string,
): Promise<StoredAnswer | 'running' | undefined> {
  const [found] = await findClaims(database, [{ account_id, key: claimName(key_id, key) }]);
  if (found === undefined || found.expires_at <= clock.now().getTime()) return undefined;
  if (found.state === 'running') return 'running';
  return { status: found.status ?? 200, body: found.answer, expires_at: found.expires_at };
}

function claimName(keyId: string, key: string): string {
  return `${keyId} ${key}`;
}

/** A caller may fetch the answer later under its key, so disconnecting does not stop the work. */
async function runUnder(
  context: BillingContext,
  { signal: _signal, ...requestContext }: RequestContext & { claim: ClaimRef },
  run: (requestContext: RequestContext) => Promise<Served>,
): Promise<Served> {
  try {
    return await run(requestContext);
  } catch (error) {
    // A failure costs nothing, so the key may be used again at once.
    await orLater(context, 'an idempotency key could not be freed', () =>
      context.ledger.freeClaim(requestContext.claim),
    );
    throw error;
  }
}

type Replay = Extract<ClaimOutcome, { kind: 'replay' }>;

function replay(
  context: Pick<BillingContext, 'ledger' | 'clock' | 'settings'>,
  requestContext: RequestContext,
  { status, answer, owner: first }: Replay,
): Served {
  if (answer === null) {
    throw conflict('The first answer under this Idempotency-Key was too long to be stored.');
  }
  const paidBy = `replay:${first}` as const;
  const known = {
    error_type: null,
    warnings: [],
    reported_cost: null,
    paid_by: paidBy,
    delivered: null,
  };
  context.ledger.record(requestRow(context, requestContext, { ...known, status }));
  return { status, text: answer, headers: { 'idempotent-replayed': 'true' } };
}

function conflict(message: string, headers: Record<string, string> = {}): GatewayError {
  return new GatewayError('invalid_request', message, undefined, { status: 409, headers });
}
