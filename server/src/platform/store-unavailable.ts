// The error that callers get while the store cannot be reached.
import { GatewayError } from '@trivium/contract/gateway-error';
import { storeTrouble } from './store-trouble.ts';

export function storeUnavailable(cause?: unknown): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The store cannot take this request at the moment. Try again shortly, ' +
      'with the same Idempotency-Key if you sent one.',
    undefined,
    { status: 503, headers: { 'retry-after': '1' }, cause },
  );
}

/** Undefined for errors that do not come from the store. */
export function asStoreUnavailable(error: unknown): GatewayError | undefined {
  return storeTrouble(error) === undefined ? undefined : storeUnavailable(error);
}
