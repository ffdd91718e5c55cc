// An identity provider that people may sign in with, as the settings name it.

export interface SingleSignOn {
  /** What the button says. */
  name: string;
  discoveryUrl: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
  pkce: boolean;
}

export interface SingleSignOnVariables {
  TRIVIUM_OIDC_ISSUER?: string | undefined;
  TRIVIUM_OIDC_CLIENT_ID?: string | undefined;
  TRIVIUM_OIDC_CLIENT_SECRET?: string | undefined;
  TRIVIUM_OIDC_NAME?: string | undefined;
}

/** Undefined when no issuer is set. */
export function readSingleSignOn(given: SingleSignOnVariables): SingleSignOn | undefined {
  const { TRIVIUM_OIDC_ISSUER: issuer } = given;
  if (issuer === undefined) return undefined;
  return {
    name: given.TRIVIUM_OIDC_NAME ?? new URL(issuer).host,
    discoveryUrl: `${issuer.replace(/(?<!\/)\/+$/, '')}/.well-known/openid-configuration`,
    clientId: given.TRIVIUM_OIDC_CLIENT_ID ?? '',
    clientSecret: given.TRIVIUM_OIDC_CLIENT_SECRET ?? '',
    scopes: ['openid', 'profile', 'email'],
    pkce: true,
  };
}
