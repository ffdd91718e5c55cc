// Limits how many reports, lists and exports an account reads at a time, so that one account does
// not delay the others.
import { GatewayError } from '@trivium/contract';
import { makeOwnerLimiter } from '../../platform/concurrency-limiter.ts';
import { watchStream } from '../../platform/streams.ts';
import type { HandlerResult } from '../route.ts';

/** A page of the dashboard reads about six of them at once. */
const maxReads = 16;

/** Counts a read of an account until the returned function is called. */
export type EnterRead = (account: string) => () => void;

export function makeReadLimit(): EnterRead {
  const limiter = makeOwnerLimiter('reads', maxReads);
  return (account) => {
    if (limiter.enter(account) !== true) throw tooManyReads();
    let isOver = false;
    return () => {
      if (!isOver) limiter.leave(account);
      isOver = true;
    };
  };
}

/** Reads within the limit of an account. */
export async function limitRead(leave: () => void, read: () => HandlerResult): Promise<Response> {
  try {
    return leaveAtEnd(await read(), leave);
  } catch (error) {
    leave();
    throw error;
  }
}

/** An export keeps reading until its client has received everything or has disconnected. */
function leaveAtEnd(response: Response, leave: () => void): Response {
  const { body, headers } = response;
  if (!body || headers.get('content-type')?.startsWith('application/json')) {
    leave();
    return response;
  }
  return new Response(watchStream(body, leave), response);
}

function tooManyReads(): GatewayError {
  return new GatewayError(
    'rate_limited',
    `An account can read ${maxReads} reports, lists or exports at a time. Try again shortly.`,
    undefined,
    { headers: { 'retry-after': '1' } },
  );
}
