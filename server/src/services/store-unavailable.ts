// What a caller hears while the store is away: it is nobody's fault, and trying again helps.
import { GatewayError } from '@trivium/contract';
import { storeTrouble } from '../platform/store-trouble.ts';

export function storeUnavailable(cause?: unknown): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The store cannot take this request at the moment. Try again shortly, ' +
      'with the same Idempotency-Key if you sent one.',
    undefined,
    { status: 503, headers: { 'retry-after': '1' }, cause },
  );
}

/** Undefined for an error that has another cause. */
export function asStoreUnavailable(error: unknown): GatewayError | undefined {
  return storeTrouble(error) === undefined ? undefined : storeUnavailable(error);
}
