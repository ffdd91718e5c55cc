// What Exa returns of a page: text, highlights, summary and extras, each only when asked.
import type { Page } from '../corpus/page.ts';
import { termsOf } from '../terms.ts';
import { bestPassages, cutAt, summarise } from '../text.ts';
import type { ContentsWishes } from './exa-wire.ts';

export function describeContents(page: Page, wishes: ContentsWishes, query = page.title): object {
  const { text, highlights, summary, extras } = wishes;
  return {
    ...(text ? { text: textOf(page, text) } : {}),
    ...(highlights ? highlightsOf(page, highlights, query) : {}),
    ...(summary ? { summary: summarise(page.body, termsOf(questionOf(summary) ?? query)) } : {}),
    ...(extras ? { extras: extrasOf(page, extras) } : {}),
  };
}

const HIGHLIGHTS_PER_PAGE = 3;

function questionOf(wish: true | { query?: string | null | undefined }): string | undefined {
  return wish === true ? undefined : (wish.query ?? undefined);
}

function textOf(page: Page, wish: NonNullable<ContentsWishes['text']>): string {
  if (page.body === '') return '';
  const whole = `# ${page.title}\n\n${page.body}`;
  const limit = typeof wish === 'object' ? wish.maxCharacters : undefined;
  return cutAt(whole, limit ?? whole.length);
}

function highlightsOf(
  page: Page,
  wish: Exclude<ContentsWishes['highlights'], false | null | undefined>,
  query: string,
): { highlights: string[]; highlightScores: number[] } {
  let room = (wish === true ? undefined : wish.maxCharacters) ?? Number.POSITIVE_INFINITY;
  const highlights: string[] = [];
  const highlightScores: number[] = [];
  const terms = termsOf(questionOf(wish) ?? query);
  for (const passage of bestPassages(page.body, terms, HIGHLIGHTS_PER_PAGE)) {
    const cut = cutAt(passage.text, room);
    if (cut === '') break;
    room -= cut.length;
    highlights.push(cut);
    highlightScores.push(passage.score);
  }
  return { highlights, highlightScores };
}

function extrasOf(page: Page, wish: NonNullable<ContentsWishes['extras']>): object {
  return {
    ...(wish.links ? { links: page.links.slice(0, wish.links) } : {}),
    ...(wish.imageLinks ? { imageLinks: page.images.slice(0, wish.imageLinks) } : {}),
  };
}
