// SSRF protection: a host is resolved, its address is checked, and that address is connected to.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { ScrapeFailure } from './scrape-failure.ts';

/** Where the reader may connect to. Tests allow their own server; otherwise it is `public_web`. */
export type Policy = {
  allows: (address: string, port: number) => boolean;
  /** Every address of a host name. */
  resolve: (host: string) => Promise<string[]>;
  /** A certificate authority to trust besides the usual ones. */
  authority?: string;
};

export const publicWeb: Policy = {
  allows: (address, port) => webPorts.includes(port) && isPublicAddress(address),
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
};

export type Target = { url: URL; address: string };

/** Returns the address to connect to, so that the name is not resolved a second time. */
export async function checkTarget(url: URL, policy: Policy): Promise<Target> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!/^https?:$/.test(url.protocol)) throw refused('only http and https pages are read');
  if (url.username !== '' || url.password !== '') {
    throw refused('an address with a user name or password is not read');
  }
  if (isIP(host) === 0 && !isPublicName(host)) throw notPublic();
  const addresses = isIP(host) === 0 ? await resolve(host, policy) : [host];
  // One private address among public ones is refused: it could be the one that is used.
  if (!addresses.every((address) => policy.allows(address, port))) throw notPublic();
  const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0];
  if (address === undefined) throw unresolved(host);
  return { url, address };
}

const webPorts = [80, 443];

/** Names that only resolve inside a machine or a private network. */
const localName = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)\.?$/i;

function isPublicName(host: string): boolean {
  return /[^.]\.[^.]/.test(host) && !localName.test(host);
}

async function resolve(host: string, policy: Policy): Promise<string[]> {
  try {
    return await policy.resolve(host);
  } catch {
    throw unresolved(host);
  }
}

function unresolved(host: string): ScrapeFailure {
  return new ScrapeFailure(
    'SCRAPE_DNS_RESOLUTION_ERROR',
    `DNS resolution failed for hostname: ${host}`,
  );
}

/** Does not reveal what the name resolved to: a caller could map the network with it. */
function notPublic(): ScrapeFailure {
  return refused('the address is not on the public web, or not on port 80 or 443');
}

function refused(reason: string): ScrapeFailure {
  return new ScrapeFailure('SCRAPE_SITE_ERROR', `The page was not fetched: ${reason}.`);
}
