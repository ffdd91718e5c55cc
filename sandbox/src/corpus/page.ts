// A page of the corpus: as written, and as served on a given day.
import { dayMs } from '../durations.ts';

export type Topic =
  | 'energy'
  | 'storage'
  | 'water'
  | 'climate'
  | 'agriculture'
  | 'health'
  | 'software'
  | 'transport'
  | 'finance'
  | 'space'
  | 'cities'
  | 'oceans';

export type Kind = 'article' | 'news' | 'company' | 'person' | 'paper' | 'reference';

export type SourcePage = {
  url: string;
  title: string;
  /** Markdown; lines of one paragraph are joined when the corpus is loaded. */
  body: string;
  author?: string;
  /** A fixed date, or an age, so that the page is always recent. */
  published?: string | { days_ago: number };
  language: 'en' | 'de' | 'fr' | 'es' | 'pt' | 'ja';
  country: string;
  topics: Topic[];
  kind: Kind;
  links?: string[];
  images?: string[];
  /** True for pages that safe search filters. Their text is harmless. */
  unsafe?: true;
};

export type Page = Omit<SourcePage, 'published' | 'links' | 'images' | 'unsafe'> & {
  published?: Date;
  links: string[];
  images: string[];
  unsafe: boolean;
};

/**
 * The page on a given day, with ages converted to dates. The dates are the same all day, so that the
 * same call returns the same bytes. A page younger than a day is dated at the start of the day, so it
 * is never older than a day and never in the future.
 */
export function seePage(source: SourcePage, now: Date): Page {
  const { published, links = [], images = [], unsafe = false, ...rest } = source;
  const page = { ...rest, links, images, unsafe };
  if (published === undefined) return page;
  if (typeof published === 'string') return { ...page, published: new Date(published) };
  const ageMs = published.days_ago < 1 ? 0 : published.days_ago * dayMs;
  return { ...page, published: new Date(dayBegin(now) - ageMs) };
}

/** Joins the wrapped lines of each paragraph; headings, lists and tables keep their lines. */
export function unwrap(body: string): string {
  return body
    .trim()
    .split(/\n{2,}/)
    .map((block) => (/^[#|-]/.test(block) ? block : joinLines(block)))
    .join('\n\n');
}

function dayBegin(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs) * dayMs;
}

const spacelessBreak = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。])\n\s*/gu;

function joinLines(block: string): string {
  return block.replace(spacelessBreak, '$1').replace(/\n\s*/g, ' ');
}
