// Markdown to HTML: headings get anchors as on GitHub, links between pages become addresses.
import { Marked } from 'marked';

export interface Rendered {
  title: string;
  html: string;
}

export function renderMarkdown(markdown: string): Rendered {
  const used = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    walkTokens: (token) => {
      if (token.type === 'link') token['href'] = toAddress(String(token['href']));
    },
    renderer: {
      heading({ tokens, depth, text }) {
        const id = unused(slugOf(text), used);
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`;
      },
      table(token) {
        const cells = (row: typeof token.header) =>
          row.map((cell) => this.tablecell(cell)).join('');
        const head = this.tablerow({ text: cells(token.header) });
        const body = token.rows.map((row) => this.tablerow({ text: cells(row) })).join('');
        const table = `<table><thead>${head}</thead><tbody>${body}</tbody></table>`;
        return `<div class="wide">${table}</div>`;
      },
    },
  });
  const [, title = 'Trivium'] = /^# (.+)$/m.exec(markdown) ?? [];
  return { title, html: marked.parse(markdown, { async: false }) };
}

/** The anchor that GitHub gives a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** `money.md#holds` is `/docs/money#holds`; what leads out of the web leads nowhere. */
export function toAddress(link: string): string {
  const [, name, anchor = ''] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(link) ?? [];
  if (name === undefined) return /^(?:https?:\/\/|[/#])/.test(link) ? link : '#';
  return name === 'index' ? `/docs${anchor}` : `/docs/${name}${anchor}`;
}

function unused(slug: string, used: Map<string, number>): string {
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}
