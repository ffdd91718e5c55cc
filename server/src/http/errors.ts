// The one error handler: every failure leaves as the envelope, and what broke on our side says
// nothing but its request id.
import { GatewayError } from '@trivium/contract';
import type { Log } from '../platform/log.ts';
import { asStoreUnavailable } from '../services/store-unavailable.ts';

export function errorResponse(error: unknown, request_id: string, log: Log): Response {
  const known = knownError(error, request_id, log);
  const { type, message, detail } = known;
  const envelope = { error: { type, message, ...(detail === undefined ? {} : { detail }) } };
  return Response.json(envelope, {
    status: known.status,
    headers: known.headers ?? {},
  });
}

function knownError(error: unknown, request_id: string, log: Log): GatewayError {
  if (error instanceof GatewayError) return error;
  const unavailable = asStoreUnavailable(error);
  if (!unavailable) return internalError(error, request_id, log);
  log.warn({ request_id, err: error }, 'the store cannot be reached');
  return unavailable;
}

function internalError(error: unknown, request_id: string, log: Log): GatewayError {
  log.error({ request_id, err: error }, 'a request failed on our side');
  return new GatewayError(
    'internal_error',
    'Something went wrong inside the gateway. The operator finds it in the log by the request id.',
    { request_id },
  );
}
