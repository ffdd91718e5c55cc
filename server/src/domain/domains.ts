// Domain entries as callers write them: host, sub-domains and path, with or without scheme, `www.`
// or `*.`.

export interface DomainEntry {
  host: string;
  /** With a leading slash and without a trailing one; empty when the whole host is meant. */
  path: string;
}

export function readEntry(entry: string): DomainEntry {
  const bare = entry
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^\*?\./, '');
  const slash = bare.indexOf('/');
  const authority = slash < 0 ? bare : bare.slice(0, slash);
  const path = slash < 0 ? '' : entryPath(entry);
  return { host: withoutWww(authority.replace(/:\d+$/, '')), path };
}

export function hostOf(entry: string): string {
  return readEntry(entry).host;
}

/** Host and path in one text, the form most vendors take. */
export function hostAndPath(entry: string): string {
  const { host, path } = readEntry(entry);
  return host + path;
}

export function hasPath(entry: string): boolean {
  return readEntry(entry).path !== '';
}

/** True when the page is on the entry's host or below it, and under its path. */
export function isUnder(url: string, entry: DomainEntry): boolean {
  const parsed = URL.parse(url);
  if (!parsed) return false;
  const host = withoutWww(parsed.hostname.toLowerCase().replace(/\.$/, ''));
  if (host !== entry.host && !host.endsWith(`.${entry.host}`)) return false;
  if (entry.path === '') return true;
  const path = parsed.pathname;
  return path === entry.path || path.startsWith(`${entry.path}/`);
}

function withoutWww(host: string): string {
  return /^www\.[^.]+\./.test(host) ? host.slice(4) : host;
}

/** Paths keep their case. */
function entryPath(entry: string): string {
  const bare = entry.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  return bare.slice(bare.indexOf('/')).replace(/\/+$/, '');
}
