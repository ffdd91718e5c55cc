// Signing in to the dashboard: better-auth on our own store, without its public sign-up.
import { Role } from '@trivium/contract';
import { min_password_length } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import { createAdapterFactory } from 'better-auth/adapters';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Database } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import type { SingleSignOn } from '../platform/single-sign-on.ts';
import { signInModels } from './sign-in-models.ts';
import { countRows, deleteRows, insertRow } from '../store/sign-in-tables.ts';
import { selectRows, updateRows } from '../store/sign-in-tables.ts';
import type { Condition } from '../store/sign-in-tables.ts';

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
      const made = await internalAdapter.createUser({ ...person, email, emailVerified: true });
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
    database: tables(database),
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

function tables(database: Database) {
  return createAdapterFactory({
    config: {
      adapterId: 'trivium',
      supportsDates: false,
      supportsBooleans: false,
      supportsJSON: false,
      transaction: false,
    },
    adapter: () => ({
      create: async ({ model, data }) => (await insertRow(database, model, data)) as typeof data,
      findOne: async <T>({ model, where }: { model: string; where: Condition[] }) =>
        ((await selectRows(database, model, { where, limit: 1 }))[0] ?? null) as T | null,
      findMany: async <T>({ model, where = [], limit, offset, sortBy }: Finding) =>
        (await selectRows(database, model, { where, limit, offset, sort: sortBy })) as T[],
      update: async <T>({ model, where, update }: Change & { update: T }) =>
        ((await updateRows(database, model, where, { set: update as object as Row }))[0] ??
          null) as T | null,
      updateMany: async ({ model, where, update }) =>
        (await updateRows(database, model, where, { set: update })).length,
      incrementOne: async <T>({ model, where, increment, set }: Growth) =>
        ((await updateRows(database, model, where, { set: set ?? {}, add: increment }))[0] ??
          null) as T | null,
      consumeOne: async <T>({ model, where }: Change) =>
        ((await deleteRows(database, model, where))[0] ?? null) as T | null,
      delete: async ({ model, where }) => void (await deleteRows(database, model, where)),
      deleteMany: async ({ model, where }) => (await deleteRows(database, model, where)).length,
      count: ({ model, where = [] }) => countRows(database, model, where),
    }),
  });
}

type Row = Record<string, unknown>;

interface Change {
  model: string;
  where: Condition[];
}

interface Growth extends Change {
  increment: Record<string, number>;
  set?: Row | undefined;
}

interface Finding {
  model: string;
  where?: Condition[] | undefined;
  limit: number;
  offset?: number | undefined;
  sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
}

function readPerson(user: Row): Person {
  const { id, name, email, role, account_id } = user;
  return {
    id: String(id),
    name: String(name),
    email: String(email),
    role: Role.parse(role),
    account_id: typeof account_id === 'string' ? account_id : null,
  };
}
