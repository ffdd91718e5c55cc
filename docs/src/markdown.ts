// Renders Markdown as HTML, with the library that the dashboard uses. Headings get GitHub's
// anchors, links between files become links between pages, and drawings become part of the page.
import type { ElementContent } from 'hast';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import shell from 'highlight.js/lib/languages/shell';
import typescript from 'highlight.js/lib/languages/typescript';
import { createLowlight } from 'lowlight';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown, { type Components, type Options } from 'react-markdown';
import rehypeSlug from 'rehype-slug';
import { arrangeCode } from './code-blocks.ts';
import { escapeHtml } from './layout.ts';
import type { Heading } from './layout.ts';

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

/** `drawings` are the texts of images in docs/images, by name. */
export function renderMarkdown(
  markdown: string,
  drawings: ReadonlyMap<string, string>,
): RenderedMarkdown {
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
      const html = drawings.get(name);
      if (html === undefined) return createElement('img', { src, alt, loading: 'lazy' });
      // Embedded in the page, so that it uses the colours of the theme.
      const label = { className: 'drawing', role: 'img', 'aria-label': alt, tabIndex: 0 };
      return createElement('span', { ...label, dangerouslySetInnerHTML: { __html: html } });
    },
  };
  const page = createElement(Markdown, {
    remarkPlugins: [tables],
    rehypePlugins: [rehypeSlug, arrangeCode(highlight)],
    urlTransform: toAddress,
    components,
    children: markdown,
  });
  const [, title = 'Trivium'] = /^# (.+)$/m.exec(markdown) ?? [];
  const html = renderToStaticMarkup(page);
  return { title, html, headings: headingsIn(html) };
}

/** Only the tables of GitHub's Markdown: remark-gfm would also link every `www.`. */
const tables: Plugin = function () {
  const data = this.data() as ParserData;
  (data.micromarkExtensions ??= []).push(gfmTable());
  (data.fromMarkdownExtensions ??= []).push(gfmTableFromMarkdown());
};

/** JSON as highlighted HTML, for pages that are not written in Markdown. */
export function highlightJson(code: string): string {
  const toHtml = (node: ElementContent): string => {
    if (node.type === 'text') return escapeHtml(node.value);
    if (node.type !== 'element') return '';
    const names = node.properties.className?.join(' ') ?? '';
    return `<span class="${names}">${node.children.map(toHtml).join('')}</span>`;
  };
  return highlight('json', code).map(toHtml).join('');
}

/** Only the languages that the documentation uses. */
const lowlight = createLowlight({ sh: bash, bash, json, python, console: shell, ts: typescript });

function highlight(language: string, code: string): ElementContent[] {
  return lowlight.registered(language)
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
