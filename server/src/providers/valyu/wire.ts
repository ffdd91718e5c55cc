// Schemas of Valyu's answers: only the fields that are used.
import { z } from 'zod';
import { asGiven, maybe } from '../shared/schemas.ts';

const Found = z.object({
  url: z.string(),
  title: maybe.text,
  /** A text, or any JSON for licensed datasets. */
  content: z.unknown().optional(),
  description: maybe.text,
  relevance_score: maybe.number,
  publication_date: maybe.text,
  date: maybe.text,
  authors: maybe.texts,
});

export const SearchAnswer = asGiven(z.object({ results: z.array(Found) }));

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
export type Fetched = z.infer<typeof Fetched>;

export const ContentsAnswer = z.object({ results: z.array(Fetched) });

/** What a model generated from a page according to our schema. */
const Made = z.object({ excerpts: maybe.texts, summary: maybe.text });
type Made = z.infer<typeof Made>;

/** Every answer is checked for this. */
export const Failure = asGiven(
  z.object({
    success: z.boolean().nullish(),
    message: maybe.text,
    error: maybe.text,
    errors: maybe.list({ key: maybe.text, message: maybe.text, code: maybe.text }),
    /** Seconds, under a rate limit. */
    retry_after: z.unknown().optional(),
    /** Only pages have their own status. */
    results: maybe.list({ status: z.string().optional() }),
  }),
);
export type Failure = ReturnType<typeof Failure.parse>;

/** Structured output is an object, or JSON in a text. Undefined if it is neither. */
export function readMade(value: unknown): Made | undefined {
  const parsed = typeof value === 'string' ? parseObject(value) : value;
  const made = Made.safeParse(parsed).data;
  return made?.excerpts || made?.summary ? made : undefined;
}

/** True if the model's output replaced the page's own text. */
export function isReplaced({ data_type, content }: Fetched): boolean {
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
