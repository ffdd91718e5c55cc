// The HTTP application on Hono: authenticates each request, runs its route, and returns every error
// in the same envelope.
import { GatewayError } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Authenticator } from '../accounts/authenticate.ts';
import type { OperatorCheck } from '../accounts/operator.ts';
import type { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { Log } from '../platform/log.ts';
import { checkOperator, identify, isAnonymous } from './middleware/auth.ts';
import { allowOrigins } from './middleware/cors.ts';
import { errorResponse } from './middleware/errors.ts';
import { serveAdmin } from './middleware/member-scope.ts';
import {
  checkHeaders,
  checkText,
  hasValidHost,
  invalidHost,
  readQuery,
} from './middleware/request-checks.ts';
import type { Sessions } from './middleware/session.ts';
import type { Connection, HandlerResult, Incoming, Route } from './route.ts';
import { metadataPaths, oauthPaths, openAiPaths } from './routes/compat/error-formats.ts';
import { translateErrors } from './routes/compat/errors.ts';

export interface AppDependencies {
  authenticator: Authenticator;
  isOperator: OperatorCheck;
  sessions: Sessions;
  log: Log;
  newRequestId: () => string;
  /** Limit the requests in progress; a request above a limit is refused at once. */
  limiters: Record<'all' | 'ofAccounts' | 'dispatching', ConcurrencyLimiter>;
  /** Set on every response. */
  headers: Readonly<Record<string, string>>;
  /** Measures every request of a route. */
  observe: (
    route: string,
  ) => (request: Request, work: () => Promise<Response>) => Promise<Response>;
}

/** Below these, errors have the format of another API. */
const translatedPaths = ['/compat/*', '/v2/*', ...openAiPaths, metadataPaths, ...oauthPaths];

type App = (request: Request, connection?: Partial<Connection>) => HandlerResult;

type Bindings = Partial<Connection>;
type Serve = (request: Request, connection: Bindings, params: Incoming['params']) => HandlerResult;

/** `corsOrigins` are the origins whose pages may call this app. */
export function makeApp(
  dependencies: AppDependencies,
  routes: readonly Route[],
  corsOrigins: readonly string[] = [],
): App {
  const hono = new Hono<{ Bindings: Bindings }>({ strict: false });
  const observeRefused = dependencies.observe('refused');
  const refuse = (request: Request, error: Error) =>
    observeRefused(request, () => respond(dependencies, () => Promise.reject(error)));
  if (corsOrigins.length > 0) hono.use(...allowOrigins(corsOrigins));
  for (const path of translatedPaths) hono.use(path, translateErrors);
  for (const route of routes) {
    const serve = serveRoute(dependencies, route);
    if (route.public && route.page) hono.use(route.path, secureHeaders(route.page));
    hono.on(route.method, route.path, ({ req, env }) => serve(req.raw, env, req.param()));
  }
  for (const [path, methods] of methodsByPath(routes)) {
    hono.all(path, ({ req }) => refuse(req.raw, wrongMethod(req.method, path, methods)));
  }
  const hasPage = routes.some((route) => route.public && route.page && route.path === '/');
  hono.notFound(async ({ req, env }) => {
    if (!hasPage || !wantsPage(req.raw)) return refuse(req.raw, notFound(req.path));
    // The dashboard's router shows that there is no such page.
    const home = new Request(new URL('/', req.url), { headers: req.raw.headers });
    const page = await hono.fetch(home, env);
    return new Response(page.body, { status: 404, headers: page.headers });
  });
  hono.onError((error, { req }) => refuse(req.raw, error));
  return (request, connection = {}) =>
    connection.dispatched || hasValidHost(request)
      ? hono.fetch(request, connection)
      : refuse(request, invalidHost());
}

function serveRoute(dependencies: AppDependencies, route: Route): Serve {
  const observe = dependencies.observe(`${route.method} ${route.path}`);
  return (request, { address = unknownAddress, keepOpen, dispatched }, params) => {
    const work = () =>
      respond(
        dependencies,
        (requestId) => {
          checkHeaders(request.headers);
          for (const name in params) checkText(name, params[name] ?? '');
          const query = readQuery(request.url);
          const open = keepOpen ? { keepOpen } : {};
          const incoming = { request, request_id: requestId, address, params, query, ...open };
          return authorize(dependencies, route, incoming);
        },
        dispatched?.request_id,
      );
    // The caller's own request is measured already.
    return dispatched ? work() : observe(request, work);
  };
}

const unknownAddress = () => '';

async function authorize(
  dependencies: AppDependencies,
  route: Route,
  incoming: Incoming,
): Promise<Response> {
  if (route.public) return route.handle(incoming);
  if (route.operator) {
    const person = await findPerson(dependencies, incoming.request);
    if (!person) await checkOperator(incoming.request, dependencies.isOperator);
    return serveAdmin(route, incoming, person, dependencies.sessions.owners);
  }
  const { all, ofAccounts, dispatching } = dependencies.limiters;
  const work = (within: ConcurrencyLimiter) =>
    authorizeCaller(dependencies, route, incoming, within);
  if (route.dispatches) return work(dispatching);
  if (all.enter('') !== true) throw overloaded();
  try {
    return await work(ofAccounts);
  } finally {
    all.leave('');
  }
}

type CallerRoute = Exclude<Route, { public: true } | { operator: true }>;

async function authorizeCaller(
  dependencies: AppDependencies,
  route: CallerRoute,
  incoming: Incoming,
  limiter: ConcurrencyLimiter,
): Promise<Response> {
  const person = await findPerson(dependencies, incoming.request);
  if (!person && route.signedInOnly) throw notFound(route.path);
  const caller = person
    ? await dependencies.sessions.callerOf(person, incoming.request)
    : await identify(incoming.request, dependencies.authenticator, route.challenge);
  const { account_id } = caller;
  if (limiter.enter(account_id) !== true) throw overloaded();
  // Its own limits end the request, and an answer that is paid for may be late.
  incoming.keepOpen?.();
  try {
    return await route.handle({ ...incoming, caller });
  } finally {
    limiter.leave(account_id);
  }
}

/** A session counts only when the request carries no key or token. */
async function findPerson(
  { sessions }: Pick<AppDependencies, 'sessions'>,
  request: Request,
): Promise<Person | undefined> {
  return isAnonymous(request) ? sessions.personOf(request) : undefined;
}

function overloaded(): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The gateway is at its limit of concurrent requests. Try again in a moment.',
    undefined,
    { status: 503, headers: { 'retry-after': '1' } },
  );
}

type ResponseDependencies = Pick<AppDependencies, 'log' | 'newRequestId' | 'headers'>;

/** Runs `work`, turns what it throws into an error response, and adds the common headers. */
async function respond(
  dependencies: ResponseDependencies,
  work: (requestId: string) => HandlerResult,
  requestId = dependencies.newRequestId(),
): Promise<Response> {
  try {
    return addHeaders(dependencies, await work(requestId), requestId);
  } catch (error) {
    const response = errorResponse(error, requestId, dependencies.log);
    return addHeaders(dependencies, response, requestId);
  }
}

/** The response to an error that no route caught. */
export function uncaughtErrorResponse(
  dependencies: ResponseDependencies,
  error: unknown,
): Response {
  const requestId = dependencies.newRequestId();
  return addHeaders(dependencies, errorResponse(error, requestId, dependencies.log), requestId);
}

/** By hand: Hono's secureHeaders would not reach the responses to uncaught errors. */
function addHeaders(
  { headers: common }: ResponseDependencies,
  response: Response,
  requestId: string,
): Response {
  const { headers } = response;
  headers.set('x-request-id', requestId);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  headers.set('x-content-type-options', 'nosniff');
  for (const [name, value] of Object.entries(common)) headers.set(name, value);
  return response;
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const allowed = new Map<string, string[]>();
  for (const { path, method } of routes) allowed.set(path, [...(allowed.get(path) ?? []), method]);
  return allowed;
}

function wrongMethod(method: string, path: string, methods: readonly string[]): GatewayError {
  const allow = methods.join(', ');
  return new GatewayError(
    'invalid_request',
    `${path} does not take ${method}. Use ${allow}.`,
    undefined,
    { status: 405, headers: { allow } },
  );
}

/** Below these there are only programs' routes, which answer in JSON. */
const forPrograms = /^\/(?:v1|v2|admin\/v1|callbacks|compat|mcp|auth)(?:\/|$)/;

/** True for a person who typed an address or followed a link. */
function wantsPage({ method, headers, url }: Request): boolean {
  if (method !== 'GET' || forPrograms.test(new URL(url).pathname)) return false;
  return /\btext\/html\b/.test(headers.get('accept') ?? '');
}

function notFound(path: string): GatewayError {
  return new GatewayError(
    'not_found',
    `There is nothing at ${path}. See /docs for the addresses of this API.`,
  );
}
