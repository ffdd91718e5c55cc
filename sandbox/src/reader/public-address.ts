// Which internet addresses are public: who fetches for strangers must never reach inside a network.
import { BlockList, isIP } from 'node:net';

/** False for everything that is not plainly an address of the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closed.check(address, 'ipv4');
    case 6:
      // A zone names an interface of this very machine.
      return (
        !address.includes('%') && open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** Private, local, shared, reserved, for documentation or for many at once. */
const CLOSED_IPV4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * The one part of IPv6 in which hosts of the internet live. Loopback, mapped, unique local,
 * link-local and multicast addresses, and those that a gateway translates to IPv4, lie outside it.
 */
const OPEN_IPV6: [string, number] = ['2000::', 3];

/** Inside that part: Teredo and other protocols, documentation, and 6to4, which wraps IPv4. */
const CLOSED_IPV6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const open = new BlockList();
open.addSubnet(...OPEN_IPV6, 'ipv6');

const closed = new BlockList();
for (const [prefix, bits] of CLOSED_IPV4) closed.addSubnet(prefix, bits, 'ipv4');
for (const [prefix, bits] of CLOSED_IPV6) closed.addSubnet(prefix, bits, 'ipv6');
