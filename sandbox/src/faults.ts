// Faults on demand: what a mount is told to do wrong, how often, and to which of its calls.
import { z } from 'zod';
import type { Incoming, Reason } from './vendor.ts';

const MAX_DELAY_MS = 240_000;

/** What can go wrong with a delivery to the caller; these spoil no call. */
const CALLBACK_FAULTS = [
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
    // The recording is accepted without an id to ask for it by.
    'unnamed',
    ...CALLBACK_FAULTS,
  ]),
  /** How many calls it spoils; without it, every call until it is deleted. */
  times: z.int().min(1).optional(),
  /** How long the answer is held back; it may accompany any fault. */
  delay_ms: z.int().min(0).max(MAX_DELAY_MS).optional(),
  /** Seconds, sent as the `Retry-After` header. */
  retry_after: z.int().min(0).optional(),
  /** Spoils only calls with this method. */
  method: z.string().optional(),
  /** Spoils only calls whose path below the mount begins with this. */
  path: z.string().startsWith('/').optional(),
});
export type Fault = z.infer<typeof Fault>;

export type Faults = {
  add: (fault: Fault) => void;
  /** The oldest fault that concerns this call; taking it uses it up once. */
  take: (mount: string, call: Pick<Incoming, 'method' | 'path'>) => Fault | undefined;
  list: () => Fault[];
  clear: (mount?: string) => void;
};

export function createFaults(): Faults {
  let waiting: Fault[] = [];
  return {
    add: (fault) => {
      if (waiting.length >= MAX_FAULTS) {
        throw new RangeError(`No more than ${MAX_FAULTS} faults can wait; delete some first.`);
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

/** The refusal that a fault asks for, or undefined when the vendor does its work all the same. */
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

/** Waits as long as the fault says, or until the caller has gone. */
export function holdBack(fault: Fault, gone: AbortSignal): Promise<void> {
  const delay_ms = fault.delay_ms ?? 0;
  if (delay_ms === 0 || gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delay_ms);
    gone.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The answer's text as the fault leaves it: broken halfway, or lost with the connection. */
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
        await Bun.sleep(PAUSE_BEFORE_CUT_MS);
        controller.error(undefined);
      }
      sent = true;
    },
  });
}

/** Stands for the method of a delivery, which is no call to the vendor. */
export const CALLBACK = 'CALLBACK';

const MAX_FAULTS = 1000;
const PAUSE_BEFORE_CUT_MS = 10;

function concerns(fault: Fault, mount: string, call: Pick<Incoming, 'method' | 'path'>): boolean {
  if (fault.mount !== mount) return false;
  const of_callback = CALLBACK_FAULTS.some((name) => name === fault.fault);
  if (of_callback !== (call.method === CALLBACK)) return false;
  if (fault.method !== undefined && fault.method.toUpperCase() !== call.method) return false;
  return fault.path === undefined || call.path.startsWith(fault.path);
}
