// Shared by Serper's two hosts: the key header, and errors in a short envelope.
import type { Refusal, Reply } from '../vendor.ts';
import type { Reason } from '../refusal-reason.ts';

export function readSerperKey(headers: Headers): string | undefined {
  return headers.get('x-api-key') ?? undefined;
}

/** Serper answers a bad key with 403 rather than 401, and an exhausted account with 400. */
const answers: Record<Reason, { status: number; message?: string }> = {
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
  const { status, message: own } = answers[reason];
  return { status, body: { message: own ?? message, statusCode: status } };
}
