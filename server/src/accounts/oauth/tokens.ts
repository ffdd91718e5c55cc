// The tokens of an agent that a person granted access. A grant is a key of the person's account: it
// is listed, limited and revoked like every other key. Its access token is the key's secret, which
// a refresh replaces.
import { dayMs, hourMs, minuteMs } from '@trivium/contract/durations';
import type { OAuthTokens } from '@trivium/contract';
import { findKey, insertKey, putAccessTokens, revokeKey, updateKey } from '../store/keys.ts';
import { audit, type Author, personAuthor } from '../../audit/index.ts';
import {
  newId,
  newOAuthToken,
  nextOAuthToken,
  sha256Base64Url,
  sha256Hex,
} from '../../platform/ids.ts';
import { changes, type Runner } from '../../store/index.ts';
import { defaultAccountId } from '../first-start.ts';
import { announceKey, displayOf, noLimits, readKey } from '../keys/keys.ts';
import { OAuthError, oauthScope, readClient } from './clients.ts';
import { type OAuthParts, resourceFault } from './consent.ts';
import {
  type CodeRow,
  countGrantsOf,
  deleteUsedRefreshTokens,
  findCode,
  findGrant,
  findRefreshTokenUse,
  type GrantRow,
  insertGrant,
  insertRefreshToken,
  listGrantsOf,
  takeCode,
  takeRefreshToken,
} from '../store/oauth.ts';
import { findPerson, lockPerson, type PersonRow } from '../store/people.ts';

const accessMs = hourMs;
const refreshMs = 30 * dayMs;
/**
 * How long a used refresh token returns the same answer again, for an application that lost the
 * answer. Longer than the minute that such programs wait before they retry.
 */
const retryMs = 2 * minuteMs;
/** For one person, at the same time. */
const maxGrants = 100;
/** For one grant. Earlier tokens are unknown, and refused. */
const usedTokensKept = 10;
type TokenRequest = Readonly<Record<string, string>>;

/** `address` is the address of the application, for the audit log. */
export async function giveTokens(
  context: OAuthParts,
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

/** Ends a grant by one of its tokens (RFC 7009). Tokens of other applications are ignored. */
export async function revokeToken(
  context: OAuthParts,
  asked: TokenRequest,
  address: string,
): Promise<void> {
  const client = clientOf(context, asked);
  const hash = sha256Hex(asked['token'] ?? '');
  const { database } = context;
  const grant =
    (await findGrant(database, 'refresh_token', hash)) ??
    (await findGrant(database, 'access_token', hash));
  if (grant?.client !== client) return;
  await database.transaction((tx) => endGrant(tx, grant, address, context.clock.now().getTime()));
  await context.refreshKeys();
}

/** When a person is removed, the grants of their agents end too. */
export async function revokeGrantsOf(
  tx: Runner,
  by: Author,
  personId: string,
  at: number,
): Promise<void> {
  for (const id of await listGrantsOf(tx, personId)) await revokeGrant(tx, by, id, at);
}

/** The digest of the application that makes the request. */
function clientOf({ secret }: OAuthParts, asked: TokenRequest): string {
  const client = readClient(secret, asked['client_id'] ?? '');
  if (client) return client.digest;
  throw new OAuthError('invalid_client', 'The application is not registered here.');
}

/** A refusal is thrown after the commit, because its changes must be kept. */
type GrantOutcome = { given: OAuthTokens } | { refused: string };

async function finish(context: OAuthParts, outcome: GrantOutcome): Promise<OAuthTokens> {
  await context.refreshKeys();
  if ('refused' in outcome) throw new OAuthError('invalid_grant', outcome.refused);
  return outcome.given;
}

async function exchangeCode(
  context: OAuthParts,
  client: string,
  asked: TokenRequest,
  address: string,
): Promise<OAuthTokens> {
  const now = context.clock.now().getTime();
  const hash = sha256Hex(asked['code'] ?? '');
  const outcome = await context.database.transaction(async (tx): Promise<GrantOutcome> => {
    const unknown = { refused: 'The code is unknown, was used, or has expired.' };
    const found = await findCode(tx, hash);
    if (!found) return unknown;
    // Locked before the code, in the same order as when a person is removed.
    const person = (await lockPerson(tx, found.person_id))
      ? await findPerson(tx, found.person_id)
      : undefined;
    const id = newId('key');
    // The code is marked as used before it is checked, so that it can be tried only once.
    const code = await takeCode(tx, hash, id, now);
    if (!code) {
      const grant = await findGrant(tx, 'code', hash);
      if (grant) await endGrant(tx, grant, address, now);
      return unknown;
    }
    const isOwn = code.client === client && code.redirect_uri === asked['redirect_uri'];
    const verifier = asked['code_verifier'] ?? '';
    const isVerified =
      /^[\w.~-]{43,128}$/.test(verifier) && sha256Base64Url(verifier) === code.challenge;
    if (!isOwn || !isVerified) {
      const refused = 'The code belongs to another application, redirect_uri or code_verifier.';
      return { refused };
    }
    // The person may have been removed, moved or made a viewer since the decision.
    if (!person || (person.account_id ?? defaultAccountId) !== code.account_id) {
      return { refused: 'The person was removed, or has another account.' };
    }
    if (person.role === 'viewer') return { refused: 'The person may no longer change anything.' };
    if ((await countGrantsOf(tx, person.id, now - refreshMs)) >= maxGrants) {
      return {
        refused:
          `The person has given access to ${maxGrants} agents, which is the limit. Revoke the ` +
          'key of one first.',
      };
    }
    const [access, refreshed] = [newOAuthToken('access'), newOAuthToken('refresh')];
    await insertGrantKey(tx, { id, access, code, person, address }, now);
    await insertRefreshToken(tx, refreshRow(refreshed, id, now));
    return { given: tokensOf(access, refreshed, accessMs) };
  });
  return finish(context, outcome);
}

interface NewGrant {
  id: string;
  access: string;
  code: CodeRow;
  person: PersonRow;
  address: string;
}

async function insertGrantKey(tx: Runner, made: NewGrant, now: number): Promise<void> {
  const { id, access, code, person, address } = made;
  const { account_id, person_id, client } = code;
  const name = `${code.client_name} (${person.email})`;
  const key = { id, account_id, name, hash: sha256Hex(access), display: displayOf(access) };
  await insertKey(tx, key, now);
  await updateKey(tx, id, { ...noLimits, name, expires_at: now + accessMs });
  await insertGrant(tx, { id, client, person_id, created_at: now });
  const after = { id, name, display: key.display };
  const by = personAuthor(person, address);
  await audit(tx, by, { action: 'key.created', account_id, target: id, after }, now);
  await announceKey(tx, 'key.created', await readKey(tx, id), now);
}

async function refresh(
  context: OAuthParts,
  client: string,
  asked: TokenRequest,
  address: string,
): Promise<OAuthTokens> {
  const now = context.clock.now().getTime();
  const sent = asked['refresh_token'] ?? '';
  const hash = sha256Hex(sent);
  // Derived from the token that was sent, so that the same token returns the same answer again.
  const access = nextOAuthToken(context.secret, 'access', sent);
  const next = nextOAuthToken(context.secret, 'refresh', sent);
  const ended = { refused: 'The refresh token is unknown or has ended.' };
  const outcome = await context.database.transaction(async (tx): Promise<GrantOutcome> => {
    const grant = await findGrant(tx, 'refresh_token', hash);
    if (grant?.client !== client) return ended;
    context.limits.countRefresh(grant.id);
    // Locked before the token, in the same order as in a revocation and a removal of the person.
    const key = await findKey(tx, grant.id, 'for update');
    if (!key || key.revoked_at !== null) return ended;
    if (await takeRefreshToken(tx, hash, now)) {
      const token = { hash: sha256Hex(access), display: displayOf(access) };
      await putAccessTokens(tx, [{ id: grant.id, ...token, expires_at: now + accessMs }]);
      await insertRefreshToken(tx, refreshRow(next, grant.id, now));
      await deleteUsedRefreshTokens(tx, grant.id, usedTokensKept);
      await changes.count(tx, 'keys');
      return { given: tokensOf(access, next, accessMs) };
    }
    const usedAt = await findRefreshTokenUse(tx, hash);
    if (usedAt === undefined) return ended;
    if (now - usedAt >= retryMs) {
      // The application received its answer long ago: one of the two senders has stolen the token,
      // so both lose access.
      await endGrant(tx, grant, address, now);
      return ended;
    }
    // The answer was lost, unless a later token is in use.
    const isLatest = (await findGrant(tx, 'access_token', sha256Hex(access)))?.id === grant.id;
    const leftMs = (key.expires_at ?? now) - now;
    return isLatest ? { given: tokensOf(access, next, leftMs) } : ended;
  });
  return finish(context, outcome);
}

async function endGrant(tx: Runner, grant: GrantRow, address: string, at: number): Promise<void> {
  const person = await findPerson(tx, grant.person_id);
  const by = personAuthor({ id: grant.person_id, email: person?.email ?? null }, address);
  await revokeGrant(tx, by, grant.id, at);
}

async function revokeGrant(tx: Runner, by: Author, id: string, at: number): Promise<void> {
  const before = await findKey(tx, id);
  if (!before || !(await revokeKey(tx, id, at))) return;
  const { account_id, name } = before;
  const change = { action: 'key.revoked', account_id, target: id } as const;
  const names = { before: { name, revoked_at: null }, after: { name, revoked_at: at } };
  await audit(tx, by, { ...change, ...names }, at);
  await announceKey(tx, 'key.revoked', await readKey(tx, id), at);
}

function refreshRow(token: string, grantId: string, now: number) {
  return { hash: sha256Hex(token), grant_id: grantId, expires_at: now + refreshMs };
}

function tokensOf(access: string, refreshToken: string, validMs: number): OAuthTokens {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.floor(validMs / 1000),
    refresh_token: refreshToken,
    scope: oauthScope,
  };
}
