// The addresses of the gateway in OAuth terms: the issuer of tokens, and the resource they are for.

export const mcpPath = '/mcp';
const metadataPath = '/.well-known/oauth-protected-resource';

/** Without TRIVIUM_PUBLIC_URL, the called address is used. */
export function placeOf(publicUrl: string | undefined, request: Request) {
  const issuer = publicUrl ?? new URL(request.url).origin;
  return { issuer, resource: issuer + mcpPath };
}

/** Tells a client without a valid token where to get one (RFC 9728). */
export function challengeOf(publicUrl: string | undefined, request: Request): string {
  const { issuer } = placeOf(publicUrl, request);
  const fault = request.headers.has('authorization') ? 'error="invalid_token", ' : '';
  return `Bearer ${fault}resource_metadata="${issuer}${metadataPath}${mcpPath}"`;
}
