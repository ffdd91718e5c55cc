// What we demand of an address a caller hands us, reported fault by fault.
import { addFault, type FaultSink } from './faults.ts';

export const max_url_length = 8192;

export type UrlRules = { schemes: readonly string[]; fragment: boolean };

/** Reports what is wrong with the address; gives its parsed form when it can be read at all. */
export function checkUrl(value: string, rules: UrlRules, context: FaultSink): URL | undefined {
  const written = rules.schemes.map((scheme) => `${scheme}://`).join(' or ');
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\\]*)/i.exec(value)?.[1];
  if (authority === undefined || misread.test(value) || !URL.canParse(value)) {
    const message =
      `Must be an absolute address that starts with ${written} ` +
      'and has no spaces, control characters or back slashes.';
    addFault(context, [], 'invalid_url', message);
    return undefined;
  }
  const url = new URL(value);
  if (!rules.schemes.includes(url.protocol.slice(0, -1))) {
    addFault(context, [], 'invalid_url', `Must start with ${written}.`);
  }
  // The parser reads past superfluous slashes, so what it found counts as well as what is written.
  if (authority.includes('@') || url.username !== '' || url.password !== '') {
    const message = 'Must not carry a user name or password before the host.';
    addFault(context, [], 'invalid_url', message);
  }
  if (!rules.fragment && value.includes('#')) {
    addFault(context, [], 'invalid_url', 'Must not have a fragment; remove the # and the rest.');
  }
  return url;
}

/** What browsers drop or turn round, and other readers of addresses take for something else. */
const misread = /[\s\p{Cc}\\]/u;

/** An address that was checked, in the spelling a browser gives it: the one that is sent. */
export function spellUrl(checked: string): string {
  return URL.parse(checked)?.href ?? checked;
}
