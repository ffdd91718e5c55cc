// Fetches one page with limits on size, time and redirects, and checks every address.
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ScrapeFailure } from './scrape-failure.ts';
import { checkTarget } from './target.ts';
import type { Policy, Target } from './target.ts';

export type FetchedPage = {
  /** After redirects. */
  url: string;
  status: number;
  content_type: string;
  bytes: Uint8Array;
};

export type Visitor = { policy: Policy; user_agent: string };

export async function fetchPage(
  address: string,
  { policy, user_agent }: Visitor,
  signal: AbortSignal,
): Promise<FetchedPage> {
  let url = parse(address);
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await visit(await checkTarget(url, policy), policy, user_agent, signal);
    const location = redirects.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return receive(url, response);
    await response.body?.cancel();
    url = parse(location, url);
  }
  throw siteError(`more than ${maxRedirects} redirects`);
}

const maxRedirects = 5;
const maxBytesOnTheWire = 4 * 1024 * 1024;
const maxBytes = 8 * 1024 * 1024;
const redirects = new Set([301, 302, 303, 307, 308]);
/** JSON and files are refused: they are not pages, and internal services often serve JSON. */
const readable = new Set(['text/html', 'application/xhtml+xml', 'text/plain', 'text/markdown']);

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  '': (bytes) => Promise.resolve(bytes),
  identity: (bytes) => Promise.resolve(bytes),
  gzip: (bytes) => promisify(gunzip)(bytes, { maxOutputLength: maxBytes }),
  deflate: (bytes) => promisify(inflate)(bytes, { maxOutputLength: maxBytes }),
  br: (bytes) => promisify(brotliDecompress)(bytes, { maxOutputLength: maxBytes }),
};

function parse(address: string, base?: URL): URL {
  if (!URL.canParse(address, base)) throw siteError('a redirect points to an invalid address');
  const url = new URL(address, base);
  url.hash = '';
  return url;
}

/** Connects to the checked address; the host name is used in the request and for TLS. */
async function visit(
  { url, address }: Target,
  { authority }: Policy,
  userAgent: string,
  signal: AbortSignal,
): Promise<Response> {
  const pinned = new URL(url);
  pinned.hostname = isIP(address) === 6 ? `[${address}]` : address;
  const named = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0;
  try {
    return await fetch(pinned, {
      redirect: 'manual',
      // A reused connection could serve another host at the same address unchecked.
      keepalive: false,
      decompress: false,
      credentials: 'omit',
      headers: {
        host: url.host,
        'user-agent': userAgent,
        accept: 'text/html,application/xhtml+xml,text/markdown,text/plain;q=0.8',
        'accept-encoding': 'gzip, deflate, br',
      },
      tls: {
        ...(named ? { serverName: url.hostname } : {}),
        ...(authority === undefined ? {} : { ca: authority }),
      },
      signal,
    });
  } catch (error) {
    throw signal.aborted ? error : connectionError(error);
  }
}

async function receive(url: URL, response: Response): Promise<FetchedPage> {
  const contentType = response.headers.get('content-type') ?? '';
  const kind = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const base = { url: url.href, status: response.status, content_type: contentType };
  if (response.status >= 400) {
    await response.body?.cancel();
    return { ...base, bytes: new Uint8Array() };
  }
  if (!readable.has(kind)) {
    await response.body?.cancel();
    throw unsupported(`a page of type "${kind}" is not readable text`);
  }
  return { ...base, bytes: await decode(response, await readBytes(response)) };
}

async function readBytes(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = Number(response.headers.get('content-length') ?? 0);
  if (size > maxBytesOnTheWire) {
    await response.body?.cancel();
    throw tooLarge();
  }
  size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytesOnTheWire) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** At most one content coding: several only serve to hide the size of a page. */
async function decode(response: Response, bytes: Uint8Array): Promise<Uint8Array> {
  const coding = (response.headers.get('content-encoding') ?? '').trim().toLowerCase();
  const decoder = decoders[coding.replace(/^x-/, '')];
  if (decoder === undefined) throw unsupported(`a page coded as "${coding}" is not read`);
  try {
    return await decoder(bytes);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw siteError('the page is not compressed as its headers say');
  }
}

function connectionError(error: unknown): ScrapeFailure {
  const code = String((error as { code?: unknown }).code ?? 'unknown');
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/i.test(code)) {
    return new ScrapeFailure('SCRAPE_SSL_ERROR', `The site's certificate was refused: ${code}.`);
  }
  return siteError(`the site could not be reached (${code})`);
}

function tooLarge(): ScrapeFailure {
  return unsupported(`the page is larger than ${maxBytes / 1024 / 1024} MB`);
}

function siteError(reason: string): ScrapeFailure {
  return new ScrapeFailure('SCRAPE_SITE_ERROR', `The page was not fetched: ${reason}.`);
}

function unsupported(reason: string): ScrapeFailure {
  return new ScrapeFailure('SCRAPE_UNSUPPORTED_FILE_ERROR', `The page cannot be read: ${reason}.`);
}
