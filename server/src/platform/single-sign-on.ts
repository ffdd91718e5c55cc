// An identity provider that people may sign in with, as the settings name it.

export interface SingleSignOn {
  /** What the button says. */
  name: string;
  discoveryUrl: string;
  clientId: string;
  clientSecret: string;
  /** Where the identity provider sends people back, never taken from a request. */
  redirectURI: string;
  scopes: string[];
  pkce: boolean;
}

export interface SingleSignOnVariables {
  TRIVIUM_OIDC_ISSUER?: string | undefined;
  TRIVIUM_OIDC_CLIENT_ID?: string | undefined;
  TRIVIUM_OIDC_CLIENT_SECRET?: string | undefined;
  TRIVIUM_OIDC_NAME?: string | undefined;
  TRIVIUM_PUBLIC_URL?: string | undefined;
}

/** Undefined when no issuer is set. The settings see to it that a public address is there. */
export function readSingleSignOn(given: SingleSignOnVariables): SingleSignOn | undefined {
  const { TRIVIUM_OIDC_ISSUER: issuer, TRIVIUM_PUBLIC_URL: public_url } = given;
  if (issuer === undefined || public_url === undefined) return undefined;
  return {
    name: given.TRIVIUM_OIDC_NAME ?? new URL(issuer).host,
    discoveryUrl: `${issuer.replace(/(?<!\/)\/+$/, '')}/.well-known/openid-configuration`,
    clientId: given.TRIVIUM_OIDC_CLIENT_ID ?? '',
    clientSecret: given.TRIVIUM_OIDC_CLIENT_SECRET ?? '',
    redirectURI: `${public_url.replace(/(?<!\/)\/+$/, '')}/auth/callback/oidc`,
    scopes: ['openid', 'profile', 'email'],
    pkce: true,
  };
}
