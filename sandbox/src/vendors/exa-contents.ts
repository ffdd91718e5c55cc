// What Exa returns of a page: text, highlights, summary and extras, each only on request.
import type { Page } from '../corpus/page.ts';
import { termsOf } from '../terms.ts';
import { bestPassages, cutAt, summarise } from '../text.ts';
import type { ContentsOptions } from './exa-wire.ts';

export function describeContents(page: Page, options: ContentsOptions, query = page.title): object {
  const { text, highlights, summary, extras } = options;
  return {
    ...(text ? { text: textOf(page, text) } : {}),
    ...(highlights ? highlightsOf(page, highlights, query) : {}),
    ...(summary ? { summary: summarise(page.body, termsOf(questionOf(summary) ?? query)) } : {}),
    ...(extras ? { extras: extrasOf(page, extras) } : {}),
  };
}

const highlightsPerPage = 3;

function questionOf(option: true | { query?: string | null | undefined }): string | undefined {
  return option === true ? undefined : (option.query ?? undefined);
}

function textOf(page: Page, option: NonNullable<ContentsOptions['text']>): string {
  if (page.body === '') return '';
  const whole = `# ${page.title}\n\n${page.body}`;
  const limit = typeof option === 'object' ? option.maxCharacters : undefined;
  return cutAt(whole, limit ?? whole.length);
}

function highlightsOf(
  page: Page,
  option: Exclude<ContentsOptions['highlights'], false | null | undefined>,
  query: string,
): { highlights: string[]; highlightScores: number[] } {
  let remaining = (option === true ? undefined : option.maxCharacters) ?? Number.POSITIVE_INFINITY;
  const highlights: string[] = [];
  const highlightScores: number[] = [];
  const terms = termsOf(questionOf(option) ?? query);
  for (const passage of bestPassages(page.body, terms, highlightsPerPage)) {
    const cut = cutAt(passage.text, remaining);
    if (cut === '') break;
    remaining -= cut.length;
    highlights.push(cut);
    highlightScores.push(passage.score);
  }
  return { highlights, highlightScores };
}

function extrasOf(page: Page, option: NonNullable<ContentsOptions['extras']>): object {
  return {
    ...(option.links ? { links: page.links.slice(0, option.links) } : {}),
    ...(option.imageLinks ? { imageLinks: page.images.slice(0, option.imageLinks) } : {}),
  };
}
