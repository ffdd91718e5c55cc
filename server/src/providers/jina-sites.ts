// How many hosts to keep to go to Jina, which writes them into the query as operators.
import { hostOf } from '../domain/domains.ts';
import type { Condition } from '../domain/negotiation/support.ts';

/** What the search engines behind it take, operators included. */
export const maxQueryChars = 2048;
export const maxSiteChars = 1024;
const operator = ' OR site:';

export const shortSiteList: Condition = {
  reads: `the hosts come to at most ${maxSiteChars} characters as operators`,
  holds: (_asks, value) => {
    const entries = value as string[];
    return sitesThatFit(entries).length === sitesIn(entries).length;
  },
};

export function sitesThatFit(entries: readonly string[]): string[] {
  let left = maxSiteChars;
  const sites = sitesIn(entries);
  const end = sites.findIndex((site) => (left -= operator.length + site.length) < 0);
  return end < 0 ? sites : sites.slice(0, end);
}

function sitesIn(entries: readonly string[]): string[] {
  return [...new Set(entries.map(hostOf))];
}
