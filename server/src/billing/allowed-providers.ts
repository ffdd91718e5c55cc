// A key may be limited to some providers; the gateway rejects any other before it holds money.
import type { ProviderId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import type { Caller } from './request-context.ts';

export function checkAllowed(caller: Caller, calls: readonly ProviderId[]): void {
  const { providers } = caller;
  if (!providers) return;
  const refused = calls.filter((id) => !providers.includes(id));
  if (refused.length === 0) return;
  const allowed = providers.length === 0 ? 'none' : providers.join(', ');
  const message = `This key may not use ${refused.join(', ')}. It may use: ${allowed}.`;
  throw new GatewayError('invalid_request', message, {
    issues: [{ path: 'provider', code: 'not_allowed', message }],
    allowed: providers,
  });
}

/** The order of `auto`, without the providers that the key may not use. */
export function allowedOrder<T extends ProviderId>(caller: Caller, order: readonly T[]): T[] {
  const { providers } = caller;
  const left = order.filter((id) => !providers || providers.includes(id));
  if (left.length === 0) checkAllowed(caller, order);
  return left;
}
