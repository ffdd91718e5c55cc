// Sends a webhook to an address that a caller chose. The address is resolved and checked first, and
// the connection goes to the checked address, so that the name cannot change in between.
import { isIP } from 'node:net';
import { isPrivatePageHost } from '@trivium/contract';
import { endLimit, startAbortLimit } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';

interface WebhookPost {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Blob;
  /** For resolving, connecting, sending, and receiving the status of the answer. */
  limitMs: number;
  /** Accepts http and private addresses. */
  allowPrivate: boolean;
}

/**
 * `text` is the beginning of a public receiver's answer. That of a private one is not read, because
 * members of an account would see what an internal service says.
 */
export type PostWebhook = (post: WebhookPost) => Promise<Answered | { error: string }>;

interface Answered {
  status: number;
  text?: string;
}

interface Network {
  /** The addresses of a name. */
  resolve: (hostname: string) => Promise<string[]>;
  /** A certificate authority to trust in addition to those of the system. */
  authority?: string;
  isPrivate?: (address: string) => boolean;
}

const systemNetwork: Network = { resolve: (hostname) => machine.resolve(hostname) };

export function makePostWebhook(network = systemNetwork): PostWebhook {
  return (post) => sendPost(network, post);
}

async function sendPost(network: Network, post: WebhookPost): ReturnType<PostWebhook> {
  const limit = startAbortLimit(post.limitMs);
  try {
    const url = new URL(post.url);
    if (url.protocol !== 'https:' && !post.allowPrivate) return { error: 'Must start with https.' };
    const addresses = await untilAborted(addressesOf(network, url), limit.controller.signal);
    const { isPrivate: isPrivateIn = isPrivateAddress } = network;
    const isPrivate = !post.allowPrivate && addresses.some(isPrivateIn);
    if (isPrivate) return { error: privateAddress };
    return await firstAnswer(network, url, addresses, post, limit.controller.signal);
  } catch (error) {
    const lateMs = limit.expiredMs;
    if (lateMs !== undefined) return { error: `No answer within ${lateMs / 1000} seconds.` };
    return { error: wordsOf(error) };
  } finally {
    // The rest of the answer is not needed, so this closes the connection.
    limit.controller.abort();
    endLimit(limit);
  }
}

const privateAddress =
  'The address is in a private network. TRIVIUM_ALLOW_PRIVATE_WEBHOOKS=on allows it.';

const maxAddresses = 3;

function addressesOf({ resolve }: Network, { hostname }: URL): Promise<string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 ? resolve(hostname) : Promise.resolve([literal]);
}

/** Text that is not an address counts as private. */
function isPrivateAddress(address: string): boolean {
  return isIP(address) === 0 || isPrivatePageHost(isIP(address) === 6 ? `[${address}]` : address);
}

/** Tries the addresses in turn. Only if no connection was made is the next address tried. */
async function firstAnswer(
  network: Network,
  url: URL,
  addresses: readonly string[],
  post: WebhookPost,
  signal: AbortSignal,
): Promise<Answered> {
  const few = addresses.slice(0, maxAddresses);
  for (const [at, address] of few.entries()) {
    try {
      return await answerFrom(network, url, address, post, signal);
    } catch (error) {
      const isNotConnected = notConnectedCodes.has(String((error as { code?: unknown }).code));
      if (signal.aborted || at === few.length - 1 || !isNotConnected) throw error;
    }
  }
  throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
}

async function answerFrom(
  { authority, isPrivate = isPrivateAddress }: Network,
  url: URL,
  address: string,
  { headers, body }: WebhookPost,
  signal: AbortSignal,
): Promise<Answered> {
  const pinned = new URL(url);
  pinned.hostname = isIP(address) === 6 ? `[${address}]` : address;
  const isNamed = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0;
  const response = await machine.fetch(pinned, {
    method: 'POST',
    headers: { ...headers, host: url.host },
    body,
    redirect: 'manual',
    keepalive: false,
    decompress: false,
    tls: {
      ...(isNamed ? { serverName: url.hostname } : {}),
      ...(authority === undefined ? {} : { ca: authority }),
    },
    signal,
  });
  const { status } = response;
  const text = isPrivate(address) ? undefined : await readBeginning(response, signal);
  return text === undefined ? { status } : { status, text };
}

const maxTextBytes = 2048;
/** A receiver whose body arrives slowly has already answered, so the rest is not waited for. */
const textLimitMs = 1000;

/** Undefined for an answer without a body, and for one that is not text. */
async function readBeginning(response: Response, signal: AbortSignal): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (!reader) return undefined;
  const limit = startAbortLimit(textLimitMs, signal);
  const bytes = new Uint8Array(maxTextBytes);
  let length = 0;
  try {
    while (length < maxTextBytes) {
      const { value, done } = await untilAborted(reader.read(), limit.controller.signal);
      if (done) break;
      const part = value.subarray(0, maxTextBytes - length);
      bytes.set(part, length);
      length += part.length;
    }
  } catch {
    // Whatever has arrived by then is the beginning.
  } finally {
    endLimit(limit);
  }
  return textIn(bytes.subarray(0, length));
}

/** Tab, line feed and carriage return are the only control characters allowed in text. */
const isControl = (character: string) => character < ' ' && !'\t\n\r'.includes(character);

function textIn(bytes: Uint8Array): string | undefined {
  try {
    // A character that the limit cuts in two is dropped.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return text === '' || [...text].some(isControl) ? undefined : text;
  } catch {
    return undefined;
  }
}

const notConnectedCodes = new Set(['ECONNREFUSED', 'ConnectionRefused', 'EHOSTUNREACH']);

/** The code of a failure. A message could repeat what the receiver sent. */
function wordsOf(error: unknown): string {
  const code = String((error as { code?: unknown }).code ?? 'unknown');
  return `The gateway could not reach the receiver (${code.slice(0, 100)}).`;
}

/** A DNS look-up cannot be aborted, so its result is ignored. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(new Error('aborted')), { once: true });
  return Promise.race([work, aborted.promise]);
}
