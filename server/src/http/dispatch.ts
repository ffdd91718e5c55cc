// Serves a request as the row of its route says, in this order: a report waits for its turn, the role
// is checked, limits are entered, charges are booked, the query and the body are read by their
// schemas, the handler runs, and its answer is sent.
import { IdempotencyKey } from '@trivium/contract';
import type { HttpContext } from './context.ts';
import { enterLimits, limitRead } from './limits.ts';
import { acceptsGzip, readBody, validate } from './middleware/body.ts';
import { authorOf, checkScope, findAdmin, findCaller, isOperator } from './roles.ts';
import type {
  AdminRequest,
  AdminRoute,
  Answer,
  CallerRoute,
  Incoming,
  OpenRoute,
  Query,
  Route,
  VisitorRoute,
} from './route.ts';

export function dispatch(
  context: HttpContext,
  route: Route,
  incoming: Incoming,
): Promise<Response> {
  const turn = route.report ? context.reportTurn() : undefined;
  return turn
    ? turn.then(() => serveAs(context, route, incoming))
    : serveAs(context, route, incoming);
}

function serveAs(context: HttpContext, route: Route, incoming: Incoming): Promise<Response> {
  switch (route.role) {
    case 'public':
    case 'drop_in':
      return serveOpen(route, incoming);
    case 'visitor':
      return serveVisitor(context, route, incoming);
    case 'caller':
      return serveCaller(context, route, incoming);
    case 'admin':
      return serveAdmin(context, route, incoming);
  }
}

async function serveOpen(route: OpenRoute, incoming: Incoming): Promise<Response> {
  return send(route, await route.handle(incoming), incoming);
}

/** A small limit, because the client is not authenticated yet. */
const maxVisitorBytes = 64 * 1024;

async function serveVisitor(
  { checkSameOrigin }: HttpContext,
  route: VisitorRoute,
  incoming: Incoming,
): Promise<Response> {
  const { request } = incoming;
  checkSameOrigin(request);
  const body = route.body && (await readBody(request, route.body, maxVisitorBytes));
  return send(route, await route.handle({ ...incoming, body }), incoming);
}

async function serveCaller(
  context: HttpContext,
  route: CallerRoute,
  incoming: Incoming,
): Promise<Response> {
  const places = enterLimits(context.limiters, route);
  try {
    const found = findCaller(context, route, incoming.request);
    const caller = found instanceof Promise ? await found : found;
    places.enter(caller);
    // The request has its own time limits, and an answer that is paid for may be late.
    incoming.keepOpen?.();
    const asked = Object.assign(incoming, { caller });
    if (!route.report && !route.booked) return send(route, await route.handle(asked), asked);
    return await readWithin(context, route, asked, caller.account_id, () => route.handle(asked));
  } finally {
    places.leave();
  }
}

async function serveAdmin(
  context: HttpContext,
  route: AdminRoute,
  incoming: Incoming,
): Promise<Response> {
  const { request, address } = incoming;
  const person = await findAdmin(context, request);
  const { reader, ...scope } = await checkScope(context, route, incoming, person);
  return readWithin(context, route, incoming, reader, async () => {
    const id = incoming.params['id'] ?? '';
    const filter = route.query && validate(route.query, queryOf(route, incoming, scope.account_id));
    const body = route.body && (await readBody<unknown>(request, route.body));
    const key = route.keyed ? request.headers.get('idempotency-key') : null;
    const admin: Parameters<typeof route.handle>[0] = {
      ...incoming,
      ...scope,
      ...{ id, filter, body },
      idempotency_key: key === null ? undefined : validate(IdempotencyKey, key),
      joined: (own) => own,
      is_operator: isOperator(person),
      may_change: person?.role !== 'viewer',
      /** Only a change looks up the client's address. */
      get by() {
        return authorOf(request, person, address());
      },
    };
    const answer = route.keyed
      ? await changeOnce(context, route, admin, person?.id ?? 'operator token')
      : await route.handle(admin);
    await route.after?.();
    return answer;
  });
}

/** The query, with the account and the id in the path where the schema names them. */
function queryOf(
  { scope, query: schema }: AdminRoute,
  { query, params }: Incoming,
  accountId: string | undefined,
): Query {
  const { account_id: _account, ...others } = query;
  const given: Record<string, string> = scope === 'account_in_query' ? others : { ...query };
  const found = { id: params['id'], account_id: accountId };
  for (const [name, value] of Object.entries(found)) {
    if (value !== undefined && schema && name in schema.shape) given[name] = value;
  }
  return given;
}

/** A repeated request with the same Idempotency-Key changes nothing more. */
async function changeOnce(
  context: HttpContext,
  route: AdminRoute,
  request: Parameters<AdminRoute['handle']>[0],
  actor: string,
): Promise<Response> {
  const { keyed, method, path, scope, status = 200 } = route;
  const account = scope === 'account_in_query' ? ` ${request.account_id ?? ''}` : '';
  const { answer, replayed } = await context.dashboardAuth.changeOnce(
    context,
    {
      actor,
      path: `${method} ${path} ${request.id}${account}`,
      key: request.idempotency_key,
      body: request.body ?? {},
      ...(keyed === 'money' ? { repeatable: true } : {}),
    },
    async ({ database }) => {
      const joined: AdminRequest<unknown, unknown>['joined'] = (other) =>
        database === context.database ? other : { ...other, database };
      return route.handle({ ...request, joined });
    },
  );
  const headers = replayed ? { 'idempotent-replayed': 'true' } : {};
  return Response.json(answer, { status, headers });
}

/** Within the limit of an account's reads, after charges are booked, if the row says so. */
function readWithin(
  { enterRead, ledger }: HttpContext,
  route: Route,
  incoming: Incoming,
  account: string,
  handle: () => Answer,
): Promise<Response> {
  const work = async () => {
    if (route.booked) await ledger.bookAll();
    return send(route, await handle(), incoming);
  };
  return route.report ? limitRead(enterRead(account), work()) : work();
}

/** Reports repeat their names in every row, and a person may wait for them over a slow line. */
const leastCompressed = 2048;

function send(
  { status = 200, report }: Route,
  answer: Response | object,
  { request }: Incoming,
): Response {
  if (answer instanceof Response) return answer;
  const text = report && acceptsGzip(request) ? JSON.stringify(answer) : '';
  if (text.length < leastCompressed) return Response.json(answer, { status });
  const headers = { 'content-encoding': 'gzip', vary: 'accept-encoding' };
  return new Response(Bun.gzipSync(text), {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
  });
}
