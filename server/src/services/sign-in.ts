// Signing in to the dashboard: better-auth on our own store, without its public sign-up. It is
// asked only what our routes have read and checked, never with a caller's own request.
import { GatewayError, Role } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { SingleSignOn } from '../platform/single-sign-on.ts';
import type { SignInLibrary } from './sign-in-library.ts';

export interface NewPerson extends Omit<Person, 'id'> {
  password: string;
}

/** One question to the library. */
export interface SignInAsked {
  path: '/sign-in/email' | '/sign-in/social' | '/sign-out' | '/revoke-sessions' | '/callback/oidc';
  /** A POST with a body, or a GET with parameters. */
  body?: object;
  query?: Readonly<Record<string, string>>;
  /** Of the caller's headers only the cookie and the name of the browser are used. */
  headers: Headers;
  address: string;
}

export interface SignIn {
  ask: (asked: SignInAsked) => Promise<Response>;
  personOf: (headers: Headers) => Promise<Person | undefined>;
  /** False when somebody has this address already. */
  addPerson: (person: NewPerson) => Promise<boolean>;
}

export interface SignInDevices {
  database: Database;
  log: Log;
  secret: string;
  /** Where the dashboard is for the library, whatever Host a request names. */
  base_url: string;
  single_sign_on: SingleSignOn | undefined;
}

/** The header in which the library is told who is at the other end of the connection. */
export const peer_header = 'x-trivium-peer';

const provider_paths: readonly SignInAsked['path'][] = ['/sign-in/social', '/callback/oidc'];

export function makeSignIn(devices: SignInDevices): SignIn {
  let loading: Promise<SignInLibrary> | undefined;
  const library = () => (loading ??= load(devices));
  const withProvider = onceFound(() => loadWithProvider(devices));
  return {
    ask: async (asked) => {
      const serving = provider_paths.includes(asked.path) ? withProvider() : library();
      return ours(await (await serving).handler(requestFor(devices.base_url, asked)));
    },
    personOf: async (headers) => {
      const auth = await library();
      const found = await auth.api.getSession({ headers: cookieOf(headers) });
      return found ? readPerson(found.user) : undefined;
    },
    addPerson: async ({ password, ...person }) => {
      const { internalAdapter, password: passwords } = await (await library()).$context;
      const email = person.email.toLowerCase();
      if (await internalAdapter.findUserByEmail(email)) return false;
      const made = await internalAdapter.createUser(
        { ...person, email, emailVerified: true },
        { method: 'email' },
      );
      await internalAdapter.linkAccount({
        userId: made.id,
        accountId: made.id,
        providerId: 'credential',
        password: await passwords.hash(password),
      });
      return true;
    },
  };
}

/** Tried again until it succeeds, by one caller at a time however many wait. */
function onceFound<T>(find: () => Promise<T>): () => Promise<T> {
  let finding: Promise<T> | undefined;
  return () =>
    (finding ??= find().catch((error: unknown) => {
      finding = undefined;
      throw error;
    }));
}

function requestFor(base_url: string, { path, body, query, headers, address }: SignInAsked) {
  const told = cookieOf(headers);
  told.set(peer_header, address);
  told.set('user-agent', (headers.get('user-agent') ?? '').slice(0, longestBrowserName));
  told.set('origin', base_url);
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  const url = `${base_url}/auth${path}${search}`;
  if (body === undefined) return new Request(url, { headers: told });
  told.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers: told, body: JSON.stringify(body) });
}

const longestBrowserName = 300;

function cookieOf(headers: Headers): Headers {
  const cookie = headers.get('cookie');
  return new Headers(cookie === null ? {} : { cookie });
}

/** The library's refusals in our envelope. */
async function ours(response: Response): Promise<Response> {
  if (response.status < 400) return response;
  const told = (await response.json().catch(() => undefined)) as { message?: unknown } | undefined;
  const message = typeof told?.message === 'string' ? told.message : 'This cannot be done.';
  if (response.status === 401) throw new GatewayError('unauthorized', `${message}.`);
  if (response.status < 500) {
    const { status } = response;
    throw new GatewayError('invalid_request', `${message}.`, undefined, { status });
  }
  throw new Error(`sign-in failed with ${response.status}: ${message}`);
}

async function load(devices: SignInDevices): Promise<SignInLibrary> {
  const { configure } = await import('./sign-in-library.ts');
  return configure(devices);
}

async function loadWithProvider(devices: SignInDevices): Promise<SignInLibrary> {
  const { configureWithProvider } = await import('./sign-in-library.ts');
  return configureWithProvider(devices);
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
