// Rotation: a key gets a new secret, and the previous one works until the overlap ends. Everything
// else about the key stays the same: its id, its limits, and what it has spent.
import { hourMs } from '@trivium/contract/durations';
import type { Key, KeyRotation, NewKey } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { newApiKey, sha256Hex } from '../platform/ids.ts';
import type { AccountsContext } from './context.ts';
import { audit } from '../audit/index.ts';
import type { Author } from '../audit/core/index.ts';
import { displayOf, noKey, readKey } from './keys.ts';
import { keyFacts, showKey } from './show-key.ts';
import { endPreviousSecret, findBootstrapMark, replaceSecret } from './store/key-rotation.ts';
import { findKey } from './store/keys.ts';
import { findGrant } from './store/oauth.ts';
import { findMode } from './store-mode.ts';

type KeyContext = Pick<AccountsContext, 'database' | 'clock'>;

/** Only one earlier secret works: a second rotation ends the previous one at once. */
export async function rotateKey(
  context: KeyContext,
  by: Author,
  id: string,
  { overlap_hours }: KeyRotation,
): Promise<NewKey> {
  const at = context.clock.now().getTime();
  const previousUntil = Math.round(at + overlap_hours * hourMs);
  const [row, key] = await context.database.transaction(async (tx) => {
    if ((await findBootstrapMark(tx, id)) === 'installed') throw bootstrapKeyError();
    if (await findGrant(tx, id)) throw agentKeyError();
    const before = await findKey(tx, id, 'for update');
    const secret = newApiKey((await findMode(tx)) ?? 'live');
    const [hash, display] = [sha256Hex(secret), displayOf(secret)];
    const to = { id, hash, display, previous_until: previousUntil };
    if (!before || !(await replaceSecret(tx, to))) throw noKey(id);
    const after = await readKey(tx, id);
    const named = { action: 'key.rotated', account_id: after.account_id, target: id } as const;
    await audit(tx, by, { ...named, before: keyFacts(before), after: keyFacts(after) }, at);
    return [after, secret] as const;
  });
  return { ...(await showKey(context, row)), key };
}

/** Ends the overlap at once. */
export async function endOverlap(context: KeyContext, by: Author, id: string): Promise<Key> {
  const at = context.clock.now().getTime();
  const row = await context.database.transaction(async (tx) => {
    const before = await findKey(tx, id, 'for update');
    if (!before || !(await endPreviousSecret(tx, id, at))) throw noOverlap(id);
    const after = await readKey(tx, id);
    const named = {
      action: 'key.overlap_ended',
      account_id: after.account_id,
      target: id,
    } as const;
    await audit(tx, by, { ...named, before: keyFacts(before), after: keyFacts(after) }, at);
    return after;
  });
  return showKey(context, row);
}

function noOverlap(id: string): GatewayError {
  return new GatewayError('not_found', `The key ${id} has no old secret that still works.`);
}

/**
 * Otherwise it would become an API key that can do more than use the tools, for anyone who obtained
 * it.
 */
function agentKeyError(): GatewayError {
  const message =
    'This is the access of an agent, which renews its tokens itself. Revoke it instead.';
  return new GatewayError('invalid_request', message, undefined, { status: 409 });
}

function bootstrapKeyError(): GatewayError {
  const message =
    'This key is set by TRIVIUM_BOOTSTRAP_KEY. Change the setting, or create another key.';
  return new GatewayError('invalid_request', message, undefined, { status: 409 });
}
