// The documentation as plain text: every page as Markdown, and /llms.txt, which lists them.
import type { Documentation } from './markdown.ts';
import { markdownOf } from './layout.ts';
import type { NavGroup } from './navigation.ts';

/** Removes the words after the backticks, which are for the tests and the web pages. */
export function plainMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/^```(\w+) [^\n]*$/gm, '```$1')
    .replaceAll('](images/', '](/docs/images/');
}

/** The first paragraph of the overview, and a link to every page with its first sentence. */
export function listForModels(files: Documentation['pages'], groups: readonly NavGroup[]): string {
  const textOf = (href: string) => {
    const name = href === '/docs' ? 'index' : href.slice('/docs/'.length);
    return files.find((file) => file.name === name)?.markdown;
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
