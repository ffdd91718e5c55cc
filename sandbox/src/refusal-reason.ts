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
