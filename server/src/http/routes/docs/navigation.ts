// The order of the pages: the headings and links of index.md are the groups of the navigation.

export interface NavEntry {
  title: string;
  href: string;
}

export interface NavGroup {
  title: string;
  entries: NavEntry[];
}

/** One group for each heading of index.md, in its order. */
export function navigationOf(indexMarkdown: string): NavGroup[] {
  const start: NavGroup = { title: 'Start', entries: [{ title: 'Overview', href: '/docs' }] };
  const groups = [start];
  let current = start;
  for (const line of indexMarkdown.split('\n')) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) {
      current = heading === start.title ? start : { title: heading, entries: [] };
      if (current !== start) groups.push(current);
    }
    const [, title, name] = /^[-*] \[([^\]\n]+)\]\(([a-z0-9-]+)\.md\)/.exec(line) ?? [];
    if (title !== undefined) current.entries.push({ title, href: `/docs/${name}` });
  }
  const reference = { title: 'API reference', href: '/docs/api' };
  const last = groups.find(({ title }) => title === 'Reference');
  if (last === undefined) groups.push({ title: 'Reference', entries: [reference] });
  else last.entries.push(reference);
  return groups.filter(({ entries }) => entries.length > 0);
}

/** The pages before and after a page, in the order of the navigation. */
export function neighboursOf(
  groups: readonly NavGroup[],
  href: string,
): { previous: NavEntry | undefined; next: NavEntry | undefined } {
  const all = groups.flatMap(({ entries }) => entries);
  const at = all.findIndex((entry) => entry.href === href);
  return at < 0
    ? { previous: undefined, next: undefined }
    : { previous: all[at - 1], next: all[at + 1] };
}
