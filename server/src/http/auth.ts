// Bearer authentication of a request.
import { GatewayError } from '@trivium/contract';
import type { Authenticator } from '../services/authenticate.ts';
import type { Caller } from '../services/house.ts';

export async function identify(request: Request, authenticator: Authenticator): Promise<Caller> {
  const [, key] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (key === undefined) {
    throw refused('Send your API key as the header Authorization: Bearer sk_live_….');
  }
  const caller = await authenticator.identify(key);
  if (!caller) throw refused('This API key is not known here, was revoked, or has expired.');
  return caller;
}

function refused(message: string): GatewayError {
  return new GatewayError('unauthorized', message, undefined, {
    headers: { 'www-authenticate': 'Bearer' },
  });
}
