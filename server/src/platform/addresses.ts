// IP addresses, including the client's own address behind trusted proxies.
import { BlockList, isIP } from 'node:net';

/**
 * The proxies whose X-Forwarded-For header is trusted. Undefined if an entry is neither an address
 * nor a network such as 10.0.0.0/8 or fd00::/8.
 */
export function readProxies(networks: readonly string[]) {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length, more] = network.split('/');
    const family = familyOf(address);
    const longest = family === 'ipv4' ? 32 : 128;
    const bits = length === undefined ? longest : readLength(length);
    if (family === undefined || more !== undefined || !(bits <= longest)) return undefined;
    list.addSubnet(address, bits, family);
  }
  return {
    includes: (address: string) => {
      const family = familyOf(address);
      return family !== undefined && list.check(address, family);
    },
  };
}

/** The maximum number of proxies in front of the gateway. */
const maxHops = 20;

/**
 * The client's address: the last one in the chain that is not a trusted proxy. Everything before it
 * in the header was written by the client and cannot be trusted.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  proxies: NonNullable<ReturnType<typeof readProxies>>,
): string {
  let address = plainAddress(peer);
  if (forwardedFor === null || !proxies.includes(address)) return address;
  const hops = forwardedFor.split(',').slice(-maxHops).toReversed();
  for (const hop of hops) {
    const before = plainAddress(hop.trim());
    if (familyOf(before) === undefined) return address;
    address = before;
    if (!proxies.includes(address)) return address;
  }
  return address;
}

/** The network of one subscriber: an IPv4 address, or an IPv6 /64. */
export function networkOf(address: string): string {
  if (familyOf(address) !== 'ipv6') return address;
  const [begin = '', end = ''] = address.split('::');
  const first = begin === '' ? [] : begin.split(':');
  const last = end === '' ? [] : end.split(':');
  const zeros = address.includes('::') ? Math.max(0, 8 - first.length - last.length) : 0;
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Strips brackets, port and zone, and unwraps IPv4-mapped IPv6 addresses. */
function plainAddress(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const [, withPort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? [];
  const [address = ''] = (bracketed ?? withPort ?? text).toLowerCase().split('%', 1);
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  return mapped ?? address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

function readLength(text: string): number {
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
}
