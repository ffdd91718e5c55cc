// Calls a provider: builds the request, passes the guard, enforces the time budget, retries what is
// safe to retry, and reads answers and refusals.
import type { Warning } from '@trivium/contract';
import type { Attempt } from '../requests/index.ts';
import type { ByteHold } from '../platform/byte-budget.ts';
import { formWithFile } from '../platform/multipart.ts';
import type { Outgoing, Sent } from '../platform/http-client.ts';
import { isUnreadable, type Repeat, type WireRequest } from '../providers/index.ts';
import type { ReadyProvider, Connection } from './context.ts';
import { bodyForCaller, parseJson, refusalOf, type Refusal, type Reply } from './core/refusal.ts';
import { callerLeft, enterGuard, hasOtherKey, isAboutKey, leaveGuard, nextKey } from './guard.ts';
import { redactSent } from './redact.ts';

export interface Budget {
  /** Accounts take turns, and each has its own circuit. Absent for calls without an account. */
  account_id?: string | undefined;
  timeout_ms: number;
  /** For the body alone, once the provider has begun to answer. */
  bodyMs?: number | undefined;
  /** For all answers of one request together, if they are counted. */
  maxBytes: number;
  /** Counts long answers. */
  room?: ByteHold | undefined;
  signal?: AbortSignal | undefined;
  /** Each call is added to it, for the request log. */
  attempts?: Attempt[] | undefined;
  /**
   * Set if the caller allows less time than usual, so that a late answer does not count against the
   * provider.
   */
  hurried?: true | undefined;
  /** As for `Outgoing`. */
  fresh?: boolean | undefined;
  inPieces?: boolean | undefined;
  /** The file that the request describes, streamed. */
  file?: { bytes: number; stream: () => ReadableStream<Uint8Array> } | undefined;
}

/** How one product repeats a refused call in another form, and reads the answer. */
interface AnswerHandling<T, P> {
  repeat?: Repeat | undefined;
  /** The reason, if a refusal concerns the requested pages and not the provider. */
  pageFault?: ((refusal: Refusal) => string | undefined) | undefined;
  /** `run` throws if the answer does not match the vendor's documentation. */
  read?: { run: (plan: P, reply: Reply) => T; plan: P };
  /** What `read` expects, for the error message. */
  awaits?: string;
  /** The call is made once, and its answer is not read here: only its status counts. */
  once?: {
    key: string | undefined;
    /** The call bypasses the guard, and neither its answer nor its failure is counted. */
    isUncounted?: true;
  };
}

export type CallOutcome<T = undefined> =
  | { kind: 'answered'; reply: Reply; value?: T | undefined; warning?: Warning }
  | { kind: 'no_results'; reply: Reply }
  /** With the answer, if the call was made once. */
  | { kind: 'refused'; refusal: Refusal; reply?: undefined }
  | { kind: 'refused'; refusal: Refusal; reply: Reply };

/** The gateway does not wait longer than this before a retry; the caller can. */
const longestRetryWaitMs = 2000;
const defaultRetryWaitMs = 500;
/** How often a refused request may be sent again in another form. */
const maxRepeats = 2;

/**
 * Each form of a request is retried at most once. A busy or failing provider is not called at all,
 * and the refusal says so.
 */
export async function callProvider<T = undefined, P = undefined>(
  context: Connection,
  chosen: ReadyProvider,
  wire: WireRequest,
  budget: Budget,
  handling: AnswerHandling<T, P> = {},
): Promise<CallOutcome<T>> {
  const { clock, metrics, send } = context;
  const { provider, upstream } = chosen;
  const { account_id, attempts, signal } = budget;
  const { repeat, once } = handling;
  const guard = once?.isUncounted ? undefined : chosen.guard;
  const deadline = clock.ticks() + budget.timeout_ms;
  let form = wire;
  let timeoutMs = budget.timeout_ms;
  let repeats = 0;
  let isRetry = false;
  for (;;) {
    const key = once ? once.key : guard ? nextKey(guard) : chosen.upstream.key;
    const arrived = clock.ticks();
    const entering = signal?.aborted ? callerLeft : guard && enterGuard(guard, account_id, signal);
    const notCalled = entering instanceof Promise ? await entering : entering;
    const queuedMs = entering instanceof Promise ? Math.round(clock.ticks() - arrived) : 0;
    let outcome: CallOutcome<T>;
    let counted: Refusal | undefined = notCalled ?? unread;
    if (notCalled) outcome = { kind: 'refused', refusal: notCalled };
    else {
      const began = clock.ticks();
      try {
        // The provider may charge for a request it received, so a disconnect does not abort it.
        const sent = await send(outgoingOf(chosen, form, budget, key, timeoutMs));
        if (chosen.upstream.overridden && sent.ok && chosen.guard) {
          chosen.guard.simulated = sent.headers.has(sandboxHeader);
        }
        outcome = readOutcome(provider, redactSent(sent, upstream), handling, metrics);
        counted =
          outcome.kind === 'refused' ? countedRefusal(outcome, handling, budget) : undefined;
      } finally {
        if (guard) leaveGuard(guard, account_id, key, began, counted);
        if (!once?.isUncounted) {
          metrics?.called(provider.id, counted?.kind ?? 'answered', clock.ticks() - began);
        }
      }
    }
    const ms = Math.round(clock.ticks() - arrived);
    attempts?.push(attemptOf(provider.id, outcome, { at: arrived, queuedMs, ms }, counted));
    if (once || outcome.kind !== 'refused') {
      const { warning } = form;
      return warning && outcome.kind === 'answered' ? { ...outcome, warning } : outcome;
    }
    const waitMs: number | undefined = isRetry
      ? undefined
      : retryWait(chosen, key, outcome.refusal);
    if (waitMs !== undefined) {
      timeoutMs = deadline - clock.ticks() - waitMs;
      isRetry = timeoutMs > 0 && (await hasSlept(context, waitMs, signal));
      if (isRetry) continue;
    }
    const other = repeats < maxRepeats ? repeat?.(outcome.refusal, form) : undefined;
    timeoutMs = deadline - clock.ticks();
    if (other === undefined || timeoutMs <= 0) return outcome;
    form = other;
    repeats += 1;
    isRetry = false;
  }
}

/** On every answer of a sandbox. */
const sandboxHeader = 'x-trivium-sandbox';

const unread: Refusal = { kind: 'abandoned', message: 'the call was never read' };

/** `counted` is the refusal as it counts against the provider. */
function attemptOf(
  provider: string,
  outcome: CallOutcome<unknown>,
  time: Pick<Attempt, 'at' | 'queuedMs' | 'ms'>,
  counted: Refusal | undefined,
): Attempt {
  if (outcome.kind !== 'refused') return { provider, outcome: outcome.kind, ...time };
  const { kind, status, message } = outcome.refusal;
  const attempt = { provider, outcome: kind, ...time, status, message };
  return counted?.kind === kind ? attempt : { ...attempt, excused: true };
}

/** A refusal of the credential did no work, so another credential may be tried at once. */
export function hasBetterKey(
  { guard }: ReadyProvider,
  key: string | undefined,
  refusal: Refusal,
): boolean {
  if (!guard || key === undefined || !isAboutKey(refusal.kind)) return false;
  return hasOtherKey(guard.credentials, key, guard.clock.ticks());
}

/** False if the caller left before the end. */
async function hasSlept(
  { clock }: Connection,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch {
    return false;
  }
}

export function outgoingOf(
  { provider, upstream }: Pick<ReadyProvider, 'provider' | 'upstream'>,
  wire: WireRequest,
  { bodyMs, maxBytes, room, fresh, inPieces, file }: Budget,
  key: string | undefined,
  timeoutMs: number,
): Outgoing {
  const query = wire.query && queryText(wire.query);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (wire.body !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) Object.assign(headers, provider.auth(key));
  Object.assign(headers, wire.headers);
  let body: Outgoing['body'];
  if (file && wire.file) body = fileBody(wire, wire.file, file, headers);
  else if (wire.form !== undefined) body = formOf(wire.form);
  else if (wire.body !== undefined) body = JSON.stringify(wire.body);
  return {
    url: (upstream.hosts[wire.host ?? 'api'] ?? '') + wire.path + (query ? `?${query}` : ''),
    method: wire.method,
    headers,
    body,
    fresh,
    timeout_ms: timeoutMs,
    bodyMs,
    maxBytes,
    inPieces,
    room,
  };
}

/** The file as the body or as a part of the form. */
function fileBody(
  { form = {} }: WireRequest,
  { field, name, type }: NonNullable<WireRequest['file']>,
  file: NonNullable<Budget['file']>,
  headers: Record<string, string>,
): ReadableStream<Uint8Array> {
  const sent =
    field === undefined
      ? { type, bytes: file.bytes, body: file.stream() }
      : formWithFile(pairsIn(form), { ...file, field, name, type });
  headers['content-type'] = sent.type;
  headers['content-length'] = String(sent.bytes);
  return sent.body;
}

function queryText(query: NonNullable<WireRequest['query']>): string {
  const search = new URLSearchParams();
  for (const [name, value] of pairsIn(query)) search.append(name, value);
  return search.toString();
}

function formOf(fields: NonNullable<WireRequest['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of pairsIn(fields)) form.append(name, value);
  return form;
}

/** A list repeats its name for each value. Undefined values are omitted. */
function* pairsIn(fields: NonNullable<WireRequest['query']>): Generator<[string, string]> {
  for (const name of Object.keys(fields)) {
    const values = fields[name];
    if (typeof values === 'object') for (const value of values) yield [name, String(value)];
    else if (values !== undefined) yield [name, String(values)];
  }
}

/**
 * An answer that does not match the vendor's documentation is a failure of the vendor. Any other
 * error is a defect of the adapter: it is reported, and the caller gets the same refusal, because
 * the provider has done the work.
 */
function readOutcome<T, P>(
  provider: ReadyProvider['provider'],
  sent: Sent,
  handling: AnswerHandling<T, P>,
  metrics: Connection['metrics'],
): CallOutcome<T> {
  if (!sent.ok) return { kind: 'refused', refusal: refusalIn(sent) };
  if (handling.once) {
    const reply = { ...sent, body: undefined };
    if (sent.status < 300) return { kind: 'answered', reply };
    return { kind: 'refused', refusal: refusalOf(reply), reply };
  }
  const reply: Reply = { ...sent, body: parseJson(sent.text) };
  const isSuccess = reply.status >= 200 && reply.status < 300;
  const reading = provider.read?.(reply) ?? (isSuccess ? 'answer' : refusalOf(reply));
  if (reading === 'no_results') return { kind: 'no_results', reply };
  if (reading !== 'answer') return { kind: 'refused', refusal: reading };
  try {
    return { kind: 'answered', reply, value: handling.read?.run(handling.read.plan, reply) };
  } catch (error) {
    if (!isUnreadable(error)) metrics?.adapterFailed(provider.id, error);
    return { kind: 'refused', refusal: unreadable(reply, handling.awaits) };
  }
}

/** The refusal for a request that got no answer. */
function refusalIn({ failure, message }: Extract<Sent, { ok: false }>): Refusal {
  // The provider answered, and did nothing wrong.
  const isUnread = failure === 'too_large' || failure === 'no_room';
  return {
    kind: isUnread || failure === 'timed_out' ? 'uncertain' : failure,
    message,
    ...(failure === 'timed_out' ? { late: true } : {}),
    ...(isUnread ? { too_large: true } : {}),
  };
}

/** Only a request that certainly did no work may be sent again. Undefined for any other. */
function retryWait(
  chosen: ReadyProvider,
  key: string | undefined,
  refusal: Refusal,
): number | undefined {
  const { kind, status, retry_after_ms } = refusal;
  if (kind === 'unreachable' || hasBetterKey(chosen, key, refusal)) return 0;
  let waitMs: number | undefined;
  if (kind === 'rate_limited') waitMs = retry_after_ms;
  else if (kind === 'unavailable' && status === 503) waitMs = retry_after_ms ?? defaultRetryWaitMs;
  return waitMs !== undefined && waitMs <= longestRetryWaitMs ? waitMs : undefined;
}

export function unreadable(reply: Reply, awaited = 'an answer'): Refusal {
  const message = `the provider answered with something that is not ${awaited}`;
  return { kind: 'uncertain', message, status: reply.status, body: bodyForCaller(reply) };
}

/** The refusal as it counts against the provider. Undefined if it concerns only the pages. */
function countedRefusal(
  { refusal }: { refusal: Refusal },
  { pageFault }: Pick<AnswerHandling<unknown, unknown>, 'pageFault'>,
  { hurried }: Budget,
): Refusal | undefined {
  if (pageFault?.(refusal) !== undefined) return undefined;
  const unsure = (refusal.late && hurried) || refusal.too_large;
  return unsure ? { ...refusal, kind: 'abandoned' } : refusal;
}
