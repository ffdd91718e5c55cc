// Idempotency keys around a request: run it once, give the first answer again, never charge twice.
import { GatewayError } from '@trivium/contract';
import { canonicalJson } from '../domain/canonical-json.ts';
import type { ClaimOutcome, ClaimRef, StoredAnswer } from '../domain/ledger/claims.ts';
import { sha256Hex } from '../platform/ids.ts';
import type { Served } from './charge.ts';
import type { Asking, House } from './house.ts';
import { requestRow } from './log-request.ts';

export interface Keyed {
  /** The Idempotency-Key, if there is one. */
  key: string | undefined;
  /** What must be the same for the key to mean the same request: the body by its value. */
  path: string;
  body: unknown;
}

/** How long an answer is kept. */
export const kept_ms = 24 * 60 * 60 * 1000;
/** Until its hold prolongs it, a claim is left to others after this long. */
const unheld_claim_ms = 60_000;
/** Tells a client that waiting helps, which no other 409 does. */
const retry_after_s = '1';
const max_answer_chars = 4 * 1024 * 1024;

/** `run` stores its answer under the claim in the same transaction as what it charges. */
export async function runOnce(
  house: House,
  asking: Asking,
  keyed: Keyed,
  run: (asking: Asking) => Promise<Served>,
): Promise<Served> {
  const { key, path, body } = keyed;
  if (key === undefined) return run(asking);
  const owner = asking.request_id;
  const { account_id, key_id } = asking.caller;
  // It belongs to the API key that sent it: another key of the account gets no replay.
  const claim: ClaimRef = { account_id, key: `${key_id} ${key}`, owner };
  const outcome = await house.ledger.claim({
    ...claim,
    body_hash: sha256Hex(`${path}\n${canonicalJson(body)}`),
    expires_at: house.clock.now().getTime() + unheld_claim_ms,
  });
  switch (outcome.kind) {
    case 'other_body':
      throw conflict(
        `The Idempotency-Key ${key} was used with another body or path. Use a new key.`,
      );
    case 'running':
      throw conflict(`The first request with the Idempotency-Key ${key} is still running.`, {
        'retry-after': retry_after_s,
      });
    case 'replay':
      return replay(house, asking, outcome);
    case 'claimed':
      return runUnder(house, { ...asking, claim }, run);
  }
}

/** A very long answer is not kept; its key then only prevents a second charge. */
export function answerToKeep(house: House, status: number, body: string): StoredAnswer {
  const expires_at = house.clock.now().getTime() + kept_ms;
  return { status, body: body.length > max_answer_chars ? null : body, expires_at };
}

/** A caller may come back for the answer under its key, so hanging up does not stop the work. */
async function runUnder(
  house: House,
  { signal: _signal, ...asking }: Asking & { claim: ClaimRef },
  run: (asking: Asking) => Promise<Served>,
): Promise<Served> {
  try {
    return await run(asking);
  } catch (error) {
    // A failure costs nothing, so the same key may try again at once.
    await house.ledger.free(asking.claim).catch((second: unknown) => {
      house.log.warn({ err: second }, 'an idempotency key could not be freed');
    });
    throw error;
  }
}

type Replay = Extract<ClaimOutcome, { kind: 'replay' }>;

function replay(house: House, asking: Asking, { status, answer, owner: first }: Replay): Served {
  if (answer === null) {
    throw conflict('The first answer under this Idempotency-Key was too long to be kept.');
  }
  const paid_by = `replay:${first}` as const;
  const known = { error_type: null, warnings: 0, reported_cost: null, paid_by, delivered: null };
  house.ledger.record(requestRow(house, asking, { ...known, status }));
  return { status, text: answer, headers: { 'idempotent-replayed': 'true' } };
}

function conflict(message: string, headers: Record<string, string> = {}): GatewayError {
  return new GatewayError('invalid_request', message, undefined, { status: 409, headers });
}
