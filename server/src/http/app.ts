// The HTTP application: a table of routes on Hono, one way in for all of them, one way out for
// every error.
import { GatewayError } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import { Hono } from 'hono';
import type { Log } from '../platform/log.ts';
import { checkOperator, identify, isAnonymous } from './auth.ts';
import { inVendorWords } from './compat-errors.ts';
import { errorResponse } from './errors.ts';
import { badHost, checkHeaders, checkText, hasSoundHost, readQuery } from './given-once.ts';
import type { Query } from './given-once.ts';
import { serveAdmin } from './member-scope.ts';
import type { AdminRoute } from './member-scope.ts';
import type { Sessions } from './session.ts';
import type { Authenticator } from '../services/authenticate.ts';
import type { Caller } from '../services/house.ts';
import type { OperatorCheck } from '../services/operator.ts';
import type { Turnstile } from '../services/turnstile.ts';

export interface Incoming {
  request: Request;
  request_id: string;
  /** Who is at the other end of the connection; looked up only when somebody asks. */
  address: () => string;
  params: Readonly<Record<string, string>>;
  /** The parameters of the address, each of which was given once. */
  query: Query;
}

export type Handled = Response | Promise<Response>;

/** Open to anyone, for the operator, or given the caller whose key was sent. */
export type Route = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string } & (
  | {
      public: true;
      operator?: false;
      /** Part of the dashboard, which is behind the same door as the operator's API. */
      dashboard?: true;
      handle: (incoming: Incoming) => Handled;
    }
  | AdminRoute
  | {
      public?: false;
      operator?: false;
      /** Not there for keys: a door of the dashboard alone. */
      signed_in_only?: true;
      /** Asks inside the house for what it needs, so that each part takes its own room. */
      passes_on?: true;
      handle: (incoming: Incoming & { caller: Caller }) => Handled;
    }
);

/** What the door tells of a connection, or a route that asks inside the house of itself. */
export interface Peer {
  address: () => string;
  /** Set inside the house, where the caller's own request is measured already. */
  inside?: { request_id: string | undefined };
}

export interface AppDevices {
  authenticator: Authenticator;
  isOperator: OperatorCheck['isOperator'];
  sessions: Sessions;
  log: Log;
  newRequestId: () => string;
  /** Room for requests that do work; whoever finds none is turned away at once. */
  room: Turnstile;
  /** On every answer; empty where nothing has to be said. */
  headers: Readonly<Record<string, string>>;
  /** Put around every request of a route. */
  watch: (route: string) => (request: Request, work: () => Promise<Response>) => Promise<Response>;
}

/** Answers whatever is asked. */
export type App = (request: Request, peer?: Partial<Peer>) => Handled;

type Serve = (request: Request, peer: Partial<Peer>, params: Incoming['params']) => Handled;

const no_params = {};

export function makeApp(devices: AppDevices, routes: readonly Route[]): App {
  // An address means the same with a slash at its end.
  const hono = new Hono<{ Bindings: Partial<Peer> }>({ strict: false });
  // An address without parts that vary needs no search.
  const plain = new Map<string, Serve>();
  for (const route of routes) {
    const serve = serveRoute(devices, route);
    hono.on(route.method, route.path, ({ req, env }) => serve(req.raw, env, req.param()));
    if (!/[:*{]/.test(route.path)) plain.set(`${route.method} ${route.path}`, serve);
  }
  const refused = devices.watch('refused');
  for (const [path, methods] of methodsByPath(routes)) {
    hono.all(path, ({ req }) =>
      refused(req.raw, () => answer(devices, () => wrongMethod(req.method, path, methods))),
    );
  }
  hono.notFound(({ req }) => refused(req.raw, () => answer(devices, () => notFound(req.path))));
  hono.onError((error, { req }) => refused(req.raw, () => answer(devices, () => fail(error))));
  return (request, peer = {}) => {
    if (!peer.inside && !hasSoundHost(request)) {
      return refused(request, () => answer(devices, () => fail(badHost())));
    }
    const path = pathOf(request.url);
    const serve = plain.get(`${request.method} ${path}`);
    const answered = serve ? serve(request, peer, no_params) : hono.fetch(request, peer);
    return path.startsWith('/compat/') ? inVendorWords(path, answered) : answered;
  };
}

function serveRoute(devices: AppDevices, route: Route): Serve {
  const watched = devices.watch(`${route.method} ${route.path}`);
  return (request, { address = nobody, inside }, params) => {
    const work = () =>
      answer(
        devices,
        (request_id) => {
          checkHeaders(request.headers);
          for (const name in params) checkText(name, params[name] ?? '');
          const query = readQuery(request.url);
          return enter(devices, route, { request, request_id, address, params, query });
        },
        inside?.request_id,
      );
    return inside ? work() : watched(request, work);
  };
}

const nobody = () => '';

/**
 * As it was sent, but for a slash at its end: one that is written otherwise, with escapes, say, is
 * found the long way.
 */
function pathOf(url: string): string {
  const begin = url.indexOf('/', url.indexOf('://') + 3);
  const query = url.indexOf('?', begin);
  const end = query === -1 ? url.length : query;
  return url.slice(begin, end > begin + 1 && url[end - 1] === '/' ? end - 1 : end);
}

async function enter(devices: AppDevices, route: Route, incoming: Incoming): Promise<Response> {
  if (route.public) return route.handle(incoming);
  if (route.operator) {
    const person = await signedIn(devices, incoming.request);
    if (!person) await checkOperator(incoming.request, devices.isOperator);
    return serveAdmin(route, incoming, person, devices.sessions.accountOfKey);
  }
  if (route.passes_on) return enterAsCaller(devices, route, incoming);
  if (devices.room.enter(incoming.request.signal) !== true) throw overloaded();
  try {
    return await enterAsCaller(devices, route, incoming);
  } finally {
    devices.room.leave();
  }
}

type CallerRoute = Exclude<Route, { public: true } | { operator: true }>;

async function enterAsCaller(
  devices: AppDevices,
  route: CallerRoute,
  incoming: Incoming,
): Promise<Response> {
  const person = await signedIn(devices, incoming.request);
  if (!person && route.signed_in_only) notFound(route.path);
  const caller = person
    ? await devices.sessions.callerOf(person, incoming.request)
    : await identify(incoming.request, devices.authenticator);
  return route.handle({ ...incoming, caller });
}

/** A key or token decides alone; the session of the dashboard counts only without one. */
async function signedIn({ sessions }: AppDevices, request: Request): Promise<Person | undefined> {
  return isAnonymous(request) ? sessions.personOf(request) : undefined;
}

function overloaded(): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The gateway has as many requests under way as it may. Try again in a moment.',
    undefined,
    { status: 503, headers: { 'retry-after': '1' } },
  );
}

async function answer(
  devices: AppDevices,
  work: (request_id: string) => Handled,
  request_id = devices.newRequestId(),
): Promise<Response> {
  return complete(devices, await attempt(devices, work, request_id), request_id);
}

/** For what failed outside any route; it is told as every error is. */
export function lastAnswer(devices: AppDevices, error: unknown): Response {
  const request_id = devices.newRequestId();
  return complete(devices, errorResponse(error, request_id, devices.log), request_id);
}

function complete(devices: AppDevices, response: Response, request_id: string): Response {
  const { headers } = response;
  headers.set('x-request-id', request_id);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  headers.set('x-content-type-options', 'nosniff');
  for (const [name, value] of Object.entries(devices.headers)) headers.set(name, value);
  return response;
}

async function attempt(
  { log }: AppDevices,
  work: (request_id: string) => Handled,
  request_id: string,
): Promise<Response> {
  try {
    return await work(request_id);
  } catch (error) {
    return errorResponse(error, request_id, log);
  }
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const allowed = new Map<string, string[]>();
  for (const { path, method } of routes) allowed.set(path, [...(allowed.get(path) ?? []), method]);
  return allowed;
}

function wrongMethod(method: string, path: string, methods: readonly string[]): never {
  const allow = methods.join(', ');
  throw new GatewayError(
    'invalid_request',
    `${path} does not take ${method}. Use ${allow}.`,
    undefined,
    {
      status: 405,
      headers: { allow },
    },
  );
}

function fail(error: Error): never {
  throw error;
}

function notFound(path: string): never {
  throw new GatewayError('not_found', `There is nothing at ${path}. See /docs for what there is.`);
}
