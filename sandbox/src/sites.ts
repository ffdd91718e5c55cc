// Whether a page belongs to a site, for the domain filters that every vendor offers in some form.

/**
 * Accepts the forms vendors document: `a.example`, `a.example/blog`, `*.a.example`, `.example` and
 * full addresses. A host covers its sub-domains, a wildcard them alone; a path covers what lies
 * below it.
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
