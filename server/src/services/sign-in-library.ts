// The sign-in library as we set it up. Apart, because it is large: it is loaded when somebody first
// comes to the dashboard, and not when the gateway starts.
import { GatewayError, min_password_length } from '@trivium/contract';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { newId } from '../platform/ids.ts';
import { peer_header } from './sign-in.ts';
import type { SignInDevices } from './sign-in.ts';
import { signInModels } from './sign-in-models.ts';
import { signInStore } from './sign-in-store.ts';

export type SignInLibrary = ReturnType<typeof configure>;

const attempts = { window: 60, max: 10 };
const providerId = 'oidc';

/**
 * With the identity provider of the house. The library asks it for its addresses once, and never
 * again when that failed: so this is done when somebody comes by that way, until it succeeds.
 */
export async function configureWithProvider(devices: SignInDevices): Promise<SignInLibrary> {
  const { single_sign_on } = devices;
  if (!single_sign_on) throw new GatewayError('not_found', 'No identity provider is set here.');
  const { name, ...config } = single_sign_on;
  const plugin = genericOAuth({
    config: [{ ...config, providerId, disableSignUp: true, requireIdTokenVerification: true }],
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

export function configure(
  { database, secret, public_url, single_sign_on }: SignInDevices,
  plugins: ReturnType<typeof genericOAuth>[] = [],
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
