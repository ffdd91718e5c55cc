// Who may use the operator's API: one token, from the settings or made at the first start.
import type { Database } from '../platform/database.ts';
import { newOperatorToken, sameDigest, sha256Hex } from '../platform/ids.ts';
import { insertFirstToken, isKnownToken } from '../store/operators.ts';

export interface OperatorCheck {
  isOperator: (token: string) => Promise<boolean>;
  /** A token made now; to be shown once. */
  new_token?: string;
}

/** A token in the settings is the only one; without it the store keeps the digest of one. */
export async function prepareOperator(
  database: Database,
  configured: string | undefined,
  now: Date,
): Promise<OperatorCheck> {
  if (configured !== undefined) {
    const wanted = sha256Hex(configured);
    return { isOperator: async (token) => sameDigest(sha256Hex(token), wanted) };
  }
  const token = newOperatorToken();
  const made = { hash: sha256Hex(token), display: token.slice(0, 8) };
  const first = await insertFirstToken(database, made, now.getTime());
  return {
    isOperator: (given) => isKnownToken(database, sha256Hex(given)),
    ...(first ? { new_token: token } : {}),
  };
}
