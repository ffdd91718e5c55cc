// What Serper's two hosts share: the key header, and refusals in one short envelope.
import type { Reason, Refusal, Reply } from '../vendor.ts';

export function readSerperKey(headers: Headers): string | undefined {
  return headers.get('x-api-key') ?? undefined;
}

/** A bad key is forbidden rather than unauthorised, and a used-up account a bad request. */
const ANSWERS: Record<Reason, { status: number; message?: string }> = {
  bad_request: { status: 400 },
  missing_key: { status: 403, message: 'Unauthorized. Sign up for a free account.' },
  wrong_key: { status: 403, message: 'Unauthorized.' },
  out_of_credit: { status: 400, message: 'Not enough credits' },
  rate_limited: { status: 429, message: 'Too many requests' },
  server_error: { status: 500 },
  unavailable: { status: 503 },
  not_found: { status: 404, message: 'Not Found' },
};

export function refuseAsSerper({ reason, message }: Refusal): Reply {
  const { status, message: own } = ANSWERS[reason];
  return { status, body: { message: own ?? message, statusCode: status } };
}
