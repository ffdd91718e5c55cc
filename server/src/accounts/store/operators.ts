// The operator's token. Only its digest is stored.
import { query, type Runner, table, text, whole } from '../../store/index.ts';

const tokens = table('operator_tokens', { hash: text, display: text, created_at: whole });

/** False if a token already exists. */
export function insertFirstToken(
  on: Runner,
  token: { hash: string; display: string },
  at: number,
): Promise<boolean> {
  return query.exists(
    on,
    `insert into ${tokens.name} (hash, display, created_at)
     select cast($1 as text), cast($2 as text), cast($3 as bigint)
     where not exists (select 1 from operator_tokens) returning hash`,
    [token.hash, token.display, at],
  );
}

export function isKnownToken(on: Runner, hash: string): Promise<boolean> {
  return query.exists(on, 'select 1 from operator_tokens where hash = $1', [hash]);
}
