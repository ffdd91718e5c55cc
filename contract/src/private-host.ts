// Decides whether a host, as written, is in a private network, from which no provider should fetch.

/**
 * True for localhost and for every literal address that is not public, in any spelling the URL
 * standard accepts (`0x7f.1`, `2130706433`, `[::ffff:10.0.0.1]`). Other names are not resolved.
 * Text that is not a host counts as private.
 */
export function isPrivateHost(host: string): boolean {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const address = `https://${bracketed}/`;
  if (!URL.canParse(address)) return true;
  const name = withoutTrailingDots(new URL(address).hostname);
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (name.startsWith('[')) return isPrivateIpv6(groupsOf(name.slice(1, -1)));
  const octets = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(name);
  return octets !== null && isPrivateIpv4(octets.slice(1).map(Number));
}

/** Suffixes of names that only resolve inside a private network. */
const internalSuffixes = ['internal', 'local', 'localdomain', 'lan', 'home.arpa', 'svc', 'corp'];

/**
 * Stricter than `isPrivateHost`, for pages fetched by a provider inside the operator's network:
 * names without a dot and names that only resolve in such a network are private as well.
 */
export function isPrivatePageHost(host: string): boolean {
  if (isPrivateHost(host)) return true;
  const { hostname } = new URL(`https://${host}/`);
  if (hostname.startsWith('[')) return false;
  const name = withoutTrailingDots(hostname);
  if (!name.includes('.')) return true;
  return internalSuffixes.some((suffix) => name.endsWith(`.${suffix}`));
}

function withoutTrailingDots(name: string): string {
  let end = name.length;
  while (name[end - 1] === '.') end -= 1;
  return name.slice(0, end);
}

type Block = readonly [prefix: readonly [number, number, number, number], bits: number];

const privateIpv4Blocks: readonly Block[] = [
  [[0, 0, 0, 0], 8],
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10],
  [[127, 0, 0, 0], 8],
  // A public address that reaches a cloud provider's internal services.
  [[168, 63, 129, 16], 32],
  [[169, 254, 0, 0], 16],
  [[172, 16, 0, 0], 12],
  [[192, 0, 0, 0], 24],
  [[192, 168, 0, 0], 16],
  [[198, 18, 0, 0], 15],
  [[224, 0, 0, 0], 3],
];

function isPrivateIpv4(octets: readonly number[]): boolean {
  const address = numberOf(octets);
  return privateIpv4Blocks.some(([prefix, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor(numberOf(prefix) / size);
  });
}

function numberOf(octets: readonly number[]): number {
  return octets.reduce((sum, octet) => sum * 256 + octet, 0);
}

/**
 * The IPv4 address that an IPv6 host in brackets contains: mapped, compatible, translated, NAT64
 * or 6to4. Undefined for every other host.
 */
export function embeddedIpv4(host: string): string | undefined {
  return host.startsWith('[') ? embeddedOctets(groupsOf(host.slice(1, -1)))?.join('.') : undefined;
}

function embeddedOctets(groups: readonly number[]): number[] | undefined {
  const [first, second] = groups;
  const zeros = groups.findIndex((group) => group !== 0);
  const mapped = zeros === 5 && groups[5] === 0xffff;
  const translated = zeros === 4 && groups[4] === 0xffff && groups[5] === 0;
  const nat64 = first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((g) => g === 0);
  if (zeros >= 6 || mapped || translated || nat64) return octetsOf(groups.slice(6));
  return first === 0x2002 ? octetsOf(groups.slice(1, 3)) : undefined;
}

/**
 * An IPv6 address that embeds an IPv4 address reaches the same host, so the IPv4 address is
 * checked.
 */
function isPrivateIpv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0, third = 0] = groups;
  if (groups.every((group) => group === 0)) return true;
  const embedded = embeddedOctets(groups);
  if (embedded) return isPrivateIpv4(embedded);
  if (first === 0x64 && second === 0xff9b && third === 1) return true;
  const teredo = first === 0x2001 && second === 0;
  const uniqueLocal = first >> 9 === 0xfc00 >> 9;
  const linkOrSiteLocal = first >> 7 === 0xfe80 >> 7;
  const multicast = first >> 8 === 0xff;
  return teredo || uniqueLocal || linkOrSiteLocal || multicast;
}

function octetsOf(groups: readonly number[]): number[] {
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

/** Parses the canonical form of the URL parser: hexadecimal groups with at most one `::`. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...gap, ...after].map((group) => Number.parseInt(group, 16));
}
