// The documentation as plain text: every page as Markdown, /llms.txt, which lists them, and the search
// index, with one entry for each section of each page.
import { markdownOf, type NavGroup } from './layout.ts';
import { plainText } from './markdown.ts';

/** Removes the words after the backticks, which are for the tests and the web pages. */
export function plainMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/^```(\w+) [^\n]*$/gm, '```$1')
    .replaceAll('](images/', '](/docs/images/');
}

/** The first paragraph of the overview, and a link to every page with its first sentence. */
export function listForModels(
  texts: ReadonlyMap<string, string>,
  groups: readonly NavGroup[],
): string {
  const textOf = (href: string) => {
    return texts.get(href === '/docs' ? 'index' : href.slice('/docs/'.length));
  };
  const sections = groups.map(({ title, entries }) => {
    const lines = entries.map((entry) => {
      const text = textOf(entry.href);
      return text === undefined
        ? `- [${entry.title}](/openapi.json): The OpenAPI document.`
        : `- [${entry.title}](${markdownOf(entry.href)}): ${firstSentence(text)}`;
    });
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const summary = firstParagraph(textOf('/docs') ?? '');
  return `# Trivium\n\n> ${summary}\n\n${sections.join('\n')}`;
}

function firstParagraph(markdown: string): string {
  const paragraphs = markdown.split(/\n{2,}/).map((one) => one.trim());
  return (paragraphs.find((one) => /^[\w`*[]/.test(one)) ?? '').replaceAll(/\s+/g, ' ');
}

function firstSentence(markdown: string): string {
  const bare = firstParagraph(markdown).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return /^.*?[.:](?= |$)/.exec(bare)?.[0].replace(/:$/, '.') ?? bare;
}

interface SearchEntry {
  page: string;
  heading: string;
  href: string;
  text: string;
}

/** Splits a rendered page at its headings. */
export function sectionsOf(page: { title: string; html: string; href: string }): SearchEntry[] {
  const parts = page.html.split(/(?=<h[123] id=")/);
  return parts.flatMap((part) => {
    const [head = '', id, inner = ''] =
      /^<h[123] id="([^"]*)"><a [^>]*>(.*?)<\/a><\/h[123]>/s.exec(part) ?? [];
    const text = plainText(part.slice(head.length).replaceAll(/<[^<>]*>/g, ' '));
    const bare = text.replaceAll(/\s+/g, ' ').trim();
    if (id === undefined && bare === '') return [];
    const heading = plainText(inner).replaceAll(/\s+/g, ' ').trim();
    const isTop = head.startsWith('<h1') || id === undefined;
    return [
      {
        page: page.title,
        heading: heading || page.title,
        href: address(page.href, id, isTop),
        text: bare,
      },
    ];
  });
}

function address(href: string, id: string | undefined, isTop: boolean): string {
  return isTop ? href : `${href}#${id}`;
}
