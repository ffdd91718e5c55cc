// Examples of OAuth: metadata, registration, consent and tokens.
import type {
  OAuthAccessRequest,
  OAuthAccessView,
  OAuthClientInformation,
  OAuthClientRequest,
  OAuthFailure,
  OAuthRedirect,
  OAuthResourceMetadata,
  OAuthServerMetadata,
  OAuthTokens,
} from '../index.ts';

const issuer = 'https://trivium.example';

const redirectUri = 'http://127.0.0.1:33418/callback';

const clientId = 'mcpc_eyJ1IjpbImh0dHA6Ly8xMjcuMC4wLjE6MzM0MTgvY2FsbGJhY2siXX0.c2lnbmF0dXJl';

const flows = ['authorization_code', 'refresh_token'];

export const serverMetadata: OAuthServerMetadata = {
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: flows,
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['mcp'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs/agents`,
};

export const resourceMetadata: OAuthResourceMetadata = {
  resource: `${issuer}/mcp`,
  authorization_servers: [issuer],
  scopes_supported: ['mcp'],
  bearer_methods_supported: ['header'],
  resource_name: 'Trivium',
  resource_documentation: `${issuer}/docs/agents`,
};

export const clientRequest: OAuthClientRequest = {
  redirect_uris: [redirectUri],
  client_name: 'Reading Assistant',
};

export const clientInformation: OAuthClientInformation = {
  client_id: clientId,
  client_name: 'Reading Assistant',
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
  grant_types: flows,
  response_types: ['code'],
  scope: 'mcp',
};

export const accessRequest: OAuthAccessRequest = {
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: 'code',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: '7f3a',
};

export const accessView: OAuthAccessView = {
  client_name: 'Reading Assistant',
  returns_to: '127.0.0.1:33418',
  account: { id: 'acct_default', name: 'Default' },
  person: 'ada@example.org',
};

export const redirect: OAuthRedirect = {
  redirect_to: `${redirectUri}?code=mcc_c2VjcmV0&state=7f3a&iss=https%3A%2F%2Ftrivium.example`,
};

export const tokens: OAuthTokens = {
  access_token: 'mcp_c2VjcmV0LW9mLWFuLWFnZW50',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'mcr_c2VjcmV0LW9mLWFuLWFnZW50',
  scope: 'mcp',
};

export const oauthFailures: Readonly<Record<number, OAuthFailure>> = {
  400: {
    error: 'invalid_grant',
    error_description: 'The code is unknown, was used, or has expired.',
  },
  401: {
    error: 'invalid_client',
    error_description: 'The application is not registered here.',
  },
  413: {
    error: 'invalid_request',
    error_description: 'The body is larger than the limit of 65536 bytes.',
  },
  429: {
    error: 'invalid_request',
    error_description: 'Too many attempts to sign in. Refresh less often.',
  },
  500: { error: 'server_error', error_description: 'The gateway failed to handle this request.' },
};
