// Reads an entry of a domain list and brings it into one spelling, so that what is sent to a
// provider and what is compared with its results are the same text.
import { z } from 'zod';
import { addFault } from './faults.ts';

export const maxDomainEntries = 1200;
export const maxDomainEntryLength = 2000;

/**
 * `host`, `*.host`, `.suffix`, each with an optional port and path: in lower case, international
 * names as punycode, without scheme and without a slash at the end. Undefined for what can be no
 * host. Its own result is read as itself.
 */
export function spellDomain(written: string): string | undefined {
  if (neverInEntry.test(written)) return undefined;
  const bare = written.replace(/^https?:\/\//i, '');
  const mark = bare.startsWith('*.') ? '*.' : bare.startsWith('.') ? '.' : '';
  const slash = bare.indexOf('/');
  const authority = bare.slice(mark.length, slash < 0 ? undefined : slash);
  const colon = authority.indexOf(':');
  const host = spellHost(colon < 0 ? authority : authority.slice(0, colon));
  const port = colon < 0 ? '' : spellPort(authority.slice(colon + 1));
  if (host === undefined || port === undefined) return undefined;
  return mark + host + port + (slash < 0 ? '' : spellPath(bare.slice(slash)));
}

/** White space, control characters and the signs that end or split a host. */
const neverInEntry = /[\s\p{Cc}?#@\\]/u;

/** Most entries are written out already, and need no parser. */
const writtenOut = /^(?:[a-z\d_-]+\.)*[a-z][a-z\d_-]*$/;

function spellHost(written: string): string | undefined {
  const dotless = written.endsWith('.') ? written.slice(0, -1) : written;
  const lower = dotless.toLowerCase();
  const host = writtenOut.test(lower) && !lower.includes('xn--') ? lower : parsedHost(dotless);
  return host !== undefined && isHost(host) ? host : undefined;
}

/** The platform's parser knows international names; a percent sign would be decoded by it. */
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

/** The default ports say nothing that the host does not. */
function spellPort(written: string): string | undefined {
  if (!/^\d{1,5}$/.test(written) || Number(written) > 65_535) return undefined;
  const port = Number(written);
  return port === 80 || port === 443 ? '' : `:${port}`;
}

/** Escaped as the parser escapes the paths of results; paths keep their case. */
function spellPath(written: string): string {
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
    const spelled = spellDomain(written);
    if (spelled !== undefined) return spelled;
    const message =
      'Must be a host such as example.com, *.example.com, .gov or example.com/path, ' +
      'without spaces, ? and #.';
    addFault(context, [], 'invalid_domain', message);
    return z.NEVER;
  })
  .meta({ pattern: String.raw`^[^\s?#@\\]+$` });

/** A list of domains, in the one spelling that everything behind it relies on. */
export const Domains = z.array(DomainEntry).max(maxDomainEntries);
