// The operator's token. Only its digest is stored.
import type { Runner } from '../../store/index.ts';

/** False if a token already exists. */
export async function insertFirstToken(
  on: Runner,
  token: { hash: string; display: string },
  at: number,
): Promise<boolean> {
  const rows = await on.run(
    `insert into operator_tokens (hash, display, created_at)
     select cast($1 as text), cast($2 as text), cast($3 as bigint)
     where not exists (select 1 from operator_tokens) returning hash`,
    [token.hash, token.display, at],
  );
  return rows.length === 1;
}

export async function isKnownToken(on: Runner, hash: string): Promise<boolean> {
  const rows = await on.run('select 1 as known from operator_tokens where hash = $1', [hash]);
  return rows.length === 1;
}
