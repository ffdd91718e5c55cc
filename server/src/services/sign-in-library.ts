// The sign-in library as we set it up. Apart, because it is large: it is loaded when somebody first
// comes to the dashboard, and not when the gateway starts.
import { GatewayError, min_password_length } from '@trivium/contract';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { newId } from '../platform/ids.ts';
import { oidcProviderId } from '../store/subjects.ts';
import { claimSubject } from './claim-subject.ts';
import { peer_header } from './sign-in.ts';
import type { SignInDevices } from './sign-in.ts';
import { signInModels } from './sign-in-models.ts';
import { signInStore } from './sign-in-store.ts';

export type SignInLibrary = ReturnType<typeof configure>;

/**
 * With the operator's identity provider. The library asks it for its addresses once, and never
 * again when that failed: so this is done when somebody comes by that way, until it succeeds.
 */
export async function configureWithProvider(devices: SignInDevices): Promise<SignInLibrary> {
  const { single_sign_on } = devices;
  if (!single_sign_on) throw new GatewayError('not_found', 'No identity provider is set here.');
  const { name, ...config } = single_sign_on;
  const plugin = genericOAuth({
    config: [
      {
        ...config,
        providerId: oidcProviderId,
        disableSignUp: true,
        requireIdTokenVerification: true,
        accountSubject: ({ profile }) => String(profile.id),
        getUserInfo: ({ idToken }) => readIdToken(devices, idToken),
      },
    ],
  });
  const library = configure(devices, [plugin]);
  const { socialProviders } = await library.$context;
  if (socialProviders.length > 0) return library;
  throw new GatewayError(
    'provider_not_available',
    `${name} does not answer. Try again in a moment, or sign in with a password.`,
    undefined,
    { status: 503 },
  );
}

/** The library has verified the token when there is one; without one nothing else counts. */
async function readIdToken({ database, log }: SignInDevices, id_token: string | undefined) {
  const claimed = await claimSubject(database, claimsOf(id_token));
  if (claimed.kind === 'refused') {
    log.warn({ reason: claimed.reason }, 'a single sign-on was refused');
    return null;
  }
  const { subject, email } = claimed;
  return { id: subject, email, emailVerified: true, name: email };
}

/** Its signature is the library's business, before this is asked. */
function claimsOf(id_token: string | undefined): unknown {
  const [, payload = ''] = id_token?.split('.') ?? [];
  if (payload === '') return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

export function configure(
  { database, secret, base_url }: SignInDevices,
  plugins: ReturnType<typeof genericOAuth>[] = [],
) {
  return betterAuth({
    appName: 'Trivium',
    basePath: '/auth',
    secret,
    baseURL: base_url,
    database: signInStore(database),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: min_password_length,
    },
    ...signInModels,
    account: {
      ...signInModels.account,
      // Which subject is which person is decided before the library looks; it links nothing.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
      // In the browser that asked, so that a stranger who asks adds no row.
      storeStateStrategy: 'cookie',
    },
    // Attempts are counted before they come here.
    rateLimit: { enabled: false },
    plugins,
    advanced: {
      cookiePrefix: 'trivium',
      useSecureCookies: base_url.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [peer_header] },
      database: { generateId: () => newId('auth') },
    },
    onAPIError: { errorURL: '/sign-in' },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
}
