// Decides whether a page belongs to a site, for the vendors' domain filters.

/**
 * Accepts the forms vendors document: `a.example`, `a.example/blog`, `*.a.example`, `.example` and
 * full URLs. A host includes its subdomains, a wildcard only the subdomains; a path includes all
 * paths below it.
 */
export function isOnSite(url: string, site: string): boolean {
  const page = new URL(url);
  const [host = '', ...path] = site
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^(www\.|\*\.|\.)/, '')
    .split('/');
  const pageHost = page.hostname.replace(/^www\./, '');
  if (host === '' || (pageHost !== host && !pageHost.endsWith(`.${host}`))) return false;
  if (site.trim().startsWith('*.') && page.hostname === host) return false;
  const prefix = path.join('/').replace(/\/+$/, '');
  const pagePath = page.pathname.toLowerCase().replace(/^\//, '');
  return prefix === '' || pagePath === prefix || pagePath.startsWith(`${prefix}/`);
}
