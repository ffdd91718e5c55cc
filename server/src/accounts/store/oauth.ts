// Codes, grants and refresh tokens of agents. Only digests are stored.
import { deleteSteps, type Row, type Runner } from '../../store/index.ts';

export interface CodeRow {
  hash: string;
  client: string;
  client_name: string;
  redirect_uri: string;
  challenge: string;
  person_id: string;
  account_id: string;
  expires_at: number;
}

export async function insertCode(on: Runner, code: CodeRow): Promise<void> {
  await on.run(
    `insert into oauth_codes (hash, client, client_name, redirect_uri, challenge, person_id,
       account_id, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[code.hash, code.client, code.client_name, code.redirect_uri, code.challenge],
      ...[code.person_id, code.account_id, code.expires_at],
    ],
  );
}

const codeColumns = `hash, client, client_name, redirect_uri, challenge, person_id, account_id,
  expires_at`;

/** Marks a code as used, once. Undefined if it is used, expired or unknown. */
export async function takeCode(
  on: Runner,
  hash: string,
  grantId: string,
  at: number,
): Promise<CodeRow | undefined> {
  const [row] = await on.run(
    `update oauth_codes set grant_id = $1
     where hash = $2 and grant_id is null and expires_at > $3
     returning ${codeColumns}`,
    [grantId, hash, at],
  );
  return row && readCode(row);
}

export async function findCode(on: Runner, hash: string): Promise<CodeRow | undefined> {
  const [row] = await on.run(`select ${codeColumns} from oauth_codes where hash = $1`, [hash]);
  return row && readCode(row);
}

export interface GrantRow {
  /** Also the id of the key through which the grant is shown, limited and revoked. */
  id: string;
  client: string;
  person_id: string;
}

export async function insertGrant(on: Runner, grant: GrantRow, at: number): Promise<void> {
  await on.run(
    'insert into oauth_grants (id, client, person_id, created_at) values ($1, $2, $3, $4)',
    [grant.id, grant.client, grant.person_id, at],
  );
}

export async function findGrant(on: Runner, id: string): Promise<GrantRow | undefined> {
  const [row] = await on.run('select id, client, person_id from oauth_grants where id = $1', [id]);
  return row && readGrant(row);
}

export async function findGrantOfAccessToken(
  on: Runner,
  hash: string,
): Promise<GrantRow | undefined> {
  const [row] = await on.run(
    `select g.id, g.client, g.person_id from oauth_grants g join keys k on k.id = g.id
     where k.hash = $1`,
    [hash],
  );
  return row && readGrant(row);
}

/** The grant that a used code created. Undefined if it created none. */
export async function findGrantOfCode(on: Runner, hash: string): Promise<GrantRow | undefined> {
  const [row] = await on.run(
    `select g.id, g.client, g.person_id from oauth_grants g
     join oauth_codes c on c.grant_id = g.id where c.hash = $1`,
    [hash],
  );
  return row && readGrant(row);
}

export async function findGrantOfRefreshToken(
  on: Runner,
  hash: string,
): Promise<GrantRow | undefined> {
  const [row] = await on.run(
    `select g.id, g.client, g.person_id from oauth_grants g
     join oauth_refresh_tokens r on r.grant_id = g.id where r.hash = $1`,
    [hash],
  );
  return row && readGrant(row);
}

export async function listGrantsOf(on: Runner, personId: string): Promise<string[]> {
  const rows = await on.run(
    `select g.id from oauth_grants g join keys k on k.id = g.id
     where g.person_id = $1 and k.revoked_at is null`,
    [personId],
  );
  return rows.map(({ id }) => String(id));
}

/** The active grants of a person. An unused grant ends when its refresh token expires. */
export async function countGrantsOf(
  on: Runner,
  personId: string,
  usedAfter: number,
): Promise<number> {
  const [row] = await on.run(
    `select count(*) as count from oauth_grants g join keys k on k.id = g.id
     where g.person_id = $1 and k.revoked_at is null and k.expires_at > $2`,
    [personId, usedAfter],
  );
  return Number(row?.['count'] ?? 0);
}

/** Keeps only the most recently used tokens. */
export async function deleteUsedRefreshTokens(
  on: Runner,
  grantId: string,
  kept: number,
): Promise<void> {
  await on.run(
    `delete from oauth_refresh_tokens where grant_id = $1 and used_at is not null
       and hash not in (select hash from oauth_refresh_tokens
         where grant_id = $1 and used_at is not null order by used_at desc, hash limit $2)`,
    [grantId, kept],
  );
}

export async function insertRefreshToken(
  on: Runner,
  token: { hash: string; grant_id: string; expires_at: number },
): Promise<void> {
  await on.run(
    'insert into oauth_refresh_tokens (hash, grant_id, expires_at) values ($1, $2, $3)',
    [token.hash, token.grant_id, token.expires_at],
  );
}

/** True for exactly one caller, and only before the token expires. */
export async function takeRefreshToken(on: Runner, hash: string, at: number): Promise<boolean> {
  const rows = await on.run(
    `update oauth_refresh_tokens set used_at = $1
     where hash = $2 and used_at is null and expires_at > $3 returning hash`,
    [at, hash, at],
  );
  return rows.length === 1;
}

/** When a refresh token was used. Undefined if it was not. */
export async function findRefreshTokenUse(on: Runner, hash: string): Promise<number | undefined> {
  const [row] = await on.run(
    'select used_at from oauth_refresh_tokens where hash = $1 and used_at is not null',
    [hash],
  );
  return row && Number(row['used_at']);
}

export async function replaceAccessToken(
  on: Runner,
  key: { id: string; hash: string; display: string; expires_at: number },
): Promise<void> {
  await on.run('update keys set hash = $1, display = $2, expires_at = $3 where id = $4', [
    key.hash,
    key.display,
    key.expires_at,
    key.id,
  ]);
}

export const deleteExpiredCodes = deleteSteps({
  table: 'oauth_codes',
  key: 'hash',
  due: 'expires_at <= $1',
  order: 'expires_at',
});

export const deleteExpiredRefreshTokens = deleteSteps({
  table: 'oauth_refresh_tokens',
  key: 'hash',
  due: 'expires_at <= $1',
  order: 'expires_at',
});

function readCode(row: Row): CodeRow {
  return {
    hash: String(row['hash']),
    client: String(row['client']),
    client_name: String(row['client_name']),
    redirect_uri: String(row['redirect_uri']),
    challenge: String(row['challenge']),
    person_id: String(row['person_id']),
    account_id: String(row['account_id']),
    expires_at: Number(row['expires_at']),
  };
}

function readGrant(row: Row): GrantRow {
  return {
    id: String(row['id']),
    client: String(row['client']),
    person_id: String(row['person_id']),
  };
}
