// Which engines found the same page, even if they write its address differently.

interface Found {
  engine: string;
  urls: readonly string[];
}

/** Returns the other engines that found a page. */
export function foundBy(all: readonly Found[]): (url: string, engine: string) => string[] {
  const engines = new Map<string, Set<string>>();
  for (const { engine, urls } of all) {
    for (const url of urls) {
      const key = pageOf(url);
      engines.set(key, (engines.get(key) ?? new Set()).add(engine));
    }
  }
  return (url, engine) => [...(engines.get(pageOf(url)) ?? [])].filter((one) => one !== engine);
}

function pageOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const host = parsed.host.replace(/^(?:www|m)\./, '');
  return `${host}${parsed.pathname.replace(/\/$/, '')}${parsed.search}`;
}
