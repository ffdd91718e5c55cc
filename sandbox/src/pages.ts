// Fetches a page of the corpus by URL, including the pages that fail.
import { corpus, hiddenPages } from './corpus/index.ts';
import type { Page, SourcePage } from './corpus/page.ts';
import { seePage } from './corpus/page.ts';
import { troubles } from './corpus/special.ts';
import type { Trouble } from './corpus/special.ts';

export type Reading =
  | { outcome: 'page'; url: string; page: Page }
  | { outcome: 'empty'; url: string; page: Page }
  | { outcome: 'missing' | 'timeout' | 'blocked' | 'unreachable' | 'unsupported' };

/** Follows redirects up to a limit; `url` in the result is the final URL. */
export function readPage(url: string, now: Date, empty: boolean): Promise<Reading> {
  return Promise.resolve(look(url, now, empty));
}

const maxRedirects = 5;

const sources = new Map<string, SourcePage>(
  [...corpus, ...hiddenPages].map((page) => [addressOf(new URL(page.url)), page]),
);
const hosts = new Set([...sources.keys()].map((address) => address.split('/')[0]));
const troubled = new Map<string, Trouble>(
  troubles.map((trouble) => [addressOf(new URL(trouble.url)), trouble]),
);

function look(url: string, now: Date, empty: boolean): Reading {
  let address = url;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const parsed = URL.canParse(address) ? new URL(address) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
      return { outcome: 'unsupported' };
    }
    const key = addressOf(parsed);
    const trouble = troubled.get(key);
    if (trouble === undefined) return found(key, now, empty);
    if (trouble.redirect === undefined) return { outcome: trouble.outcome };
    address = trouble.redirect;
  }
  return { outcome: 'unreachable' };
}

function found(key: string, now: Date, empty: boolean): Reading {
  const source = sources.get(key);
  if (source === undefined) {
    return { outcome: hosts.has(key.split('/')[0]) ? 'missing' : 'unreachable' };
  }
  const page = seePage(source, now);
  if (empty) return { outcome: 'empty', url: page.url, page: { ...page, body: '' } };
  return { outcome: page.body === '' ? 'empty' : 'page', url: page.url, page };
}

/** Ignores scheme, `www.`, a trailing slash, tracking parameters and fragments. */
function addressOf(url: URL): string {
  const query = new URLSearchParams(url.search);
  for (const name of [...query.keys()]) if (name.startsWith('utm_')) query.delete(name);
  const rest = query.size === 0 ? '' : `?${query.toString()}`;
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/+$/, '')}${rest}`;
}
