// Converts the HTML of a page into markdown and metadata.
import { gfm } from '@joplin/turndown-plugin-gfm';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { parse, serialize } from 'parse5';
import TurndownService from 'turndown';

export type Article = {
  title: string;
  markdown: string;
  html: string;
  links: string[];
  images: string[];
  author?: string;
  /** As written on the page. */
  published?: string;
  language?: string;
  description?: string;
};

export function readArticle(html: string, url: string): Article {
  // Normalized first, as a browser would: many pages omit tags or never close them.
  const { document } = parseHTML(serialize(parse(html)));
  const base = absolute(document.querySelector('base[href]')?.getAttribute('href'), url) ?? url;
  const links = makeAbsolute(document, 'a[href]', 'href', base).slice(0, maxLinks);
  const images = makeAbsolute(document, 'img[src]', 'src', base).slice(0, maxImages);
  const published = publishedIn(document);
  const language = document.documentElement?.getAttribute('lang') ?? undefined;
  const whole = wholePage(document);
  const found = new Readability(document, { keepClasses: true }).parse();
  const enough = (found?.textContent ?? '').trim().length >= shortestArticle;
  const content = (enough ? found?.content : undefined) ?? whole.html;
  const title = (found?.title ?? '').trim() || whole.title;
  return {
    title,
    html: content,
    markdown: withoutTitle(markdownOf(content), title),
    links,
    images,
    ...filled('author', found?.byline),
    ...filled('published', found?.publishedTime ?? published),
    ...filled('language', found?.lang ?? language),
    ...filled('description', found?.excerpt),
  };
}

const maxLinks = 1000;
const maxImages = 500;
/** Shorter text is a caption or a notice that was mistaken for the article. */
const shortestArticle = 140;
const notText =
  'script, style, noscript, template, nav, footer, aside, form, dialog, iframe, svg, [hidden]';

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
});
turndown.use(gfm);
// data: images and links to the page itself are noise in a text.
turndown.addRule('pictures without address', {
  filter: (node) => node.nodeName === 'IMG' && !isWeb(node.getAttribute('src')),
  replacement: () => '',
});
turndown.addRule('links without address', {
  filter: (node) => node.nodeName === 'A' && !isWeb(node.getAttribute('href')),
  replacement: (content) => content,
});

function isWeb(address: string | null): boolean {
  return /^https?:/i.test(address ?? '');
}

function markdownOf(html: string): string {
  return turndown
    .turndown(html)
    .replace(/(?<! ) $/gm, '')
    .trim();
}

/** If no article is found, the whole page is used, without navigation and similar elements. */
function wholePage(document: Document): { html: string; title: string } {
  const body = document.body?.cloneNode(true) as HTMLElement | null;
  for (const element of body?.querySelectorAll(notText) ?? []) element.remove();
  return { html: body?.innerHTML ?? '', title: (document.title ?? '').trim() };
}

/** The text already begins with the title. */
function withoutTitle(markdown: string, title: string): string {
  const [first = '', ...rest] = markdown.split('\n');
  return first.replace(/^#+\s*/, '') === title ? rest.join('\n').trim() : markdown;
}

function makeAbsolute(document: Document, which: string, name: string, base: string): string[] {
  const found = new Set<string>();
  for (const element of document.querySelectorAll(which)) {
    const address = absolute(element.getAttribute(name), base);
    if (address === undefined) continue;
    element.setAttribute(name, address);
    found.add(address);
  }
  return [...found];
}

function absolute(address: string | null | undefined, base: string): string | undefined {
  const text = address?.trim();
  if (text === undefined || text.startsWith('#') || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  return isWeb(url.href) ? url.href : undefined;
}

const dates: [selector: string, attribute: string][] = [
  ['meta[itemprop="datePublished"]', 'content'],
  ['meta[name="date"], meta[name="dc.date"], meta[name="DC.date"]', 'content'],
  ['time[itemprop="datePublished"]', 'datetime'],
  ['article time[datetime]', 'datetime'],
];

function publishedIn(document: Document): string | undefined {
  return dates
    .map(([selector, name]) => document.querySelector(selector)?.getAttribute(name))
    .find((text) => text !== null && text !== undefined && text.trim() !== '') as
    | string
    | undefined;
}

function filled<Name extends string>(
  name: Name,
  text: string | null | undefined,
): { [Key in Name]?: string } {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? {} : ({ [name]: trimmed } as { [Key in Name]?: string });
}
