// Domain entries in the contract's canonical spelling, and a matcher for page URLs that is compiled
// once per list.

export interface DomainEntry {
  /** `*.` or `.` means everything below the host but not the host itself. Otherwise empty. */
  mark: '*.' | '.' | '';
  host: string;
  /** Includes the colon. Empty if any port matches. */
  port: string;
  /** With a leading slash and without a trailing one. Empty for the whole host. */
  path: string;
}

export function readEntry(spelled: string): DomainEntry {
  const mark = spelled.startsWith('*.') ? '*.' : spelled.startsWith('.') ? '.' : '';
  const slash = spelled.indexOf('/');
  const pathStart = slash < 0 ? spelled.length : slash;
  const colon = spelled.indexOf(':');
  const hostEnd = colon < 0 || colon > pathStart ? pathStart : colon;
  return {
    mark,
    host: spelled.slice(mark.length, hostEnd),
    port: spelled.slice(hostEnd, pathStart),
    path: spelled.slice(pathStart),
  };
}

/** The parts of a page's address that a list of domains is compared with. */
export interface PagePlace {
  host: string;
  port: string;
  path: string;
}

/** Undefined if it is not a URL. */
export function placeOf(url: string): PagePlace | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const { hostname, port, pathname } = parsed;
  return {
    host: hostname.endsWith('.') ? hostname.slice(0, -1) : hostname,
    port: port === '' ? '' : `:${port}`,
    path: pathname,
  };
}

/**
 * True if a page matches any entry of the list: it is on the host or below it, on whole labels, and
 * under the path, on whole segments. The number of steps depends on the labels of the host, not on
 * the length of the list.
 */
export function compileDomains(entries: readonly string[]): (place: PagePlace) => boolean {
  const lists: Lists = { hosts: new Map(), below: new Map() };
  for (const { mark, host, port, path } of entries.map(readEntry)) {
    const list = mark === '' ? lists.hosts : lists.below;
    const paths = list.get(host + port);
    if (paths) paths.push(`${path}/`);
    else list.set(host + port, [`${path}/`]);
  }
  for (const list of [lists.hosts, lists.below]) {
    for (const [host, paths] of list) list.set(host, withoutNested(paths));
  }
  return (place) => isListed(lists, place);
}

/** The paths of each host: with a trailing slash, sorted, and none inside another. */
interface Lists {
  hosts: Map<string, string[]>;
  below: Map<string, string[]>;
}

function withoutNested(paths: readonly string[]): string[] {
  const kept: string[] = [];
  for (const path of paths.toSorted()) {
    const last = kept.at(-1);
    if (last === undefined || !path.startsWith(last)) kept.push(path);
  }
  return kept;
}

function isListed({ hosts, below }: Lists, { host, port, path }: PagePlace): boolean {
  const asked = `${path}/`;
  const holds = (list: Map<string, string[]>, name: string) =>
    isInside(list.get(name), asked) || (port !== '' && isInside(list.get(name + port), asked));
  if (holds(hosts, host)) return true;
  // A longer name is not a host, and each step would copy the rest of it.
  if (host.length > maxHostLength) return false;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const parent = host.slice(dot + 1);
    if (holds(hosts, parent) || holds(below, parent)) return true;
  }
  return false;
}

const maxHostLength = 253;

/** The paths are sorted and disjoint, so only the one just before can contain it. */
function isInside(paths: readonly string[] | undefined, asked: string): boolean {
  if (!paths) return false;
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (String(paths[middle]) <= asked) low = middle + 1;
    else high = middle;
  }
  return low > 0 && asked.startsWith(String(paths[low - 1]));
}
