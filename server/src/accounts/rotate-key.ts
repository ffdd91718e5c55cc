// Rotation: a key gets a new secret, and the one before works until the overlap ends. Everything
// else about the key stays: its id, its limits, and what it has spent.
import type { Key, KeyRotation, NewKey } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { audit } from '../audit/audit.ts';
import type { Author } from '../audit/core/change.ts';
import { newApiKey, sha256Hex } from '../platform/ids.ts';
import type { AccountsContext } from './context.ts';
import { displayOf } from './keys.ts';
import { noKey, showKeyOf } from './show-key.ts';
import { endPreviousSecret, findBootstrapMark, replaceSecret } from './store/key-rotation.ts';

type KeyContext = Pick<AccountsContext, 'database' | 'clock'>;

const hourMs = 3_600_000;

/** Only one earlier secret works: a second rotation ends the one before at once. */
export async function rotateKey(
  context: KeyContext,
  by: Author,
  id: string,
  { overlap_hours }: KeyRotation,
): Promise<NewKey> {
  const key = newApiKey();
  const at = context.clock.now().getTime();
  const previousUntil = Math.round(at + overlap_hours * hourMs);
  const shown = await context.database.transaction(async (tx) => {
    if ((await findBootstrapMark(tx, id)) === 'installed') throw ofTheSettings();
    const inTx = { ...context, database: tx };
    const before = await showKeyOf(inTx, id);
    const to = { id, hash: sha256Hex(key), display: displayOf(key), previous_until: previousUntil };
    if (!(await replaceSecret(tx, to))) throw noKey(id);
    const after = await showKeyOf(inTx, id);
    const named = { action: 'key.rotated', account_id: after.account_id, target: id } as const;
    await audit(tx, by, { ...named, before, after }, at);
    return after;
  });
  return { ...shown, key };
}

/** Ends the overlap now. */
export async function endOverlap(context: KeyContext, by: Author, id: string): Promise<Key> {
  const at = context.clock.now().getTime();
  return context.database.transaction(async (tx) => {
    const inTx = { ...context, database: tx };
    const before = await showKeyOf(inTx, id);
    if (!(await endPreviousSecret(tx, id, at))) {
      const message = `No earlier secret of the key ${id} works at this time.`;
      throw new GatewayError('not_found', message);
    }
    const after = await showKeyOf(inTx, id);
    const named = { action: 'key.changed', account_id: after.account_id, target: id } as const;
    await audit(tx, by, { ...named, before, after }, at);
    return after;
  });
}

function ofTheSettings(): GatewayError {
  const message =
    'This key is set by TRIVIUM_BOOTSTRAP_KEY. Change the setting, or create another key.';
  return new GatewayError('invalid_request', message, undefined, { status: 409 });
}
