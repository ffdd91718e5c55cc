// The network between gateways and their callers: requests that arrive part by part, answers, and
// connections that break.
import { gatewayUrl } from './environment.ts';
import type { Handle } from './machine.ts';
import type { Random } from '../seeded-random.ts';
import type { Life, Scheduler } from './scheduler.ts';

export interface Ask {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  key: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** A body that is not JSON, and arrives part by part. */
  parts?: readonly Uint8Array[];
  /** The caller gives up after this long. */
  patienceMs?: number;
}

export type Answer =
  | { kind: 'answer'; status: number; headers: Headers; text: string; body: Body }
  /** Nothing listened: the request has had no effect. */
  | { kind: 'refused' }
  /** The connection broke; the request may have had its effect. */
  | { kind: 'lost' }
  | { kind: 'given up' };

export type Body = Record<string, unknown>;

/** The price that an answer states, in micro-USD. */
export function usdOf(answer: Answer | undefined): number | undefined {
  if (answer?.kind !== 'answer') return undefined;
  type Stated = { usage?: { cost_usd?: number } | null };
  const body: Stated & { result?: { structuredContent?: Stated } } = answer.body;
  const { usage } = body.result?.structuredContent ?? body;
  return usage?.cost_usd === undefined ? undefined : Math.round(usage.cost_usd * 1_000_000);
}

interface Wire {
  scheduler: Scheduler;
  random: Random;
  answered: Answered;
  /** Called before an answer leaves a gateway. */
  leaves: (ask: Ask, answer: Extract<Answer, { kind: 'answer' }>, calledAt: number) => void;
}

/** Called when an answer has left a gateway. */
export interface Answered {
  work: ((path: string, life: Life) => void) | undefined;
}

/** A gateway that takes requests. */
export interface Listening {
  life: Life;
  handle: Handle;
  isOpen: boolean;
  /** Called when the process ends before it has answered. */
  unanswered: Set<() => void>;
}

export function listen(
  scheduler: Scheduler,
  listeners: Map<Life, Listening>,
  life: Life,
  handle: Handle,
): { stop: (isForced?: boolean) => Promise<void> } {
  const listening: Listening = { life, handle, isOpen: true, unanswered: new Set() };
  listeners.set(life, listening);
  life.atEnd.push(() => {
    for (const tell of listening.unanswered) tell();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const poll = () => {
    if (listening.unanswered.size === 0) resolve();
    else scheduler.after(10, life, poll);
  };
  return {
    stop: (isForced = false) => {
      if (isForced) resolve();
      else if (listening.isOpen) poll();
      listening.isOpen = false;
      return promise;
    },
  };
}

/** One HTTP exchange: there, handled by the gateway's process, and back. */
export function send(
  { scheduler, random, answered, leaves }: Wire,
  caller: Life,
  listening: Listening | undefined,
  ask: Ask,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const calledAt = scheduler.now();
  const wireMs = () => 0.1 + random() * 2;
  const tell = (answer: Answer) => scheduler.after(wireMs(), caller, () => resolve(answer));
  if (!listening?.life.isAlive) {
    tell({ kind: 'refused' });
    return promise;
  }
  const { life, handle, unanswered } = listening;
  const abort = new AbortController();
  const lost = () => tell({ kind: 'lost' });
  let [isOver, hasArrived] = [false, false];
  const arrive = () => {
    if (!listening.isOpen) return void tell({ kind: 'refused' });
    hasArrived = true;
    unanswered.add(lost);
    const body = ask.parts && arriving({ scheduler, random }, life, ask.parts, () => isOver);
    void handle(requestOf(ask, abort.signal, body)).then(async (response) => {
      const text = await response.text();
      unanswered.delete(lost);
      if (isOver) return;
      const { status, headers } = response;
      const answer = { kind: 'answer', status, headers, text, body: bodyOf(text) } as const;
      leaves(ask, answer, calledAt);
      tell(answer);
      answered.work?.(ask.path, life);
    });
  };
  scheduler.after(wireMs(), life, arrive);
  // A process that ends before the request arrives refuses it.
  const refuse = () => {
    if (!hasArrived) tell({ kind: 'refused' });
  };
  life.atEnd.push(refuse);
  if (ask.patienceMs !== undefined) {
    scheduler.after(ask.patienceMs, caller, () => {
      isOver = true;
      unanswered.delete(lost);
      unanswered.add(noop);
      scheduler.after(0, life, () => {
        unanswered.delete(noop);
        abort.abort();
      });
      resolve({ kind: 'given up' });
    });
  }
  void promise.then(() => {
    const at = life.atEnd.indexOf(refuse);
    if (at >= 0) life.atEnd.splice(at, 1);
  });
  return promise;
}

/** A body that arrives part by part; its reader is the process that the parts wake up. */
function arriving(
  { scheduler, random }: Pick<Wire, 'scheduler' | 'random'>,
  reader: Life,
  parts: readonly Uint8Array[],
  isGone: () => boolean,
): ReadableStream<Uint8Array> {
  let isOpen = true;
  return new ReadableStream({
    start: (controller) => {
      const send = (at: number) => {
        if (!isOpen) return;
        const part = parts[at];
        if (isGone()) return controller.error(new Error('the caller has left'));
        if (!part) return controller.close();
        controller.enqueue(new Uint8Array(part));
        scheduler.after(random() * 300, reader, () => send(at + 1));
      };
      scheduler.after(random(), reader, () => send(0));
    },
    cancel: () => {
      isOpen = false;
    },
  });
}

function noop(): void {
  return undefined;
}

function requestOf(
  { method, path, key, body, headers }: Ask,
  signal: AbortSignal,
  stream?: ReadableStream<Uint8Array>,
): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(gatewayUrl + path, {
    method: method ?? (body === undefined && !stream ? 'GET' : 'POST'),
    headers: {
      host: 'gateway.example',
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined
        ? {}
        : {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
          }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: text }),
    ...(stream ? { body: stream } : {}),
    signal,
  });
}

function bodyOf(text: string): Body {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Body) : {};
  } catch {
    return {};
  }
}

export function unreachable(): Error {
  return Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
}
