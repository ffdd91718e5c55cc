// The error handler: every error becomes the envelope of the contract. An internal error reveals
// nothing but its request id.
import { GatewayError } from '@trivium/contract';
import type { Log } from '../../platform/log.ts';
import { asStoreUnavailable } from '../../platform/store-unavailable.ts';

export function errorResponse(error: unknown, requestId: string, log: Log): Response {
  const known = knownError(error, requestId, log);
  const { type, message, detail } = known;
  const envelope = { error: { type, message, ...(detail === undefined ? {} : { detail }) } };
  return Response.json(envelope, {
    status: known.status,
    headers: known.headers ?? {},
  });
}

function knownError(error: unknown, requestId: string, log: Log): GatewayError {
  if (error instanceof GatewayError) return error;
  const unavailable = asStoreUnavailable(error);
  if (!unavailable) return internalError(error, requestId, log);
  log.warn({ request_id: requestId, err: error }, 'the store cannot be reached');
  return unavailable;
}

function internalError(error: unknown, requestId: string, log: Log): GatewayError {
  log.error({ request_id: requestId, err: error }, 'a request failed with an internal error');
  return new GatewayError(
    'internal_error',
    'The gateway failed to handle this request. Operators find the cause in the log by its id.',
    { request_id: requestId },
  );
}
