// Who sent a request, and whether the role of its route allows that: holders of an API key, people who
// are signed in, operators, and members within the scope of a route of the admin API.
import { AccountId, GatewayError, type Person } from '@trivium/contract';
import { z } from 'zod';
import { accountOfKey, type Authenticator, callerFor, views } from '../accounts/index.ts';
import type { Author } from '../audit/index.ts';
import { accountOfDelivery, accountOfWebhook, noDelivery, noWebhook } from '../events/index.ts';
import { isAccessToken } from '../platform/ids.ts';
import { accountOfRequest, noRequest } from '../reporting/index.ts';
import { type Caller, notes } from '../requests/index.ts';
import type { HttpContext } from './context.ts';
import { validate } from './middleware/body.ts';
import type { AdminRoute, CallerRoute, Incoming, Scopes } from './route.ts';

/** A session counts only if the request has no key or token. */
function mayHaveSession({ headers }: Request): boolean {
  return !headers.has('authorization') && headers.has('cookie');
}

async function findPerson(
  { dashboardAuth, checkSameOrigin }: HttpContext,
  request: Request,
): Promise<Person | undefined> {
  if (!mayHaveSession(request)) return undefined;
  const { headers } = request;
  const person = await dashboardAuth.signIn.personOf(headers);
  if (person) checkSameOrigin(request);
  return person;
}

const accountHeader = 'x-trivium-account';

export function findCaller(
  context: HttpContext,
  route: CallerRoute,
  request: Request,
): Caller | Promise<Caller> {
  if (mayHaveSession(request)) return findSignedIn(context, route, request);
  return findKeyHolder(context, route, request);
}

function findKeyHolder(
  { authenticator }: HttpContext,
  { path, signedInOnly, challenge }: CallerRoute,
  request: Request,
): Caller | Promise<Caller> {
  if (signedInOnly) throw notFound(path);
  const authorization = request.headers.get('authorization');
  return identify(authorization, authenticator, challenge && (() => challenge(request)));
}

async function findSignedIn(
  context: HttpContext,
  route: CallerRoute,
  request: Request,
): Promise<Caller> {
  const person = await findPerson(context, request);
  if (!person) return findKeyHolder(context, route, request);
  const requested = request.headers.get(accountHeader) ?? undefined;
  // Requests to the API cost money or change something, except those that only read.
  if (person.role === 'viewer' && request.method !== 'GET') throw readOnly();
  const own = person.account_id;
  if (own !== null && requested !== undefined && requested !== own) throw forbidden();
  return callerFor(context, person, requested);
}

/** `challenge` is given by routes that also accept the access tokens of agents. */
export function identify(
  authorization: string | null,
  authenticator: Authenticator,
  challenge?: () => string,
): Caller | Promise<Caller> {
  const key = bearerOf(authorization);
  const refuse = (message: string) => unauthorized(message, challenge?.());
  if (key === undefined) {
    throw refuse('Send your API key as the header Authorization: Bearer sk_live_….');
  }
  if (isAccessToken(key) && challenge === undefined) {
    throw refuse('This access token is for the tools at /mcp. Send an API key here.');
  }
  const orRefusal = (caller: Caller | undefined): Caller => {
    if (caller) return caller;
    if (!key.startsWith('sk_test_'))
      throw refuse('This API key is unknown, was revoked, or has expired.');
    throw refuse(
      'This is a sandbox key, which a live gateway does not accept. Its keys start with sk_live_.',
    );
  };
  const caller = authenticator.identify(key);
  return caller instanceof Promise ? caller.then(orRefusal) : orRefusal(caller);
}

/** The signed-in person, or undefined for the holder of the operator token. */
export async function findAdmin(
  context: HttpContext,
  request: Request,
): Promise<Person | undefined> {
  const person = await findPerson(context, request);
  if (person) return person;
  const token = bearerOf(request.headers.get('authorization'));
  if (token !== undefined && (await context.isOperator(token))) return undefined;
  throw unauthorized('Send the operator token as the header Authorization: Bearer ….');
}

/** Within which a request to the admin API is allowed. */
interface Allowed extends Partial<Scopes['account_in_query'] & Scopes['person']> {
  /** Whose reads the request counts as. */
  reader: string;
}

/** An operator's reads of all accounts count together. */
const operators = 'operators';

/** Includes the parameter's name, so that an error can say where the fault is. */
const AccountInQuery = z.object({ account_id: AccountId.optional() });

/** `person` is undefined if the request has the operator token. */
export async function checkScope(
  context: HttpContext,
  route: AdminRoute,
  { params, query }: Incoming,
  person: Person | undefined,
): Promise<Allowed> {
  if (person && isReadOnly(person, route)) throw readOnly();
  const id = params['id'] ?? '';
  const own = { reader: person?.account_id ?? operators };
  switch (route.scope) {
    case 'gateway':
      checkAccess(person, undefined);
      return own;
    case 'account_in_path':
      checkAccess(person, id);
      return { reader: id, account_id: id };
    case 'money_in_path':
    case 'policy_in_path':
      checkAccess(person, undefined);
      return { reader: id, account_id: id };
    case 'account_in_query': {
      checkAccess(person, query['account_id']);
      const { account_id } = validate(AccountInQuery, { account_id: query['account_id'] });
      return { reader: account_id ?? operators, account_id };
    }
    case 'key_in_path':
      if (!isOperator(person)) checkAccess(person, await accountOfKey(context, id));
      return own;
    case 'person':
      if (!person) throw notAllowed('This is for people who are signed in to the dashboard.');
      return { reader: person.id, person };
    case 'webhook_in_path':
    case 'delivery_in_path':
    case 'request_in_path':
    case 'note_in_path':
    case 'view_in_path': {
      const { accountOf, missing } = owned[route.scope];
      if (!isOperator(person) && !owns(person, await accountOf(context, id))) throw missing(id);
      return own;
    }
  }
}

/** To members of other accounts, these do not exist. */
const owned = {
  webhook_in_path: { accountOf: accountOfWebhook, missing: noWebhook },
  delivery_in_path: { accountOf: accountOfDelivery, missing: noDelivery },
  request_in_path: { accountOf: accountOfRequest, missing: noRequest },
  note_in_path: notes,
  view_in_path: views,
};

/** Members may access their own account. `accountId` is undefined for gateway-wide routes. */
function checkAccess(person: Person | undefined, accountId: string | undefined): void {
  if (isOperator(person) || owns(person, accountId)) return;
  throw forbidden();
}

function owns(person: Person | undefined, accountId: string | null | undefined): boolean {
  return typeof accountId === 'string' && accountId === person?.account_id;
}

export function isOperator(person: Person | undefined): boolean {
  return person === undefined || person.role === 'operator';
}

/** A viewer can only read one account, and change their own profile like every person. */
function isReadOnly(person: Person, { method, scope, reveals }: AdminRoute): boolean {
  if (person.role !== 'viewer' || scope === 'person') return false;
  return method !== 'GET' || reveals === 'secret';
}

/** The project's own command line identifies itself. The name is a hint, not proof. */
const commandLineAgent = /^trivium-cli\//;

export function authorOf(request: Request, person: Person | undefined, address: string): Author {
  const from = { address: address === '' ? null : address };
  if (person) return { kind: 'person', id: person.id, name: person.email, ...from };
  const isCommand = commandLineAgent.test(request.headers.get('user-agent') ?? '');
  const kind = isCommand ? 'command_line' : 'operator_token';
  return { kind, id: null, name: null, ...from };
}

function bearerOf(authorization: string | null): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

function unauthorized(message: string, challenge = 'Bearer'): GatewayError {
  return new GatewayError('unauthorized', message, undefined, {
    headers: { 'www-authenticate': challenge },
  });
}

export function notFound(path: string): GatewayError {
  return new GatewayError(
    'not_found',
    `There is nothing at ${path}. See /docs for the endpoints of this API.`,
  );
}

export function readOnly(): GatewayError {
  return notAllowed(
    'You can read this account but not change it. Ask an operator of this gateway.',
  );
}

function forbidden(): GatewayError {
  return notAllowed(
    'This is for operators, or belongs to another account. Ask an operator of this gateway.',
  );
}

function notAllowed(message: string): GatewayError {
  return new GatewayError('unauthorized', message, undefined, { status: 403 });
}

const safeMethods = ['GET', 'HEAD'];

/**
 * Protects against cross-site request forgery: a request with a session cookie must come from the
 * dashboard, at the public URL if one is set, otherwise at plain http of the requested host.
 */
export function makeSameOriginCheck(publicUrl: string | undefined): HttpContext['checkSameOrigin'] {
  const configured = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return ({ method, headers }) => {
    if (safeMethods.includes(method)) return;
    const expected = configured ?? `http://${headers.get('host') ?? ''}`.toLowerCase();
    const site = headers.get('sec-fetch-site');
    const isSameOrigin = headers.get('origin') === expected;
    if (isSameOrigin && (site === null || site === 'same-origin')) return;
    throw notAllowed(
      `A signed-in session can be used only from the dashboard at ${expected} (behind TLS, ` +
        'set TRIVIUM_PUBLIC_URL to its address). Programs should send an API key.',
    );
  };
}
