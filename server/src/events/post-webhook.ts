// Sends a webhook to an address that a caller chose. The address is resolved and checked first, and
// the connection goes to the checked address, so that a name cannot change in between.
import { isIP } from 'node:net';
import { isPrivatePageHost } from '@trivium/contract';
import { startAbortLimit } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';

interface WebhookPost {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Blob;
  /** For resolving, connecting, sending and the status of the answer. */
  limitMs: number;
  /** Accepts http and private addresses. */
  allowPrivate: boolean;
}

/** Only the status of the answer is read. */
export type PostWebhook = (post: WebhookPost) => Promise<{ status: number } | { error: string }>;

interface Network {
  /** The addresses of a name. */
  resolve: (hostname: string) => Promise<string[]>;
  /** A certificate authority to trust besides those of the system. */
  authority?: string;
}

export function makePostWebhook(network: Network = systemNetwork): PostWebhook {
  return (post) => sendPost(network, post);
}

const systemNetwork: Network = {
  resolve: (hostname) => machine.resolve(hostname),
};

async function sendPost(network: Network, post: WebhookPost): ReturnType<PostWebhook> {
  const limit = startAbortLimit(post.limitMs, undefined);
  try {
    const url = new URL(post.url);
    if (url.protocol !== 'https:' && !post.allowPrivate) return { error: 'Must start with https.' };
    const addresses = await untilAborted(addressesOf(network, url), limit.signal);
    const isPrivate = !post.allowPrivate && addresses.some(isPrivateAddress);
    if (isPrivate) return { error: privateAddress };
    return { status: await firstStatus(network, url, addresses, post, limit.signal) };
  } catch (error) {
    const lateMs = limit.expiredMs();
    if (lateMs !== undefined) return { error: `No answer within ${lateMs / 1000} seconds.` };
    return { error: wordsOf(error) };
  } finally {
    // The rest of the answer is not wanted; this closes the connection.
    limit.abort();
    limit.end();
  }
}

const privateAddress =
  'The address is in a private network. TRIVIUM_ALLOW_PRIVATE_WEBHOOKS=on allows it.';

const maxAddresses = 3;

function addressesOf({ resolve }: Network, { hostname }: URL): Promise<string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 ? resolve(hostname) : Promise.resolve([literal]);
}

/** Text that is no address counts as private. */
function isPrivateAddress(address: string): boolean {
  return isIP(address) === 0 || isPrivatePageHost(isIP(address) === 6 ? `[${address}]` : address);
}

/** Tries the addresses in turn; only a connection that was never made is tried elsewhere. */
async function firstStatus(
  network: Network,
  url: URL,
  addresses: readonly string[],
  post: WebhookPost,
  signal: AbortSignal,
): Promise<number> {
  const few = addresses.slice(0, maxAddresses);
  for (const [at, address] of few.entries()) {
    try {
      return await statusFrom(network, url, address, post, signal);
    } catch (error) {
      if (signal.aborted || at === few.length - 1 || !isNotConnected(error)) throw error;
    }
  }
  throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
}

async function statusFrom(
  { authority }: Network,
  url: URL,
  address: string,
  { headers, body }: WebhookPost,
  signal: AbortSignal,
): Promise<number> {
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
  return response.status;
}

const notConnectedCodes = new Set(['ECONNREFUSED', 'ConnectionRefused', 'EHOSTUNREACH']);

function isNotConnected(error: unknown): boolean {
  return notConnectedCodes.has(String((error as { code?: unknown }).code));
}

/** The code of a failure; a message could repeat what the receiver sent. */
function wordsOf(error: unknown): string {
  const code = String((error as { code?: unknown }).code ?? 'unknown');
  return `The receiver could not be reached (${code.slice(0, 100)}).`;
}

/** A look-up cannot be aborted; its result is then ignored. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(new Error('aborted')), { once: true });
  return Promise.race([work, aborted.promise]);
}
