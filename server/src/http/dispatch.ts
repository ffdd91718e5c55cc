// Calls the gateway's own public API without a network connection. The call is authenticated, paid
// and logged like any other; metrics count only the request that made it.
export type Dispatch = (
  request: Request,
  /** The id of the request that makes the call; a new one by default. */
  requestId?: string,
) => Response | Promise<Response>;
