// The error that the gateway throws. It needs no schema, so threads load it without the contract.
export const errorTypes = [
  'unauthorized',
  'invalid_request',
  'provider_not_available',
  'provider_not_configured',
  'provider_error',
  'not_found',
  'insufficient_credits',
  'rate_limited',
  'internal_error',
] as const;

type ErrorType = (typeof errorTypes)[number];

/** The default status of each type; `GatewayErrorOptions.status` overrides it. */
export const errorStatus = {
  unauthorized: 401,
  invalid_request: 400,
  provider_not_available: 501,
  provider_not_configured: 503,
  provider_error: 502,
  not_found: 404,
  insufficient_credits: 402,
  rate_limited: 429,
  internal_error: 500,
} as const satisfies Record<ErrorType, number>;

export type GatewayErrorOptions = {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
};

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly type: ErrorType;
  readonly detail: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    type: ErrorType,
    message: string,
    detail: unknown = undefined,
    options: GatewayErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.type = type;
    this.detail = detail;
    this.status = options.status ?? errorStatus[type];
    this.headers = options.headers ?? {};
  }
}

/** About one part of a request. */
export function invalidPart(path: string, code: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { issues: [{ path, code, message }] });
}

/** The request is valid, but not in the current state of what it is about. */
export function conflict(message: string, headers: Record<string, string> = {}): GatewayError {
  return new GatewayError('invalid_request', message, undefined, { status: 409, headers });
}

/** For what passes by itself: the gateway or the caller is at a limit, or the store is away. */
export function tryLater(
  type: 'provider_not_available' | 'rate_limited',
  message: string,
  afterS: number,
  cause?: unknown,
): GatewayError {
  const status = type === 'rate_limited' ? errorStatus[type] : 503;
  const headers = { 'retry-after': String(afterS) };
  return new GatewayError(type, message, undefined, { status, headers, cause });
}
