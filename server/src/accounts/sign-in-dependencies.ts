// What sign-in needs, and the header that passes the client's address to the sign-in library.
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../store/index.ts';
import type { Log } from '../platform/log.ts';
import type { SingleSignOn } from '../settings/index.ts';

export interface SignInDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  secret: string;
  /** The address of the dashboard. The library does not use the Host header of a request. */
  base_url: string;
  single_sign_on: SingleSignOn | undefined;
}

/** The peer address of the connection. */
export const peerHeader = 'x-trivium-peer';
