// A domain in a policy: a host, with its subdomains. Unlike the domains of a search, it has no path
// and no port, because those can be written in many ways for the same page.
import { z } from 'zod';
import { normalizeDomain } from './domain-entry.ts';
import { addFault } from './faults.ts';

const maxDomainLength = 300;

/**
 * `host`, `*.host`, `.suffix` or an IP address, in the spelling of the URL parser. Undefined if it
 * cannot be one. Idempotent.
 */
export function normalizePolicyDomain(written: string): string | undefined {
  if (/^\[[\da-f:.]+\]$/i.test(written)) return URL.parse(`https://${written}/`)?.hostname;
  const normalized = normalizeDomain(written);
  return normalized === undefined || /[:/]/.test(normalized) ? undefined : normalized;
}

export const PolicyDomain = z
  .string()
  .min(1)
  .max(maxDomainLength)
  .transform((written, context) => {
    const normalized = normalizePolicyDomain(written);
    if (normalized !== undefined) return normalized;
    const message =
      'Must be a host such as example.com, *.example.com, .gov or 192.0.2.1, ' +
      'without a path or port.';
    addFault(context, [], 'invalid_domain', message);
    return z.NEVER;
  })
  .meta({ pattern: String.raw`^[^\s?#@\\/]+$` });
