// Authenticates a request by its bearer token: an API key or the operator token.
import { GatewayError } from '@trivium/contract';
import type { Authenticator } from '../../accounts/authenticate.ts';
import type { Caller } from '../../billing/request-context.ts';
import type { OperatorCheck } from '../../accounts/operator.ts';

export async function identify(request: Request, authenticator: Authenticator): Promise<Caller> {
  const key = bearerOf(request);
  if (key === undefined) {
    throw refused('Send your API key as the header Authorization: Bearer sk_live_….');
  }
  const caller = await authenticator.identify(key);
  if (!caller) throw refused('This API key is not known here, was revoked, or has expired.');
  return caller;
}

export async function checkOperator(
  request: Request,
  isOperator: OperatorCheck['isOperator'],
): Promise<void> {
  const token = bearerOf(request);
  if (token !== undefined && (await isOperator(token))) return;
  throw refused('Send the operator token as the header Authorization: Bearer ….');
}

/** True when the request carries no API key or token. */
export function isAnonymous(request: Request): boolean {
  return !request.headers.has('authorization');
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}

function refused(message: string): GatewayError {
  return new GatewayError('unauthorized', message, undefined, {
    headers: { 'www-authenticate': 'Bearer' },
  });
}
