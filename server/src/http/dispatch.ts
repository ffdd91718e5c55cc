// The gateway's own door from inside: a request in, its response out, no network between. Whoever
// asks was counted and measured outside already; here the work is paid, logged and given room.
export type Dispatch = (
  request: Request,
  /** The id under which the caller knows the request; a new one unless given. */
  request_id?: string,
) => Response | Promise<Response>;
