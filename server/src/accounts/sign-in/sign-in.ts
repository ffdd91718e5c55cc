// Sign-in to the dashboard: better-auth on our own store, without its public sign-up. It receives
// only what our routes have validated, never the caller's original request.
import { GatewayError, type Person, Role, tryLater } from '@trivium/contract';
import { makeConcurrencyLimiter, runLimited } from '../../platform/concurrency-limiter.ts';
import type { SignInLibrary } from './library.ts';
import { auditSignIn, peerHeader, type SignInParts } from './audit.ts';

/** One request to the library. */
export interface SignInRequest {
  path:
    | '/sign-in/email'
    | '/sign-in/social'
    | '/sign-out'
    | '/revoke-sessions'
    | '/change-password'
    | '/callback/oidc';
  /** A POST with a body, or a GET with parameters. */
  body?: object;
  query?: Readonly<Record<string, string>>;
  /** Only the cookie and the user agent of the caller's headers are used. */
  headers: Headers;
  address: string;
}

const providerPaths: readonly SignInRequest['path'][] = ['/sign-in/social', '/callback/oidc'];

export type SignIn = ReturnType<typeof makeSignIn>;

export function makeSignIn(parts: SignInParts) {
  let loading: Promise<SignInLibrary> | undefined;
  const library = () =>
    (loading ??= import('./library.ts').then(({ configure }) => configure(parts)));
  const hashing = makeConcurrencyLimiter(
    { ...passwordLimits, name: 'passwords_hashed' },
    parts.clock,
  );
  const withProvider = retryUntilFound(async () =>
    (await import('./library.ts')).configureWithProvider(parts),
  );
  return {
    request: async (request: SignInRequest) => {
      const { path, address, query } = request;
      const serving = await (providerPaths.includes(path) ? withProvider() : library());
      const sent = requestFor(parts.base_url, request);
      return throwOnError(
        await auditSignIn(path, { address, state: query?.['state'] }, () => serving.handler(sent)),
      );
    },
    personOf: async (headers: Headers) => {
      const auth = await library();
      const found = await auth.api.getSession({ headers: cookieOf(headers) });
      return found ? readPerson(found.user) : undefined;
    },
    sessionIdOf: async (headers: Headers) => {
      const auth = await library();
      return (await auth.api.getSession({ headers: cookieOf(headers) }))?.session.id;
    },
    hashPassword: async (password: string) => {
      const { password: passwords } = await (await library()).$context;
      return runLimited(hashing, '', tooBusy, () => passwords.hash(password));
    },
  };
}

/** Hashing takes 32 MB for a moment, whether a password is checked or chosen. */
export const passwordLimits = { maxRunning: 2, maxWaiting: 50, maxWaitMs: 10_000 };

export function tooBusy(): GatewayError {
  const message = 'Too many people are signing in at the moment. Try again shortly.';
  return tryLater('rate_limited', message, 5);
}

/** Retries on each call until it succeeds. Concurrent calls share one attempt. */
function retryUntilFound<T>(find: () => Promise<T>): () => Promise<T> {
  let finding: Promise<T> | undefined;
  return () =>
    (finding ??= find().catch((error: unknown) => {
      finding = undefined;
      throw error;
    }));
}

function requestFor(baseUrl: string, { path, body, query, headers, address }: SignInRequest) {
  const sent = cookieOf(headers);
  sent.set(peerHeader, address);
  sent.set('user-agent', (headers.get('user-agent') ?? '').slice(0, maxUserAgentChars));
  sent.set('origin', baseUrl);
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  const url = `${baseUrl}/auth${path}${search}`;
  if (body === undefined) return new Request(url, { headers: sent });
  sent.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
}

const maxUserAgentChars = 300;

function cookieOf(headers: Headers): Headers {
  const cookie = headers.get('cookie');
  return new Headers(cookie === null ? {} : { cookie });
}

/** Turns an error of the library into our error envelope. */
async function throwOnError(response: Response): Promise<Response> {
  if (response.status < 400) return response;
  const body = (await response.json().catch(() => undefined)) as { message?: unknown } | undefined;
  const message = typeof body?.message === 'string' ? body.message : 'This is not possible.';
  if (response.status === 401) throw new GatewayError('unauthorized', `${message}.`);
  if (response.status < 500) {
    const { status } = response;
    throw new GatewayError('invalid_request', `${message}.`, undefined, { status });
  }
  throw new Error(`sign-in failed with ${response.status}: ${message}`);
}

function readPerson(user: Readonly<Record<string, unknown>>): Person {
  const { id, name, email, role, account_id } = user;
  return {
    id: String(id),
    name: String(name),
    email: String(email),
    role: Role.parse(role),
    account_id: typeof account_id === 'string' ? account_id : null,
  };
}
