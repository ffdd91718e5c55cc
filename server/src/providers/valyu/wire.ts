// Schemas of Valyu's answers: only the fields that are used.
import { z } from 'zod';
import { asGiven } from '../shared/as-given.ts';

const Found = z.object({
  url: z.string(),
  title: z.string().nullish(),
  /** A text, or any JSON for licensed datasets. */
  content: z.unknown().optional(),
  description: z.string().nullish(),
  relevance_score: z.number().nullish(),
  publication_date: z.string().nullish(),
  date: z.string().nullish(),
  authors: z.array(z.string()).nullish(),
});

export const SearchAnswer = asGiven(z.object({ results: z.array(Found) }));

const Fetched = z.object({
  url: z.string().nullish(),
  status: z.string().nullish(),
  error: z.string().nullish(),
  title: z.string().nullish(),
  content: z.unknown().optional(),
  /** A text for an instruction, an object for a schema. */
  summary: z.unknown().optional(),
  summary_success: z.boolean().nullish(),
  data_type: z.string().nullish(),
  publication_date: z.string().nullish(),
});
export type Fetched = z.infer<typeof Fetched>;

export const ContentsAnswer = z.object({ results: z.array(Fetched) });

/** What a model generated from a page according to our schema. */
const Made = z.object({
  excerpts: z.array(z.string()).nullish(),
  summary: z.string().nullish(),
});
type Made = z.infer<typeof Made>;

/** Every answer is checked for this. */
export const Failure = asGiven(
  z.object({
    success: z.boolean().nullish(),
    message: z.string().nullish(),
    error: z.string().nullish(),
    errors: z
      .array(
        z.object({
          key: z.string().nullish(),
          message: z.string().nullish(),
          code: z.string().nullish(),
        }),
      )
      .nullish(),
    /** Seconds, under a rate limit. */
    retry_after: z.unknown().optional(),
    /** Only pages have their own status. */
    results: z.array(z.object({ status: z.string().optional() })).nullish(),
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
