// Feedback of a caller: which results of a search were useful.
import { z } from 'zod';
import { ResultId, SearchId } from './ids.ts';
import { maxUrlLength } from './web-url.ts';

/** As many as a search can return. */
const maxNamed = 100;
/** How many days after a search feedback is accepted. */
export const feedbackDays = 7;

const Named = z
  .string()
  .max(maxUrlLength)
  .refine((text) => ResultId.safeParse(text).success || /^https?:\/\//i.test(text), {
    error: 'Must be the id or the URL of a result.',
  });

const results = (description: string) =>
  z.array(Named).max(maxNamed).optional().describe(description);

export const FeedbackRequest = z
  .strictObject({
    search_id: SearchId.describe('The id of a search of this account.'),
    cited: results('Results that an answer was based on, by id or URL.'),
    opened: results('Results that were opened.'),
    rejected: results('Results that were not useful.'),
  })
  .refine(({ cited, opened, rejected }) => [cited, opened, rejected].some((one) => one?.length), {
    error: 'Name at least one result in cited, opened or rejected.',
  })
  .describe('Which results of a search were useful.');
export type FeedbackRequest = z.infer<typeof FeedbackRequest>;

export const FeedbackResponse = z
  .object({
    search_id: SearchId.describe('The id of the search.'),
    cited: z.int().min(0).describe('How many results of the search count as cited now.'),
    opened: z.int().min(0).describe('How many count as opened.'),
    rejected: z.int().min(0).describe('How many count as rejected.'),
    unknown: z
      .array(z.string())
      .describe('The entries of this request that are not results of the search.'),
  })
  .describe('The feedback about the results of the search so far.');
export type FeedbackResponse = z.infer<typeof FeedbackResponse>;
