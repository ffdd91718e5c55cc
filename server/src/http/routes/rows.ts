// The rows of routes for people. The contract's table of operations states the body, the query and the
// status of an operation of the admin API, and whether it is a report or runs once under an
// idempotency key.
import { type Operation, operations } from '@trivium/contract/operations';
import type { z } from 'zod';
import type {
  AdminRequest,
  AdminRoute,
  Answer,
  CallerRoute,
  Incoming,
  OpenRoute,
  Route,
  Scopes,
  VisitorRoute,
} from '../route.ts';

type Operations = typeof operations;
type PathOf<
  Method extends string,
  Key = keyof Operations,
> = Key extends `${Method} /admin/v1${infer Path}` ? Path : never;
type OperationAt<
  Method extends string,
  Path extends string,
> = Operations[`${Method} /admin/v1${Path}` & keyof Operations];

type BodyOf<One> = One extends { body: readonly [infer Schema, unknown] }
  ? z.output<Schema>
  : undefined;
type FilterOf<One> = One extends { query: infer Schema } ? z.output<Schema> : undefined;

/** What the table of operations does not state. */
interface Details<Scope, Filter> extends Pick<AdminRoute, 'booked' | 'reveals' | 'after' | 'body'> {
  scope: Scope;
  /** Instead of the schema in the table of operations. */
  query?: z.ZodObject & z.ZodType<Filter>;
}

export function admin<
  Method extends Route['method'],
  Path extends PathOf<Method>,
  Scope extends keyof Scopes,
  Filter = FilterOf<OperationAt<Method, Path>>,
>(
  method: Method,
  path: Path,
  details: Details<Scope, Filter>,
  handle: (
    request: AdminRequest<BodyOf<OperationAt<Method, Path>>, Filter> & Scopes[Scope],
  ) => Answer,
): AdminRoute {
  const { body, query, keyed, unlimited, status }: Operation =
    operations[`${method} /admin/v1${path}` as keyof Operations];
  return {
    ...{ method, path: `/admin/v1${path}`, role: 'admin', report: method === 'GET' && !unlimited },
    ...(status ? { status } : {}),
    ...(query ? { query } : {}),
    ...(body ? { body: body[0] } : {}),
    ...(keyed ? { keyed } : {}),
    ...details,
    handle,
  };
}

/** For anyone. */
export function publicRoute(
  method: Route['method'],
  path: string,
  details: Partial<Pick<OpenRoute, 'status' | 'page'>>,
  handle: OpenRoute['handle'],
): OpenRoute {
  return { method, path, role: 'public', ...details, handle };
}

/** For a caller with an API key or a session. */
export function callerRoute(
  method: Route['method'],
  path: string,
  details: Partial<Pick<CallerRoute, 'booked' | 'challenge' | 'report' | 'waits'>>,
  handle: CallerRoute['handle'],
): CallerRoute {
  return { method, path, role: 'caller', ...details, handle };
}

/** For people on the pages of the dashboard who may not have signed in yet. */
export function visitorPost<Body>(
  path: string,
  body: z.ZodType<Body>,
  handle: (incoming: Incoming & { body: Body }) => Answer,
  status = 200,
): VisitorRoute {
  return { method: 'POST', path, role: 'visitor', body, status, handle };
}
