// Validates a caller's URL and reports every fault.
import { addFault, type FaultSink } from './faults.ts';

export const maxUrlLength = 8192;

type UrlRules = { schemes: readonly string[]; fragment: boolean };

/** Reports every fault of the URL; returns it parsed if it can be parsed. */
export function checkUrl(value: string, rules: UrlRules, context: FaultSink): URL | undefined {
  const written = rules.schemes.map((scheme) => `${scheme}://`).join(' or ');
  // The parser would skip further slashes, and take the path for the host.
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\\]+)/i.exec(value)?.[1];
  if (authority === undefined || ambiguousCharacters.test(value) || !URL.canParse(value)) {
    const message =
      `Must be an absolute URL that starts with ${written} ` +
      'and has no spaces, control characters or backslashes.';
    addFault(context, [], 'invalid_url', message);
    return undefined;
  }
  const url = new URL(value);
  if (!rules.schemes.includes(url.protocol.slice(0, -1))) {
    addFault(context, [], 'invalid_url', `Must start with ${written}.`);
  }
  if (authority.includes('@') || url.username !== '' || url.password !== '') {
    const message = 'Must not contain a user name or password before the host.';
    addFault(context, [], 'invalid_url', message);
  }
  if (!rules.fragment && value.includes('#')) {
    addFault(context, [], 'invalid_url', 'Must not have a fragment; remove the # and the rest.');
  }
  return url;
}

/** Characters that browsers drop or convert and that other URL parsers read differently. */
const ambiguousCharacters = /[\s\p{Cc}\\]/u;

/** A valid URL in the form that a browser would send. */
export function normalizeUrl(checked: string): string {
  return URL.parse(checked)?.href ?? checked;
}
