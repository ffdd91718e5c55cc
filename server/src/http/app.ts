// The HTTP application: finds the route of each request, authenticates the caller, runs the route,
// and returns every error in the same envelope.
import { GatewayError } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import type { Authenticator } from '../accounts/index.ts';
import type { Ledger } from '../billing/index.ts';
import type { Caller } from '../requests/index.ts';
import type { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { Log } from '../platform/log.ts';
import { overloaded } from './admit.ts';
import type { Limiters } from './admit.ts';
import { checkOperator, identify, isAnonymous } from './middleware/auth.ts';
import { allowOrigins } from './middleware/cors.ts';
import { errorResponse } from './middleware/errors.ts';
import { type EnterRead, limitRead } from './middleware/read-limit.ts';
import { serveAdmin } from './middleware/member-scope.ts';
import {
  checkHeaders,
  checkText,
  hasValidHost,
  invalidHost,
  readQuery,
} from './middleware/request-checks.ts';
import type { Sessions } from './middleware/session.ts';
import type { Connection, HandlerResult, Incoming, PageHeaders, Route } from './route.ts';
import type { ReportTurn } from './report-turns.ts';
import { makeRouter, pathOf } from './router.ts';
import type { Place } from './router.ts';
import { translateError } from './routes/compat/errors.ts';

export interface AppDependencies {
  authenticator: Authenticator;
  isOperator: (token: string) => Promise<boolean>;
  sessions: Sessions;
  log: Log;
  newRequestId: () => string;
  limiters: Limiters;
  reportTurn: ReportTurn;
  enterRead: EnterRead;
  ledger: Pick<Ledger, 'bookAll'>;
  /** Set on every response. */
  headers: Readonly<Record<string, string>>;
  /** Measures every request of a route. */
  observe: (
    route: string,
  ) => (request: Request, work: () => Promise<Response>) => Promise<Response>;
}

type App = (request: Request, connection?: Partial<Connection>) => HandlerResult;

type Serve = (
  request: Request,
  connection: Partial<Connection>,
  params: Incoming['params'],
) => HandlerResult;

/** `corsOrigins` are the origins whose pages may call this app. */
export function makeApp(
  dependencies: AppDependencies,
  routes: readonly Route[],
  corsOrigins: readonly string[] = [],
): App {
  const observeRefused = dependencies.observe('refused');
  const refuse = (request: Request, error: Error) =>
    observeRefused(request, () => respond(dependencies, () => Promise.reject(error)));
  const find = makeRouter(
    routes.map((route) => ({ ...route, serve: serveRoute(dependencies, route) })),
  );
  const home = find('GET', '/')?.route;
  const answer: App = async (request, connection = {}) => {
    const path = pathOf(request.url);
    const found = find(request.method === 'HEAD' ? 'GET' : request.method, path);
    if (found?.route) return found.route.serve(request, connection, found.params);
    if (found) return refuse(request, wrongMethod(request.method, found.place));
    if (!home || !pageOf(home) || !wantsPage(request, path)) return refuse(request, notFound(path));
    // The dashboard's router shows that there is no such page.
    const { headers } = request;
    const page = await home.serve(
      new Request(new URL('/', request.url), { headers }),
      connection,
      {},
    );
    return new Response(page.body, { status: 404, headers: page.headers });
  };
  const serve: App = async (request, connection) => {
    const response = await answer(request, connection);
    const answered =
      response.status < 400 ? response : await translateError(response, pathOf(request.url));
    if (request.method !== 'HEAD') return answered;
    const head = new Response(null, answered);
    // The body may hold memory, or a place among the reads of an account.
    await answered.body?.cancel();
    return head;
  };
  const allowed = corsOrigins.length > 0 ? allowOrigins(corsOrigins) : undefined;
  return (request, connection) => {
    if (!hasValidHost(request)) return refuse(request, invalidHost());
    return allowed
      ? allowed(request, () => serve(request, connection))
      : serve(request, connection);
  };
}

function pageOf(route: Route): PageHeaders | undefined {
  return route.public ? route.page : undefined;
}

function serveRoute(dependencies: AppDependencies, route: Route): Serve {
  const page = pageOf(route);
  const observe = dependencies.observe(`${route.method} ${route.path}`);
  return (request, { address = unknownAddress, keepOpen }, params) =>
    observe(request, () =>
      respond(
        dependencies,
        (requestId) => {
          checkHeaders(request.headers);
          for (const name in params) checkText(name, params[name] ?? '');
          const query = readQuery(request.url);
          const open = keepOpen ? { keepOpen } : {};
          const incoming = { request, request_id: requestId, address, params, query, ...open };
          const turn = route.report ? dependencies.reportTurn() : undefined;
          const work = () => authorize(dependencies, route, incoming);
          return turn === undefined ? work() : turn.then(work);
        },
        page,
      ),
    );
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
    return serveAdmin(route, incoming, person, dependencies.sessions.owners, (...call) =>
      run(dependencies, route, ...call),
    );
  }
  const { all, ofAccounts, waiting } = dependencies.limiters;
  const work = (within: ConcurrencyLimiter) =>
    authorizeCaller(dependencies, route, incoming, within);
  if (route.waits) return work(waiting);
  if (all.enter('') !== true) throw overloaded();
  try {
    return await work(ofAccounts);
  } finally {
    all.leave('');
  }
}

/** Runs the handler of a permitted request as the row of its route says. */
function run<T>(
  { enterRead, ledger }: Pick<AppDependencies, 'enterRead' | 'ledger'>,
  { report, booked }: Pick<Route, 'report' | 'booked'>,
  account: string,
  handle: (given: T) => HandlerResult,
  given: T,
): HandlerResult {
  if (!report && !booked) return handle(given);
  const work = () => (booked ? ledger.bookAll().then(() => handle(given)) : handle(given));
  return report ? limitRead(enterRead(account), work) : work();
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
    : await identifyAt(route, incoming.request, dependencies.authenticator);
  const { account_id } = caller;
  if (limiter.enter(account_id) !== true) throw overloaded();
  // The request has its own time limits, and an answer that is paid for may be late.
  incoming.keepOpen?.();
  try {
    return await run(dependencies, route, account_id, route.handle, { ...incoming, caller });
  } finally {
    limiter.leave(account_id);
  }
}

function identifyAt(
  { challenge }: CallerRoute,
  request: Request,
  authenticator: Authenticator,
): Promise<Caller> {
  const authorization = request.headers.get('authorization');
  return identify(authorization, authenticator, challenge && (() => challenge(request)));
}

/** A session counts only if the request has no key or token. */
async function findPerson(
  { sessions }: Pick<AppDependencies, 'sessions'>,
  request: Request,
): Promise<Person | undefined> {
  return isAnonymous(request) ? sessions.personOf(request) : undefined;
}

type ResponseDependencies = Pick<AppDependencies, 'log' | 'newRequestId' | 'headers'>;

/** Runs `work`, turns errors into error responses, and adds the common headers. */
async function respond(
  dependencies: ResponseDependencies,
  work: (requestId: string) => HandlerResult,
  page?: PageHeaders,
): Promise<Response> {
  const requestId = dependencies.newRequestId();
  try {
    return addHeaders(dependencies, await work(requestId), requestId, page);
  } catch (error) {
    const response = errorResponse(error, requestId, dependencies.log);
    return addHeaders(dependencies, response, requestId, page);
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

/** The common headers are read for each response, because a stopping gateway adds one. */
function addHeaders(
  { headers: common }: ResponseDependencies,
  response: Response,
  requestId: string,
  page?: PageHeaders,
): Response {
  const { headers } = response;
  headers.set('x-request-id', requestId);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  headers.set('x-content-type-options', 'nosniff');
  for (const [name, value] of Object.entries(common)) headers.set(name, value);
  if (page) for (const [name, value] of Object.entries(page)) headers.set(name, value);
  return response;
}

function wrongMethod(method: string, { path, routes }: Place<Route>): GatewayError {
  const allow = [...routes.keys()].join(', ');
  const pages = [...routes.values()].map(pageOf);
  return new GatewayError(
    'invalid_request',
    `${path} does not support ${method}. Use ${allow}.`,
    undefined,
    { status: 405, headers: Object.assign({ allow }, ...pages) as Record<string, string> },
  );
}

/** Below these paths there are only routes for programs, which answer in JSON. */
const forPrograms = /^\/(?:v1|v2|admin\/v1|callbacks|compat|mcp|auth)(?:\/|$)/;

/** True for a person who typed an address or followed a link. */
function wantsPage({ method, headers }: Request, path: string): boolean {
  if (method !== 'GET' || forPrograms.test(path)) return false;
  return /\btext\/html\b/.test(headers.get('accept') ?? '');
}

function notFound(path: string): GatewayError {
  return new GatewayError(
    'not_found',
    `There is nothing at ${path}. See /docs for the endpoints of this API.`,
  );
}
