// Signing in to the dashboard: better-auth on our own store, without its public sign-up.
import { Role } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import type { Database } from '../platform/database.ts';
import type { SingleSignOn } from '../platform/single-sign-on.ts';
import type { SignInLibrary } from './sign-in-library.ts';

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

const provider_paths = ['/auth/sign-in/social', '/auth/callback/oidc'];

export function makeSignIn(devices: SignInDevices): SignIn {
  let loading: Promise<SignInLibrary> | undefined;
  const library = () => (loading ??= load(devices));
  let with_provider: SignInLibrary | undefined;
  const withProvider = async () => (with_provider ??= await loadWithProvider(devices));
  return {
    handle: async (request) => {
      const { pathname } = new URL(request.url);
      const serving = provider_paths.includes(pathname) ? withProvider() : library();
      return (await serving).handler(request);
    },
    personOf: async (headers) => {
      const auth = await library();
      const found = await auth.api.getSession({ headers });
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
