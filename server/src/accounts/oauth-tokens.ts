// The tokens of an agent that a person let in. A grant is a key of the person's account: it is
// listed, limited and revoked like every other key. Its access token is the key's secret, which a
// refresh replaces.
import type { OAuthTokens } from '@trivium/contract';
import { findKey, insertKey, revokeKey, updateKey } from './store/keys.ts';
import { audit } from '../audit/audit.ts';
import type { Author } from '../audit/core/change.ts';
import { newId, newOAuthToken, sha256Base64Url, sha256Hex } from '../platform/ids.ts';
import { countChange } from '../store/changes.ts';
import type { Runner } from '../store/database.ts';
import { defaultAccountId } from './first-start.ts';
import { noLimits } from './keys.ts';
import { resourceFault } from './oauth-consent.ts';
import type { ConsentContext } from './oauth-consent.ts';
import { readClient } from './oauth-clients.ts';
import { OAuthError } from './oauth-error.ts';
import {
  endRepeatedCode,
  findGrant,
  findGrantOfAccessToken,
  findGrantOfRefreshToken,
  insertGrant,
  insertRefreshToken,
  isStillTaken,
  isUsedRefreshToken,
  listGrantsOf,
  replaceAccessToken,
  takeCode,
  takeRefreshToken,
} from './store/oauth.ts';
import type { CodeRow, GrantRow } from './store/oauth.ts';
import { findPerson } from './store/people.ts';
import type { PersonRow } from './store/people.ts';
import { lockPerson } from './store/roles.ts';

const accessMs = 60 * 60 * 1000;
const refreshMs = 30 * 24 * 60 * 60 * 1000;
const displayChars = 12;
export const oauthScope = 'mcp';

export type TokenRequest = Readonly<Record<string, string>>;

export interface TokenContext extends ConsentContext {
  /** Forgets the keys that this gateway has cached. */
  refreshKeys: () => Promise<void>;
}

/** `address` is that of the application, for the audit log. */
export async function giveTokens(
  context: TokenContext,
  resource: string,
  asked: TokenRequest,
  address: string,
): Promise<OAuthTokens> {
  const client = clientOf(context, asked);
  const fault = resourceFault(resource, asked['resource']);
  if (fault) throw fault;
  const { grant_type: kind } = asked;
  if (kind === 'authorization_code') return exchangeCode(context, client, asked, address);
  if (kind === 'refresh_token') return refresh(context, client, asked, address);
  const message = 'grant_type must be authorization_code or refresh_token.';
  throw new OAuthError('unsupported_grant_type', message);
}

/** Ends a grant by one of its tokens (RFC 7009). The tokens of other applications are ignored. */
export async function revokeToken(
  context: TokenContext,
  asked: TokenRequest,
  address: string,
): Promise<void> {
  const client = clientOf(context, asked);
  const hash = sha256Hex(asked['token'] ?? '');
  const { database } = context;
  const grant =
    (await findGrantOfRefreshToken(database, hash)) ??
    (await findGrantOfAccessToken(database, hash));
  if (grant?.client === client) await endGrant(context, grant, address);
}

/** A person who is removed takes the agents along. */
export async function revokeGrantsOf(
  tx: Runner,
  by: Author,
  personId: string,
  at: number,
): Promise<void> {
  for (const id of await listGrantsOf(tx, personId)) await revokeGrant(tx, by, id, at);
}

/** The digest of the application that asks. */
function clientOf({ secret }: ConsentContext, asked: TokenRequest): string {
  const client = readClient(secret, asked['client_id'] ?? '');
  if (client) return client.digest;
  throw new OAuthError('invalid_client', 'The application is not registered here.');
}

async function exchangeCode(
  context: TokenContext,
  client: string,
  asked: TokenRequest,
  address: string,
): Promise<OAuthTokens> {
  const { database, clock } = context;
  const now = clock.now().getTime();
  const hash = sha256Hex(asked['code'] ?? '');
  const id = newId('key');
  // The code is spent before it is checked, so that it can be tried only once.
  const code = await takeCode(database, hash, id, now);
  if (!code) {
    const repeated = await endRepeatedCode(database, hash);
    const grant = repeated === undefined ? undefined : await findGrant(database, repeated);
    if (grant) await endGrant(context, grant, address);
    throw new OAuthError('invalid_grant', 'The code is unknown, was used, or has expired.');
  }
  const isOwn = code.client === client && code.redirect_uri === asked['redirect_uri'];
  const verifier = asked['code_verifier'] ?? '';
  const isVerified = /^[\w.~-]{43,128}$/.test(verifier);
  if (!isOwn || !isVerified || sha256Base64Url(verifier) !== code.challenge) {
    const message = 'The code belongs to another application, redirect_uri or code_verifier.';
    throw new OAuthError('invalid_grant', message);
  }
  const access = newOAuthToken('access');
  const refreshed = newOAuthToken('refresh');
  await database.transaction(async (tx) => {
    const person = await lockHolder(tx, code);
    if (!(await isStillTaken(tx, hash))) {
      throw new OAuthError('invalid_grant', 'The code was sent twice.');
    }
    await insertGrantKey(tx, { id, access, code, person, address }, now);
    await insertRefreshToken(tx, refreshRow(refreshed, id, now));
  });
  return tokens(access, refreshed);
}

interface NewGrant {
  id: string;
  access: string;
  code: CodeRow;
  person: PersonRow;
  address: string;
}

/** The person may have been removed or moved since the decision, and must not be meanwhile. */
async function lockHolder(tx: Runner, { person_id, account_id }: CodeRow): Promise<PersonRow> {
  const person = (await lockPerson(tx, person_id)) ? await findPerson(tx, person_id) : undefined;
  if (person && (person.account_id ?? defaultAccountId) === account_id) return person;
  throw new OAuthError('invalid_grant', 'The person was removed, or has another account.');
}

async function insertGrantKey(tx: Runner, made: NewGrant, now: number): Promise<void> {
  const { id, access, code, person, address } = made;
  const { account_id, person_id, client } = code;
  const name = `${code.client_name} (${person.email})`;
  const key = { id, account_id, name, hash: sha256Hex(access), display: displayOf(access) };
  await insertKey(tx, key, now);
  await updateKey(tx, id, { ...noLimits, name, expires_at: now + accessMs });
  await insertGrant(tx, { id, client, person_id }, now);
  const by = authorOf(person, address);
  const after = { id, name, display: key.display };
  await audit(tx, by, { action: 'key.created', account_id, target: id, after }, now);
}

async function refresh(
  context: TokenContext,
  client: string,
  asked: TokenRequest,
  address: string,
): Promise<OAuthTokens> {
  const { database, clock } = context;
  const now = clock.now().getTime();
  const hash = sha256Hex(asked['refresh_token'] ?? '');
  const grant = await findGrantOfRefreshToken(database, hash);
  const refused = new OAuthError('invalid_grant', 'The refresh token is unknown or has ended.');
  if (grant?.client !== client) throw refused;
  if (!(await takeRefreshToken(database, hash, now))) {
    // Sent twice: one of the senders has stolen it, so both lose access.
    if (await isUsedRefreshToken(database, hash)) await endGrant(context, grant, address);
    throw refused;
  }
  const access = newOAuthToken('access');
  const next = newOAuthToken('refresh');
  await database.transaction(async (tx) => {
    const replaced = await replaceAccessToken(tx, {
      id: grant.id,
      hash: sha256Hex(access),
      display: displayOf(access),
      expires_at: now + accessMs,
    });
    if (!replaced) throw refused;
    await insertRefreshToken(tx, refreshRow(next, grant.id, now));
    await countChange(tx, 'keys');
  });
  await context.refreshKeys();
  return tokens(access, next);
}

async function endGrant(context: TokenContext, grant: GrantRow, address: string): Promise<void> {
  const { database, clock } = context;
  const person = await findPerson(database, grant.person_id);
  const by = authorOf({ id: grant.person_id, email: person?.email ?? null }, address);
  await database.transaction((tx) => revokeGrant(tx, by, grant.id, clock.now().getTime()));
  await context.refreshKeys();
}

async function revokeGrant(tx: Runner, by: Author, id: string, at: number): Promise<void> {
  const before = await findKey(tx, id);
  if (!before || !(await revokeKey(tx, id, at))) return;
  const { account_id, name } = before;
  const change = { action: 'key.revoked', account_id, target: id } as const;
  await audit(
    tx,
    by,
    { ...change, before: { name, revoked_at: null }, after: { name, revoked_at: at } },
    at,
  );
}

function authorOf(person: { id: string; email: string | null }, address: string): Author {
  return { kind: 'person', id: person.id, name: person.email, address: address || null };
}

function refreshRow(token: string, grantId: string, now: number) {
  return { hash: sha256Hex(token), grant_id: grantId, expires_at: now + refreshMs };
}

function displayOf(token: string): string {
  return token.slice(0, displayChars);
}

function tokens(access: string, refreshToken: string): OAuthTokens {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessMs / 1000,
    refresh_token: refreshToken,
    scope: oauthScope,
  };
}
