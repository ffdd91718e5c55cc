// The error handler: every error becomes the envelope of the contract. An internal error reveals
// only its request id.
import { GatewayError, type OAuthFailure, tryLater } from '@trivium/contract';
import { OAuthError } from '../../accounts/index.ts';
import { FilesUnavailable } from '../../uploads/index.ts';
import type { Log } from '../../platform/log.ts';
import { asStoreUnavailable } from '../../platform/store-trouble.ts';

export function errorResponse(error: unknown, requestId: string, log: Log): Response {
  if (error instanceof OAuthError) {
    const { code, message } = error;
    const body: OAuthFailure = { error: code, error_description: message };
    return Response.json(body, { status: code === 'invalid_client' ? 401 : 400 });
  }
  const { type, message, detail, status, headers } = asGatewayError(error, requestId, log);
  const envelope = { error: { type, message, ...(detail === undefined ? {} : { detail }) } };
  return Response.json(envelope, { status, headers });
}

/** What the caller may know about an error. The rest goes to the log. */
export function asGatewayError(error: unknown, requestId: string, log: Log): GatewayError {
  if (error instanceof GatewayError) return error;
  const unavailable = asStoreUnavailable(error) ?? asFilesUnavailable(error);
  if (!unavailable) return internalError(error, requestId, log);
  log.warn({ request_id: requestId, err: error }, 'the store cannot be reached');
  return unavailable;
}

/** Undefined for errors that do not come from the storage for uploads. */
function asFilesUnavailable(error: unknown): GatewayError | undefined {
  if (!(error instanceof FilesUnavailable)) return undefined;
  const message = 'The bucket where the gateway stores uploads is not available at the moment.';
  return tryLater('provider_not_available', `${message} Try again shortly.`, 5, error);
}

function internalError(error: unknown, requestId: string, log: Log): GatewayError {
  log.error({ request_id: requestId, err: error }, 'a request failed with an internal error');
  return new GatewayError(
    'internal_error',
    'The gateway failed to handle this request. An operator can find the cause in the log ' +
      'by the request id.',
    { request_id: requestId },
  );
}
