// The configuration of the sign-in library. This is a separate file because the library is large:
// it is loaded with the first request to the dashboard, not when the gateway starts.
import { GatewayError, minPasswordLength } from '@trivium/contract';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { newId, sha256Hex } from '../../platform/ids.ts';
import {
  type Condition,
  countRows,
  deleteRows,
  findSubjectOwner,
  insertRow,
  insertSubject,
  listSubjects,
  lockPersonWith,
  oidcProviderId,
  selectRows,
  takeState,
  updateRows,
} from '../store/sign-in.ts';
import { type SignInParts, peerHeader, signInAddress, signInState, writeAudited } from './audit.ts';
import { type CleanedWhere, createAdapterFactory, type CustomAdapter } from 'better-auth/adapters';
import type { Row, Runner } from '../../store/index.ts';
import { z } from 'zod';
import { audit, personAuthor } from '../../audit/index.ts';

export type SignInLibrary = ReturnType<typeof configure>;

/**
 * Configures the library with the operator's identity provider. The library fetches the provider's
 * metadata once and does not retry, so the gateway calls this on each single sign-on until it
 * succeeds.
 */
export async function configureWithProvider(parts: SignInParts): Promise<SignInLibrary> {
  const { single_sign_on: identityProvider } = parts;
  if (!identityProvider)
    throw new GatewayError('not_found', 'This gateway has no identity provider.');
  const { name, ...config } = identityProvider;
  const plugin = genericOAuth({
    config: [
      {
        ...config,
        providerId: oidcProviderId,
        disableSignUp: true,
        requireIdTokenVerification: true,
        accountSubject: ({ profile }) => String(profile.id),
        getUserInfo: ({ idToken }) => readIdToken(parts, idToken),
      },
    ],
  });
  const library = configure(parts, [plugin]);
  const { socialProviders } = await library.$context;
  if (socialProviders.length > 0) return library;
  throw new GatewayError(
    'provider_not_available',
    `${name} does not answer. Try again in a moment, or sign in with a password.`,
    undefined,
    { status: 503 },
  );
}

/** The library has verified the token. Without a token, the sign-in is rejected. */
async function readIdToken(parts: SignInParts, idToken: string | undefined) {
  const found = await findSubject(parts, claimsOf(idToken));
  if (found.kind === 'refused') {
    parts.log.warn({ reason: found.reason }, 'a single sign-on was refused');
    return null;
  }
  const { subject, email } = found;
  return { id: subject, email, emailVerified: true, name: email };
}

/** The library has already verified the signature. */
function claimsOf(idToken: string | undefined): unknown {
  const [, payload = ''] = idToken?.split('.') ?? [];
  if (payload === '') return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

export function configure(parts: SignInParts, plugins: ReturnType<typeof genericOAuth>[] = []) {
  const { secret, base_url } = parts;
  return betterAuth({
    appName: 'Trivium',
    basePath: '/auth',
    secret,
    baseURL: base_url,
    database: signInStore(parts),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: minPasswordLength,
    },
    ...signInModels,
    account: {
      ...signInModels.account,
      // `findSubject` maps subjects to people before the library runs, so it links nothing.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
      // Kept in the browser, so that an anonymous request adds no row.
      storeStateStrategy: 'cookie',
    },
    // `makeSignInLimits` has already counted the attempt.
    rateLimit: { enabled: false },
    plugins,
    advanced: {
      cookiePrefix: 'trivium',
      useSecureCookies: base_url.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [peerHeader] },
      database: { generateId: () => newId('auth') },
    },
    onAPIError: { errorURL: '/sign-in' },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
}

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' };
const setByGateway = { type: 'string', input: false, required: false } as const;

export const signInModels = {
  user: {
    modelName: 'people',
    fields: { emailVerified: 'email_verified', ...timestamps },
    additionalFields: { role: setByGateway, account_id: setByGateway },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'person_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...timestamps,
    },
  },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'person_id',
      providerId: 'provider_id',
      accountId: 'provider_account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...timestamps,
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', ...timestamps },
  },
};

export function signInStore(store: SignInParts) {
  return createAdapterFactory({
    config: {
      adapterId: 'trivium',
      supportsDates: false,
      supportsBooleans: false,
      supportsJSON: false,
      transaction: false,
    },
    adapter: ({ getFieldName }) => makeAdapter(store, getFieldName),
  });
}

function makeAdapter(
  store: SignInParts,
  columnOf: (named: { model: string; field: string }) => string,
): CustomAdapter {
  const { database } = store;
  const update = (model: string, where: readonly CleanedWhere[], set: Row) =>
    writeAudited(store, 'update', model, (on) => updateRows(on, model, conditions(where), { set }));
  const remove = (model: string, where: readonly CleanedWhere[]) =>
    writeAudited(store, 'delete', model, (on) => deleteRows(on, model, conditions(where)));
  return {
    create: async ({ model, data }) => {
      const insert = (on: Runner) => insertRow(on, model, data);
      return as((await writeAudited(store, 'insert', model, async (on) => [await insert(on)]))[0]);
    },
    findOne: async ({ model, where }) =>
      firstRow(await selectRows(database, model, { where: conditions(where), limit: 1 })),
    findMany: async ({ model, where, limit, offset, sortBy }) => {
      // Conditions use column names, but the order uses the library's field name.
      const sort = sortBy && { ...sortBy, field: columnOf({ model, field: sortBy.field }) };
      const listing = { where: conditions(where), limit, offset, sort };
      return as(await selectRows(database, model, listing));
    },
    update: async ({ model, where, update: set }) =>
      firstRow(await update(model, where, set as Row)),
    updateMany: async ({ model, where, update: set }) => (await update(model, where, set)).length,
    incrementOne: async ({ model, where, increment, set = {} }) =>
      firstRow(await updateRows(database, model, conditions(where), { set, add: increment })),
    consumeOne: async ({ model, where }) => firstRow(await remove(model, where)),
    delete: async ({ model, where }) => void (await remove(model, where)),
    deleteMany: async ({ model, where }) => (await remove(model, where)).length,
    count: ({ model, where }) => countRows(database, model, conditions(where)),
  };
}

function conditions(where: readonly CleanedWhere[] = []): Condition[] {
  return where.map(({ field, operator, value, connector }) => ({
    field,
    operator: operator ?? 'eq',
    value,
    connector: connector ?? 'AND',
  }));
}

/** The library declares the types of its rows. The store does not know them. */
function as<T>(rows: unknown): T {
  return rows as T;
}

function firstRow<T>(rows: readonly Row[]): T | null {
  return rows[0] === undefined ? null : as(rows[0]);
}

/** The claims of a token whose signature, audience and nonce were verified. */
const Claims = z.object({
  iss: z.string().min(1).max(2000),
  sub: z.string().min(1).max(255),
  email: z.email().max(320).optional(),
  email_verified: z.unknown().optional(),
});

type SubjectOutcome =
  | { kind: 'person'; subject: string; email: string }
  | { kind: 'refused'; reason: string };

export async function findSubject(
  { database, clock }: SignInParts,
  claims: unknown,
): Promise<SubjectOutcome> {
  const read = Claims.safeParse(claims);
  if (!read.success)
    return refusedSubject('the id token has no readable issuer, subject or address');
  const { iss, sub, email_verified } = read.data;
  const state = signInState();
  const email = email_verified === true ? read.data.email?.toLowerCase() : undefined;
  const identity = { issuer: `${iss}|`, subject: `${iss}|${sub}`, email };
  return database.transaction(async (tx) => {
    const now = clock.now();
    // The library keeps the state in the browser, which could send it again.
    if (state === undefined || !(await takeState(tx, sha256Hex(state), now))) {
      return refusedSubject('this sign-in was completed before');
    }
    return findOrLink(tx, identity, now);
  });
}

/** The address is set only if the identity provider has verified it. */
async function findOrLink(
  tx: Runner,
  { issuer, subject, email }: { issuer: string; subject: string; email: string | undefined },
  now: Date,
): Promise<SubjectOutcome> {
  const known = await findSubjectOwner(tx, subject);
  if (known !== undefined) return { kind: 'person', subject, email: known };
  if (email === undefined) return refusedSubject('the id token carries no verified address');
  const personId = await lockPersonWith(tx, email);
  // The library then rejects the sign-in, because this person was not invited.
  if (personId === undefined) return { kind: 'person', subject, email };
  const subjects = await listSubjects(tx, personId);
  if (subjects.includes(subject)) return { kind: 'person', subject, email };
  if (subjects.some((one) => one.startsWith(issuer))) {
    return refusedSubject('the address belongs to a person who signs in as another subject');
  }
  const id = newId('auth');
  await insertSubject(tx, { id, person_id: personId, subject, at: now.toISOString() });
  const change = { action: 'person.linked', account_id: null, target: personId } as const;
  const by = personAuthor({ id: personId, email }, signInAddress());
  await audit(tx, by, { ...change, after: { subject } }, now.getTime());
  return { kind: 'person', subject, email };
}

function refusedSubject(reason: string): SubjectOutcome {
  return { kind: 'refused', reason };
}
