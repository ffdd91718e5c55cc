// The configuration of the sign-in library. This is a separate file because the library is large:
// it is loaded with the first request to the dashboard, not when the gateway starts.
import { GatewayError, minPasswordLength } from '@trivium/contract';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { newId } from '../platform/ids.ts';
import { oidcProviderId } from './store/subjects.ts';
import { claimSubject } from './claim-subject.ts';
import { signInModels } from './sign-in-models.ts';
import { signInStore } from './sign-in-store.ts';
import { peerHeader } from './sign-in-dependencies.ts';
import type { SignInDependencies } from './sign-in-dependencies.ts';

export type SignInLibrary = ReturnType<typeof configure>;

/**
 * Configures the library with the operator's identity provider. The library fetches the provider's
 * metadata once and does not retry, so the gateway calls this on each single sign-on until it
 * succeeds.
 */
export async function configureWithProvider(
  dependencies: SignInDependencies,
): Promise<SignInLibrary> {
  const { single_sign_on: identityProvider } = dependencies;
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
        getUserInfo: ({ idToken }) => readIdToken(dependencies, idToken),
      },
    ],
  });
  const library = configure(dependencies, [plugin]);
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
async function readIdToken(dependencies: SignInDependencies, idToken: string | undefined) {
  const { log } = dependencies;
  const claimed = await claimSubject(dependencies, claimsOf(idToken));
  if (claimed.kind === 'refused') {
    log.warn({ reason: claimed.reason }, 'a single sign-on was refused');
    return null;
  }
  const { subject, email } = claimed;
  return { id: subject, email, emailVerified: true, name: email };
}

/** The library has already verified the signature. */
function claimsOf(idToken: string | undefined): unknown {
  const [, payload = ''] = idToken?.split('.') ?? [];
  if (payload === '') return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

export function configure(
  { database, clock, secret, base_url }: SignInDependencies,
  plugins: ReturnType<typeof genericOAuth>[] = [],
) {
  return betterAuth({
    appName: 'Trivium',
    basePath: '/auth',
    secret,
    baseURL: base_url,
    database: signInStore({ database, clock }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: minPasswordLength,
    },
    ...signInModels,
    account: {
      ...signInModels.account,
      // `claimSubject` maps subjects to people before the library runs, so it links nothing.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
      // Kept in the browser, so that an anonymous request adds no row.
      storeStateStrategy: 'cookie',
    },
    // `sign-in-limits.ts` has already counted the attempt.
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
