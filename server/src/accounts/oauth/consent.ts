// A person grants an application access: the gateway checks the request, the person decides, and
// the application gets a code that it exchanges for tokens.
import {
  GatewayError,
  type OAuthAccessRequest,
  type OAuthAccessView,
  type OAuthDecisionRequest,
  type OAuthRedirect,
  type Person,
} from '@trivium/contract';
import { newOAuthToken, sha256Hex } from '../../platform/ids.ts';
import { callerFor } from '../keys/authenticate.ts';
import { findAccount } from '../store/accounts.ts';
import { insertCode } from '../store/oauth.ts';
import { hostOf, isRegistered, type OAuthClient, OAuthError, readClient } from './clients.ts';
import type { AccountsContext } from '../context.ts';

/** What OAuth needs beside the store. */
export interface OAuthParts extends AccountsContext {
  /** Signs registrations and derives refreshed tokens. */
  secret: string;
  /** Clears the keys that this gateway has cached. */
  refreshKeys: () => Promise<void>;
  /** Throws if one grant is refreshed too often. */
  limits: { countRefresh: (grant: string) => void };
}

/** The addresses of this gateway, as the person's browser sees them. */
interface OAuthPlace {
  issuer: string;
  resource: string;
}

const codeMs = 60_000;

/** What to show the person, or where to send the browser because the request cannot be granted. */
export async function describeRequest(
  context: OAuthParts,
  place: OAuthPlace,
  person: Person,
  asked: OAuthAccessRequest,
): Promise<OAuthAccessView> {
  const client = checkClient(context.secret, asked);
  const fault = faultOf(place, asked);
  if (fault) return { redirect_to: refusedUrl(place, asked, fault) };
  const { account_id } = await callerFor(context, person, undefined);
  const account = await findAccount(context.database, account_id);
  return {
    client_name: client.name,
    returns_to: hostOf(asked.redirect_uri),
    account: { id: account_id, name: account?.name ?? account_id },
    person: person.email,
  };
}

export async function decideRequest(
  context: OAuthParts,
  place: OAuthPlace,
  person: Person,
  { allow, ...asked }: OAuthDecisionRequest,
): Promise<OAuthRedirect> {
  const client = checkClient(context.secret, asked);
  const denied = new OAuthError('access_denied', 'The person did not allow access.');
  const fault = faultOf(place, asked) ?? (allow ? undefined : denied);
  if (fault) return { redirect_to: refusedUrl(place, asked, fault) };
  const { account_id } = await callerFor(context, person, undefined);
  const code = newOAuthToken('code');
  await insertCode(context.database, {
    hash: sha256Hex(code),
    client: client.digest,
    client_name: client.name,
    redirect_uri: asked.redirect_uri,
    challenge: asked.code_challenge ?? '',
    person_id: person.id,
    account_id,
    expires_at: context.clock.now().getTime() + codeMs,
  });
  return { redirect_to: redirectUrl(place, asked, { code }) };
}

/** If the application or the address is unknown, the browser must not be sent anywhere. */
function checkClient(secret: string, asked: OAuthAccessRequest): OAuthClient {
  const client = readClient(secret, asked.client_id);
  if (client && isRegistered(client.redirect_uris, asked.redirect_uri)) return client;
  throw new GatewayError(
    'invalid_request',
    client
      ? 'The application did not register this redirect address.'
      : 'The application is not registered here. Remove the gateway from it, and add it again.',
  );
}

function faultOf({ resource }: OAuthPlace, asked: OAuthAccessRequest): OAuthError | undefined {
  if (asked.response_type !== 'code') {
    return new OAuthError('unsupported_response_type', 'response_type must be code.');
  }
  const hasChallenge = /^[\w-]{43}$/.test(asked.code_challenge ?? '');
  if (!hasChallenge || asked.code_challenge_method !== 'S256') {
    const message = 'A code_challenge with the code_challenge_method S256 is required.';
    return new OAuthError('invalid_request', message);
  }
  return resourceFault(resource, asked.resource);
}

/** Tokens are valid for one resource only, which an application may name (RFC 8707). */
export function resourceFault(resource: string, asked: string | undefined): OAuthError | undefined {
  if (asked === undefined || asked.replace(/\/$/, '') === resource) return undefined;
  return new OAuthError('invalid_target', `The resource must be ${resource}.`);
}

function refusedUrl(place: OAuthPlace, asked: OAuthAccessRequest, fault: OAuthError): string {
  return redirectUrl(place, asked, { error: fault.code, error_description: fault.message });
}

function redirectUrl(
  { issuer }: OAuthPlace,
  { redirect_uri, state }: OAuthAccessRequest,
  fields: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirect_uri);
  const all = { ...fields, ...(state === undefined ? {} : { state }), iss: issuer };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}
