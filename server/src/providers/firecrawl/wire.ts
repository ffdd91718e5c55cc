// Schemas of Firecrawl's answers: only the fields that are used.
import { z } from 'zod';
import { asGiven } from '../shared/as-given.ts';

/** If a page repeats a meta tag, its value is a list. */
const Texts = z.union([z.string(), z.array(z.string())]).nullish();

export function firstOf(texts: z.infer<typeof Texts>): string | undefined {
  return (typeof texts === 'string' ? texts : texts?.[0]) ?? undefined;
}

const Result = z.object({
  url: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  snippet: z.string().nullish(),
  date: z.string().nullish(),
});
/**
 * One list for each kind of source. A kind without results may be missing, and so may all of them.
 */
export const SearchAnswer = asGiven(
  z.object({
    success: z.literal(true),
    data: z.object({ web: z.array(Result).nullish(), news: z.array(Result).nullish() }).nullish(),
  }),
);
export const PageAnswer = z.object({
  data: z.object({
    markdown: z.string().nullish(),
    highlights: z.string().nullish(),
    metadata: z
      .object({
        title: Texts,
        author: Texts,
        url: z.string().nullish(),
        statusCode: z.number().nullish(),
        publishedTime: Texts,
        dcDate: Texts,
        dcTermsCreated: Texts,
        dcDateCreated: Texts,
      })
      .nullish(),
  }),
});
/** Every answer is checked for this before its failure is read. */
export const Failed = asGiven(z.object({ success: z.literal(false) }));
export const Failure = z.object({
  success: z.boolean().nullish(),
  error: z.string().nullish(),
  code: z.string().nullish(),
  /** A list of fields for a refused request, something else for other failures. */
  details: z
    .array(z.object({ path: z.array(z.unknown()), message: z.string() }))
    .nullish()
    .catch(undefined),
});
