// Calls a provider: builds the request, passes the guard, enforces the time budget, retries what is
// safe to retry, and reads answers and refusals.
import type { Attempt } from '../requests/index.ts';
import { refusalOf, bodyForCaller } from './core/refusal.ts';
import type { Refusal, Reply } from './core/refusal.ts';
import type { ByteHold } from '../platform/byte-budget.ts';
import type { Outgoing, Sent } from '../platform/http-client.ts';
import { isUnreadable, type Repeat, type WireRequest } from '../providers/index.ts';
import { hasOtherKey, isAboutKey } from './core/credentials.ts';
import { parseJson } from './core/refusal.ts';
import type { ReadyProvider } from './choose-provider.ts';
import { nextKey, callerLeft, enterGuard, leaveGuard } from './guard.ts';
import type { UpstreamContext } from './context.ts';
import { sendRedacted } from './redact.ts';
import type { Warning } from '@trivium/contract';
import { mergeBody, mergeQuery } from '../negotiation/index.ts';

export interface Budget {
  /** Accounts take turns, and each has its own circuit. Absent for calls without an account. */
  account_id?: string;
  timeout_ms: number;
  /** For the body alone, once the provider has begun to answer. */
  bodyMs?: number;
  /** For all answers of one request together, if they are counted. */
  maxBytes: number;
  /** Counts long answers. */
  room?: ByteHold;
  signal?: AbortSignal;
  /** Each call is added to it, for the request log. */
  attempts?: Attempt[];
  /**
   * Set if the caller allows less time than usual, so that a late answer does not count against the
   * provider.
   */
  hurried?: true;
}

/** The gateway does not wait longer than this before a retry; the caller can. */
const longestRetryWaitMs = 2000;
const defaultRetryWaitMs = 500;
/** How often a refused request may be sent again in another form. */
const maxRepeats = 2;

export async function callProvider<T = undefined>(
  context: UpstreamContext,
  chosen: ReadyProvider,
  wire: WireRequest,
  budget: Budget,
  handling: AnswerHandling<T> = {},
): Promise<CallOutcome<T>> {
  const deadline = context.clock.ticks() + budget.timeout_ms;
  let asked = wire;
  let outcome = await callOnce(context, chosen, asked, budget, handling);
  for (let repeats = 0; repeats < maxRepeats && outcome.kind === 'refused'; repeats += 1) {
    const other = handling.repeat?.(outcome.refusal, asked);
    const timeoutMs = deadline - context.clock.ticks();
    if (other === undefined || timeoutMs <= 0) return outcome;
    asked = other;
    outcome = await callOnce(
      context,
      chosen,
      asked,
      { ...budget, timeout_ms: timeoutMs },
      handling,
    );
  }
  const { warning } = asked;
  return outcome.kind === 'answered' && warning ? { ...outcome, warning } : outcome;
}

/** Sends one form of a request, and retries it at most once. */
async function callOnce<T>(
  context: UpstreamContext,
  chosen: ReadyProvider,
  wire: WireRequest,
  budget: Budget,
  handling: AnswerHandling<T>,
): Promise<CallOutcome<T>> {
  const deadline = context.clock.ticks() + budget.timeout_ms;
  const key = keyFor(chosen);
  const first = await callGuarded(
    context,
    chosen,
    key,
    outgoingOf(chosen, wire, budget, key),
    handling,
  );
  const waitMs = hasBetterKey(chosen, key, first) ? 0 : retryWait(first);
  if (waitMs === undefined) return first;
  const timeoutMs = deadline - context.clock.ticks() - waitMs;
  if (timeoutMs <= 0) return first;
  try {
    await context.clock.sleep(waitMs, budget.signal);
  } catch {
    return first;
  }
  const other = keyFor(chosen);
  const again = outgoingOf(chosen, wire, { ...budget, timeout_ms: timeoutMs }, other);
  return callGuarded(context, chosen, other, again, handling);
}

/** A busy or failing provider is not called at all. The refusal says so. */
async function callGuarded<T>(
  context: UpstreamContext,
  chosen: ReadyProvider,
  key: string | undefined,
  outgoing: Outgoing & Pick<Budget, 'account_id' | 'hurried' | 'attempts'>,
  handling: AnswerHandling<T>,
): Promise<CallOutcome<T>> {
  const began = context.clock.ticks();
  const called = await sendGuarded(context, chosen, key, outgoing, (sent) => {
    const value = withReading(read(chosen, sent), handling, (error) =>
      context.metrics?.adapterFailed(chosen.provider.id, error),
    );
    const refusal = value.kind === 'refused' ? value.refusal : undefined;
    return { value, refusal: refusal && countedRefusal(refusal, handling, outgoing) };
  });
  const outcome: CallOutcome<T> =
    'notCalled' in called ? { kind: 'refused', refusal: called.notCalled } : called.value;
  const ms = Math.round(context.clock.ticks() - began);
  outgoing.attempts?.push(attemptOf(chosen.provider.id, outcome, ms));
  return outcome;
}

function attemptOf(provider: string, outcome: CallOutcome<unknown>, ms: number): Attempt {
  if (outcome.kind !== 'refused') return { provider, outcome: outcome.kind, ms };
  const { kind, status, message } = outcome.refusal;
  return { provider, outcome: kind, ms, status, message };
}

function keyFor({ guard, upstream }: ReadyProvider): string | undefined {
  return guard ? nextKey(guard) : upstream.key;
}

/** A refusal of the credential did no work, so another credential may be tried at once. */
function hasBetterKey(
  { guard }: ReadyProvider,
  key: string | undefined,
  outcome: CallOutcome<unknown>,
): boolean {
  if (!guard || key === undefined || outcome.kind !== 'refused') return false;
  if (!isAboutKey(outcome.refusal.kind)) return false;
  return hasOtherKey(guard.credentials, key, guard.clock.ticks());
}

export function outgoingOf(
  { provider, upstream }: ReadyProvider,
  wire: WireRequest,
  budget: Budget,
  key = upstream.key,
): Outgoing & Pick<Budget, 'account_id' | 'hurried' | 'attempts'> {
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
  for (const [name, value] of fieldsOf(query)) search.append(name, value);
  return search.toString();
}

function formOf(fields: NonNullable<WireRequest['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of fieldsOf(fields)) form.append(name, value);
  return form;
}

/** A list repeats its name for each value. Undefined values are omitted. */
export function* fieldsOf(fields: NonNullable<WireRequest['query']>): Generator<[string, string]> {
  for (const name of Object.keys(fields)) {
    const values = fields[name];
    if (typeof values === 'object') for (const value of values) yield [name, String(value)];
    else if (values !== undefined) yield [name, String(values)];
  }
}

function read({ provider }: ReadyProvider, sent: Sent): CallOutcome {
  if (!sent.ok) return { kind: 'refused', refusal: refusalIn(sent) };
  const reply: Reply = { ...sent, body: parseJson(sent.text) };
  const reading = provider.read?.(reply) ?? (isSuccess(reply) ? undefined : refusalOf(reply));
  if (reading === undefined || reading === 'answer') return { kind: 'answered', reply };
  if (reading === 'no_results') return { kind: 'no_results', reply };
  return { kind: 'refused', refusal: reading };
}

function isSuccess(reply: Reply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

/** The refusal for a request that got no answer. */
export function refusalIn({ failure, message }: Extract<Sent, { ok: false }>): Refusal {
  return {
    kind: failureKind(failure),
    message,
    ...(failure === 'timed_out' ? { late: true } : {}),
    ...(isUnread(failure) ? { too_large: true } : {}),
  };
}

/** True if the provider answered and did nothing wrong. */
function isUnread(failure: Extract<Sent, { ok: false }>['failure']) {
  return failure === 'too_large' || failure === 'no_room';
}

function failureKind(failure: Extract<Sent, { ok: false }>['failure']): Refusal['kind'] {
  if (failure === 'timed_out' || isUnread(failure)) return 'uncertain';
  return failure;
}

/** Only a request that certainly did no work may be sent again, and only once. */
function retryWait(outcome: CallOutcome<unknown>): number | undefined {
  if (outcome.kind !== 'refused') return undefined;
  const { kind, status, retry_after_ms } = outcome.refusal;
  if (kind === 'unreachable') return 0;
  if (kind === 'rate_limited' && retry_after_ms !== undefined) {
    return retry_after_ms <= longestRetryWaitMs ? retry_after_ms : undefined;
  }
  if (kind === 'unavailable' && status === 503) {
    const waitMs = retry_after_ms ?? defaultRetryWaitMs;
    return waitMs <= longestRetryWaitMs ? waitMs : undefined;
  }
  return undefined;
}

interface CheckedAnswer<T> {
  value: T;
  /** What the answer means for the provider and the credential. Undefined for a good answer. */
  refusal: Refusal | undefined;
}

/** A busy or failing provider is not called at all. `notCalled` says why. */
export async function sendGuarded<T>(
  context: UpstreamContext,
  chosen: ReadyProvider,
  key: string | undefined,
  outgoing: Outgoing & { account_id?: string },
  check: (sent: Sent) => CheckedAnswer<T>,
): Promise<CheckedAnswer<T> | { notCalled: Refusal }> {
  const { provider, guard } = chosen;
  const { signal, account_id = '', ...call } = outgoing;
  if (signal?.aborted) return { notCalled: callerLeft };
  const notCalled = guard && (await enterGuard(guard, account_id, signal));
  if (notCalled) return { notCalled: notCalled };
  const began = context.clock.ticks();
  let refusal: Refusal | undefined = unread;
  try {
    // The provider may charge for a request it received, so a disconnect does not abort it.
    const checked = check(await sendRedacted(context, chosen, call));
    ({ refusal } = checked);
    return checked;
  } finally {
    if (guard) leaveGuard(guard, account_id, key, began, refusal);
    context.metrics?.called(
      provider.id,
      refusal?.kind ?? 'answered',
      context.clock.ticks() - began,
    );
  }
}

const unread: Refusal = { kind: 'abandoned', message: 'the call was never read' };

/** How one product repeats a refused call in another form, and reads the answer. */
interface AnswerHandling<T> {
  repeat?: Repeat | undefined;
  /** The reason, if a refusal concerns the requested pages and not the provider. */
  pageFault?: ((refusal: Refusal) => string | undefined) | undefined;
  /** Throws if the answer does not match the vendor's documentation. */
  read?: (reply: Reply) => T;
  /** What `read` expects, for the error message. */
  awaits?: string;
}

type CallOutcome<T = undefined> =
  | { kind: 'answered'; reply: Reply; value?: T; warning?: Warning }
  | { kind: 'no_results'; reply: Reply }
  | { kind: 'refused'; refusal: Refusal };

/**
 * An answer that does not match the vendor's documentation is a failure of the vendor. Any other
 * error is a defect of the adapter: `onDefect` reports it, and the caller gets the same refusal,
 * because the provider has done the work.
 */
function withReading<T>(
  outcome: CallOutcome,
  { read: readAnswer, awaits }: AnswerHandling<T>,
  onDefect: (error: unknown) => void,
): CallOutcome<T> {
  if (outcome.kind !== 'answered') return outcome;
  const { reply } = outcome;
  try {
    return { kind: 'answered', reply, ...(readAnswer ? { value: readAnswer(reply) } : {}) };
  } catch (error) {
    if (!isUnreadable(error)) onDefect(error);
    return { kind: 'refused', refusal: unreadable(reply, awaits) };
  }
}

export function unreadable(reply: Reply, awaited = 'an answer'): Refusal {
  const message = `the provider answered with something that is not ${awaited}`;
  return { kind: 'uncertain', message, status: reply.status, body: bodyForCaller(reply) };
}

/** The refusal as it counts against the provider. Undefined if it concerns only the pages. */
function countedRefusal<T>(
  refusal: Refusal,
  { pageFault }: AnswerHandling<T>,
  { hurried }: { hurried?: true },
): Refusal | undefined {
  if (pageFault?.(refusal) !== undefined) return undefined;
  const unsure = (refusal.late && hurried) || refusal.too_large;
  return unsure ? { ...refusal, kind: 'abandoned' } : refusal;
}

/** Merges options into the body if there is one, otherwise into the query. */
export function withOptions(wire: WireRequest, options: Record<string, unknown>): WireRequest {
  if (Object.keys(options).length === 0) return wire;
  if (wire.body) return { ...wire, body: mergeBody(wire.body, options) };
  return { ...wire, query: mergeQuery(wire.query ?? {}, options) };
}
