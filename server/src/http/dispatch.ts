// The gateway's own door from inside: a request in, its response out, no network between.
export type Dispatch = (request: Request) => Response | Promise<Response>;
