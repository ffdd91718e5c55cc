// Serves one vendor: records the call, applies faults, checks the key, and responds in its format.
import type { Calls } from './calls.ts';
import type { Fault, Faults } from './faults.ts';
import { holdBack, refusalOf, spoil } from './faults.ts';
import { isReadable, readIncoming } from './incoming.ts';
import type { Reason } from './refusal-reason.ts';
import type { Incoming, Issue, Reply, Route, Vendor } from './vendor.ts';
import { vendors } from './vendors/index.ts';
import type { Universe } from './world.ts';

export type SandboxContext = { calls: Calls; faults: Faults; universe: Universe; now: () => Date };

/** Handlers by path and method, for `Bun.serve`. */
export type Routes = Record<
  string,
  Partial<Record<Route['method'], (request: Bun.BunRequest) => Response | Promise<Response>>>
>;

export function vendorRoutes(vendor: Vendor, sandbox: SandboxContext): Routes {
  const routes: Routes = {};
  for (const route of vendor.routes) {
    const paths = route.path === '/' ? ['', '/'] : [route.path];
    for (const path of paths) {
      const methods = (routes[`${vendor.mount}${path}`] ??= {});
      methods[route.method] = (request) =>
        handle(request, { ...request.params }, vendor, sandbox, route);
    }
  }
  return routes;
}

/** An unknown path or method gets the vendor's own error. */
export async function serveOther(request: Request, sandbox: SandboxContext): Promise<Response> {
  const { pathname } = new URL(request.url);
  const vendor = vendors.find(({ mount }) => `${pathname}/`.startsWith(`${mount}/`));
  if (vendor) return handle(request, {}, vendor, sandbox, undefined);
  return new Response('404 Not Found', { status: 404 });
}

async function handle(
  request: Request,
  params: Record<string, string>,
  vendor: Vendor,
  sandbox: SandboxContext,
  route: Route | undefined,
): Promise<Response> {
  const now = sandbox.now();
  const incoming = await readIncoming(request, params, vendor.mount, now);
  sandbox.calls.record(vendor.mount, incoming, now);
  const fault = sandbox.faults.take(vendor.mount, incoming);
  const reply = await answer(incoming, vendor, sandbox, route, fault);
  if (fault !== undefined) await holdBack(fault, request.signal);
  return render(reply, fault);
}

async function answer(
  incoming: Incoming,
  vendor: Vendor,
  sandbox: SandboxContext,
  route: Route | undefined,
  fault: Fault | undefined,
): Promise<Reply> {
  const refuse = (reason: Reason, message: string, issues: Issue[] = []): Reply =>
    vendor.refuse({
      reason,
      message,
      issues,
      id: incoming.id,
      now: sandbox.now(),
      ...(fault?.retry_after === undefined ? {} : { retry_after: fault.retry_after }),
    });
  const refusal = fault === undefined ? undefined : refusalOf(fault);
  if (refusal !== undefined) return refuse(refusal.reason, refusal.message);
  const key = vendor.readKey(incoming.headers) ?? '';
  if (key === '' && vendor.key_optional !== true) {
    return refuse('missing_key', 'The request carries no API key.');
  }
  if (key === refusedKey) return refuse('wrong_key', 'The API key is not valid.');
  if (route === undefined) {
    return refuse('not_found', `${incoming.method} ${incoming.path} is not an endpoint.`);
  }
  if (!isReadable(incoming)) return refuse('bad_request', 'The body is not valid JSON.');
  const outcome = await route.answer(
    incoming,
    sandbox.universe.seen(
      fault?.fault === 'empty',
      fault?.fault === 'failing',
      fault?.fault === 'unnamed',
    ),
  );
  if (!Array.isArray(outcome)) return outcome;
  return refuse('bad_request', outcome.map(describeIssue).join('; '), outcome);
}

const refusedKey = 'bad';

function describeIssue({ path, message }: Issue): string {
  const where = path.slice(1).join('.');
  return where === '' ? message : `${where}: ${message}`;
}

function render({ status = 200, headers = {}, body }: Reply, fault: Fault | undefined): Response {
  const sent = new Headers(headers);
  // So that a live gateway can tell that this provider is simulated.
  sent.set('x-trivium-sandbox', 'true');
  const asItStands = typeof body === 'string' && sent.has('content-type');
  const text = asItStands ? body : JSON.stringify(body);
  if (!sent.has('content-type')) sent.set('content-type', 'application/json');
  if (fault?.retry_after !== undefined) sent.set('retry-after', String(fault.retry_after));
  const payload = fault === undefined ? text : spoil(fault.fault, text);
  return new Response(payload, { status, headers: sent });
}
