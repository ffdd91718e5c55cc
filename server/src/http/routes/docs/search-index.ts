// The search index of the documentation: one entry for each section of each page.
import { plainText } from './markdown.ts';

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
