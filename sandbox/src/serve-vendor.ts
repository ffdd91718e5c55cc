// Puts one vendor on the server: record the call, apply faults, check the key, answer on its wire.
import type { Hono } from 'hono';
import type { Calls } from './calls.ts';
import type { Fault, Faults } from './faults.ts';
import { holdBack, refusalOf, spoil } from './faults.ts';
import { isReadable, readIncoming } from './incoming.ts';
import type { Incoming, Issue, Reason, Reply, Route, Vendor } from './vendor.ts';
import type { Universe } from './world.ts';

export type Stage = { calls: Calls; faults: Faults; universe: Universe; now: () => Date };

export function serveVendor(app: Hono, vendor: Vendor, stage: Stage): void {
  for (const route of vendor.routes) {
    const path = route.path === '/' ? '' : route.path;
    const paths = path === '' ? [vendor.mount, `${vendor.mount}/`] : [`${vendor.mount}${path}`];
    app.on([route.method], paths, (context) =>
      play(context.req.raw, context.req.param() as Record<string, string>, vendor, stage, route),
    );
  }
  app.all(`${vendor.mount}/*`, (context) => play(context.req.raw, {}, vendor, stage, undefined));
}

async function play(
  request: Request,
  params: Record<string, string>,
  vendor: Vendor,
  stage: Stage,
  route: Route | undefined,
): Promise<Response> {
  const now = stage.now();
  const incoming = await readIncoming(request, params, vendor.mount, now);
  stage.calls.record(vendor.mount, incoming, now);
  const fault = stage.faults.take(vendor.mount, incoming);
  const reply = await answer(incoming, vendor, stage, route, fault);
  if (fault !== undefined) await holdBack(fault, request.signal);
  return render(reply, fault);
}

async function answer(
  incoming: Incoming,
  vendor: Vendor,
  stage: Stage,
  route: Route | undefined,
  fault: Fault | undefined,
): Promise<Reply> {
  const refuse = (reason: Reason, message: string, issues: Issue[] = []): Reply =>
    vendor.refuse({
      reason,
      message,
      issues,
      id: incoming.id,
      now: stage.now(),
      ...(fault?.retry_after === undefined ? {} : { retry_after: fault.retry_after }),
    });
  const refusal = fault === undefined ? undefined : refusalOf(fault);
  if (refusal !== undefined) return refuse(refusal.reason, refusal.message);
  const key = vendor.readKey(incoming.headers) ?? '';
  if (key === '' && vendor.key_optional !== true) {
    return refuse('missing_key', 'The request carries no API key.');
  }
  if (key === REFUSED_KEY) return refuse('wrong_key', 'The API key is not valid.');
  if (route === undefined) {
    return refuse('not_found', `${incoming.method} ${incoming.path} is not an endpoint.`);
  }
  if (!isReadable(incoming)) return refuse('bad_request', 'The body is not valid JSON.');
  const outcome = await route.answer(
    incoming,
    stage.universe.seen(
      fault?.fault === 'empty',
      fault?.fault === 'failing',
      fault?.fault === 'unnamed',
    ),
  );
  if (!Array.isArray(outcome)) return outcome;
  return refuse('bad_request', outcome.map(tell).join('; '), outcome);
}

const REFUSED_KEY = 'bad';

function tell({ path, message }: Issue): string {
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
