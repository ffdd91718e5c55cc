// Markdown to HTML, with the library that the dashboard uses: headings get the anchors of GitHub,
// links between files become links between pages.
import type { Components, Options } from 'react-markdown';

type Plugin = Extract<NonNullable<Options['remarkPlugins']>[number], Function>;

/** Where the parser looks for extensions. */
interface ParserData {
  micromarkExtensions?: unknown[];
  fromMarkdownExtensions?: unknown[];
}

interface RenderedMarkdown {
  title: string;
  html: string;
}

export async function renderMarkdown(markdown: string): Promise<RenderedMarkdown> {
  const { Markdown, tables, rehypeSlug, createElement, renderToStaticMarkup } =
    await loadRenderer();
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
      createElement('div', { className: 'wide' }, createElement('table', null, children)),
  };
  const page = createElement(Markdown, {
    remarkPlugins: [tables],
    rehypePlugins: [rehypeSlug],
    urlTransform: toAddress,
    components,
    children: markdown,
  });
  const [, title = 'Trivium'] = /^# (.+)$/m.exec(markdown) ?? [];
  return { title, html: renderToStaticMarkup(page) };
}

/** Loaded with the first page, because a start should not wait for it. */
async function loadRenderer() {
  const [react, server, markdown, slug, syntax, tree] = await Promise.all([
    import('react'),
    import('react-dom/server'),
    import('react-markdown'),
    import('rehype-slug'),
    import('micromark-extension-gfm-table'),
    import('mdast-util-gfm-table'),
  ]);
  /** The tables of GitHub's Markdown alone: remark-gfm would link every `www.` as well. */
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
  };
}

/** `money.md#holds` becomes `/docs/money#holds`; other relative links lead nowhere. */
function toAddress(link: string): string {
  const [, name, anchor = ''] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(link) ?? [];
  if (name === undefined) return /^(?:https?:\/\/|[/#])/.test(link) ? link : '#';
  return name === 'index' ? `/docs${anchor}` : `/docs/${name}${anchor}`;
}
