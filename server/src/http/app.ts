// The HTTP application: finds the route of each request, authenticates the caller, runs the route,
// and returns every error in the same envelope.
import { GatewayError, invalidPart } from '@trivium/contract';
import type { HttpContext, Observer } from './context.ts';
import { dispatch } from './dispatch.ts';

import { allowOrigins } from './middleware/cors.ts';
import { errorResponse } from './middleware/errors.ts';
import { checkRequest, hasValidHost } from './router.ts';
import { notFound } from './roles.ts';
import type { Connection, Incoming, PageHeaders, Route } from './route.ts';
import { makeRouter, pathOf, type RoutesAtPath } from './router.ts';
import { errorFormatAt, translateError } from './routes/compat/error-formats.ts';

type App = (request: Request, connection?: Partial<Connection>) => Response | Promise<Response>;

type Serve = (
  request: Request,
  connection: Partial<Connection>,
  params: Incoming['params'],
) => Promise<Response>;

/** `corsOrigins` are the origins whose pages may call this app. */
export function makeApp(
  context: HttpContext,
  routes: readonly Route[],
  corsOrigins: readonly string[] = [],
): App {
  const observer = context.observe('refused');
  const refuse = (request: Request, error: Error) =>
    answerWith({ context, observer }, request, () => Promise.reject(error));
  const find = makeRouter(routes.map((route) => ({ ...route, serve: serveRoute(context, route) })));
  const home = find('GET', '/')?.route;
  const answer = (request: Request, path: string, connection: Partial<Connection>) => {
    const found = find(request.method === 'HEAD' ? 'GET' : request.method, path);
    if (found?.route) return found.route.serve(request, connection, found.params);
    if (found) return refuse(request, wrongMethod(request.method, found.at));
    if (!home?.page || !wantsPage(request, path)) return refuse(request, notFound(path));
    // The dashboard's router shows that there is no such page.
    const { headers } = request;
    return home
      .serve(new Request(new URL('/', request.url), { headers }), connection, {})
      .then((page) => new Response(page.body, { status: 404, headers: page.headers }));
  };
  const serve: App = (request, connection = {}) => {
    const path = pathOf(request.url);
    const answering = answer(request, path, connection);
    const isAsItIs = request.method !== 'HEAD' && errorFormatAt(path) === undefined;
    return isAsItIs ? answering : finish(request, path, answering);
  };
  const allowed = corsOrigins.length > 0 ? allowOrigins(corsOrigins) : undefined;
  return (request, connection) => {
    if (!hasValidHost(request)) {
      const message = 'The Host header is not a valid host.';
      return refuse(request, invalidPart('host', 'invalid_host', message));
    }
    return allowed
      ? allowed(request, () => serve(request, connection))
      : serve(request, connection);
  };
}

function serveRoute(context: HttpContext, route: Route): Serve {
  const observer = context.observe(`${route.method} ${route.path}`);
  const served = { context, observer, page: route.page };
  return (request, connection, params) =>
    answerWith(served, request, (requestId) =>
      dispatch(context, route, checkRequest(request, requestId, connection, params)),
    );
}

interface Answering {
  context: HttpContext;
  observer: Observer;
  page?: PageHeaders | undefined;
}

type Work = (requestId: string) => Promise<Response>;

function answerWith(answering: Answering, request: Request, work: Work): Promise<Response> {
  const { inSpan } = answering.observer;
  return inSpan ? inSpan(request, () => respond(answering, work)) : respond(answering, work);
}

/** Measures `work`, turns errors into error responses, and adds the common headers. */
async function respond({ context, observer, page }: Answering, work: Work): Promise<Response> {
  const began = observer.began();
  const requestId = context.newRequestId();
  let response: Response | undefined;
  try {
    response = await work(requestId);
  } catch (error) {
    response = errorResponse(error, requestId, context.log);
  } finally {
    observer.ended(began, response && addHeaders(context, response, requestId, page));
  }
  return response;
}

/** An error in the format of another API, and for HEAD no body. */
async function finish(
  { method }: Request,
  path: string,
  answering: Response | Promise<Response>,
): Promise<Response> {
  const response = await answering;
  const answered = response.status < 400 ? response : await translateError(response, path);
  if (method !== 'HEAD') return answered;
  const head = new Response(null, answered);
  // The body may hold memory, or a place among the reads of an account.
  await answered.body?.cancel();
  return head;
}

/** The response to an error that no route caught. */
export function uncaughtErrorResponse(context: HttpContext, error: unknown): Response {
  const requestId = context.newRequestId();
  return addHeaders(context, errorResponse(error, requestId, context.log), requestId);
}

/** The common headers are read for each response, because a stopping gateway adds one. */
function addHeaders(
  { headers: common }: HttpContext,
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

function wrongMethod(method: string, { path, routes }: RoutesAtPath<Route>): GatewayError {
  const allow = [...routes.keys()].join(', ');
  const pages = [...routes.values()].map(({ page }) => page);
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
