// Normalizes an entry of a domain list, so that the text sent to a provider and the text compared
// with its results are the same.
import { z } from 'zod';
import { addFault } from './faults.ts';

const maxDomainEntries = 1200;
const maxDomainEntryLength = 2000;

/**
 * `host`, `*.host`, `.suffix`, each with an optional port and path: in lower case, international
 * names as punycode, without scheme and without a trailing slash. Undefined if it cannot be a
 * host. Idempotent.
 */
export function normalizeDomain(written: string): string | undefined {
  if (forbiddenInEntry.test(written)) return undefined;
  const bare = written.replace(/^https?:\/\//i, '');
  const mark = bare.startsWith('*.') ? '*.' : bare.startsWith('.') ? '.' : '';
  const slash = bare.indexOf('/');
  const authority = bare.slice(mark.length, slash < 0 ? undefined : slash);
  const colon = authority.indexOf(':');
  const host = normalizeHost(colon < 0 ? authority : authority.slice(0, colon));
  const port = colon < 0 ? '' : normalizePort(authority.slice(colon + 1));
  if (host === undefined || port === undefined) return undefined;
  return mark + host + port + (slash < 0 ? '' : normalizePath(bare.slice(slash)));
}

/** White space, control characters and the characters that end or split a host. */
const forbiddenInEntry = /[\s\p{Cc}?#@\\]/u;

/** Most entries are plain ASCII host names and need no parser. */
const plainHost = /^(?:[a-z\d_-]+\.)*[a-z][a-z\d_-]*$/;

function normalizeHost(written: string): string | undefined {
  const dotless = written.endsWith('.') ? written.slice(0, -1) : written;
  const lower = dotless.toLowerCase();
  const host = plainHost.test(lower) && !lower.includes('xn--') ? lower : parsedHost(dotless);
  return host !== undefined && isHost(host) ? host : undefined;
}

/**
 * Uses the URL parser for international names. It would decode percent signs, so these are refused.
 */
function parsedHost(written: string): string | undefined {
  if (written === '' || written.includes('%')) return undefined;
  return URL.parse(`https://${written}/`)?.hostname;
}

const maxHostLength = 253;
const maxLabelLength = 63;
const label = /^[a-z\d_-]+$/;

function isHost(host: string): boolean {
  if (host.length > maxHostLength) return false;
  return host.split('.').every((part) => part.length <= maxLabelLength && label.test(part));
}

/** Drops the default ports. */
function normalizePort(written: string): string | undefined {
  if (!/^\d{1,5}$/.test(written) || Number(written) > 65_535) return undefined;
  const port = Number(written);
  return port === 80 || port === 443 ? '' : `:${port}`;
}

/** Escapes as the URL parser escapes the paths of results. Paths keep their case. */
function normalizePath(written: string): string {
  const path = URL.parse(`https://host${written}`)?.pathname ?? written;
  let end = path.length;
  while (end > 0 && path.charAt(end - 1) === '/') end -= 1;
  return path.slice(0, end);
}

const DomainEntry = z
  .string()
  .min(1)
  .max(maxDomainEntryLength)
  .transform((written, context) => {
    const normalized = normalizeDomain(written);
    if (normalized !== undefined) return normalized;
    const message =
      'Must be a host such as example.com, *.example.com, .gov or example.com/path, ' +
      'without spaces, ? and #.';
    addFault(context, [], 'invalid_domain', message);
    return z.NEVER;
  })
  .meta({ pattern: String.raw`^[^\s?#@\\]+$` });

/** A list of normalized domains. */
export const Domains = z.array(DomainEntry).max(maxDomainEntries);
