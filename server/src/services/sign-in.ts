// Signing in to the dashboard: better-auth on our own store, without its public sign-up.
import { min_password_length, Role } from '@trivium/contract';
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

export function makeSignIn(devices: SignInDevices): SignIn {
  const auth = configure(devices);
  return {
    handle: (request) => auth.handler(request),
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

function configure({ database, secret, public_url, single_sign_on }: SignInDevices) {
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
      accountLinking: { enabled: true, trustedProviders: single_sign_on ? ['oidc'] : [] },
    },
    rateLimit: {
      ...signInModels.rateLimit,
      enabled: true,
      storage: 'database',
      customRules: { '/sign-in/email': attempts },
    },
    plugins: single_sign_on
      ? [genericOAuth({ config: [{ ...single_sign_on, providerId: 'oidc', disableSignUp: true }] })]
      : [],
    // A public address is the only one people come by; else the one they used is right.
    trustedOrigins: (request) => (request ? [public_url ?? new URL(request.url).origin] : []),
    advanced: {
      cookiePrefix: 'trivium',
      useSecureCookies: public_url?.startsWith('https:') ?? false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [peer_header] },
      database: { generateId: () => newId('auth') },
    },
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
