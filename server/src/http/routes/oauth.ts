// OAuth for agents (MCP authorization): metadata, registration, the person's decision, and tokens.
// The page on which the person decides is part of the dashboard.
import { GatewayError, OAuthAccessRequest, OAuthDecisionRequest } from '@trivium/contract';
import type { OAuthResourceMetadata, OAuthServerMetadata, Person } from '@trivium/contract';
import {
  decideRequest,
  describeRequest,
  giveTokens,
  OAuthError,
  oauthScope,
  registerClient,
  revokeToken,
} from '../../accounts/index.ts';
import { parseJson, readForm, readText } from '../middleware/body.ts';
import type { HttpContext } from '../context.ts';
import { readOnly } from '../roles.ts';
import type { Route } from '../route.ts';
import { publicRoute, visitorPost } from './rows.ts';

export const mcpPath = '/mcp';
const metadataPath = '/.well-known/oauth-protected-resource';

/**
 * The addresses of the gateway in OAuth terms: the issuer of tokens, and the resource they are for.
 * Without TRIVIUM_PUBLIC_URL, the called address is used.
 */
function addressesOf(publicUrl: string | undefined, request: Request) {
  const issuer = publicUrl ?? new URL(request.url).origin;
  return { issuer, resource: issuer + mcpPath };
}

/** Tells a client without a valid token where to get one (RFC 9728). */
export function challengeOf(publicUrl: string | undefined, request: Request): string {
  const { issuer } = addressesOf(publicUrl, request);
  const fault = request.headers.has('authorization') ? 'error="invalid_token", ' : '';
  return `Bearer ${fault}resource_metadata="${issuer}${metadataPath}${mcpPath}"`;
}

const maxBytes = 64 * 1024;

/** Their errors have the OAuth format: middleware/errors.ts and compat/error-formats.ts write it. */
export function oauthRoutes(context: HttpContext): Route[] {
  const { oauth } = context;
  const addressesAt = (request: Request) => addressesOf(context.settings.public_url, request);
  const resourceAt = (path: string) =>
    publicRoute('GET', path, {}, ({ request }) => describeResource(addressesAt(request)));
  return [
    resourceAt(metadataPath),
    resourceAt(metadataPath + mcpPath),
    publicRoute('GET', '/.well-known/oauth-authorization-server', {}, ({ request }) =>
      describeServer(addressesAt(request).issuer),
    ),
    publicRoute('POST', '/oauth/register', { status: 201 }, async ({ request }) =>
      registerClient(oauth.secret, parseJson(await readText(request, maxBytes))),
    ),
    publicRoute('POST', '/oauth/token', {}, async ({ request, address }) => {
      const { resource } = addressesAt(request);
      const tokens = await giveTokens(oauth, resource, await readFields(request), address());
      return Response.json(tokens, { headers: { pragma: 'no-cache' } });
    }),
    publicRoute('POST', '/oauth/revoke', {}, async ({ request, address }) => {
      await revokeToken(oauth, await readFields(request), address());
      return {};
    }),
    visitorPost('/oauth/consent/check', OAuthAccessRequest, async ({ request, body }) =>
      describeRequest(oauth, addressesAt(request), await findSpender(context, request), body),
    ),
    visitorPost('/oauth/consent', OAuthDecisionRequest, async ({ request, body }) =>
      decideRequest(oauth, addressesAt(request), await findSpender(context, request), body),
    ),
  ];
}

function describeResource({ issuer, resource }: ReturnType<typeof addressesOf>) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [oauthScope],
    bearer_methods_supported: ['header'],
    resource_name: 'Trivium',
    resource_documentation: `${issuer}/docs/agents`,
  } satisfies OAuthResourceMetadata;
}

function describeServer(issuer: string): OAuthServerMetadata {
  return {
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
  };
}

/** A field that is sent twice is refused, because two readers could each use a different value. */
async function readFields(request: Request): Promise<Record<string, string>> {
  const fields = await readForm(request, maxBytes);
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) {
    throw new OAuthError('invalid_request', 'A field was sent more than once.');
  }
  return Object.fromEntries(fields);
}

/** The signed-in person who decides: an agent with access can spend money. */
async function findSpender({ dashboardAuth }: HttpContext, { headers }: Request): Promise<Person> {
  const person = await dashboardAuth.signIn.personOf(headers);
  if (!person) throw new GatewayError('unauthorized', 'Sign in first.');
  if (person.role === 'viewer') throw readOnly();
  return person;
}
