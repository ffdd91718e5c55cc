// OAuth for agents in the OpenAPI document. Its forms and errors are those of the standards.
import * as examples from './oauth-examples.ts';
import { OAuthAccessRequest } from './oauth.ts';
import type { ComponentName } from './openapi-components.ts';
import { queryParameters } from './openapi-admin-operation.ts';
import { json, operation } from './openapi-operation.ts';
import type { Endpoint, ErrorStatus } from './openapi-operation.ts';

const resourcePath = '/.well-known/oauth-protected-resource';

export function oauthPaths(): Record<string, object> {
  return {
    '/.well-known/oauth-authorization-server': { get: forPrograms(describeServer) },
    [resourcePath]: { get: forPrograms(describeResource) },
    [`${resourcePath}/mcp`]: { get: forPrograms({ ...describeResource, id: 'describeTools' }) },
    '/oauth/register': {
      post: {
        ...forPrograms(register),
        requestBody: {
          required: true,
          content: json('OAuthClientRequest', { usual: { value: examples.clientRequest } }),
        },
      },
    },
    '/oauth/authorize': { get: page() },
    '/oauth/token': { post: { ...forPrograms(token), requestBody: form('OAuthTokenRequest') } },
    '/oauth/revoke': {
      post: { ...forPrograms(revoke), requestBody: form('OAuthRevocationRequest') },
    },
    '/oauth/consent/check': { post: ofPage(check, 'OAuthAccessRequest', examples.accessRequest) },
    '/oauth/consent': {
      post: ofPage(decide, 'OAuthDecisionRequest', { ...examples.accessRequest, allow: true }),
    },
  };
}

const tag = 'agents';

type OAuthEndpoint = Endpoint & { summary: string };

function endpoint(
  id: string,
  [summary, description]: readonly [string, string],
  [schema, example]: readonly [ComponentName, unknown],
  failures: readonly ErrorStatus[],
  status: 200 | 201 = 200,
): OAuthEndpoint {
  const shown = { usual: { value: example } };
  return {
    id,
    summary,
    description,
    success: { status, meaning: 'Done.', schema, examples: shown },
    failures,
  };
}

const describeServer = endpoint(
  'describeAuthorizationServer',
  ['Read the metadata of the authorization server', 'Names every endpoint below (RFC 8414).'],
  ['OAuthServerMetadata', examples.serverMetadata],
  [400, 500],
);

const describeResource = endpoint(
  'describeProtectedResource',
  ['Read the metadata of the tools', 'Names the authorization server of /mcp (RFC 9728).'],
  ['OAuthResourceMetadata', examples.resourceMetadata],
  [400, 500],
);

const register = endpoint(
  'registerApplication',
  [
    'Register an application',
    'Returns an id that contains what was registered, signed; nothing is stored (RFC 7591).',
  ],
  ['OAuthClientInformation', examples.clientInformation],
  [400, 413, 500],
  201,
);

const token = endpoint(
  'exchangeToken',
  [
    'Exchange a code or a refresh token',
    'Each works once. One that is sent twice ends the access that it gave.',
  ],
  ['OAuthTokens', examples.tokens],
  [400, 401, 413, 500],
);

const revoke = endpoint(
  'revokeToken',
  ['End the access of an application', 'Takes either token; an unknown one succeeds (RFC 7009).'],
  ['OAuthRevoked', {}],
  [400, 401, 413, 500],
);

const check = endpoint(
  'checkAccess',
  [
    'Read what an application asks for; only from the page, with its session',
    'Returns what the person has to know, or where the browser goes with an error.',
  ],
  ['OAuthAccessView', examples.accessView],
  [400, 401, 403, 404, 413, 500],
);

const decide = endpoint(
  'decideAccess',
  [
    'Allow or refuse an application; only from the page, with its session',
    'Returns the address with the code, or with the error access_denied.',
  ],
  ['OAuthRedirect', examples.redirect],
  [400, 401, 403, 404, 413, 500],
);

const meanings: Readonly<Record<string, string>> = {
  400: 'The request cannot be granted; error names the kind.',
  401: 'The application is not registered here.',
  413: 'The body is larger than 64 KiB.',
  500: 'The gateway failed.',
};

/** Programs read the errors of OAuth. */
function forPrograms({ summary, ...described }: OAuthEndpoint): object {
  const made = operation(tag, summary, described) as { responses: Record<string, object> };
  const responses = Object.entries(made.responses).map(([status, response]) => {
    const example = examples.failures[Number(status)];
    const description = meanings[status];
    if (!example) return [status, response];
    const content = json('OAuthFailure', { failure: { value: example } });
    return [status, { ...response, description, content }];
  });
  return { ...made, security: [], responses: Object.fromEntries(responses) as object };
}

/** Called by the dashboard's page with the cookie of its session. */
function ofPage(
  { summary, ...described }: OAuthEndpoint,
  schema: ComponentName,
  example: unknown,
): object {
  const content = json(schema, { usual: { value: example } });
  return {
    ...operation(tag, summary, described),
    security: [],
    requestBody: { required: true, content },
  };
}

function form(schema: ComponentName): object {
  const reference = { $ref: `#/components/schemas/${schema}` };
  return {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: reference } },
  };
}

function page(): object {
  const { responses, ...described } = forPrograms({
    ...describeServer,
    id: 'openAuthorization',
    summary: 'The page on which a person decides',
    description:
      'Opened in a browser, with the request in the query. The person signs in, allows or ' +
      'refuses, and returns to redirect_uri with code or error, state and iss.',
    failures: [400, 500],
  }) as { responses: Record<string, object> };
  const html = {
    description: 'A page of the dashboard.',
    content: { 'text/html': { schema: { type: 'string', description: 'The page.' } } },
  };
  return {
    ...described,
    parameters: queryParameters(OAuthAccessRequest),
    responses: { ...responses, 200: html },
  };
}
