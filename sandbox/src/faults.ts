// Faults on demand: how a mount fails, how often, and for which calls.
import { z } from 'zod';
import type { Reason } from './refusal-reason.ts';

const maxDelayMs = 240_000;

/** Faults of callbacks to the caller; they do not affect calls. */
const callbackFaults = [
  'callback_never',
  'callback_late',
  'callback_twice',
  'callback_forged',
] as const;

export const Fault = z.strictObject({
  mount: z.string(),
  fault: z.enum([
    'slow',
    'rate_limited',
    'server_error',
    'unavailable',
    'malformed',
    'cut',
    'empty',
    'unauthorized',
    'out_of_credit',
    // The connection breaks before the vendor has done anything.
    'dropped',
    // The recording is accepted, and its transcription fails later.
    'failing',
    // The recording is accepted, but no id is returned.
    'unnamed',
    ...callbackFaults,
  ]),
  /** How many calls it affects; without it, every call until it is deleted. */
  times: z.int().min(1).optional(),
  /** Delays the response; may be combined with any fault. */
  delay_ms: z.int().min(0).max(maxDelayMs).optional(),
  /** Seconds, sent as the `Retry-After` header. */
  retry_after: z.int().min(0).optional(),
  /** Affects only calls with this method. */
  method: z.string().optional(),
  /** Affects only calls whose path below the mount begins with this. */
  path: z.string().startsWith('/').optional(),
});
export type Fault = z.infer<typeof Fault>;

export type Faults = {
  add: (fault: Fault) => void;
  /** The oldest fault that applies to this call; counts as one use. */
  take: (mount: string, call: { method: string; path: string }) => Fault | undefined;
  list: () => Fault[];
  clear: (mount?: string) => void;
};

export function createFaults(): Faults {
  let waiting: Fault[] = [];
  return {
    add: (fault) => {
      if (waiting.length >= maxFaults) {
        throw new RangeError(`No more than ${maxFaults} faults can wait; delete some first.`);
      }
      waiting.push({ ...fault });
    },
    take: (mount, call) => {
      const fault = waiting.find((one) => concerns(one, mount, call));
      if (fault?.times !== undefined) {
        fault.times -= 1;
        if (fault.times === 0) waiting = waiting.filter((one) => one !== fault);
      }
      return fault;
    },
    list: () => waiting,
    clear: (mount) => {
      waiting = mount === undefined ? [] : waiting.filter((one) => one.mount !== mount);
    },
  };
}

/** The refusal that a fault causes; undefined if the vendor still does its work. */
export function refusalOf(fault: Fault): { reason: Reason; message: string } | undefined {
  switch (fault.fault) {
    case 'rate_limited':
      return { reason: 'rate_limited', message: 'Too many requests. Slow down and try again.' };
    case 'server_error':
      return { reason: 'server_error', message: 'Something went wrong on our side.' };
    case 'unavailable':
      return { reason: 'unavailable', message: 'The service is overloaded. Try again later.' };
    case 'unauthorized':
      return { reason: 'wrong_key', message: 'The API key is not valid.' };
    case 'out_of_credit':
      return { reason: 'out_of_credit', message: 'The account has no credit left.' };
    case 'slow':
    case 'malformed':
    case 'cut':
    case 'empty':
    case 'failing':
    case 'unnamed':
    case 'callback_never':
    case 'callback_late':
    case 'callback_twice':
    case 'callback_forged':
      return undefined;
    case 'dropped':
      return { reason: 'server_error', message: 'The connection was closed.' };
  }
}

/** Waits for the delay of the fault, or until the caller disconnects. */
export function holdBack(fault: Fault, gone: AbortSignal): Promise<void> {
  const delayMs = fault.delay_ms ?? 0;
  if (delayMs === 0 || gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    gone.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The body as the fault changes it: truncated, or cut off with the connection. */
export function spoil(fault: Fault['fault'], text: string): string | ReadableStream<Uint8Array> {
  const half = text.slice(0, Math.ceil(text.length / 2));
  if (fault === 'malformed') return half;
  if (fault !== 'cut' && fault !== 'dropped') return text;
  let sent = fault === 'dropped';
  return new ReadableStream({
    async pull(controller) {
      if (!sent) controller.enqueue(new TextEncoder().encode(half));
      else {
        // The pause lets the first half reach the caller before the connection closes.
        await Bun.sleep(pauseBeforeCutMs);
        controller.error(undefined);
      }
      sent = true;
    },
  });
}

/** Used as the method of a callback, which is not a call to the vendor. */
export const callback = 'CALLBACK';

const maxFaults = 1000;
const pauseBeforeCutMs = 10;

function concerns(fault: Fault, mount: string, call: { method: string; path: string }): boolean {
  if (fault.mount !== mount) return false;
  const ofCallback = callbackFaults.some((name) => name === fault.fault);
  if (ofCallback !== (call.method === callback)) return false;
  if (fault.method !== undefined && fault.method.toUpperCase() !== call.method) return false;
  return fault.path === undefined || call.path.startsWith(fault.path);
}
