// Serves one vendor: records the call, applies faults, checks the key, and responds in its format.
import type { Hono } from 'hono';
import type { Calls } from './calls.ts';
import type { Fault, Faults } from './faults.ts';
import { holdBack, refusalOf, spoil } from './faults.ts';
import { isReadable, readIncoming } from './incoming.ts';
import type { Reason } from './refusal-reason.ts';
import type { Incoming, Issue, Reply, Route, Vendor } from './vendor.ts';
import type { Universe } from './world.ts';

export type SandboxContext = { calls: Calls; faults: Faults; universe: Universe; now: () => Date };

export function serveVendor(app: Hono, vendor: Vendor, sandbox: SandboxContext): void {
  for (const route of vendor.routes) {
    const path = route.path === '/' ? '' : route.path;
    const paths = path === '' ? [vendor.mount, `${vendor.mount}/`] : [`${vendor.mount}${path}`];
    app.on([route.method], paths, (context) =>
      handle(
        context.req.raw,
        context.req.param() as Record<string, string>,
        vendor,
        sandbox,
        route,
      ),
    );
  }
  app.all(`${vendor.mount}/*`, (context) =>
    handle(context.req.raw, {}, vendor, sandbox, undefined),
  );
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
  const asItStands = typeof body === 'string' && sent.has('content-type');
  const text = asItStands ? body : JSON.stringify(body);
  if (!sent.has('content-type')) sent.set('content-type', 'application/json');
  if (fault?.retry_after !== undefined) sent.set('retry-after', String(fault.retry_after));
  const payload = fault === undefined ? text : spoil(fault.fault, text);
  return new Response(payload, { status, headers: sent });
}
