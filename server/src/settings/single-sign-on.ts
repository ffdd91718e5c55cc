// Single sign-on: the OIDC identity provider that the settings name.

export interface SingleSignOn {
  /** The label of the button. */
  name: string;
  discoveryUrl: string;
  clientId: string;
  clientSecret: string;
  /** Taken from the settings, never from a request. */
  redirectURI: string;
  scopes: string[];
  pkce: boolean;
}

interface SingleSignOnVariables {
  TRIVIUM_OIDC_ISSUER?: string | undefined;
  TRIVIUM_OIDC_CLIENT_ID?: string | undefined;
  TRIVIUM_OIDC_CLIENT_SECRET?: string | undefined;
  TRIVIUM_OIDC_NAME?: string | undefined;
  TRIVIUM_PUBLIC_URL?: string | undefined;
}

/** Undefined if no issuer is set. If one is set, the settings schema requires a public URL. */
export function readSingleSignOn(given: SingleSignOnVariables): SingleSignOn | undefined {
  const { TRIVIUM_OIDC_ISSUER: issuer, TRIVIUM_PUBLIC_URL: publicUrl } = given;
  if (issuer === undefined || publicUrl === undefined) return undefined;
  return {
    name: given.TRIVIUM_OIDC_NAME ?? new URL(issuer).host,
    discoveryUrl: `${issuer.replace(/(?<!\/)\/+$/, '')}/.well-known/openid-configuration`,
    clientId: given.TRIVIUM_OIDC_CLIENT_ID ?? '',
    clientSecret: given.TRIVIUM_OIDC_CLIENT_SECRET ?? '',
    redirectURI: `${publicUrl.replace(/(?<!\/)\/+$/, '')}/auth/callback/oidc`,
    scopes: ['openid', 'profile', 'email'],
    pkce: true,
  };
}
