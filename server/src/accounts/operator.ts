// Authentication for the operator's API: one token, from the settings or created at the first
// start.
import type { Database } from '../store/index.ts';
import { audit } from '../audit/index.ts';
import { bootstrap } from '../audit/core/index.ts';
import { newOperatorToken, sha256Hex } from '../platform/ids.ts';
import { sameText } from '../platform/signatures.ts';
import { insertFirstToken, isKnownToken } from './store/operators.ts';

export type OperatorCheck = (token: string) => Promise<boolean>;

/**
 * If the settings contain a token, it is the only valid one. Otherwise the store contains the
 * digest of one.
 */
export function makeOperatorCheck(
  database: Database,
  configured: string | undefined,
): OperatorCheck {
  if (configured === undefined) return (token) => isKnownToken(database, sha256Hex(token));
  const expected = sha256Hex(configured);
  return async (token) => sameText(sha256Hex(token), expected);
}

/** A new token, to be shown once. Undefined if the store already has one. */
export async function createFirstToken(database: Database, now: Date): Promise<string | undefined> {
  const token = newOperatorToken();
  const made = { hash: sha256Hex(token), display: token.slice(0, 8) };
  const at = now.getTime();
  return database.transaction(async (tx) => {
    if (!(await insertFirstToken(tx, made, at))) return undefined;
    const named = { action: 'operator_token.created', account_id: null } as const;
    await audit(tx, bootstrap, { ...named, target: made.display, after: {} }, at);
    return token;
  });
}
