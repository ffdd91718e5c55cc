// Signing in to the dashboard: better-auth on our own store, without its public sign-up.
import { GatewayError, min_password_length, Role } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Database } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import type { SingleSignOn } from '../platform/single-sign-on.ts';
import { signInModels } from './sign-in-models.ts';
import { signInStore } from './sign-in-store.ts';

export interface NewPerson extends Omit<Person, 'id'> {
  password: string;
}

export interface SignIn {
  /** Serves what lies under `/auth`. */
  handle: (request: Request) => Promise<Response>;
  personOf: (headers: Headers) => Promise<Person | undefined>;
  /** False when somebody has this address already. */
  addPerson: (person: NewPerson) => Promise<boolean>;
}

export interface SignInDevices {
  database: Database;
  secret: string;
  public_url: string | undefined;
  single_sign_on: SingleSignOn | undefined;
}

/** The header in which the door tells who is at the other end of the connection. */
export const peer_header = 'x-trivium-peer';

const attempts = { window: 60, max: 10 };
const providerId = 'oidc';
const provider_paths = ['/auth/sign-in/social', `/auth/callback/${providerId}`];

export function makeSignIn(devices: SignInDevices): SignIn {
  const auth = configure(devices, []);
  const withProvider = makeProviderSignIn(devices);
  return {
    handle: async (request) => {
      const { pathname } = new URL(request.url);
      const serving = provider_paths.includes(pathname) ? await withProvider() : auth;
      return serving.handler(request);
    },
    personOf: async (headers) => {
      const found = await auth.api.getSession({ headers });
      return found ? readPerson(found.user) : undefined;
    },
    addPerson: async ({ password, ...person }) => {
      const { internalAdapter, password: passwords } = await auth.$context;
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

/**
 * The library asks an identity provider for its addresses once, and never again when that failed:
 * so it is asked when somebody comes by that way, and anew until it has answered.
 */
function makeProviderSignIn(devices: SignInDevices): () => Promise<ReturnType<typeof configure>> {
  const { single_sign_on } = devices;
  let ready: ReturnType<typeof configure> | undefined;
  return async () => {
    if (ready) return ready;
    if (!single_sign_on) throw new GatewayError('not_found', 'No identity provider is set here.');
    const { name, ...config } = single_sign_on;
    const plugin = genericOAuth({
      config: [{ ...config, providerId, disableSignUp: true, requireIdTokenVerification: true }],
    });
    const made = configure(devices, [plugin]);
    const { socialProviders } = await made.$context;
    if (socialProviders.length > 0) return (ready = made);
    throw new GatewayError(
      'provider_not_available',
      `${name} does not answer. Try again in a moment, or sign in with a password.`,
      undefined,
      { status: 503 },
    );
  };
}

type ProviderPlugin = ReturnType<typeof genericOAuth>;

function configure(
  { database, secret, public_url, single_sign_on }: SignInDevices,
  plugins: ProviderPlugin[],
) {
  return betterAuth({
    appName: 'Trivium',
    basePath: '/auth',
    secret,
    ...(public_url === undefined ? {} : { baseURL: public_url }),
    database: signInStore(database),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: min_password_length,
    },
    ...signInModels,
    account: {
      ...signInModels.account,
      // People come by invitation only; who was invited may use either way to sign in.
      accountLinking: { enabled: true, trustedProviders: single_sign_on ? [providerId] : [] },
    },
    rateLimit: {
      ...signInModels.rateLimit,
      enabled: true,
      storage: 'database',
      customRules: { '/sign-in/email': attempts },
    },
    plugins,
    // A public address is the only one people come by; else the one they used is right.
    trustedOrigins: (request) => (request ? [public_url ?? new URL(request.url).origin] : []),
    advanced: {
      cookiePrefix: 'trivium',
      useSecureCookies: public_url?.startsWith('https:') ?? false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [peer_header] },
      database: { generateId: () => newId('auth') },
    },
    onAPIError: { errorURL: '/sign-in' },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
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
