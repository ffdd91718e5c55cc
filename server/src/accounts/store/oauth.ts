// Codes, grants and refresh tokens of agents. Only digests are stored.
import { dayMs, hourMs } from '@trivium/contract/durations';
import { expiring, orNull, query, type Runner, table, text, whole } from '../../store/index.ts';

const codes = table('oauth_codes', {
  hash: text,
  client: text,
  client_name: text,
  redirect_uri: text,
  challenge: text,
  person_id: text,
  account_id: text,
  expires_at: whole,
});

export type CodeRow = ReturnType<typeof codes.read>;

export const insertCode = codes.insertNew('hash');

/** Marks a code as used, once. Undefined if it is used, expired or unknown. */
export function takeCode(on: Runner, hash: string, grantId: string, at: number) {
  const take = `update oauth_codes set grant_id = $1
     where hash = $2 and grant_id is null and expires_at > $3`;
  return codes.change(on, take, [grantId, hash, at]);
}

export const findCode = codes.by('hash');

/** The id is also that of the key through which the grant is shown, limited and revoked. */
const allGrants = table('oauth_grants', {
  id: text,
  client: text,
  person_id: text,
  created_at: whole,
});
const grants = allGrants.omit('created_at');
export const insertGrant = allGrants.insertNew('id');

export type GrantRow = ReturnType<typeof grants.read>;

const grantBy = {
  id: 'where id = $1',
  access_token: 'join keys k on k.id = oauth_grants.id where k.hash = $1',
  /** Only a used code has created one. */
  code: 'join oauth_codes c on c.grant_id = oauth_grants.id where c.hash = $1',
  refresh_token: 'join oauth_refresh_tokens r on r.grant_id = oauth_grants.id where r.hash = $1',
};

/** By its id, or the digest of a code or token. */
export function findGrant(
  on: Runner,
  by: keyof typeof grantBy,
  value: string,
): Promise<GrantRow | undefined> {
  return grants.find(on, grantBy[by], [value]);
}

export async function listGrantsOf(on: Runner, personId: string): Promise<string[]> {
  return query.texts(
    on,
    `select g.id from oauth_grants g join keys k on k.id = g.id
     where g.person_id = $1 and k.revoked_at is null`,
    [personId],
  );
}

/** The active grants of a person. An unused grant ends when its refresh token expires. */
export async function countGrantsOf(
  on: Runner,
  personId: string,
  usedAfter: number,
): Promise<number> {
  return query.number(
    on,
    `select count(*) from oauth_grants g join keys k on k.id = g.id
     where g.person_id = $1 and k.revoked_at is null and k.expires_at > $2`,
    [personId, usedAfter],
  );
}

/** Keeps only the most recently used tokens. */
export async function deleteUsedRefreshTokens(
  on: Runner,
  grantId: string,
  remaining: number,
): Promise<void> {
  await on.run(
    `delete from oauth_refresh_tokens where grant_id = $1 and used_at is not null
       and hash not in (select hash from oauth_refresh_tokens
         where grant_id = $1 and used_at is not null order by used_at desc, hash limit $2)`,
    [grantId, remaining],
  );
}

const tokens = table('oauth_refresh_tokens', {
  hash: text,
  grant_id: text,
  expires_at: whole,
  used_at: orNull(whole),
});
const use = tokens.pick('used_at');
export const insertRefreshToken = tokens.insertNew('hash');

/** True for exactly one caller, and only before the token expires. */
export async function takeRefreshToken(on: Runner, hash: string, at: number): Promise<boolean> {
  return query.exists(
    on,
    `update oauth_refresh_tokens set used_at = $1
     where hash = $2 and used_at is null and expires_at > $3 returning hash`,
    [at, hash, at],
  );
}

/** When a refresh token was used. Undefined if it was not. */
export async function findRefreshTokenUse(on: Runner, hash: string): Promise<number | undefined> {
  return (await use.find(on, 'where hash = $1', [hash]))?.used_at ?? undefined;
}

export const expiredCodes = expiring({
  kind: 'codes',
  // A repeated code is recognised for this long.
  keptMs: hourMs,
  table: 'oauth_codes',
  key: 'hash',
  expires: 'expires_at',
  at: (now, keptMs) => now - keptMs,
});

export const expiredRefreshTokens = expiring({
  kind: 'refresh_tokens',
  keptMs: dayMs,
  table: 'oauth_refresh_tokens',
  key: 'hash',
  expires: 'expires_at',
});
