// Valyu's page contents: up to ten pages per call, and a schema that makes its model select
// excerpts.
import { type ExtractAsk, readDay } from '../../negotiation/index.ts';
import { type Match, matchPages } from '../shared/match-pages.ts';
import { pageKey } from '@trivium/shared/page-key';
import { filled, plain } from '../shared/text.ts';
import type { ExtractInput, PageOutcome } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import { z } from 'zod';
import { maybe } from '../shared/schemas.ts';

const Fetched = z.object({
  url: maybe.text,
  status: maybe.text,
  error: maybe.text,
  title: maybe.text,
  content: z.unknown().optional(),
  /** A text for an instruction, an object for a schema. */
  summary: z.unknown().optional(),
  summary_success: z.boolean().nullish(),
  data_type: maybe.text,
  publication_date: maybe.text,
});
type Fetched = z.infer<typeof Fetched>;

const ContentsAnswer = z.object({ results: z.array(Fetched) });

/** What a model generated from a page according to our schema. */
const Made = z.object({ excerpts: maybe.texts, summary: maybe.text });
type Made = z.infer<typeof Made>;

/** The provider accepts an instruction of 500 characters. This text precedes the query. */
export const instruction = 'Sum up this page with regard to: ';
export const maxInstruction = 500;
/** The query occurs twice in a schema, which must stay well below 5000 characters. */
export const maxInSchema = 2000;

type Summary = true | string | object | undefined;

export function contentsRequest(
  urls: readonly string[],
  ask: ExtractAsk,
  summary: Summary,
): WireRequest {
  const maxChars = ask['content.max_chars'];
  const picked = ask['content.excerpts'] !== undefined;
  // Excerpts are compared with the page's own text, so the whole text is needed.
  const length = picked || maxChars === undefined ? 'max' : Math.max(1000, maxChars);
  const wanted = picked || ask['content.full_text'];
  return {
    method: 'POST',
    path: '/contents',
    body: { urls, extract_effort: 'auto', response_length: wanted ? length : 'short', summary },
  };
}

export function summaryOf(ask: ExtractAsk): Summary {
  const { query, 'content.excerpts': excerpts, 'content.summary': summary } = ask;
  if (excerpts) return schemaOf(query ?? 'its main subject', excerpts.max_per_url, summary);
  if (!summary) return undefined;
  return query === undefined ? true : instruction + query;
}

/** There is no separate option for excerpts. */
function schemaOf(subject: string, count = 5, withSummary = false): object {
  const excerpts = {
    type: 'array',
    items: { type: 'string' },
    maxItems: count,
    description: `Passages taken from the page letter by letter, the best about: ${subject}`,
  };
  const summary = { type: 'string', description: instruction + subject };
  return {
    type: 'object',
    properties: withSummary ? { excerpts, summary } : { excerpts },
    required: ['excerpts'],
  };
}

/** If the model's output replaced the page's text, the text is fetched again without it. */
export function replacedPages(
  bodies: readonly unknown[],
  { urls, ask }: ExtractInput,
): WireRequest[] {
  if (!ask['content.full_text'] || !ask['content.excerpts']) return [];
  const found = itemsOf(urls, bodies[0]);
  const replaced = urls.filter((_, index) => {
    const item = found[index]?.[0];
    return item !== undefined && isReplaced(item);
  });
  return replaced.length === 0 ? [] : [contentsRequest(replaced, ask, undefined)];
}

export function readPages(
  bodies: readonly unknown[],
  { urls, ask, now }: ExtractInput,
): PageOutcome[] {
  const [found = [], again = []] = bodies.map((body) => itemsOf(urls, body));
  return found.map(([page, item], index): PageOutcome => {
    if (!page) return 'not returned by the provider';
    if (page.status === 'failed') return filled(page.error) ?? 'the provider could not fetch it';
    const replaced = ask['content.excerpts'] !== undefined && isReplaced(page);
    const source = replaced ? again[index]?.[0] : page;
    const content = source && filled(textOf(source.content));
    return {
      item,
      title: plain(page.title),
      content,
      ...madeOf(page, ask, content),
      published_date: readDay(page.publication_date, now),
    };
  });
}

/** A passage that a model selected is kept only if the page contains it. */
function madeOf(
  item: Fetched,
  ask: ExtractAsk,
  content: string | undefined,
): { excerpts?: string[] | undefined; summary?: string | undefined } {
  if (item.summary_success === false) return {};
  if (!ask['content.excerpts']) return { summary: filled(item.summary) };
  const made = readMade(item.summary) ?? (isReplaced(item) ? readMade(item.content) : undefined);
  const page = content === undefined ? undefined : squashed(content);
  const isInPage = (text: string) => page?.includes(squashed(text)) ?? true;
  return {
    excerpts: made?.excerpts?.filter((text) => filled(text) && isInPage(text)),
    summary: made ? filled(made.summary) : filled(item.summary),
  };
}

function squashed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The provider returns one answer for addresses that it considers the same page. */
function itemsOf(urls: readonly string[], body: unknown): Match<Fetched>[] {
  const { results } = ContentsAnswer.parse(body);
  const found = matchPages(urls, results, ({ url }) => url && withoutMark(url));
  const keys = urls.map(pageKey);
  const answered = new Map(found.flatMap((match, at) => (match[0] ? [[keys[at], match]] : [])));
  return found.map((match, at) => (match[0] ? match : (answered.get(keys[at]) ?? [])));
}

/** Structured output is an object, or JSON in a text. Undefined if it is neither. */
function readMade(value: unknown): Made | undefined {
  const parsed = typeof value === 'string' ? parseObject(value) : value;
  const made = Made.safeParse(parsed).data;
  return made?.excerpts || made?.summary ? made : undefined;
}

/** True if the model's output replaced the page's own text. */
function isReplaced({ data_type, content }: Fetched): boolean {
  return data_type === 'structured' && readMade(content) !== undefined;
}

/** A text as it is, anything else as JSON. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return content === null || content === undefined ? '' : JSON.stringify(content);
}

/** The provider sometimes adds its name to addresses. */
export function withoutMark(url: string): string {
  if (!url.includes('utm_source=valyu')) return url;
  return url.replace(/([?&])utm_source=valyu(&|(?=#)|$)/, (_, before: string, after: string) =>
    after === '&' ? before : '',
  );
}

function parseObject(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
