// Renders Markdown as HTML, with the library that the dashboard uses. Headings get GitHub's
// anchors, links between files become links between pages, and drawings become part of the page.
import type { ElementContent } from 'hast';
import type { Components, Options } from 'react-markdown';
import { arrangeCode } from './code-blocks.ts';
import { escapeHtml } from './layout.ts';
import type { Heading } from './layout.ts';

/** Pages of Markdown before rendering, and their images. */
export interface Documentation {
  /** The name is the file name without .md. It is also the path under /docs. */
  pages: { name: string; markdown: string }[];
  /** The name of the file in docs/images. */
  pictures: { name: string; base64: string }[];
}

type Plugin = Extract<NonNullable<Options['remarkPlugins']>[number], Function>;

/** Where the parser looks for extensions. */
interface ParserData {
  micromarkExtensions?: unknown[];
  fromMarkdownExtensions?: unknown[];
}

interface RenderedMarkdown {
  title: string;
  html: string;
  headings: Heading[];
}

export async function renderMarkdown(
  markdown: string,
  pictures: Documentation['pictures'],
): Promise<RenderedMarkdown> {
  const renderer = await loadRenderer();
  const { Markdown, tables, rehypeSlug, createElement, renderToStaticMarkup } = renderer;
  const heading =
    (level: 'h1' | 'h2' | 'h3' | 'h4'): NonNullable<Components['h1']> =>
    ({ id, children }) =>
      createElement(level, { id }, createElement('a', { href: `#${id}` }, children));
  const components: Components = {
    h1: heading('h1'),
    h2: heading('h2'),
    h3: heading('h3'),
    h4: heading('h4'),
    table: ({ children }) =>
      createElement(
        'div',
        { className: 'wide', tabIndex: 0 },
        createElement('table', null, children),
      ),
    // The top-left cell of a table with row names is not a heading.
    th: ({ children }) => createElement(children === undefined ? 'td' : 'th', null, children),
    img: ({ src, alt }) => {
      const name = String(src).replace('/docs/images/', '');
      const drawing = name.endsWith('.svg') && pictures.find((picture) => picture.name === name);
      if (!drawing) return createElement('img', { src, alt, loading: 'lazy' });
      // Embedded in the page, so that it uses the colours of the theme.
      const html = Buffer.from(drawing.base64, 'base64').toString('utf8');
      const label = { className: 'drawing', role: 'img', 'aria-label': alt, tabIndex: 0 };
      return createElement('span', { ...label, dangerouslySetInnerHTML: { __html: html } });
    },
  };
  const page = createElement(Markdown, {
    remarkPlugins: [tables],
    rehypePlugins: [rehypeSlug, arrangeCode(renderer.highlight)],
    urlTransform: toAddress,
    components,
    children: markdown,
  });
  const [, title = 'Trivium'] = /^# (.+)$/m.exec(markdown) ?? [];
  const html = renderToStaticMarkup(page);
  return { title, html, headings: headingsIn(html) };
}

/** Loaded with the first page, so that the start does not wait for it. */
async function loadRenderer() {
  const [react, server, markdown, slug, syntax, tree, highlight] = await Promise.all([
    import('react'),
    import('react-dom/server'),
    import('react-markdown'),
    import('rehype-slug'),
    import('micromark-extension-gfm-table'),
    import('mdast-util-gfm-table'),
    loadHighlighter(),
  ]);
  /** Only the tables of GitHub's Markdown: remark-gfm would also link every `www.`. */
  const tables: Plugin = function () {
    const data = this.data() as ParserData;
    (data.micromarkExtensions ??= []).push(syntax.gfmTable());
    (data.fromMarkdownExtensions ??= []).push(tree.gfmTableFromMarkdown());
  };
  return {
    createElement: react.createElement,
    renderToStaticMarkup: server.renderToStaticMarkup,
    Markdown: markdown.default,
    rehypeSlug: slug.default,
    tables,
    highlight,
  };
}

/** JSON as highlighted HTML, for pages that are not written in Markdown. */
export async function loadJsonHighlighter(): Promise<(code: string) => string> {
  const highlight = await loadHighlighter();
  const toHtml = (node: ElementContent): string => {
    if (node.type === 'text') return escapeHtml(node.value);
    if (node.type !== 'element') return '';
    const names = node.properties.className?.join(' ') ?? '';
    return `<span class="${names}">${node.children.map(toHtml).join('')}</span>`;
  };
  return (code) => highlight('json', code).map(toHtml).join('');
}

/** Only the languages that the documentation uses. */
async function loadHighlighter() {
  const [{ createLowlight }, bash, json, python, shell, typescript] = await Promise.all([
    import('lowlight'),
    import('highlight.js/lib/languages/bash'),
    import('highlight.js/lib/languages/json'),
    import('highlight.js/lib/languages/python'),
    import('highlight.js/lib/languages/shell'),
    import('highlight.js/lib/languages/typescript'),
  ]);
  const lowlight = createLowlight({
    sh: bash.default,
    bash: bash.default,
    json: json.default,
    python: python.default,
    console: shell.default,
    ts: typescript.default,
  });
  return (language: string, code: string): ElementContent[] =>
    lowlight.registered(language)
      ? (lowlight.highlight(language, code).children as ElementContent[])
      : [{ type: 'text', value: code }];
}

/** `money.md#holds` becomes `/docs/money#holds`. Other relative links lead nowhere. */
function toAddress(link: string): string {
  if (/^images\/[\w-]+\.(?:svg|png)$/.test(link)) return `/docs/${link}`;
  const [, name, anchor = ''] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(link) ?? [];
  if (name === undefined) return /^(?:https?:\/\/|[/#])/.test(link) ? link : '#';
  return name === 'index' ? `/docs${anchor}` : `/docs/${name}${anchor}`;
}

function headingsIn(html: string): Heading[] {
  return [...html.matchAll(/<h2 id="([^"]+)"><a [^>]*>(.*?)<\/a><\/h2>/g)].map(
    ([, id = '', inner = '']) => ({ id, title: plainText(inner) }),
  );
}

export function plainText(html: string): string {
  return html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
