// What a page of the invented web is made of: once as written in the corpus, once as seen on a day.

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
  /** A fixed day, or an age that keeps the page young whenever the sandbox runs. */
  published?: string | { days_ago: number };
  language: 'en' | 'de' | 'fr' | 'es' | 'pt' | 'ja';
  country: string;
  topics: Topic[];
  kind: Kind;
  links?: string[];
  images?: string[];
  /** True for the pages that a safe search leaves out. Their wording is harmless all the same. */
  unsafe?: true;
};

export type Page = Omit<SourcePage, 'published' | 'links' | 'images' | 'unsafe'> & {
  published?: Date;
  links: string[];
  images: string[];
  unsafe: boolean;
};

/**
 * The page as it stands on a day, with relative ages turned into dates. All day long they are the
 * same, so that the same call is answered with the same bytes; what is younger than a day appeared
 * as the day began, and so is at no hour older than a day or still to come.
 */
export function seePage(source: SourcePage, now: Date): Page {
  const { published, links = [], images = [], unsafe = false, ...rest } = source;
  const page = { ...rest, links, images, unsafe };
  if (published === undefined) return page;
  if (typeof published === 'string') return { ...page, published: new Date(published) };
  const age_ms = published.days_ago < 1 ? 0 : published.days_ago * DAY_MS;
  return { ...page, published: new Date(dayBegin(now) - age_ms) };
}

/** Joins the wrapped lines of each paragraph; headings, lists and tables keep their lines. */
export function unwrap(body: string): string {
  return body
    .trim()
    .split(/\n{2,}/)
    .map((block) => (/^[#|-]/.test(block) ? block : joinLines(block)))
    .join('\n\n');
}

const DAY_MS = 86_400_000;

function dayBegin(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS) * DAY_MS;
}

const SPACELESS_BREAK = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。])\n\s*/gu;

function joinLines(block: string): string {
  return block.replace(SPACELESS_BREAK, '$1').replace(/\n\s*/g, ' ');
}
