// The sign-in library as we set it up. Apart, because it is large: it is loaded when somebody first
// comes to the dashboard, and not when the gateway starts.
import { min_password_length } from '@trivium/contract';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { newId } from '../platform/ids.ts';
import { peer_header } from './sign-in.ts';
import type { SignInDevices } from './sign-in.ts';
import { signInModels } from './sign-in-models.ts';
import { signInStore } from './sign-in-store.ts';

export type SignInLibrary = ReturnType<typeof configure>;

const attempts = { window: 60, max: 10 };

export function configure({ database, secret, public_url, single_sign_on }: SignInDevices) {
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
