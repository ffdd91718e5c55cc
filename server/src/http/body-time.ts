// How long a client may take to send its body, so that nobody holds a place by sending slowly.
import { GatewayError } from '@trivium/contract';

export const body_time_limit_ms = 15_000;

export async function inTime<T>(reading: Promise<T>, limit_ms = body_time_limit_ms): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooSlow(limit_ms)), limit_ms);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function tooSlow(limit_ms: number): GatewayError {
  return new GatewayError(
    'invalid_request',
    `The body did not arrive within ${limit_ms / 1000} s. Send it in one go.`,
    undefined,
    // The rest of a body that is not read any more must not be taken for the next request.
    { status: 408, headers: { connection: 'close' } },
  );
}
