// Single sign-on: the OIDC identity provider that the settings name.
import { z } from 'zod';
import { httpUrl, withoutEndSlash } from './setting-values.ts';

export const signOnVariables = {
  TRIVIUM_OIDC_ISSUER: httpUrl
    .optional()
    .describe('the identity provider for single sign-on to the [dashboard](dashboard.md)'),
  TRIVIUM_OIDC_CLIENT_ID: z.string().optional().describe('its client id for the gateway'),
  TRIVIUM_OIDC_CLIENT_SECRET: z.string().optional().describe('the secret of this client'),
  TRIVIUM_OIDC_NAME: z
    .string()
    .max(60)
    .optional()
    .meta({ default: 'the host of the issuer', description: 'the label of the button' }),
};

export type SingleSignOn = NonNullable<ReturnType<typeof readSingleSignOn>>;

type Given = z.output<z.ZodObject<typeof signOnVariables>>;

/** Undefined if no issuer is set. If one is set, the settings require a public URL. */
export function readSingleSignOn(given: Given, publicUrl: string | undefined) {
  const { TRIVIUM_OIDC_ISSUER: issuer } = given;
  if (issuer === undefined || publicUrl === undefined) return undefined;
  return {
    name: given.TRIVIUM_OIDC_NAME ?? new URL(issuer).host,
    discoveryUrl: `${withoutEndSlash(issuer)}/.well-known/openid-configuration`,
    clientId: given.TRIVIUM_OIDC_CLIENT_ID ?? '',
    clientSecret: given.TRIVIUM_OIDC_CLIENT_SECRET ?? '',
    // Taken from the settings, never from a request.
    redirectURI: `${publicUrl}/auth/callback/oidc`,
    scopes: ['openid', 'profile', 'email'],
    pkce: true,
  };
}
