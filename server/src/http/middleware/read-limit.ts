// Limits how many reports, lists and exports an account reads at a time, so that one account does
// not delay the others.
import { GatewayError } from '@trivium/contract';
import { watchStream } from '../../platform/made-stream.ts';
import type { HandlerResult, Route } from '../route.ts';

/** A page of the dashboard reads about six of them at once. */
const maxReads = 16;

/** Counts a read of an account until the returned function is called. */
export type EnterRead = (account: string) => () => void;

export function makeReadLimit(): EnterRead {
  const reading = new Map<string, number>();
  return (account) => {
    const count = reading.get(account) ?? 0;
    if (count >= maxReads) throw tooManyReads();
    reading.set(account, count + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (reading.get(account) ?? 1) - 1;
      if (left === 0) reading.delete(account);
      else reading.set(account, left);
    };
  };
}

/** An operator's reads of all accounts count together. */
export function limitReads(routes: readonly Route[], enter = makeReadLimit()): Route[] {
  return routes.map((route) => {
    if (route.method !== 'GET') return route;
    const handle = route.handle as (incoming: Reader) => HandlerResult;
    const limited = async (incoming: Reader) => {
      const leave = enter(incoming.account_id ?? incoming.caller?.account_id ?? '');
      try {
        return leaveAtEnd(await handle(incoming), leave);
      } catch (error) {
        leave();
        throw error;
      }
    };
    return { ...route, handle: limited } as Route;
  });
}

interface Reader {
  account_id?: string;
  caller?: { account_id: string };
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
