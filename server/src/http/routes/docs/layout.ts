// The layout of a documentation page: the navigation and the content.

interface NavEntry {
  title: string;
  href: string;
}

/** The navigation lists the links of index.md, in their order. */
export function navigationOf(indexMarkdown: string): NavEntry[] {
  const links = indexMarkdown.matchAll(/^[-*] \[([^\]\n]+)\]\(([a-z0-9-]+)\.md\)/gm);
  const pages = [...links].map(([, title = '', name = '']) => ({ title, href: `/docs/${name}` }));
  return [
    { title: 'Overview', href: '/docs' },
    ...pages,
    { title: 'API reference', href: '/docs/api' },
  ];
}

export function layout(
  page: { title: string; html: string; href: string },
  entries: readonly NavEntry[],
): string {
  const list = entries.map(({ title, href }) => {
    const current = href === page.href ? ' aria-current="page"' : '';
    return `<li><a href="${href}"${current}>${escapeHtml(title)}</a></li>`;
  });
  const name = page.title === 'Trivium' ? 'Trivium' : `${escapeHtml(page.title)} – Trivium`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Documentation">
<a class="home" href="/docs">Trivium</a><ul>${list.join('')}</ul>
</nav>
<main id="content">
${page.html}
</main>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export const styleSheet = `
:root { color-scheme: light dark; --text: #1c2024; --soft: #5b6470; --line: #dfe3e8; --back: #fff;
  --panel: #f5f7f9; --link: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ec; --soft: #9aa4af; --line: #333a42;
  --back: #14171a; --panel: #1d2226; --link: #7ab8ff; } }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); color: var(--text);
  background: var(--back); font: 16px/1.6 system-ui, sans-serif; }
nav { padding: 1.5rem 1rem; border-right: 1px solid var(--line); min-height: 100vh; }
nav ul { list-style: none; margin: 1rem 0; padding: 0; position: sticky; top: 1rem; }
nav a { display: block; padding: .2rem .5rem; color: var(--text); text-decoration: none; }
nav a[aria-current] { background: var(--panel); font-weight: 600; border-radius: 4px; }
.home { font-weight: 700; font-size: 1.2rem; }
main { padding: 1.5rem 2.5rem 4rem; max-width: 60rem; }
a { color: var(--link); }
h1 a, h2 a, h3 a, h4 a { color: inherit; text-decoration: none; }
pre { background: var(--panel); padding: .8rem 1rem; overflow-x: auto; border-radius: 6px; }
code { font: .9em/1.5 ui-monospace, monospace; }
:not(pre) > code { background: var(--panel); padding: .1em .3em; border-radius: 4px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left;
  vertical-align: top; }
.verb { display: inline-block; min-width: 3.5rem; font-weight: 700; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--back); padding: .5rem; }
@media (max-width: 50rem) { body { display: block; } nav { min-height: 0; border: 0; }
  main { padding: 1rem; } }
`;
