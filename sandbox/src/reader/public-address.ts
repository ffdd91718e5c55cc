// Decides which IP addresses are public: the reader must never reach into a private network.
import { BlockList, isIP } from 'node:net';

/** False for everything that is not clearly an address of the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closed.check(address, 'ipv4');
    case 6:
      // A zone is an interface of this machine.
      return (
        !address.includes('%') && open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** Private, local, shared, reserved, documentation and multicast blocks. */
const closedIpv4: [string, number][] = [
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
 * The part of IPv6 that internet hosts use. Loopback, mapped, unique local, link-local and
 * multicast addresses, and those that are translated to IPv4, are outside it.
 */
const openIpv6: [string, number] = ['2000::', 3];

/** Exceptions inside that part: Teredo and other protocols, documentation, and 6to4. */
const closedIpv6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const open = new BlockList();
open.addSubnet(...openIpv6, 'ipv6');

const closed = new BlockList();
for (const [prefix, bits] of closedIpv4) closed.addSubnet(prefix, bits, 'ipv4');
for (const [prefix, bits] of closedIpv6) closed.addSubnet(prefix, bits, 'ipv6');
