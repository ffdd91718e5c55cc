// Authentication of the operator's API: one token, from the settings or created at the first start.
import type { Database } from '../store/database.ts';
import { audit } from '../audit/audit.ts';
import { bootstrap } from '../audit/core/change.ts';
import { newOperatorToken, sameDigest, sha256Hex } from '../platform/ids.ts';
import { insertFirstToken, isKnownToken } from './store/operators.ts';

export interface OperatorCheck {
  isOperator: (token: string) => Promise<boolean>;
  /** A new token, to be shown once. */
  newToken?: string;
}

/** A token in the settings is the only valid one; without it the store has the digest of one. */
export async function prepareOperator(
  database: Database,
  configured: string | undefined,
  now: Date,
): Promise<OperatorCheck> {
  if (configured !== undefined) {
    const expected = sha256Hex(configured);
    return { isOperator: async (token) => sameDigest(sha256Hex(token), expected) };
  }
  const token = newOperatorToken();
  const made = { hash: sha256Hex(token), display: token.slice(0, 8) };
  const at = now.getTime();
  const first = await database.transaction(async (tx) => {
    if (!(await insertFirstToken(tx, made, at))) return false;
    const named = { action: 'operator_token.created', account_id: null } as const;
    await audit(tx, bootstrap, { ...named, target: made.display, after: {} }, at);
    return true;
  });
  return {
    isOperator: (given) => isKnownToken(database, sha256Hex(given)),
    ...(first ? { newToken: token } : {}),
  };
}
