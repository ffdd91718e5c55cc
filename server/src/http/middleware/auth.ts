// Authenticates a request by its bearer token: an API key or the operator token.
import { GatewayError } from '@trivium/contract';
import type { Authenticator } from '../../accounts/index.ts';
import type { Caller } from '../../requests/index.ts';
import { isAccessToken } from '../../platform/ids.ts';

/** `challenge` is given by routes that also accept the access tokens of agents. */
export async function identify(
  authorization: string | null,
  authenticator: Authenticator,
  challenge?: () => string,
): Promise<Caller> {
  const key = bearerOf(authorization);
  const refuse = (message: string) => refused(message, challenge?.());
  if (key === undefined) {
    throw refuse('Send your API key as the header Authorization: Bearer sk_live_….');
  }
  if (isAccessToken(key) && challenge === undefined) {
    throw refuse('This access token is for the tools at /mcp. Send an API key here.');
  }
  const caller = await authenticator.identify(key);
  if (!caller && key.startsWith('sk_test_')) {
    throw refuse(
      'This is a sandbox key, which a live gateway does not accept. Its keys start with sk_live_.',
    );
  }
  if (!caller) throw refuse('This API key is unknown, was revoked, or has expired.');
  return caller;
}

export async function checkOperator(
  request: Request,
  isOperator: (token: string) => Promise<boolean>,
): Promise<void> {
  const token = bearerOf(request.headers.get('authorization'));
  if (token !== undefined && (await isOperator(token))) return;
  throw refused('Send the operator token as the header Authorization: Bearer ….');
}

/** True if the request has no API key or token. */
export function isAnonymous(request: Request): boolean {
  return !request.headers.has('authorization');
}

function bearerOf(authorization: string | null): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

function refused(message: string, challenge = 'Bearer'): GatewayError {
  return new GatewayError('unauthorized', message, undefined, {
    headers: { 'www-authenticate': challenge },
  });
}
