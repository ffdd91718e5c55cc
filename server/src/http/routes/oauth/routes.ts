// OAuth for agents (MCP authorization): metadata, registration, the person's decision, and tokens.
// The page on which the person decides is part of the dashboard.
import { readOnly } from '../../middleware/member-scope.ts';
import type { z } from 'zod';
import { GatewayError, OAuthAccessRequest, OAuthDecisionRequest } from '@trivium/contract';
import type {
  OAuthFailure,
  OAuthResourceMetadata,
  OAuthServerMetadata,
  Person,
} from '@trivium/contract';
import {
  decideRequest,
  describeRequest,
  giveTokens,
  OAuthError,
  type OAuthParts,
  oauthScope,
  registerClient,
  revokeToken,
} from '../../../accounts/index.ts';
import { parseJson, readBody, readForm, readText } from '../../middleware/body.ts';
import type { SameOriginCheck } from '../../middleware/same-origin.ts';
import type { HandlerResult, Incoming, Route } from '../../route.ts';
import { mcpPath, placeOf } from './place.ts';

export interface OAuthServices {
  context: OAuthParts;
  publicUrl: string | undefined;
  personOf: (request: Request) => Promise<Person | undefined>;
  checkSameOrigin: SameOriginCheck;
}

const maxBytes = 64 * 1024;

export function oauthRoutes(services: OAuthServices): Route[] {
  const { context, publicUrl } = services;
  return [
    ...metadataRoutes(publicUrl),
    open('POST', '/oauth/register', async ({ request }) => {
      const body = parseJson(await readText(request, maxBytes));
      return Response.json(registerClient(context.secret, body), { status: 201 });
    }),
    open('POST', '/oauth/token', async ({ request, address }) => {
      const { resource } = placeOf(publicUrl, request);
      return Response.json(
        await giveTokens(context, resource, await fieldsOf(request), address()),
        { headers: { pragma: 'no-cache' } },
      );
    }),
    open('POST', '/oauth/revoke', async ({ request, address }) => {
      await revokeToken(context, await fieldsOf(request), address());
      return Response.json({});
    }),
    decision('/oauth/consent/check', OAuthAccessRequest, services, (place, person, asked) =>
      describeRequest(context, place, person, asked),
    ),
    decision('/oauth/consent', OAuthDecisionRequest, services, (place, person, asked) =>
      decideRequest(context, place, person, asked),
    ),
  ];
}

function metadataRoutes(publicUrl: string | undefined): Route[] {
  const resource = '/.well-known/oauth-protected-resource';
  const describeResource = ({ request }: Incoming) => {
    const place = placeOf(publicUrl, request);
    return Response.json({
      resource: place.resource,
      authorization_servers: [place.issuer],
      scopes_supported: [oauthScope],
      bearer_methods_supported: ['header'],
      resource_name: 'Trivium',
      resource_documentation: `${place.issuer}/docs/agents`,
    } satisfies OAuthResourceMetadata);
  };
  return [
    open('GET', resource, describeResource),
    open('GET', resource + mcpPath, describeResource),
    open('GET', '/.well-known/oauth-authorization-server', ({ request }) => {
      const { issuer } = placeOf(publicUrl, request);
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        registration_endpoint: `${issuer}/oauth/register`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: [oauthScope],
        authorization_response_iss_parameter_supported: true,
        service_documentation: `${issuer}/docs/agents`,
      } satisfies OAuthServerMetadata);
    }),
  ];
}

/** A field that is sent twice is refused, because two readers could each use a different value. */
async function fieldsOf(request: Request): Promise<Record<string, string>> {
  const fields = await readForm(request, maxBytes);
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) {
    throw new OAuthError('invalid_request', 'A field was sent more than once.');
  }
  return Object.fromEntries(fields);
}

/** A route for the dashboard's page and the person who is signed in there. */
function decision<T extends object>(
  path: string,
  schema: z.ZodType<T>,
  { publicUrl, personOf, checkSameOrigin }: OAuthServices,
  serve: (place: ReturnType<typeof placeOf>, person: Person, asked: T) => Promise<object>,
): Route {
  const handle = async ({ request }: Incoming) => {
    checkSameOrigin(request);
    const asked = await readBody(request, schema, maxBytes);
    const person = await personOf(request);
    if (!person) throw new GatewayError('unauthorized', 'Sign in first.');
    // An agent with access can spend money.
    if (person.role === 'viewer') throw readOnly();
    return Response.json(await serve(placeOf(publicUrl, request), person, asked));
  };
  return { method: 'POST', path, public: true, dashboard: true, handle };
}

/** Other errors also get the OAuth format, in compat/error-formats.ts. */
function open(
  method: Route['method'],
  path: string,
  handle: (incoming: Incoming) => HandlerResult,
): Route {
  const answered = async (incoming: Incoming) => {
    try {
      return await handle(incoming);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { code, message } = error;
      const body: OAuthFailure = { error: code, error_description: message };
      return Response.json(body, { status: code === 'invalid_client' ? 401 : 400 });
    }
  };
  return { method, path, public: true, handle: answered };
}
