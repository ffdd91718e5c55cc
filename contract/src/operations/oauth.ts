// How an application gets access (OAuth).
import * as examples from '../examples/oauth.ts';
import * as schemas from '../index.ts';
import { described, type Operations } from './operation.ts';

export const oauth = {
  'GET /.well-known/oauth-authorization-server': {
    id: 'describeAuthorizationServer',
    tag: 'agents',
    errors: 'oauth',
    summary: 'Read the metadata of the authorization server',
    description: 'Lists every endpoint below (RFC 8414).',
    answer: [schemas.OAuthServerMetadata, { usual: examples.serverMetadata }],
    refuses: [400],
  },
  'GET /.well-known/oauth-protected-resource': {
    id: 'describeProtectedResource',
    tag: 'agents',
    errors: 'oauth',
    summary: 'Read the metadata of the tools',
    description: 'Names the authorization server of /mcp (RFC 9728).',
    answer: [schemas.OAuthResourceMetadata, { usual: examples.resourceMetadata }],
    refuses: [400],
  },
  'GET /.well-known/oauth-protected-resource/mcp': {
    id: 'describeTools',
    tag: 'agents',
    errors: 'oauth',
    summary: 'Read the metadata of the tools',
    description: 'Names the authorization server of /mcp (RFC 9728).',
    answer: [schemas.OAuthResourceMetadata, { usual: examples.resourceMetadata }],
    refuses: [400],
  },
  'POST /oauth/register': {
    id: 'registerApplication',
    tag: 'agents',
    errors: 'oauth',
    summary: 'Register an application',
    description:
      'Returns an id that contains the signed registration; nothing is stored (RFC 7591).',
    body: [schemas.OAuthClientRequest, { usual: examples.clientRequest }],
    status: 201,
    answer: [schemas.OAuthClientInformation, { usual: examples.clientInformation }],
  },
  'GET /oauth/authorize': {
    id: 'openAuthorization',
    tag: 'agents',
    errors: 'oauth',
    summary: 'The page where a person decides',
    description:
      'Opened in a browser, with the request in the query. The person signs in and allows ' +
      'or refuses access. The browser then returns to redirect_uri with code or error, ' +
      'state and iss.',
    query: schemas.OAuthAccessRequest,
    meaning: 'A page of the dashboard.',
    formats: { 'text/html': described('The page.') },
  },
  'POST /oauth/token': {
    id: 'exchangeToken',
    tag: 'agents',
    errors: 'oauth',
    summary: 'Exchange a code or a refresh token',
    description: 'Each works once. Using one a second time ends the access that it granted.',
    form: schemas.OAuthTokenRequest,
    answer: [schemas.OAuthTokens, { usual: examples.tokens }],
    refuses: [401, 429],
  },
  'POST /oauth/revoke': {
    id: 'revokeToken',
    tag: 'agents',
    errors: 'oauth',
    summary: 'End the access of an application',
    description: 'Takes either token; an unknown token is accepted too (RFC 7009).',
    form: schemas.OAuthRevocationRequest,
    answer: [schemas.OAuthRevoked, { usual: {} }],
    refuses: [401],
  },
  'POST /oauth/consent/check': {
    id: 'checkAccess',
    tag: 'agents',
    summary: 'Read what an application requests; only from the page, with its session',
    description: 'Returns what the person needs to know, or where the browser goes with an error.',
    body: [schemas.OAuthAccessRequest, { usual: examples.accessRequest }],
    answer: [schemas.OAuthAccessView, { usual: examples.accessView }],
    refuses: [401, 403, 404],
  },
  'POST /oauth/consent': {
    id: 'decideAccess',
    tag: 'agents',
    summary: 'Allow or refuse an application; only from the page, with its session',
    description: 'Returns the address with the code, or with the error access_denied.',
    body: [schemas.OAuthDecisionRequest, { usual: { ...examples.accessRequest, allow: true } }],
    answer: [schemas.OAuthRedirect, { usual: examples.redirect }],
    refuses: [401, 403, 404],
  },
} as const satisfies Operations;
