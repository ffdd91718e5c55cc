// The frame around a page of documentation: search, navigation, contents, and links to the previous
// and the next page. The headings and links of index.md are the groups of the navigation.

export interface Heading {
  id: string;
  title: string;
}

interface Page {
  title: string;
  html: string;
  href: string;
  headings: readonly Heading[];
  /** True if the page also exists as Markdown. */
  markdown: boolean;
}

/** With fewer headings, a table of contents would only take space. */
const fewestHeadings = 2;

export function layout(page: Page, groups: readonly NavGroup[]): string {
  const name = page.title === 'Trivium' ? 'Trivium' : `${escapeHtml(page.title)} – Trivium`;
  const { previous, next } = neighboursOf(groups, page.href);
  const plain = markdownOf(page.href);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/style.css">
${page.markdown ? `<link rel="alternate" type="text/markdown" href="${plain}">` : ''}
<script src="/docs/script.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs">${logo}<span>Trivium</span></a>
<div class="search" hidden>
<label class="hidden-text" for="docs-search">Search the documentation</label>
<input id="docs-search" type="search" placeholder="Search" autocomplete="off" role="combobox"
 aria-expanded="false" aria-controls="docs-found" aria-autocomplete="list">
<ul id="docs-found" role="listbox" aria-label="Search results" hidden></ul></div>
<div class="switches"><button class="theme" type="button" hidden></button>
<a href="/">Dashboard</a></div>
</header>
<div class="frame">
<nav class="side" aria-label="Documentation">${groups.map((one) => group(one, page.href)).join('')}
</nav>
<main id="content">
<article>
${page.html}
</article>
<footer>
<nav class="onward" aria-label="Previous and next">
${onward('previous', 'Previous', previous)}
${onward('next', 'Next', next)}
</nav>
${page.markdown ? `<p><a href="${plain}">This page as Markdown</a></p>` : ''}
</footer>
</main>
${contents(page.headings)}
</div>
</body>
</html>
`;
}

export function markdownOf(href: string): string {
  return href === '/docs' ? '/docs/index.md' : `${href}.md`;
}

function group({ title, entries }: NavGroup, current: string): string {
  const list = entries.map((entry) => {
    const mark = entry.href === current ? ' aria-current="page"' : '';
    return `<li><a href="${entry.href}"${mark}>${escapeHtml(entry.title)}</a></li>`;
  });
  return `\n<h2>${escapeHtml(title)}</h2><ul>${list.join('')}</ul>`;
}

function onward(kind: string, label: string, entry: NavEntry | undefined): string {
  if (entry === undefined) return '';
  const title = escapeHtml(entry.title);
  return `<a class="${kind}" href="${entry.href}"><small>${label}</small> ${title}</a>`;
}

function contents(headings: readonly Heading[]): string {
  if (headings.length < fewestHeadings) return '';
  const list = headings.map(
    ({ id, title }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2>
<ul>${list.join('')}</ul></nav>`;
}

const roads = 'M16 26V16M16 16 8 7M16 16l8-9';

const logo = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"
 fill="currentColor"></rect><path d="${roads}" stroke="var(--accent-ink)" stroke-width="3.2"
 stroke-linecap="round" fill="none"></path></svg>`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#1f6f5c"/><path d="${roads}" stroke="#fff"
 stroke-width="3.2" stroke-linecap="round" fill="none"/></svg>`;

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

interface NavEntry {
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
function neighboursOf(
  groups: readonly NavGroup[],
  href: string,
): { previous: NavEntry | undefined; next: NavEntry | undefined } {
  const all = groups.flatMap(({ entries }) => entries);
  const at = all.findIndex((entry) => entry.href === href);
  return at < 0
    ? { previous: undefined, next: undefined }
    : { previous: all[at - 1], next: all[at + 1] };
}
