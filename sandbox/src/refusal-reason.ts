// Why a vendor refuses a call.
export type Reason =
  | 'bad_request'
  | 'missing_key'
  | 'wrong_key'
  | 'out_of_credit'
  | 'rate_limited'
  | 'server_error'
  | 'unavailable'
  | 'not_found';

/** What most vendors answer; each of them says where it differs. */
export const usualStatuses: Readonly<Record<Reason, number>> = {
  bad_request: 400,
  missing_key: 401,
  wrong_key: 401,
  out_of_credit: 402,
  rate_limited: 429,
  server_error: 500,
  unavailable: 503,
  not_found: 404,
};
