// OAuth for agents: metadata, registration, the person's decision and tokens, in the shapes of its
// standards.
import { z } from 'zod';

const maxUris = 10;
const maxUriChars = 500;
const maxNameChars = 1000;
const maxFieldChars = 8000;

/** Other fields that an application may register are ignored. */
export const OAuthClientRequest = z
  .looseObject({
    redirect_uris: z
      .array(z.string().max(maxUriChars))
      .min(1)
      .max(maxUris)
      .describe(
        "Where the browser may return to: https, http on the user's own machine, or the " +
          'private scheme of an application.',
      ),
    client_name: z
      .string()
      .max(maxNameChars)
      .optional()
      .describe('Shown to the person. By default the host of the first address.'),
  })
  .describe('The registration of an application (RFC 7591).');
export type OAuthClientRequest = z.input<typeof OAuthClientRequest>;

export const OAuthClientInformation = z
  .object({
    client_id: z.string().describe('Contains the registration, signed by the gateway.'),
    client_name: z.string().describe('The name shown to people.'),
    redirect_uris: z.array(z.string()).describe('As registered.'),
    token_endpoint_auth_method: z.literal('none').describe('There are no client secrets.'),
    grant_types: z.array(z.string()).describe('authorization_code and refresh_token.'),
    response_types: z.array(z.string()).describe('Only code.'),
    scope: z.string().describe('The only scope.'),
  })
  .describe('A registered application.');
export type OAuthClientInformation = z.infer<typeof OAuthClientInformation>;

const text = z.string().max(maxFieldChars);

const accessFields = {
  client_id: text.describe('The registered application.'),
  redirect_uri: text.describe('One of its registered addresses.'),
  response_type: text.optional().describe('Must be code.'),
  code_challenge: text.optional().describe('The SHA-256 of the code_verifier, in base64url.'),
  code_challenge_method: text.optional().describe('Must be S256.'),
  state: text.optional().describe('Returned unchanged.'),
  resource: text.optional().describe('The address of the tools (RFC 8707).'),
};

export const OAuthAccessRequest = z
  .looseObject(accessFields)
  .describe('What an application requests.');
export type OAuthAccessRequest = z.output<typeof OAuthAccessRequest>;

export const OAuthDecisionRequest = z
  .looseObject({ ...accessFields, allow: z.boolean().describe('What the person decided.') })
  .describe('What an application requests, and the decision.');
export type OAuthDecisionRequest = z.output<typeof OAuthDecisionRequest>;

export const OAuthRedirect = z
  .object({ redirect_to: z.string().describe('Where the browser goes next.') })
  .describe('Where the browser goes next.');
export type OAuthRedirect = z.infer<typeof OAuthRedirect>;

/** Either what the person needs to know, or where the browser goes with an error. */
export const OAuthAccessView = z
  .object({
    client_name: z.string().optional().describe('The name that the application registered.'),
    returns_to: z.string().optional().describe('The host or the scheme it returns to.'),
    account: z
      .object({
        id: z.string().describe('The id of the account.'),
        name: z.string().describe('The name of the account.'),
      })
      .optional()
      .describe('The account that pays.'),
    person: z.string().optional().describe('The email address of the person.'),
    redirect_to: z.string().optional().describe('The only field if access cannot be granted.'),
  })
  .describe('What a person needs to know to decide.');
export type OAuthAccessView = z.infer<typeof OAuthAccessView>;

export const OAuthTokenRequest = z
  .looseObject({
    grant_type: z.string().describe('authorization_code or refresh_token.'),
    client_id: z.string().describe('The registered application.'),
    code: z.string().optional().describe('The code, with authorization_code.'),
    redirect_uri: z
      .string()
      .optional()
      .describe('The same as in the request, with authorization_code.'),
    code_verifier: z
      .string()
      .optional()
      .describe('Proves that the same application asked for the code, with authorization_code.'),
    refresh_token: z.string().optional().describe('The token, with refresh_token.'),
    resource: z.string().optional().describe('The address of the tools (RFC 8707).'),
  })
  .describe('Exchanges a code or a refresh token.');

export const OAuthTokens = z
  .object({
    access_token: z.string().describe('For the tools only.'),
    token_type: z.literal('Bearer').describe('Always Bearer.'),
    expires_in: z.int().describe('In seconds.'),
    refresh_token: z.string().describe('Can be used once.'),
    scope: z.string().describe('The only scope.'),
  })
  .describe('The tokens of an application.');
export type OAuthTokens = z.infer<typeof OAuthTokens>;

export const OAuthRevocationRequest = z
  .looseObject({
    client_id: z.string().describe('The registered application.'),
    token: z.string().describe('Its access token or its refresh token.'),
  })
  .describe('Ends the access of an application (RFC 7009).');

export const OAuthRevoked = z.object({}).describe('Empty, even for an unknown token.');

export const OAuthFailure = z
  .object({
    error: z.string().describe('The kind of error, as in OAuth.'),
    error_description: z.string().describe('What went wrong.'),
  })
  .describe('Every error of the endpoints for programs has this body (RFC 6749).');
export type OAuthFailure = z.infer<typeof OAuthFailure>;

export const OAuthServerMetadata = z
  .object({
    issuer: z.string().describe('The address of the gateway.'),
    authorization_endpoint: z.string().describe('The page where a person decides.'),
    token_endpoint: z.string().describe('Issues tokens.'),
    registration_endpoint: z.string().describe('Registers applications.'),
    revocation_endpoint: z.string().describe('Ends access.'),
    response_types_supported: z.array(z.string()).describe('Only code.'),
    response_modes_supported: z.array(z.string()).describe('Only query.'),
    grant_types_supported: z.array(z.string()).describe('authorization_code and refresh_token.'),
    token_endpoint_auth_methods_supported: z.array(z.string()).describe('Only none.'),
    revocation_endpoint_auth_methods_supported: z.array(z.string()).describe('Only none.'),
    code_challenge_methods_supported: z.array(z.string()).describe('Only S256.'),
    scopes_supported: z.array(z.string()).describe('The only scope.'),
    authorization_response_iss_parameter_supported: z
      .boolean()
      .describe('True: the issuer is in every response (RFC 9207).'),
    service_documentation: z.string().describe('The documentation for agents.'),
  })
  .describe('The authorization server (RFC 8414).');
export type OAuthServerMetadata = z.infer<typeof OAuthServerMetadata>;

export const OAuthResourceMetadata = z
  .object({
    resource: z.string().describe('The address of the tools.'),
    authorization_servers: z.array(z.string()).describe('The gateway itself.'),
    scopes_supported: z.array(z.string()).describe('The only scope.'),
    bearer_methods_supported: z.array(z.string()).describe('Only header.'),
    resource_name: z.string().describe('A name for people to read.'),
    resource_documentation: z.string().describe('The documentation for agents.'),
  })
  .describe('The tools as a protected resource (RFC 9728).');
export type OAuthResourceMetadata = z.infer<typeof OAuthResourceMetadata>;
