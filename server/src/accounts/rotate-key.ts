// Rotation: a key gets a new secret, and the one before works until the overlap ends. Everything
// else about the key stays: its id, its limits, and what it has spent.
import type { Key, KeyRotation, NewKey } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { newApiKey, sha256Hex } from '../platform/ids.ts';
import type { AccountsContext } from './context.ts';
import { displayOf, noKey } from './keys.ts';
import { showKey } from './show-key.ts';
import { endPreviousSecret, findBootstrapMark, replaceSecret } from './store/key-rotation.ts';
import { findKey } from './store/keys.ts';

type KeyContext = Pick<AccountsContext, 'database' | 'clock'>;

const hourMs = 3_600_000;

/** Only one earlier secret works: a second rotation ends the one before at once. */
export async function rotateKey(
  context: KeyContext,
  id: string,
  { overlap_hours }: KeyRotation,
): Promise<NewKey> {
  const key = newApiKey();
  const previousUntil = Math.round(context.clock.now().getTime() + overlap_hours * hourMs);
  const row = await context.database.transaction(async (tx) => {
    if ((await findBootstrapMark(tx, id)) === 'installed') throw ofTheSettings();
    const to = { id, hash: sha256Hex(key), display: displayOf(key), previous_until: previousUntil };
    if (!(await replaceSecret(tx, to))) throw noKey(id);
    return findKey(tx, id);
  });
  if (!row) throw noKey(id);
  return { ...(await showKey(context, row)), key };
}

/** Ends the overlap now. */
export async function endOverlap(context: KeyContext, id: string): Promise<Key> {
  const at = context.clock.now().getTime();
  const row = await context.database.transaction(async (tx) => {
    if (await endPreviousSecret(tx, id, at)) return findKey(tx, id);
    const message = `No earlier secret of the key ${id} works at this time.`;
    throw new GatewayError('not_found', message);
  });
  if (!row) throw noKey(id);
  return showKey(context, row);
}

function ofTheSettings(): GatewayError {
  const message =
    'This key is set by TRIVIUM_BOOTSTRAP_KEY. Change the setting, or create another key.';
  return new GatewayError('invalid_request', message, undefined, { status: 409 });
}
