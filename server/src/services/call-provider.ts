// Calls a provider: builds the outgoing request, keeps the time budget, retries what is safe to
// retry, reads refusals.
import { refusalOf } from '../domain/refusal.ts';
import type { Refusal, Reply } from '../domain/refusal.ts';
import type { Outgoing, Sent } from '../platform/http.ts';
import type { WireRequest } from '../providers/provider.ts';
import { hasOtherKey, isAboutKey } from '../domain/resilience/credentials.ts';
import type { Chosen } from './choose-provider.ts';
import { nextKey } from './guard.ts';
import type { House } from './house.ts';
import { blameOf, withReading } from './judge-call.ts';
import type { Manner, Outcome } from './judge-call.ts';
import { sendGuarded } from './send-guarded.ts';

export interface Budget {
  timeout_ms: number;
  /** For the body alone, once the provider has begun to answer. */
  body_ms?: number;
  max_bytes: number;
  signal?: AbortSignal;
  /** The caller allows less time than is usual, so a late answer says nothing of the provider. */
  hurried?: true;
}

/** A pause longer than this is the caller's to make, not ours. */
const longest_retry_wait_ms = 2000;
const default_retry_wait_ms = 500;
/** How often a vendor may be asked again in other words after it refused the first ones. */
const max_repeats = 2;

export async function callProvider<T = undefined>(
  house: House,
  chosen: Chosen,
  wire: WireRequest,
  budget: Budget,
  manner: Manner<T> = {},
): Promise<Outcome<T>> {
  const deadline = house.clock.ticks() + budget.timeout_ms;
  let asked = wire;
  let outcome = await callOnce(house, chosen, asked, budget, manner);
  for (let repeats = 0; repeats < max_repeats && outcome.kind === 'refused'; repeats += 1) {
    const other = manner.repeat?.(outcome.refusal, asked);
    const timeout_ms = deadline - house.clock.ticks();
    if (other === undefined || timeout_ms <= 0) return outcome;
    asked = other;
    outcome = await callOnce(house, chosen, asked, { ...budget, timeout_ms }, manner);
  }
  const { warning } = asked;
  return outcome.kind === 'answered' && warning ? { ...outcome, warning } : outcome;
}

/** One wording of a request, sent again at most once. */
async function callOnce<T>(
  house: House,
  chosen: Chosen,
  wire: WireRequest,
  budget: Budget,
  manner: Manner<T>,
): Promise<Outcome<T>> {
  const deadline = house.clock.ticks() + budget.timeout_ms;
  const key = keyFor(chosen);
  const first = await callGuarded(
    house,
    chosen,
    key,
    outgoingOf(chosen, wire, budget, key),
    manner,
  );
  const wait_ms = hasBetterKey(chosen, key, first) ? 0 : retryWait(first);
  if (wait_ms === undefined) return first;
  const timeout_ms = deadline - house.clock.ticks() - wait_ms;
  if (timeout_ms <= 0) return first;
  try {
    await house.clock.sleep(wait_ms, budget.signal);
  } catch {
    return first;
  }
  const other = keyFor(chosen);
  const again = outgoingOf(chosen, wire, { ...budget, timeout_ms }, other);
  return callGuarded(house, chosen, other, again, manner);
}

/** A busy or failing provider is not called at all; the refusal says so. */
async function callGuarded<T>(
  house: House,
  chosen: Chosen,
  key: string | undefined,
  outgoing: Outgoing & Pick<Budget, 'hurried'>,
  manner: Manner<T>,
): Promise<Outcome<T>> {
  const called = await sendGuarded(house, chosen, key, outgoing, (sent) => {
    const value = withReading(read(chosen, sent), manner);
    const refusal = value.kind === 'refused' ? value.refusal : undefined;
    return { value, refusal: refusal && blameOf(refusal, manner, outgoing) };
  });
  if ('turned_away' in called) return { kind: 'refused', refusal: called.turned_away };
  return called.value;
}

function keyFor({ guard, upstream }: Chosen): string | undefined {
  return guard ? nextKey(guard) : upstream.key;
}

/** A refusal that is about the key did no work, so another key may be tried at once. */
function hasBetterKey(
  { guard }: Chosen,
  key: string | undefined,
  outcome: Outcome<unknown>,
): boolean {
  if (!guard || key === undefined || outcome.kind !== 'refused') return false;
  if (!isAboutKey(outcome.refusal.kind)) return false;
  return hasOtherKey(guard.credentials, key, guard.clock.ticks());
}

export function outgoingOf(
  { provider, upstream }: Chosen,
  wire: WireRequest,
  budget: Budget,
  key = upstream.key,
): Outgoing & Pick<Budget, 'hurried'> {
  const base = upstream.hosts[wire.host ?? 'api'] ?? '';
  const query = queryText(wire.query);
  return {
    url: base + wire.path + (query === '' ? '' : `?${query}`),
    method: wire.method,
    headers: {
      accept: 'application/json',
      ...(wire.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : provider.auth(key)),
      ...wire.headers,
    },
    ...(wire.body === undefined ? {} : { body: JSON.stringify(wire.body) }),
    ...(wire.form === undefined ? {} : { body: formOf(wire.form) }),
    ...budget,
  };
}

function queryText(query: WireRequest['query']): string {
  if (query === undefined) return '';
  const search = new URLSearchParams();
  appendAll(search, query);
  return search.toString();
}

function formOf(fields: NonNullable<WireRequest['form']>): FormData {
  const form = new FormData();
  appendAll(form, fields);
  return form;
}

/** A list gives its name once for each value; what is undefined is left out. */
function appendAll(to: URLSearchParams | FormData, fields: NonNullable<WireRequest['query']>) {
  for (const name of Object.keys(fields)) {
    const values = fields[name];
    if (typeof values === 'object') for (const value of values) to.append(name, String(value));
    else if (values !== undefined) to.append(name, String(values));
  }
}

function read({ provider }: Chosen, sent: Sent): Outcome {
  if (!sent.ok) return { kind: 'refused', refusal: refusalIn(sent) };
  const reply: Reply = { ...sent, body: parse(sent.text) };
  const reading = provider.read?.(reply) ?? (isSuccess(reply) ? undefined : refusalOf(reply));
  if (reading === undefined || reading === 'answer') return { kind: 'answered', reply };
  if (reading === 'no_results') return { kind: 'no_results', reply };
  return { kind: 'refused', refusal: reading };
}

function isSuccess(reply: Reply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why nothing came back. */
export function refusalIn({ failure, message }: Extract<Sent, { ok: false }>): Refusal {
  return {
    kind: failureKind(failure),
    message,
    ...(failure === 'timed_out' ? { late: true } : {}),
    ...(failure === 'too_large' ? { too_large: true } : {}),
  };
}

function failureKind(failure: Extract<Sent, { ok: false }>['failure']): Refusal['kind'] {
  if (failure === 'timed_out' || failure === 'too_large') return 'uncertain';
  return failure;
}

/** Only what certainly did no work may be sent again, and only once. */
function retryWait(outcome: Outcome<unknown>): number | undefined {
  if (outcome.kind !== 'refused') return undefined;
  const { kind, status, retry_after_ms } = outcome.refusal;
  if (kind === 'unreachable') return 0;
  if (kind === 'rate_limited' && retry_after_ms !== undefined) {
    return retry_after_ms <= longest_retry_wait_ms ? retry_after_ms : undefined;
  }
  if (kind === 'unavailable' && status === 503) {
    const wait_ms = retry_after_ms ?? default_retry_wait_ms;
    return wait_ms <= longest_retry_wait_ms ? wait_ms : undefined;
  }
  return undefined;
}
